"""Each ruling is in the documentation and held by tests of its number."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULINGS = 11


def test_every_ruling_is_documented_and_tested() -> None:
    page = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    files = sorted((ROOT / "tests" / "clauses").glob("test_rulings*.py"))
    tests = "".join(file.read_text(encoding="utf-8") for file in files)
    documented = [int(number) for number in re.findall(r"^## (\d+)\. ", page, re.MULTILINE)]
    tested = {int(number) for number in re.findall(r"^class TestRuling(\d+)", tests, re.MULTILINE)}
    assert documented == list(range(1, RULINGS + 1))
    assert tested == set(documented)


def test_every_contradiction_names_its_ruling() -> None:
    page = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+) \| ([0-9, ]+) \|$", page.partition("\n## Where a rulebook")[2], re.MULTILINE)
    assert len(rows) >= 15
    assert {int(number) for _, numbers in rows for number in numbers.split(",")} <= set(range(1, RULINGS + 1))
    for game in ("Sum to Zero", "Sequence Zero", "Zero Sum Duel", "Zero Sum Game", "Sum31"):
        assert any(row.startswith(game) for row, _ in rows), game
