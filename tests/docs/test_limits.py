"""The page of limits has every limit of every part, with its value."""

from __future__ import annotations

from pathlib import Path

from tools.make_docs import LIMITS, made
from tools.tables import value_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")


def test_every_module_of_limits_is_on_the_page() -> None:
    assert set((ROOT / "src").rglob("limits.py")) == {Path(str(module.__file__)) for module in LIMITS.values()}


def test_every_limit_is_in_the_table_of_its_part() -> None:
    missing = []
    for part, module in LIMITS.items():
        assert f"\n```made\nlimits {part}\n```\n" in PAGE
        block = made(f"limits {part}")
        names = [name for name in vars(module) if name.isupper()]
        assert len(names) >= 3, part
        missing += [
            f"{part} {name}" for name in names if f"| `{name}` | {value_of(getattr(module, name))} |" not in block
        ]
    assert missing == []
