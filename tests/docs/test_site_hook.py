"""The site's navigation and links, made from Markdown that also works on a code host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.site_hook import BESIDE, nav_of, relinked

ROOT = Path(__file__).resolve().parents[2]
INDEX = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_the_navigation_has_every_page_once() -> None:
    nav = nav_of(INDEX)
    assert nav[0] == {"Home": "index.md"}
    named = [page for section in nav[1:] for pages in section.values() for one in pages for page in dict(one).values()]  # type: ignore[arg-type]
    assert len(named) == len(set(named))
    there = {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")} - {"index.md"}
    assert set(named) == there | {page for page in BESIDE.values() if page.endswith(".md")}


def test_each_kind_of_reader_has_a_section_that_begins_with_its_first_page() -> None:
    sections = {title: pages for section in nav_of(INDEX) for title, pages in section.items()}
    for reader in ("Players", "Teachers", "Designers", "Researchers"):
        assert list(dict(sections[reader][0]).values()) == [f"for/{reader.lower()}.md"]  # type: ignore[arg-type]
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
