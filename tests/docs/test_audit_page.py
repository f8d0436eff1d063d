"""The page on audits: every kind of finding has a file that shows it, and is on the page."""

import re
from pathlib import Path

from tests.full import FULL
from tools.make_docs import LONG, made
from zerosum.lab.findings import FindingKind, Severity
from zerosum.rules.game_files import load_file

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "audit.md").read_text(encoding="utf-8")
FINDINGS = (DOCS / "reference" / "findings.md").read_text(encoding="utf-8")


def test_every_kind_is_on_the_page_with_its_file() -> None:
    assert sorted(re.findall(r"^### (.*)$", FINDINGS, re.MULTILINE)) == sorted(FindingKind)
    for kind in FindingKind:
        block = f"finding {kind}"
        assert f"\n```made\n{block}\n```\n" in FINDINGS
        assert f"\n  {kind}: " in made(block, quick=not FULL) or (block in LONG and not FULL)
        assert load_file(str(DOCS / "audit" / f"{kind}.toml")).id == kind
    assert len(list((DOCS / "audit").iterdir())) == len(FindingKind)


def test_every_severity_is_on_the_page() -> None:
    for severity in Severity:
        assert f"\n| `{severity}` | " in PAGE
