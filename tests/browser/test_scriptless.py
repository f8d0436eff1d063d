"""Without any script: forms and links do all of it."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import overflow, unreachable
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import (
    OURS_OR_OVER,
    OVER,
    happened,
    headline,
    invite,
    made,
    open_menu,
    open_table,
    press,
    presses,
)
from tests.patience import PATIENCE
from tests.server.running import Server


@pytest.fixture
def plain(open_page: Browsing) -> Page:
    """Return a page on a phone that runs no scripts."""
    return open_page(javascript=False, width=PHONE)


def look_again(page: Page, wanted: re.Pattern[str]) -> str:
    """Look at the table again, as one must without a script, until it is there."""
    deadline = time.monotonic() + PATIENCE
    while not wanted.search(found := headline(page).inner_text()):
        assert time.monotonic() < deadline, found
        page.get_by_role("link", name="Look again").click()
    return found


def check_fits(page: Page) -> None:
    """Check that nothing of a page is off the screen or out of reach."""
    page.wait_for_load_state()
    assert [*overflow(page), *unreachable(page)] == []


def test_a_whole_match_is_played(plain: Page, site: Server) -> None:
    plain.goto(site.url)
    plain.get_by_label("Play against").select_option("level:1")
    plain.get_by_role("button", name="Play Sum31").click()
    check_fits(plain)
    while look_again(plain, OURS_OR_OVER) == "Your turn":
        presses(plain).first.click()
    expect(happened(plain)).to_contain_text(re.compile("(You|Level 1) won"))
    check_fits(plain)
    plain.get_by_role("button", name="Swap seats", exact=True).click()
    assert look_again(plain, OURS_OR_OVER) == "Your turn"
    expect(made(plain)).to_have_count(0)  # from Home one sits in the seat that wins, here the second
    presses(plain).first.click()
    look_again(plain, OURS_OR_OVER)
    plain.get_by_role("button", name="Take back").click()
    expect(made(plain)).to_have_count(0)


def test_the_coach_answers_links(plain: Page, site: Server) -> None:
    open_table(plain, site, "sum31", "here")
    press(plain, "+5").click()
    plain.get_by_role("link", name="Show what each move is worth").click()
    expect(press(plain, "+9")).to_have_accessible_name(re.compile(r"Add 9, (wins|loses) in \d moves"))
    plain.get_by_role("link", name="Hint", exact=True).click()
    plain.get_by_role("link", name="Which move?").click()
    plain.get_by_role("link", name="Why?", exact=True).click()
    expect(plain.locator("#hints p").nth(2)).to_be_visible()
    for n in (1, 2):
        deeper = plain.locator(f"#then-{n}")
        deeper.get_by_text("And then?").first.click()
        expect(deeper.locator("p").first).to_contain_text(re.compile(r"If they play \+\d, play \+\d\."))
    check_fits(plain)
    press(plain, "+9").click()
    expect(made(plain)).to_have_count(2)
    expect(press(plain, "+1")).to_have_accessible_name(re.compile("wins|loses"))
    plain.get_by_role("link", name="Hide what moves are worth").click()
    expect(press(plain, "+1")).to_have_accessible_name("Add 1")


def test_two_meet_undo_and_resign(open_page: Browsing, plain: Page, site: Server) -> None:
    host, guest = plain, open_page(javascript=False)
    invite(host, site, "zero-sum-duel", guest)
    assert look_again(host, OURS_OR_OVER) == "Your turn"
    press(host, "+5").click()
    host.get_by_role("button", name="Ask to take back").click()
    guest.reload()
    guest.get_by_role("button", name="Refuse").click()
    host.reload()
    expect(happened(host)).to_have_text("Ben does not want the move taken back.")
    host.get_by_role("button", name="Ask to take back").click()
    guest.reload()
    guest.get_by_role("button", name="Allow it").click()
    host.reload()
    expect(headline(host)).to_have_text("Your turn")
    press(host, "+4").click()
    open_menu(host)
    host.get_by_text("Resign", exact=True).click()
    check_fits(host)
    host.get_by_role("button", name="Yes, resign").click()
    expect(headline(host)).to_have_text("Ben wins")
    guest.reload()
    expect(headline(guest)).to_have_text("You win!")


def test_a_forfeit_is_confirmed_and_a_stale_page_is_told(open_page: Browsing, plain: Page, site: Server) -> None:
    address = open_table(plain, site, "zero-sum-duel", "here", name="Ann", opponent_name="Ben")
    stale = open_page(beside=plain)
    stale.goto(address)
    press(plain, "+5").click()
    open_page.allow("status of 409")
    press(stale, "+6").click()
    expect(stale.get_by_role("alert")).to_be_visible()
    expect(made(stale)).to_have_count(1)
    plain.get_by_role("link", name=re.compile("^5.*taken by Ann")).click()
    expect(plain.get_by_role("alert")).to_contain_text("+5 is not allowed now.")
    check_fits(plain)
    plain.get_by_role("button", name="Play +5 and forfeit").click()
    expect(headline(plain)).to_have_text("Ann wins")
    expect(headline(plain)).to_have_text(OVER)


def test_a_puzzle_is_answered_wrong_and_right(plain: Page, site: Server) -> None:
    plain.goto(f"{site.url}/games/sum31/puzzle?position=1,2,3,4,7+28+1")
    plain.get_by_role("button", name="Add 7").click()
    expect(plain.get_by_role("heading", name="No. Two tries left.")).to_be_visible()
    check_fits(plain)
    plain.get_by_role("link", name="Hint").click()
    expect(plain.get_by_role("region", name="A hint")).to_contain_text("1 of your 5 moves wins, at once.")
    expect(plain.get_by_role("button", name="Add 7")).to_have_count(0)
    plain.get_by_role("button", name="Add 3").click()
    expect(plain.get_by_role("heading", name="Right.")).to_be_visible()
    check_fits(plain)
