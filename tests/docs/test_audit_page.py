"""The page on audits: every kind of finding has a file that shows it, and is on the page."""

import re
from pathlib import Path

from tools.make_docs import made
from zerosum.lab.audit import kinds
from zerosum.lab.findings import Severity
from zerosum.rules.game_files import load_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "audit.md").read_text(encoding="utf-8")
FINDINGS = made("findings")


def test_every_kind_is_on_the_page_with_its_file() -> None:
    """Making the page shows that each file has its finding."""
    names = [kind.name for kind in kinds()]
    assert sorted(re.findall(r"^### (.*)$", FINDINGS, re.MULTILINE)) == sorted(names)
    for name in names:
        assert f"\n  {name}: " in FINDINGS
        assert load_file(str(DOCS / "audit" / f"{name}.toml")).id == name
    assert len(list((DOCS / "audit").iterdir())) == len(names)


def test_every_severity_is_on_the_page() -> None:
    for severity in Severity:
        assert f"\n| `{severity}` | " in PAGE
