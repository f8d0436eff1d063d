"""The pages themselves: links, anchors, and what must not be in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", prose(page))


def test_there_are_pages() -> None:
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/index.md"} <= set(NAMES)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_relative_links_and_anchors_resolve(page: Path) -> None:
    for link in links(page):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_page_can_be_reached_from_the_readme(page: Path) -> None:
    seen: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        one = ahead.pop()
        if one not in seen and one.suffix == ".md":
            seen.add(one)
            paths = (link.partition("#")[0] for link in links(one) if not link.startswith("https://"))
            ahead += [(one.parent / path).resolve() for path in paths if path]
    assert page in seen


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_page_names_a_path_of_some_machine(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w~.$}*)])/(?:home|root|work|tmp|usr|var|Users|opt|mnt)/", text)
    assert not re.search(r"\b[A-Z]:\\", text)
    assert str(ROOT) not in text


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_code_that_pages_name_is_there(page: Path) -> None:
    for path in re.findall(r"`((?:src|tests|docs|tools|requirements)/[\w./-]+)`", page.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path


def test_the_readme_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "test"):
        assert f"\n    make {target}\n" in text
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_readme_shows_a_match_that_the_command_has_printed() -> None:
    """The block is made by the command; test_generated.py compares it with what is printed now."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.partition("<!-- generated: run play ")[2].partition("<!-- /generated -->")[0]
    assert "\n$ zerosum play " in block
    assert "wins" in block


def test_every_target_of_make_is_in_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    for target in found[1].split():
        assert f"`make {target}`" in text, target


def test_every_room_is_in_architecture() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = [path.parent.name for path in (ROOT / "src" / "zerosum").glob("*/__init__.py")]
    assert "rules" in rooms
    for room in rooms:
        assert f"| `{room}` |" in text, room
