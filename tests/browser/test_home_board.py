"""The board on Home: one tap wins it, by mouse, finger, key and without a script, on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import SIZES, findings, overflow, spilled
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import headline
from tests.full import first
from tests.server.running import Server
from zerosum.coach.causes import why, words
from zerosum.coach.next_step import FIRST_GAME
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import parse_move
from zerosum.rules.position import Position, start_position
from zerosum.solver import Verdict, solution_of

_SEEN = """() => [...document.querySelectorAll(".try .gauge, .try .answer, .taps > *, .begin button")].every((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
})"""
_SHIFT = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) moved += one.value; })
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 0);
})"""


def shown_position() -> Position:
    """Return the position of the board: the example of the rules file before its last move."""
    rules = built_in(FIRST_GAME)
    position = start_position(rules)
    for text in rules.examples[0].moves[:-1]:
        position = position.play(parse_move(text, rules.operations))
    return position


def texts(page: Page) -> list[str]:
    """Return the moves that the board offers."""
    return [str(one.get_attribute("value")) for one in page.locator(".taps button").all()]


def test_one_number_wins_and_the_reason_for_each_is_that_of_the_coach(open_page: Browsing, site: Server) -> None:
    """Without a script: a link for each number, and words that the causes give for this board."""
    page = open_page(javascript=False, width=PHONE, height=640)
    position, solution = shown_position(), solution_of(built_in(FIRST_GAME))
    page.goto(site.url)
    assert texts(page) == [position.text_of(move) for move in position.legal_moves()]
    wins = [one.move for one in solution.options(position) if one.value.verdict is Verdict.WIN]
    assert len(wins) == 1
    assert position.play(wins[0]).outcome is not None
    for move in position.legal_moves():
        page.goto(site.url)
        page.locator(f".taps button[value='{position.text_of(move)}']").click()
        answer = page.locator("#answer")
        expect(answer.locator("h2")).to_have_text("You win!" if move in wins else "Not this one. Try another.")
        expect(answer).to_contain_text(words(why(position, move, solution))[0])
        expect(page.locator(".taps button")).to_have_count(0 if move in wins else len(position.legal_moves()) - 1)
    page.goto(f"{site.url}/?take=%2B99")
    assert texts(page) == [position.text_of(move) for move in position.legal_moves()]


@pytest.mark.parametrize("by", first(2, ["finger", "keys", "mouse"]))
def test_tap_win_see_why_and_play_somebody(open_page: Browsing, site: Server, by: str) -> None:
    page = open_page(width=PHONE if by == "finger" else 1280, reduced_motion=True)
    page.goto(site.url, wait_until="load")
    button = page.get_by_role("button", name="Add 3", exact=True)
    while by == "keys" and not button.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
    before = page.evaluate(_SHIFT)  # by the link that skips to the page, which the first Tab shows
    if by == "keys":
        page.keyboard.press("Enter")
    else:
        (button.tap if by == "finger" else button.click)()
    answer = page.locator("#answer")
    expect(answer).to_contain_text("+3 makes 31. They left the total at 28, and 3 was still there.")
    expect(answer).to_be_focused()
    assert page.evaluate(_SHIFT) == before
    play = page.get_by_role("button", name="Play level 1", exact=True)
    expect(play).to_have_class("big go")
    play.press("Enter")
    expect(headline(page)).to_have_text("Your turn")
    expect(page.get_by_role("heading", level=1)).to_have_text(built_in(FIRST_GAME).name)


def test_a_tap_at_another_place_is_meant_at_once(open_page: Browsing, site: Server) -> None:
    """Only a second tap at the same place may be half of a double tap."""
    phone = open_page(width=PHONE, height=640)
    phone.goto(site.url, wait_until="load")
    for number, told in (("Add 1", "Not this one. Try another."), ("Add 3", "You win!")):
        phone.get_by_role("button", name=number, exact=True).tap()
        expect(phone.locator("#answer h2")).to_have_text(told)
    phone.get_by_role("button", name="Play level 1", exact=True).tap()
    expect(headline(phone)).to_have_text("Your turn")


def test_board_and_both_opponents_are_in_the_first_view_of_every_screen(open_page: Browsing, site: Server) -> None:
    wrong = []
    for at, (width, height) in enumerate(SIZES):
        page = open_page(width=width, height=height, dark=bool(at % 2), reduced_motion=True)
        for query in ("", "?take=%2B1", "?take=%2B3"):
            page.goto(f"{site.url}/{query}")
            if not page.evaluate(_SEEN):
                wrong.append(f"{width}x{height} {query}: not all of it is in view")
            wrong += [f"{width}x{height} {query}: {one}" for one in (*overflow(page), *spilled(page))]
        if at % 2:
            wrong += [f"{width}x{height}, dark: {one}" for one in findings(page)]
    assert wrong == []


def test_what_is_chosen_is_what_the_button_says(page: Page, site: Server) -> None:
    page.goto(site.url, wait_until="load")
    for value, words_of_it in (("level:4", "level 4"), ("here", "a friend here"), ("human", "a friend")):
        page.get_by_label("Play against").select_option(value)
        expect(page.get_by_role("button", name="Play Sum31")).to_have_text(f"Play Sum31 {words_of_it}")
    page.get_by_role("button", name="Play a friend", exact=True).click()
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Make the invitation").click()
    expect(headline(page)).to_have_text("Waiting for your friend")
