"""Draws docs/images/arena.png and exam.png: the pages of reports, as a browser shows them.

As with the picture of a review, each carries the hash of what its page says, and is drawn anew when that has changed.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.make_review_picture import digest_of, draw, renewed  # noqa: E402 - after the path is set

REPORTS: Final = {
    "arena": ("arena run docs/plans/levels.toml --output run --jobs 1", "arena report run --html page.html"),
    "exam": (
        "exam make --games sum31,zero-sum-duel,summit --count 8 --fresh 1 --reskin 1 --seed 1 --out items.jsonl",
        "exam run items.jsonl --command 'sh docs/exams/answer.sh' --name first --out run",
        "exam report run --html page.html",
    ),
}
"""The commands that lead to the page of each picture."""
SIZE: Final = "1000,900"


def page_of(name: str, folder: Path) -> Path:
    """Write the page of a report in this folder, by the real commands."""
    (folder / "docs").symlink_to(ROOT / "docs")
    for words in REPORTS[name]:
        command = [sys.executable, "-m", "zerosum", *shlex.split(words)]
        environment = {**os.environ, "ZEROSUM_HOME": str(folder / "home")}
        subprocess.run(command, check=True, capture_output=True, cwd=folder, env=environment)
    return folder / "page.html"


def picture(name: str, *, check: bool) -> int:
    """Draw or check one picture; the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        page = page_of(name, Path(folder))
        digest = digest_of(page.read_text(encoding="utf-8"))
        path = ROOT / "docs" / "images" / f"{name}.png"
        return renewed(path, digest, lambda browser: draw(browser, page.as_uri(), Path(folder), SIZE), check=check)


def main() -> int:
    """Draw or check the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page has changed")
    options = parser.parse_args()
    return max(picture(name, check=options.check) for name in REPORTS)


if __name__ == "__main__":
    sys.exit(main())
