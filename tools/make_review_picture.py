"""Draws docs/images/review.png: the page that `zerosum review --html` writes, as a browser shows it.

Browsers and fonts differ from machine to machine, so the picture cannot be compared dot by dot. It carries the hash
of what the page says and draws, and is drawn anew when that has changed. With `--check` nothing is written, and the
exit status is 1 if it has changed; where there is no Chromium, nothing can be drawn and nothing is checked.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
PICTURE: Final = ROOT / "docs" / "images" / "review.png"
MATCH: Final = ROOT / "docs" / "matches" / "6-ann-bob.txt"
STEP: Final = 2
SIZE: Final = "1000,1150"
BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
KEYWORD: Final = b"page\0"
_HEADER: Final = len(SIGNATURE) + 25
"""Where the chunk that gives the size of a picture ends."""


def write_page(path: Path) -> None:
    """Write the page, by the real command."""
    command = [sys.executable, "-m", "zerosum", "review", str(MATCH), "--html", str(path)]
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "ZEROSUM_HOME": home})


def digest_of(page: str) -> str:
    """Return the hash of a page's body, without its script: a finer colour need not be drawn anew."""
    body = re.sub(r"<script>.*?</script>", "", page.partition("<body>")[2], flags=re.DOTALL)
    return hashlib.sha256(body.encode()).hexdigest()


def draw(browser: str, page: str, folder: Path, size: str) -> bytes:
    """Return the picture of a page, as large as this."""
    shot = folder / "shot.png"
    options = ["--headless", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]
    # Its sandbox cannot be had by root, as in most containers; the page is our own and loads nothing.
    options += ["--no-sandbox", f"--user-data-dir={folder / 'profile'}", f"--window-size={size}"]
    command = [browser, *options, f"--screenshot={shot}", page]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return shot.read_bytes()


def marked(picture: bytes, digest: str) -> bytes:
    """Return a PNG with the hash of its page in a chunk of text."""
    chunk = b"tEXt" + KEYWORD + digest.encode()
    whole = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return picture[:_HEADER] + whole + picture[_HEADER:]


def mark_of(picture: bytes) -> str:
    """Return the hash of the page that a picture shows; nothing where it has none."""
    _, found, after = picture.partition(b"tEXt" + KEYWORD)
    return after[:64].decode("ascii", "replace") if found and picture.startswith(SIGNATURE) else ""


def renewed(picture: Path, digest: str, drawn: Callable[[str], bytes], *, check: bool) -> int:
    """Draw the picture of a page with this hash, unless it shows that already; the exit status."""
    name = picture.relative_to(ROOT)
    if picture.exists() and mark_of(picture.read_bytes()) == digest:
        return 0
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"{name} shows an older page; Chromium is needed to draw it anew.")
        return 0
    if check:
        print(f"{name} is not what the page shows now; run: make docs")
        return 1
    picture.write_bytes(marked(drawn(browser), digest))
    print(f"{name}: drawn anew")
    return 0


def main() -> int:
    """Draw or check the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page has changed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        write_page(page)
        digest = digest_of(page.read_text(encoding="utf-8"))
        address = f"{page.as_uri()}#{STEP}"
        return renewed(PICTURE, digest, lambda browser: draw(browser, address, Path(folder), SIZE), check=options.check)


if __name__ == "__main__":
    sys.exit(main())
