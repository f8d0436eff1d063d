"""Each ruling is in the documentation and held by tests of its number."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULINGS = 10


def test_every_ruling_is_documented_and_tested() -> None:
    page = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    tests = (ROOT / "tests" / "clauses" / "test_rulings.py").read_text(encoding="utf-8")
    documented = [int(number) for number in re.findall(r"^## (\d+)\. ", page, re.MULTILINE)]
    tested = {int(number) for number in re.findall(r"^class TestRuling(\d+)", tests, re.MULTILINE)}
    assert documented == list(range(1, RULINGS + 1))
    assert tested == set(documented)
