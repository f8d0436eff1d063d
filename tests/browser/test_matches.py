"""A whole match of each game against a level, by the buttons of the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import (
    GAMES,
    OVER,
    after,
    expect_heard,
    good,
    happened,
    headline,
    heard,
    listen,
    made,
    open_table,
    our_turn,
    presses,
    version,
)
from tests.full import parted
from tests.server.running import Server
from zerosum.rules.describe import first_step
from zerosum.rules.game_files import built_in

ENDLESS = ("zero-sum-game",)
"""Games in which two who take the first number each time may never come to an end."""
SAID = re.compile(r"Ann plays [+−]\S+\. (The|Their) total is −?\d+\.")


def show_values(page: Page) -> None:
    """Have every move show what it is worth."""
    page.get_by_role("link", name="Show what each move is worth").click()
    expect(page.get_by_role("link", name="Hide what moves are worth")).to_be_visible()


@pytest.mark.parametrize("game", parted(GAMES, ("sum-to-zero", "sequence-zero", "zero-sum-game")))
def test_a_match_against_a_level_is_played_to_its_end(open_page: Browsing, site: Server, game: str) -> None:
    page = open_page(reduced_motion=game != "sum31")
    open_table(page, site, game, "level:1", name="Ann")
    listen(page)
    expect(headline(page)).to_have_text("Your turn")
    expect(page).to_have_title(f"Your turn - {GAMES[game]} - zerosum")
    expect(happened(page)).to_have_text("The match begins.")
    expect(page.locator("#prompt")).to_have_text(f"{first_step(built_in(game))}.")
    if game in ENDLESS:
        show_values(page)
        expect(good(page)).to_have_accessible_name(re.compile("wins"))
    moves = 0
    while our_turn(page) == "Your turn":
        seen = version(page)
        # By a key: two quick taps on one number, which may be back after a tie, count as one.
        good(page).press("Enter")
        after(page, seen)
        moves += 1
        expect_heard(page, *["Ann plays"] * moves)
    moves_made = made(page).count()
    expect_heard(page, *["plays"] * moves_made)
    spoken = [one for one in heard(page) if "plays" in one]
    assert len(spoken) == moves_made, "every move is told once"
    assert sum("Ann plays" in one for one in spoken) == moves
    assert all(SAID.match(one) for one in spoken if "Ann plays" in one)
    assert check_the_end(page) in spoken[-1], "who listens hears how it ended"


def check_the_end(page: Page) -> str:
    """Check what the page shows once a match is over; return how it ended, as it is told to everybody."""
    expect(headline(page)).to_have_text(OVER)
    expect(page).to_have_title(re.compile("^(You win!|Level 1 wins) - "))
    shown = re.search(r"(You|Level 1) won[^.]*\.", happened(page).inner_text())
    assert shown, happened(page).inner_text()
    assert headline(page).inner_text() == ("You win!" if shown[1] == "You" else "Level 1 wins")
    told = shown[0].replace("You won", "Ann won").replace(": you ", ": Ann ")
    expect(presses(page)).to_have_count(0)
    expect(page.get_by_role("link", name="Another game")).to_be_visible()
    page.get_by_role("link", name="Review the match").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("review")
    expect(page.get_by_role("main")).to_contain_text(told)
    page.go_back()
    expect(headline(page)).to_have_text(OVER)
    return told


def test_who_follows_the_values_wins_and_plays_again_from_the_other_seat(open_page: Browsing, site: Server) -> None:
    page = open_page(reduced_motion=True)
    open_table(page, site, "sum31", "level:1", name="Ann", first="them")
    our_turn(page)
    show_values(page)
    expect(good(page)).to_have_accessible_name(re.compile(r"^Add \d, wins in \d moves$"))
    while our_turn(page) == "Your turn":
        seen = version(page)
        good(page).click()
        after(page, seen)
    expect(headline(page)).to_have_text("You win!")
    page.get_by_role("button", name="Swap seats", exact=True).click()
    expect(happened(page)).to_have_text("Match 2: the seats are swapped.")
    expect(made(page)).to_have_count(0)


def test_hints_come_in_three_steps_and_are_told(page: Page, site: Server) -> None:
    open_table(page, site, "zero-sum-duel", "level:1", name="Ann")
    listen(page)
    hints = page.locator("#hints p")
    for step, button in enumerate(("Hint", "Which move?", "Why?"), 1):
        before = len(heard(page))
        page.get_by_role("link", name=button, exact=True).click()
        page.wait_for_function("n => window.heard.length > n", arg=before)
        assert hints.count() >= step
        told = heard(page)[before:]
        assert told == [" ".join(text.split()) for text in hints.all_text_contents()[-len(told) :]]
    expect(page.get_by_role("link", name="Why?", exact=True)).to_have_count(0)
    presses(page).first.click()
    expect(hints).to_have_count(0)
