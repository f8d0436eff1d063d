"""What the documentation does not hold is made when the site is built: every block and every picture of it."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.full import FULL, parted
from tools import make_docs
from tools.calls import SHARED

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SVG = "{http://www.w3.org/2000/svg}"
BLOCKS = {
    str(page.relative_to(DOCS)): found
    for page in sorted(DOCS.rglob("*.md"))
    if (found := make_docs.BLOCK.findall(page.read_text(encoding="utf-8")))
}
DRAWN = (
    "make_screenshot",
    "make_review_picture",
    "make_table_picture",
    "make_terminal_pictures",
    "make_report_pictures",
)
"""The scripts that draw the pictures that are in git."""


@pytest.mark.parametrize("name", BLOCKS)
def test_every_block_of_a_page_is_made(name: str) -> None:
    assert [block for block in BLOCKS[name] if not make_docs.made(block, quick=not FULL).strip()] == []
    assert "```made" not in make_docs.page(name, quick=not FULL)


def test_a_block_that_is_written_in_another_way_is_not_overlooked() -> None:
    for page in DOCS.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert text.count("```made") == len(BLOCKS.get(str(page.relative_to(DOCS)), ())), page
        assert "<!-- generated" not in text, page


def test_a_block_without_a_maker_is_found() -> None:
    with pytest.raises(SystemExit, match="There is no block 'nonsense'"):
        make_docs.filled("```made\nnonsense sum31\n```\n")


def test_a_page_is_filled_with_what_the_code_says_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SHARED)
    text = "# Sum31\n\n```made\nrules sum31\n```\n\nMore.\n"
    assert "the target is 31" in make_docs.filled(text)
    monkeypatch.setitem(make_docs.MAKERS, "rules", lambda game: f"- the rules of {game}, changed\n")
    assert make_docs.filled(text) == "# Sum31\n\n- the rules of sum31, changed\n\n\nMore.\n"


def test_a_quick_copy_says_what_it_leaves_out() -> None:
    named = {block for blocks in BLOCKS.values() for block in blocks}
    for block in make_docs.LONG:
        assert block in named
        assert f"`{block}`" in make_docs.made(block, quick=True)


def test_what_is_made_is_made_once_by_all_processes_of_a_run(tmp_path: Path) -> None:
    code = "from tools.calls import made_once; print(made_once('rules sum31', lambda: '{}'))"
    env = {**os.environ, SHARED: str(tmp_path)}
    for text in ("the first", "the second"):
        ask = [sys.executable, "-c", code.format(text)]
        done = subprocess.run(ask, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
        assert done.stdout == "the first\n"


@pytest.mark.parametrize("name", make_docs.PICTURES)
def test_a_picture_that_is_made_can_be_read_and_is_shown(name: str) -> None:
    picture = ET.fromstring(make_docs.drawn(name))  # noqa: S314 - our own
    assert picture.tag == f"{SVG}svg"
    assert not (DOCS / "images" / name).exists()
    shown = "".join(make_docs.page(page, quick=True) for page in BLOCKS)
    assert f"images/{name})" in shown


@pytest.mark.parametrize("script", parted(DRAWN, DRAWN[2:]))
def test_a_picture_in_git_shows_what_is_so_now(script: str) -> None:
    check = [sys.executable, f"{ROOT}/tools/{script}.py", "--check"]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run: make docs\n{done.stdout}{done.stderr}"


def test_the_screenshot_is_a_picture_with_a_title_and_a_description() -> None:
    picture = ET.parse(ROOT / "docs" / "images" / "play.svg").getroot()  # noqa: S314 - our own file
    assert picture.tag == f"{SVG}svg"
    title, description = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
    assert title is not None
    assert title.text == "A match of Sum31 at the terminal"
    assert description is not None
    assert "Ann wins! The total is exactly 31." in str(description.text)
    assert picture.get("aria-labelledby") == "title description"


def test_a_changed_screenshot_is_found() -> None:
    """The picture is compared with a fresh drawing, not with itself."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r}); sys.argv = ['make_screenshot.py', '--check']\n"
        "import make_screenshot\nmake_screenshot.TITLE = 'Another title'\nsys.exit(make_screenshot.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "docs/images/play.svg" in done.stdout
