"""The page on audits: every kind of finding has a file that shows it, and is on the page."""

import re
from pathlib import Path

from zerosum.lab.findings import FindingKind, Severity
from zerosum.rules.files import load_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "audit.md").read_text(encoding="utf-8")


def test_every_kind_is_on_the_page_with_its_file() -> None:
    """That the file has the finding is seen when the page is made anew."""
    assert sorted(re.findall(r"^#### (.*)$", PAGE, re.MULTILINE)) == sorted(FindingKind)
    for kind in FindingKind:
        assert f"<!-- generated: finding {kind} -->" in PAGE
        assert f"\n  {kind}: " in PAGE
        assert load_file(str(DOCS / "audit" / f"{kind}.toml")).id == kind
    assert len(list((DOCS / "audit").iterdir())) == len(FindingKind)


def test_every_severity_is_on_the_page() -> None:
    for severity in Severity:
        assert f"\n| `{severity}` | " in PAGE
