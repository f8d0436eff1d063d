"""Draws docs/images/arena.png: the page of a run that `zerosum arena report --html` writes, as a browser shows it.

As with the picture of a review, it carries the hash of what the page says, and is drawn anew when that has changed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.make_review_picture import digest_of, draw, renewed  # noqa: E402 - after the path is set

PICTURE: Final = ROOT / "docs" / "images" / "arena.png"
PLAN: Final = "plans/levels.toml"
SIZE: Final = "1000,900"


def write_page(path: Path, folder: Path) -> None:
    """Play the plan and write its page, by the real command."""
    environment = {**os.environ, "ZEROSUM_HOME": str(folder / "home")}
    run = str(folder / "run")
    for words in (("run", PLAN, "--output", run, "--jobs", "1"), ("report", run, "--html", str(path))):
        command = [sys.executable, "-m", "zerosum", "arena", *words]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT / "docs", env=environment)


def main() -> int:
    """Draw or check the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page has changed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page = folder / "page.html"
        write_page(page, folder)
        digest = digest_of(page.read_text(encoding="utf-8"))
        return renewed(PICTURE, digest, lambda browser: draw(browser, page.as_uri(), folder, SIZE), check=options.check)


if __name__ == "__main__":
    sys.exit(main())
