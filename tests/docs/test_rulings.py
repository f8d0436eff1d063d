"""Each ruling is in the documentation and held by tests of its number."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULINGS = 10


def test_every_ruling_is_documented_and_tested() -> None:
    page = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    files = sorted((ROOT / "tests" / "clauses").glob("test_rulings*.py"))
    tests = "".join(file.read_text(encoding="utf-8") for file in files)
    documented = [int(number) for number in re.findall(r"^## (\d+)\. ", page, re.MULTILINE)]
    tested = {int(number) for number in re.findall(r"^class TestRuling(\d+)", tests, re.MULTILINE)}
    assert documented == list(range(1, RULINGS + 1))
    assert tested == set(documented)
