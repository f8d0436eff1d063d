"""Pages that are read: rules, what the solver knows, the reference for programs, and what went wrong."""

from __future__ import annotations

import json
import subprocess

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import GAMES, dressed, headline, open_menu, open_table, play
from tests.server.running import COMMAND, Server
from zerosum.rules.describe import describe
from zerosum.rules.game_files import built_in

MISSING = {
    "/nowhere": (404, "no-such-page"),
    "/games/chess": (404, "no-such-game"),
    "/tables/222222222222": (404, "no-such-table"),
    "/join/0000000000000000000000000000": (404, "no-such-invitation"),
    "/games/sum31/puzzle?position=nonsense": (422, "bad-position"),
}
MOST_WORDS = {
    "/": 225,
    "/new": 175,
    "/games": 155,
    "/learn": 87,
    "/puzzles": 97,
    "/games/sum31": 446,
    "/games/zero-sum-duel": 443,
    "/games/sum31/solved": 157,
    "/games/sum31/puzzles": 102,
    "/own": 183,
    "/return": 30,
}
"""Two thirds of what these pages said to a newcomer in November 2026, when people called them wordy."""
SEEN = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const seen = [];
  while (texts.nextNode()) {
    const holder = texts.currentNode.parentElement;
    if (!holder.checkVisibility({ contentVisibilityAuto: true }) || holder.closest(".unseen, svg")) continue;
    if (holder.closest("option:not(:checked)")) continue;
    seen.push(...texts.currentNode.textContent.split(/\\s+/).filter((word) => /\\p{L}/u.test(word)));
  }
  return seen;
}"""
"""The words that are seen: what folds away, lists of choices and pictures left out."""


@pytest.mark.parametrize("path", MOST_WORDS)
def test_nothing_says_more_than_it_must(page: Page, site: Server, path: str) -> None:
    page.goto(site.url + path)
    assert len(page.evaluate(SEEN)) <= MOST_WORDS[path]


def test_every_game_is_explained_and_can_be_begun(page: Page, site: Server) -> None:
    for game, name in GAMES.items():
        page.goto(f"{site.url}/games")
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        dressed(page)
        clauses = page.get_by_role("region", name="The rules").get_by_role("listitem")
        assert [one.replace("−", "-") for one in clauses.all_inner_texts()] == describe(built_in(game), typed=False)
    page.get_by_label("Play against").select_option("level:1")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(headline(page)).to_have_text("Your turn")
    dressed(page)
    open_menu(page)
    page.get_by_role("link", name="Rules").nth(1).click()
    expect(page).to_have_url(f"{site.url}/games/sum31")


def test_what_the_solver_knows_is_what_the_terminal_says(page: Page, site: Server) -> None:
    run = [COMMAND[0], "solve", "sum31", "--json"]
    solved = json.loads(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    page.goto(f"{site.url}/games/sum31/solved")
    main = page.get_by_role("main")
    expect(main).to_contain_text({1: "First player", 2: "Second player"}[solved["winner"]])
    expect(main).to_contain_text(f"{solved['plies']} moves")
    page.get_by_text("Every opening").click()
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(len(built_in("sum31").pool) + 1)
    page.get_by_role("link", name="Follow +9").click()
    expect(page.get_by_role("navigation", name="Moves so far")).to_contain_text("+9")


def test_the_reference_names_every_call(page: Page, site: Server) -> None:
    described = page.request.get(f"{site.url}/api/v1/openapi.json").json()
    page.goto(f"{site.url}/api/v1/docs")
    shown = [" ".join(one.split()) for one in page.get_by_role("heading", level=3).all_inner_texts()]
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in shown
    assert page.locator("script").count() == 0


@pytest.mark.parametrize("path", MISSING)
def test_what_went_wrong_is_a_page_that_leads_back(open_page: Browsing, site: Server, path: str) -> None:
    status, code = MISSING[path]
    open_page.allow(f"status of {status}")
    page = open_page()
    answer = page.goto(site.url + path)
    assert answer is not None
    assert answer.status == status
    expect(page.get_by_role("main")).to_contain_text(f"{status} {code}")
    page.get_by_role("link", name="To the games").click()
    expect(page).to_have_url(f"{site.url}/")


def test_a_step_of_a_review_has_an_address(page: Page, site: Server) -> None:
    open_table(page, site, "sum31", "here", name="Ann", opponent_name="Ben")
    play(page, "+5", "+6", "+9", "+8", "+3")
    page.get_by_role("link", name="Review the match").click()
    expect(page.locator("#chart svg g.step")).to_have_count(6)
    dressed(page)
    expect(page.get_by_role("heading", name="Move 2: Ben played +6", exact=True)).to_be_visible()
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_role("heading", name="Move 3: Ann played +9", exact=True)).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Move 2: Ben played +6", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Move 2: Ben played +6", exact=True)).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Move 5: Ann played +3", exact=True)).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="Before the first move")).to_be_visible()
    page.get_by_role("link", name="End").click()
    expect(page.locator("#stage")).to_contain_text("Ann won by making 31.")


def test_a_wrong_answer_is_explained(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/games/sum31/puzzle?position=1,2,3,4,7+28+1")
    page.get_by_role("button", name="Add 1").click()
    answer = page.get_by_role("region", name="No.")
    expect(answer).to_contain_text("It leaves 29, and 2 is still there.")
    expect(answer.locator("svg.line")).to_have_accessible_name("The total is 31; the target is 31.")
    expect(answer.get_by_role("listitem")).to_have_text(["1 taken by you", "2 taken by them", "3", "4", "7"])
    page.get_by_role("link", name="Show the answer").press("Enter")
    everything = page.get_by_role("list", name="All your moves").get_by_role("listitem")
    expect(everything).to_have_count(5)
    expect(everything.nth(2)).to_have_text("+3 ✓ wins at once")
