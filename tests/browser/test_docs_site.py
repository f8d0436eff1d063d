"""The documentation as `make site` builds it: links, search, readers of every kind, and no other host."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from tests.browser.auditing import findings, overflow
from tests.browser.browsing import Browsing
from tests.full import FULL, part
from tests.patience import PATIENCE
from tools.site_hook import QUICK

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PHONE = (375, 667)
PAGES = (
    "for/designers",
    "games/sum31",
    "index",
    "for/players",
    "for/teachers",
    "for/researchers",
    "mcp",
    "reference/cli",
)
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""What a browser asks for by itself."""


class Read(HTMLParser):
    """What a page names: the ids in it, where it leads, and what it loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given["id"]} if "id" in given else set()
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given and given.get("rel") != "canonical":
            self.loaded.append(given[LOADED[tag]])


class Site:
    """The built folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> dict[Path, Read]:
        return {page: Read(page) for page in self.folder.rglob("*.html") if page.name != "404.html"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", QUICK: "" if FULL else "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return Site(folder)


@pytest.fixture(scope="module")
def address(built: Site) -> Iterator[str]:
    """Return the address at which Python's own server shows the folder."""
    command = [sys.executable, "-u", "-m", "http.server", "-d", str(built.folder), "--bind", "127.0.0.1", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"port (\d+)", process.stdout.readline())
        assert found is not None
        yield f"http://127.0.0.1:{found[1]}"
        process.terminate()
        process.wait(PATIENCE)


def test_every_link_and_anchor_leads_somewhere(built: Site) -> None:
    assert len(built.pages) > 40
    wrong = []
    for page, read in built.pages.items():
        for link in (*read.links, *read.loaded):
            if link.startswith(("https://", "data:")):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / unquote(path)).resolve() if path else page
            if not target.is_file():
                target = target / "index.html"
            known = built.pages[target].ids if target in built.pages else set()
            if not target.is_file() or (anchor and target.suffix == ".html" and unquote(anchor) not in known):
                wrong.append(f"{page.relative_to(built.folder)}: {link}")
    assert wrong == []


def test_a_page_loads_nothing_from_another_host(built: Site) -> None:
    assert [one for read in built.pages.values() for one in read.loaded if "//" in one] == []


def test_the_pages_beside_the_documentation_are_there(built: Site) -> None:
    for name in ("readme", "architecture", "contributing", "changelog"):
        assert built.folder / "project" / f"{name}.html" in built.pages
    assert "MIT" in (built.folder / "project" / "license.txt").read_text(encoding="utf-8")


def test_the_index_of_the_search_knows_the_games(built: Site) -> None:
    index = json.loads((built.folder / "search" / "search_index.json").read_text(encoding="utf-8"))
    titles = {one["title"] for one in index["docs"]}
    assert {"Sum31", "Zero Sum Duel", "zerosum mcp"} <= titles


@pytest.mark.parametrize("opened", ["files", "server"])
def test_the_search_finds_a_game(built: Site, address: str, open_page: Browsing, opened: str) -> None:
    base = built.folder.as_uri() if opened == "files" else address
    page = open_page()
    page.goto(f"{base}/index.html")
    page.get_by_role("textbox", name="Search").press_sequentially("Sum31")
    first = page.locator(".md-search-result__item").first
    expect(first.locator("h1")).to_have_text("Sum31")
    first.locator("a").first.click()
    expect(page.locator("article h1")).to_have_text(re.compile("^Sum31"))
    assert "/games/sum31.html" in page.url


@pytest.mark.parametrize(("width", "height", "dark"), [(*PHONE, False), (1280, 800, True)])
def test_pages_are_fit_for_everybody(address: str, open_page: Browsing, *, width: int, height: int, dark: bool) -> None:
    page = open_page(width=width, height=height, dark=dark)
    for name in PAGES[: part(1, len(PAGES))]:
        page.goto(f"{address}/{name}.html")
        assert [*findings(page), *overflow(page)] == [], name
