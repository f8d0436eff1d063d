"""Draws docs/images/table.png: the page of a table, as `zerosum serve` and a browser show it.

Browsers and fonts differ from machine to machine, so the picture cannot be compared dot by dot. It carries the hash of
the words on the page, and is drawn anew when they have changed. With `--check` nothing is written, and the exit status
is 1 if they have changed; where there is no Chromium, nothing can be drawn and nothing is checked.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from playwright.sync_api import sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.make_review_picture import renewed  # noqa: E402 - after the path is set

PICTURE: Final = ROOT / "docs" / "images" / "table.png"
RECORD: Final = '[Game "sum31"]\n[Player1 "Ann"]\n[Player2 "Level 3"]\n[Who2 "level:3"]\n\n1. +5 +2 2. +4 +8'
"""A match in which Ann is to move, and some of her moves win."""
ASKED: Final = "?values=1"
SIZE: Final = (1000, 736)
SECONDS: Final = 30


@contextmanager
def served() -> Iterator[str]:
    """Run the real command with a home of its own, and yield its address."""
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "zerosum", "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "ZEROSUM_HOME": home, "ZEROSUM_DATABASE": ""},
        )
        try:
            said = process.stdout.readline() if process.stdout else ""
            if not said.startswith("Serving on "):
                raise SystemExit("zerosum serve did not start.")
            yield said.removeprefix("Serving on ").strip()
        finally:
            process.terminate()
            process.wait(SECONDS)


def open_table(site: str, browser: OpenerDirector) -> str:
    """Open the table as a form does, and return its address."""
    order = Request(f"{site}/tables", urlencode({"record": RECORD}).encode(), {"Origin": site})  # noqa: S310 - our own
    with browser.open(order, timeout=SECONDS) as answer:
        return str(answer.url)


def words_of(page: str) -> str:
    """Return the words of a page, without what differs from table to table."""
    main = page[page.index("<main") : page.index("</main>")]
    main = re.sub(r"<details class=\"table-facts\".*?</details>|<[^>]*>", " ", main, flags=re.DOTALL)
    return " ".join(html.unescape(main).split())


def digest_of(page: str) -> str:
    """Return the hash of a page's words: a finer colour need not be drawn anew."""
    return hashlib.sha256(words_of(page).encode()).hexdigest()


def draw(browser: str, address: str, cookies: dict[str, str]) -> bytes:
    """Return the picture of a page, as whoever has these cookies sees it."""
    parts = urlsplit(address)
    with sync_playwright() as playwright:
        # Its sandbox cannot be had by root, as in most containers; the page is our own.
        launched = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        context = launched.new_context(
            viewport={"width": SIZE[0], "height": SIZE[1]}, color_scheme="light", reduced_motion="reduce"
        )
        site = f"{parts.scheme}://{parts.netloc}"
        context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        picture = page.screenshot()
        launched.close()
    return picture


def main() -> int:
    """Draw or check the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the page has changed")
    options = parser.parse_args()
    kept = HTTPCookieProcessor()
    opener = build_opener(kept)
    with served() as site:
        address = open_table(site, opener) + ASKED
        with opener.open(address, timeout=SECONDS) as answer:
            digest = digest_of(answer.read().decode())
        cookies = {one.name: one.value or "" for one in kept.cookiejar}
        return renewed(PICTURE, digest, lambda browser: draw(browser, address, cookies), check=options.check)


if __name__ == "__main__":
    sys.exit(main())
