"""Draws src/zerosum/screens/static/link-GAME.png: the picture that a link to a game shows where it is passed on."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tests.browser.browsing import OPTIONS, chromium  # noqa: E402 - after the path is set
from zerosum.rules.describe import goal_line  # noqa: E402
from zerosum.rules.game_files import GAME_IDS, load_game  # noqa: E402
from zerosum.screens.new_table_form import game_card  # noqa: E402
from zerosum.screens.static_files import STATIC  # noqa: E402

SIZE: Final = {"width": 1200, "height": 630}
PAGE: Final = """<!DOCTYPE html><meta charset="utf-8"><style>{style}
body {{ margin: 0; padding: 70px 80px; height: 490px; display: grid; align-content: space-between; }}
h1 {{ margin: 0; font-size: 92px; }} p {{ margin: 0; font-size: 40px; }} .sketch {{ zoom: 2.6; }}</style>
<h1>{name}</h1>{sketch}<p>{goal}. <b>zerosum</b></p>"""


def main() -> None:
    """Draw the picture of each game."""
    style = (STATIC / "style.css").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        page = browser.new_page(viewport={"width": SIZE["width"], "height": SIZE["height"]}, color_scheme="light")
        for game in GAME_IDS:
            rules = load_game(game)
            sketch, goal = game_card(game)["sketch"], escape(goal_line(rules))
            page.set_content(PAGE.format(style=style, name=escape(rules.name), sketch=sketch, goal=goal))
            page.screenshot(path=STATIC / f"link-{game}.png")
        browser.close()


if __name__ == "__main__":
    main()
