"""Reviews, puzzles and the pages of a game in a real browser: by keys, by links, without scripts."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.browsing import PHONE, Browsing
from tests.server.running import Server

RECORD = Path(__file__).parents[2] / "docs" / "matches" / "6-ann-bob.txt"
LAST = 6
TURN = 3
"""The last turning point, at which a review opens."""


def review(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/review")
    page.get_by_label("The record").fill(RECORD.read_text())
    page.get_by_role("button", name="Review it").click()
    # The script has begun when it shows that there are keys.
    expect(page.locator("#keys")).not_to_have_attribute("hidden", "")


def heading(page: Page) -> Locator:
    return page.locator("#stage h2:visible")


def test_a_review_is_stepped_through_by_keys(open_page: Browsing, site: Server) -> None:
    page = open_page()
    review(page, site)
    where = page.locator("#where")
    expect(where).to_have_text(f"{TURN} of {LAST}")
    page.keyboard.press("Home")
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", LAST), ("Home", 0)]:
        page.keyboard.press(key)
        expect(where).to_have_text(f"{step} of {LAST}")
        expect(page.locator("#stage .step:visible")).to_have_count(1)
        expect(page.locator("svg g.step.now")).to_have_attribute("data-step", str(step))
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"0 of {LAST}")
    page.locator("svg g[data-step='3']").click()
    expect(heading(page)).to_have_text(re.compile("^Move 3"))
    page.get_by_role("row").nth(5).get_by_role("button").click()
    expect(heading(page)).to_have_text(re.compile("^Move 5"))


def test_a_turning_point_becomes_a_puzzle(open_page: Browsing, site: Server) -> None:
    page = open_page()
    review(page, site)
    page.get_by_role("link", name="As a puzzle").first.click()
    page.get_by_role("button", name="Add 2").click()
    expect(page.get_by_role("heading", name="No. Two tries left.")).to_be_visible()
    page.get_by_role("button", name="Add 8").press("Enter")
    expect(page.get_by_role("heading", name="Right.")).to_be_visible()


def test_a_review_needs_no_script(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False, width=PHONE)
    page.goto(f"{site.url}/review")
    page.get_by_label("Or a file").set_input_files(RECORD)
    page.get_by_role("button", name="Review it").click()
    expect(heading(page)).to_have_text(re.compile(f"^Move {TURN}: "))
    page.get_by_role("button", name="Start").click()
    for step in range(1, LAST + 1):
        page.get_by_role("button", name="Next").click()
        expect(heading(page)).to_have_text(re.compile(f"^Move {step}: "))
    page.get_by_role("button", name="Start").click()
    expect(heading(page)).to_have_text("Before the first move")


def test_a_match_of_a_table_is_reviewed_by_links(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    page.goto(f"{site.url}/games/sum-to-zero")
    page.get_by_label("Play against").select_option("here")
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator("button[value='+5']").click()
    page.locator("button[value='-5']").click()
    page.get_by_role("link", name="Review the match").click()
    for step in (1, 2):
        page.get_by_role("link", name="Next").click()
        expect(page).to_have_url(re.compile(rf"\bstep={step}\b"))
    expect(heading(page)).to_have_text(re.compile("played −5$"))


def test_a_set_of_puzzles_goes_on_to_the_next(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    page.goto(f"{site.url}/games/sum31/puzzles")
    page.get_by_role("link", name="Puzzle 11").click()
    page.get_by_role("link", name="Show the answer").click()
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle 12 of 12")
    page.get_by_role("link", name="Show the answer").click()
    page.get_by_role("link", name="Next set").click()
    expect(page.get_by_role("heading", name="Set 2")).to_be_visible()


def test_the_tree_of_a_game_is_walked_by_links(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    page.goto(f"{site.url}/games/sum31/solved")
    for _ in range(7):
        page.locator(".explore a.chip").first.click()
    expect(page.locator(".standing")).to_have_text("The second player has won: the first player passed 31.")
    page.get_by_role("link", name="One move back").click()
    expect(page.locator(".explore a.chip")).to_have_count(3)
    page.get_by_role("link", name="To the start").click()
    expect(page.locator(".explore a.chip")).to_have_count(9)
