"""The generated parts of the documentation are what the code makes now."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.full import FULL

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def test_pages_and_pictures_are_up_to_date() -> None:
    check = [sys.executable, ROOT / "tools" / "make_docs.py", "--check", *(() if FULL else ("--quick",))]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run: make docs\n{done.stdout}{done.stderr}"


def test_a_drifted_block_is_found_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tools.make_docs import main  # noqa: PLC0415 - it loads most of the package

    page = tmp_path / "docs" / "games" / "sum31.md"
    page.parent.mkdir(parents=True)
    whole = (ROOT / "docs" / "games" / "sum31.md").read_text(encoding="utf-8")
    good = whole[: whole.index("<!-- /generated -->") + len("<!-- /generated -->\n")]
    assert "the target is 31" in good
    page.write_text(good.replace("the target is 31", "the target is 32"), encoding="utf-8")

    assert main(["--check", "--root", str(tmp_path)]) == 1
    assert "the target is 32" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8") != good, "--check must write nothing"

    assert main(["--root", str(tmp_path)]) == 0
    assert page.read_text(encoding="utf-8") == good

    page.write_text("<!-- generated: nonsense -->\n<!-- /generated -->\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="nonsense"):
        main(["--check", "--root", str(tmp_path)])


def test_every_block_is_closed() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert text.count("<!-- generated: ") == text.count("<!-- /generated -->"), page


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
