"""The site's navigation and links, made from Markdown that also works on a code host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import make_docs
from tools.site_hook import BESIDE, Nav, nav_of, relinked

ROOT = Path(__file__).resolve().parents[2]
INDEX = make_docs.page("index.md")


def pages_of(nav: Nav) -> Iterator[str]:
    """Yield the pages of a navigation, those of sections in a section too."""
    for below in (one for entry in nav for one in entry.values()):
        yield from [below] if isinstance(below, str) else pages_of(below)


def test_the_notes_are_below_the_first_level_of_the_menu() -> None:
    sections = {title: pages for section in nav_of(INDEX)[1:] for title, pages in section.items()}
    notes = {f"notes/{page.name}" for page in (ROOT / "docs" / "notes").glob("*.md")}
    assert {"notes/atlas.md", "notes/ideas.md", "notes/mechanisms.md", "notes/related.md", "notes/theorems.md"} <= notes
    (below,) = [entry["Notes"] for entry in sections["Researchers"] if "Notes" in entry]
    assert set(pages_of(below)) == notes
    assert "Notes" not in sections


def test_the_navigation_has_every_page_once() -> None:
    nav = nav_of(INDEX)
    assert nav[0] == {"Home": "index.md"}
    named = list(pages_of(nav[1:]))
    assert len(named) == len(set(named))
    there = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    assert set(named) == there | {page for page in BESIDE.values() if page.endswith(".md")}


def test_each_kind_of_reader_has_a_section_that_begins_with_its_first_page() -> None:
    sections = {title: pages for section in nav_of(INDEX) for title, pages in section.items()}
    for reader in ("Players", "Teachers", "Designers", "Researchers"):
        assert list(dict(sections[reader][0]).values()) == [f"for/{reader.lower()}.md"]
    begin = INDEX.partition("\n## ")[0]
    assert re.findall(r"\(for/(\w+)\.md\)", begin) == ["players", "teachers", "designers", "researchers"]


@pytest.mark.parametrize(
    ("page", "here", "there"),
    [
        ("index.md", "[A](../ARCHITECTURE.md)", "[A](project/architecture.md)"),
        ("games/sum31.md", "[r](../rulings.md#7-sudden-death)", "[r](../rulings.md#7-sudden-death)"),
        ("games/sum31.md", "[R](../../README.md#begin)", "[R](../project/readme.md#begin)"),
        ("project/readme.md", "[p](docs/play.md)", "[p](../play.md)"),
        ("project/readme.md", "![a match](docs/images/play.svg)", "![a match](../images/play.svg)"),
        ("project/readme.md", "[L](LICENSE) [C](CHANGELOG.md)", "[L](license.txt) [C](changelog.md)"),
        ("learn.md", "the matches in [docs/matches](matches)", "the matches in docs/matches"),
        ("learn.md", "[the build](../Makefile)", "the build"),
        ("learn.md", "[gone](nowhere.md)", "[gone](nowhere.md)"),
        (
            "learn.md",
            "[out](https://example.org/a.md) [here](#hints)",
            "[out](https://example.org/a.md) [here](#hints)",
        ),
        ("learn.md", "```text\n[A](../ARCHITECTURE.md)\n```", "```text\n[A](../ARCHITECTURE.md)\n```"),
    ],
)
def test_links_lead_to_the_same_place(page: str, here: str, there: str) -> None:
    assert relinked(here, page) == there
