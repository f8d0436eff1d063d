"""Endings that not every match has: a forfeit, a sudden death, moves that are refused."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import (
    after,
    expect_heard,
    happened,
    headline,
    listen,
    made,
    numbers,
    open_table,
    play,
    press,
    presses,
    type_move,
    version,
)
from tests.server.running import Server
from zerosum.rules.game_files import built_in
from zerosum.rules.position import Position, start_position

LOOK = 200_000
"""Positions to look at for a tie; it is found among the first few thousand."""


@pytest.fixture
def screen(open_page: Browsing) -> Page:
    """Return a page for two who share a screen, without motion."""
    return open_page(reduced_motion=True)


def both(page: Page, site: Server, game: str, **choices: str) -> None:
    open_table(page, site, game, "here", name="Ann", opponent_name="Ben", **choices)
    listen(page)


def test_a_number_that_is_gone_forfeits_once_it_is_confirmed(screen: Page, site: Server) -> None:
    both(screen, site, "zero-sum-duel")
    play(screen, "+5")
    taken = screen.get_by_role("link", name=re.compile("^5.*taken by Ann; playing it forfeits"))
    taken.press("Enter")
    expect(screen.get_by_role("alert")).to_contain_text("+5 is not allowed now. Playing it forfeits the match.")
    expect(screen.get_by_role("link", name="No, choose another")).to_be_focused()
    screen.get_by_role("link", name="No, choose another").click()
    expect(screen.get_by_role("alert")).to_have_count(0)
    expect(headline(screen)).to_have_text("Ben’s turn")
    taken.press("Enter")
    screen.get_by_role("button", name="Play +5 and forfeit").click()
    expect(headline(screen)).to_have_text("Ann wins")
    expect(happened(screen)).to_contain_text("Ann won")
    expect_heard(screen, "Ann plays +5.", "Ann won")
    expect(made(screen)).to_have_count(1)


def test_a_typed_number_that_is_gone_forfeits_once_it_is_confirmed(screen: Page, site: Server) -> None:
    both(screen, site, "zero-sum-duel")
    play(screen, "+5")
    type_move(screen, "-5")
    expect(screen.get_by_role("alert")).to_contain_text("−5 is not allowed now.")
    expect(made(screen)).to_have_count(1)
    screen.get_by_role("button", name="Play −5 and forfeit").click()
    expect(headline(screen)).to_have_text("Ann wins")


def test_a_board_that_comes_late_does_not_take_a_warning_away(screen: Page, site: Server) -> None:
    both(screen, site, "zero-sum-duel")
    play(screen, "+5")
    late: list[Route] = []
    screen.route("**/board?*", lambda route: late.append(route), times=1)  # noqa: PLW0108 - it marks what it is given
    with screen.expect_request("**/board?*"):
        screen.get_by_role("link", name="Show what each move is worth").click()
    type_move(screen, "-5")
    expect(screen.get_by_role("alert")).to_contain_text("−5 is not allowed now.")
    with screen.expect_response(lambda answer: "sure=" in answer.url):
        late[0].continue_()
    screen.get_by_role("button", name="Play −5 and forfeit").click()
    expect(headline(screen)).to_have_text("Ann wins")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("5", "'5' is not a move here: write +5 to add 5 or -5 to subtract it."),
        ("seven", "'seven' is not a move"),
        ("+99", "99"),
    ],
)
def test_what_is_no_move_is_refused_and_costs_nothing(
    open_page: Browsing, screen: Page, site: Server, move: str, words: str
) -> None:
    open_page.allow("status of 422")
    both(screen, site, "zero-sum-duel", lenient="1")
    type_move(screen, move)
    alert = screen.locator("#refused")
    expect(alert).to_contain_text(words.replace("-5", "−5"))
    expect_heard(screen, words.replace("-5", "−5"))
    expect(screen.get_by_role("alert")).to_have_count(0)  # it would be heard a second time
    expect(headline(screen)).to_have_text("Ann’s turn")
    expect(screen.get_by_label("Type a move")).to_have_value(move)
    type_move(screen, "+4")
    expect(happened(screen)).to_have_text("Ann plays +4. The total is 4.")
    expect(alert).to_have_count(0)
    expect(screen.get_by_label("Type a move")).to_have_value("")


def test_what_is_refused_after_a_warning_is_still_there_to_be_put_right(
    open_page: Browsing, screen: Page, site: Server
) -> None:
    open_page.allow("status of 422")
    both(screen, site, "zero-sum-duel")
    play(screen, "+5")
    type_move(screen, "-5")
    expect(screen.get_by_role("alert")).to_contain_text("−5 is not allowed now.")
    type_move(screen, "seven")
    expect(screen.locator("#refused")).to_contain_text("'seven' is not a move")
    expect(screen.get_by_label("Type a move")).to_have_value("seven")


def to_sudden_death(position: Position) -> list[str]:
    """Return moves after which the pool is full again, found by looking at one position after another."""
    stack: list[tuple[Position, list[str]]] = [(position, [])]
    for _ in range(LOOK):
        at, moves = stack.pop()
        for move in at.legal_moves():
            then, made_so = at.play(move), [*moves, at.text_of(move)]
            if then.outcome is None and len(then.pool) > len(at.pool):
                return made_so
            if then.outcome is None:
                stack.append((then, made_so))
    raise AssertionError("no tie was found")


def test_a_tie_is_followed_by_sudden_death(screen: Page, site: Server) -> None:
    rules = built_in("zero-sum-game")
    moves = to_sudden_death(start_position(rules))
    both(screen, site, "zero-sum-game")
    play(screen, *moves[:-1])
    expect(presses(screen)).to_have_count(1)
    play(screen, moves[-1])
    expect(happened(screen)).to_contain_text("It is a tie: sudden death, all numbers are back.")
    expect_heard(screen, "It is a tie: sudden death, all numbers are back.")
    expect(headline(screen)).to_have_text("Ann’s turn")
    expect(presses(screen)).to_have_count(len(rules.pool))
    expect(numbers(screen).filter(has_text="taken by")).to_have_count(0)
    expect(made(screen).last).to_contain_text("sudden death")
    seen = version(screen)
    press(screen, "+1").click()
    after(screen, seen)
    expect(numbers(screen).filter(has_text="taken by")).to_have_count(1)
    screen.get_by_role("button", name="Take back").click()
    expect(presses(screen)).to_have_count(len(rules.pool))
