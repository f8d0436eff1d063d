"""Whoever opens Home for the first time and just presses things plays a game that they can win."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.auditing import findings
from tests.browser.browsing import Browsing
from tests.browser.playing import OVER, after, headline, made, open_table, our_turn, resign, version
from tests.full import part, parted
from tests.server.running import Server

PRESSES = part(25, 60)
MATCHES = 3
WIDTH, HEIGHT = 375, 667
SHOWN = "() => location.pathname + document.querySelector('main')?.innerText"


@pytest.fixture
def phone(open_page: Browsing) -> Page:
    return open_page(width=WIDTH, height=HEIGHT, reduced_motion=True)


def most_prominent(page: Page, chance: random.Random) -> Locator:
    """Return what catches the eye: the first filled button, or else any of the numbers, which all look alike."""
    filled = page.locator("main :is(button, a).go:visible")
    if filled.count():
        return filled.first
    numbers = page.locator("main button:is([name=move], [name=take]):not([value='']):not([aria-disabled]):visible")
    return numbers.nth(chance.randrange(numbers.count()))


def press_on(page: Page, chance: random.Random) -> None:
    """Press the most prominent thing, and wait for what it leads to."""
    before = page.evaluate(SHOWN)
    most_prominent(page, chance).tap()
    page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
    page.wait_for_load_state()


@pytest.mark.parametrize("seed", parted("abcdefgh", "bcdefgh"))
def test_three_matches_bring_a_result_a_reason_and_a_lesson(phone: Page, site: Server, seed: str) -> None:
    """Always press the most prominent thing, or any number, as somebody does who reads nothing.

    Where that leads away from matches, into a lesson, they go on there; there is always something to press.
    """
    chance, ends, reasons, lessons = random.Random(seed), list[str](), list[str](), 0
    phone.goto(site.url)
    for _ in range(PRESSES):
        if phone.locator("#board").count() and OVER.search(told := our_turn(phone)):
            ends.append(told)
            reasons += phone.locator("#decided").all_inner_texts()
            lessons += phone.locator("#step-lesson:visible").count()
            if len(ends) == MATCHES:
                break
        press_on(phone, chance)
    assert ends, "a match was won or lost"
    assert any(re.search(r"\b\d+\b", reason) for reason in reasons), reasons
    assert lessons == len(ends), "every end offers a lesson"


def test_the_match_stands_on_top_of_home(phone: Page, site: Server) -> None:
    phone.goto(site.url)
    phone.get_by_role("button", name="Play level 1", exact=True).tap()
    expect(headline(phone)).to_have_text("Your turn")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sum31")
    phone.goto(site.url)
    running = phone.get_by_role("region", name="Your matches")
    expect(running).to_contain_text("Your turn")
    link = running.get_by_role("link", name="Go on")
    where = link.bounding_box()
    assert where is not None
    assert where["y"] + where["height"] <= HEIGHT
    assert phone.locator("main .go:visible").count() == 1
    assert findings(phone) == []
    link.tap()
    expect(headline(phone)).to_have_text("Your turn")


@pytest.mark.parametrize(("game", "moves"), [("Sum31", 1), ("Zero Sum Game", 0)])
def test_nobody_begins_in_a_lost_seat_unless_they_choose_it(phone: Page, site: Server, game: str, moves: int) -> None:
    phone.goto(site.url)
    phone.get_by_role("button", name=f"Play {game}").tap()
    assert our_turn(phone) == "Your turn"
    expect(made(phone)).to_have_count(moves)


def test_a_variant_too_is_begun_in_the_seat_that_wins_and_the_other_can_be_chosen(phone: Page, site: Server) -> None:
    # With 1 and 2 alone, 3 is reached by whoever moves second.
    lost = 'like = "sum31"\nid = "three"\nname = "Three"\ntarget = 3\npool = [1, 2]\n'
    phone.goto(f"{site.url}/new?game=variant")
    phone.get_by_label("Rules as text").fill(lost)
    phone.get_by_role("button", name="Open a table with this variant").tap()
    our_turn(phone)
    expect(made(phone)).to_have_count(1)
    open_table(phone, site, "sum31", "level:1", first="me")
    expect(made(phone)).to_have_count(0)


def test_playing_again_keeps_the_seat_and_swapping_is_a_choice(phone: Page, site: Server) -> None:
    open_table(phone, site, "zero-sum-duel", "level:1", first="me")
    for name, first in (("Play again", 0), ("Swap seats", 1)):
        resign(phone)
        expect(headline(phone)).to_have_text("Level 1 wins")
        seen = version(phone)
        phone.get_by_role("button", name=name, exact=True).tap()
        after(phone, seen)
        assert our_turn(phone) == "Your turn"
        expect(made(phone)).to_have_count(first)


def test_name_and_opponent_are_remembered_in_this_browser(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    page.goto(site.url)
    page.get_by_role("link", name="More choices for Zero Sum Game").click()
    page.get_by_label("Your name").fill("Ann Ö; 李")
    page.get_by_label("Against whom?").select_option("level:4")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("region", name="Players")).to_contain_text("Ann Ö; 李")
    for place in ("/", "/new"):
        page.goto(site.url + place)
        expect(page.locator("#opponent")).to_have_value("level:4")
    expect(page.get_by_label("Your name")).to_have_value("Ann Ö; 李")
    # The game that one begins with is for once.
    page.goto(site.url)
    page.get_by_role("button", name="Play level 1", exact=True).click()
    expect(page.get_by_role("region", name="Players")).to_contain_text("Ann Ö; 李")
    page.goto(f"{site.url}/games/sum31")
    expect(page.locator("#opponent")).to_have_value("level:4")
    stranger = open_page()
    stranger.goto(f"{site.url}/new")
    expect(stranger.get_by_label("Your name")).to_have_value("")
