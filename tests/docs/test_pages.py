"""The pages themselves: links, anchors, and what must not be in them."""

import re
import subprocess
from pathlib import Path

from tests.full import FULL
from tools.make_docs import filled

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("docs", "examples")
FILES = [*sorted(ROOT.glob("*.md")), *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))]
PAGES = {str(page.relative_to(ROOT)): page for page in FILES}
README_LINES = 130
WORDS = 70_000
"""What people read is in git and short; what programs print is made when the site is built."""


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return unfenced(page.read_text(encoding="utf-8"))


def unfenced(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """Return the anchors of a text's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", unfenced(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", prose(page))


def test_there_are_pages() -> None:
    assert {"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/index.md"} <= set(PAGES)


def test_no_link_is_dead() -> None:
    assert [f"{name}: {link}" for name, page in PAGES.items() for link in links(page) if dead(page, link)] == []


def dead(page: Path, link: str) -> bool:
    """Return whether a link leads to no file of this repository, or to no heading of a page."""
    if link.startswith("https://"):
        return False
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists() or not target.is_relative_to(ROOT):
        return True
    text = target.read_text(encoding="utf-8") if anchor else ""
    return bool(anchor) and anchor not in anchors(text) and anchor not in anchors(filled(text, quick=not FULL))


def test_a_dead_link_is_found() -> None:
    readme = ROOT / "README.md"
    assert not any(dead(readme, link) for link in ("docs/index.md#the-games", "LICENSE", "https://example.org/"))
    assert all(dead(readme, link) for link in ("docs/none.md", "docs/index.md#none", "#none", "../"))


def in_git(*patterns: str) -> set[Path]:
    listed = subprocess.check_output(["git", "ls-files", "-z", *patterns], cwd=ROOT, text=True)
    return {ROOT / name for name in listed.split("\0") if name}


def test_the_first_pages_link_only_to_what_is_in_git() -> None:
    """On a code host nobody has built the site: what they link to is there, and not made."""
    files = in_git()
    for name in ("README.md", "ARCHITECTURE.md"):
        for link in (one.partition("#")[0] for one in links(ROOT / name) if not one.startswith("https://")):
            target = (ROOT / link).resolve()
            assert target in files, f"{name}: {link}"
            made = target.parent.name == "reference" and made_by_half(target.read_text(encoding="utf-8"))
            assert not made, f"{name}: {link} says little before the site is built"


def made_by_half(text: str) -> bool:
    """Return whether more than half of a page is made when the site is built."""
    return len(text.split()) < len(filled(text, quick=True).split()) / 2


def test_a_page_that_is_made_is_found() -> None:
    texts = {name: PAGES[f"docs/reference/{name}.md"].read_text(encoding="utf-8") for name in ("cli", "records")}
    assert {name: made_by_half(text) for name, text in texts.items()} == {"cli": True, "records": False}


def test_people_can_read_all_there_is() -> None:
    pages = [page for page in in_git("*.md") if not page.is_relative_to(ROOT / "tests")]
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in pages) <= WORDS


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen: set[Path] = set()
    ahead = [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in seen and page.suffix == ".md":
            seen.add(page)
            paths = (link.partition("#")[0] for link in links(page) if not link.startswith("https://"))
            ahead += [(page.parent / path).resolve() for path in paths if path]
    assert [name for name, page in PAGES.items() if page not in seen] == []


def test_no_page_names_a_path_of_some_machine() -> None:
    folders = r"(?<![\w~.$}*)])/(?:home|root|work|tmp|usr|var|Users|opt|mnt)/"
    paths = re.compile(rf"{folders}|\b[A-Z]:\\|{re.escape(str(ROOT))}")
    texts = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}
    assert [f"{name}: {found[0]}" for name, text in texts.items() if (found := paths.search(text))] == []


def test_code_that_pages_name_is_there() -> None:
    named = re.compile(r"`((?:src|tests|docs|tools|requirements)/[\w./-]+)`")
    texts = {name: page.read_text(encoding="utf-8") for name, page in PAGES.items()}
    paths = ((name, path) for name, text in texts.items() for path in named.findall(text))
    assert [f"{name}: {path}" for name, path in paths if not (ROOT / path).exists()] == []


def test_pages_that_the_code_names_are_there() -> None:
    named = re.compile(r"\bdocs/[\w./-]+\.(?:md|toml|json)\b")
    files = [path for path in (ROOT / "src").rglob("*") if path.suffix in {".py", ".toml", ".html", ".jinja"}]
    paths = {path for file in files for path in named.findall(file.read_text(encoding="utf-8"))}
    assert len(paths) > 10
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_the_readme_names_the_commands_that_do_the_set_up() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("play", "serve", "test"):
        assert re.search(rf"^    make {target}\b", text, re.MULTILINE)
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_readme_shows_a_match_in_a_picture_with_words() -> None:
    """The command draws the picture; test_generated.py compares it with a fresh one."""
    pictures = re.findall(r"!\[(.*?)\]\((.*?)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert [path for _, path in pictures] == ["docs/images/play.svg"]
    assert all(len(words.split()) > 8 for words, _ in pictures)


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
