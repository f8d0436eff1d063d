"""Puzzles on a phone, by touch: wrong, hint, again, solved; marks and a streak that stay; the same one for all."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import dressed
from tests.browser.solving import daily_moves, play_daily, right_and_wrong
from tests.server.running import Server

PHONE = (375, 667)
DOUBLE_TAP = 750
"""Milliseconds after which a tap is meant for what stands there now: a little more than the script waits."""
PUZZLE = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"
KEY = "zerosum.puzzles"

# At the very moment at which the answer is there: some time later, a tap on the link is meant.
_SECOND_TAP = """() => {
  let first;
  addEventListener("click", (event) => (first ??= event), true);
  new MutationObserver((_, observer) => {
    const link = [...document.querySelectorAll("a")].find((one) => one.textContent.includes("All puzzles"));
    if (!document.getElementById("answer") || !link) return;
    observer.disconnect();
    const { clientX, clientY } = first;
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2, clientX, clientY }));
    window.tapped = true;
  }).observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def phone(open_page: Browsing) -> Page:
    return open_page(width=PHONE[0], height=PHONE[1])


def note_loads(page: Page) -> list[str]:
    """Return a list to which each load of a page adds its address."""
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    return loads


def tap(page: Page, name: str, role: str = "button") -> None:
    page.wait_for_timeout(DOUBLE_TAP)
    page.get_by_role(role, name=name, exact=True).tap()  # type: ignore[arg-type]  # a role


def kept(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.evaluate(f"localStorage.getItem('{KEY}')") or "{}")
    return found


def test_wrong_hint_again_and_solved_without_a_page_load(phone: Page, site: Server) -> None:
    """The question stays where it is; an answer is drawn like it, in the view, and has the focus."""
    phone.goto(site.url + PUZZLE)
    loads = note_loads(phone)
    asked = phone.locator("section[aria-labelledby=question]")
    before = asked.bounding_box()
    assert before is not None
    tap(phone, "Add 7")
    expect(phone.get_by_role("heading", name="No. Two tries left.")).to_be_in_viewport()
    expect(phone.locator("#answer")).to_be_focused()
    expect(asked.locator(".gauge, .numbers")).to_have_count(1)  # the buttons are its numbers
    expect(phone.locator("#answer").locator(".gauge, .numbers")).to_have_count(2)
    expect(asked).to_contain_text("+7 ✗ tried")
    after = asked.bounding_box()
    assert after is not None
    scrolled = phone.evaluate("scrollY")
    assert (after["y"] + scrolled, after["height"]) == pytest.approx((before["y"], before["height"]), abs=1)
    tap(phone, "Hint", "link")
    expect(phone.locator("#answer")).to_contain_text("1 of your 5 moves wins, at once.")
    assert kept(phone) == {}
    tap(phone, "Add 3")
    expect(phone.get_by_role("heading", name="Right.")).to_be_in_viewport()
    expect(phone.locator("#answer")).to_contain_text("1 of 3 points.")
    assert loads == []
    assert kept(phone)["solved"] == {"sum31 1,2,3,4,7 28 1": 1}
    mark = phone.get_by_role("img", name="Solved, 1 of 3 points")
    expect(mark).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("heading", name="Right.")).to_be_visible()
    phone.goto(site.url + PUZZLE)
    expect(mark).to_be_visible()
    tap(phone, "Add 3")
    expect(phone.locator("#answer")).to_contain_text("3 of 3 points.")
    assert kept(phone)["solved"] == {"sum31 1,2,3,4,7 28 1": 1}, "the first time counts"


def test_two_taps_are_one_answer(phone: Page, site: Server) -> None:
    """The second tap of two neither answers again nor follows a link that has come under the finger."""
    phone.goto(site.url + PUZZLE)
    loads = note_loads(phone)
    phone.evaluate(_SECOND_TAP)
    phone.get_by_role("button", name="Add 1").dblclick()
    phone.wait_for_function("() => window.tapped")
    phone.wait_for_timeout(DOUBLE_TAP)
    expect(phone.get_by_role("heading", name="No. Two tries left.")).to_be_visible()
    assert loads == []
    tap(phone, "Show the answer", "link")
    expect(phone.get_by_role("heading", name="The answer")).to_be_visible()
    assert kept(phone) == {}
    phone.get_by_role("link", name="All puzzles").press("Enter")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sum31: puzzles")


def test_a_server_that_does_not_answer_is_told_and_asked_again(open_page: Browsing, phone: Page, site: Server) -> None:
    open_page.allow("ERR_INTERNET_DISCONNECTED")
    phone.goto(site.url + PUZZLE)
    phone.context.set_offline(True)
    tap(phone, "Add 7")
    expect(phone.get_by_role("alert")).to_be_visible()
    phone.context.set_offline(False)
    tap(phone, "Add 7")
    expect(phone.get_by_role("heading", name="No. Two tries left.")).to_be_visible()
    expect(phone.get_by_role("alert")).to_be_hidden()


def test_the_daily_is_the_same_for_two_and_an_earlier_streak_stays(
    open_page: Browsing, phone: Page, site: Server
) -> None:
    other = open_page()
    phone.goto(f"{site.url}/puzzles")
    phone.get_by_role("link", name="Play it").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("The daily duel")
    dressed(phone)
    day = phone.url.rpartition("/")[2]
    other.goto(phone.url)
    assert phone.locator("#daily").inner_html() == other.locator("#daily").inner_html()
    # An earlier version kept that yesterday's was solved, and a run of three long before.
    now = datetime.fromisoformat(day)
    earlier = [f"{now - timedelta(days):%Y-%m-%d}" for days in (1, 10, 11, 12)]
    phone.evaluate("kept => localStorage.setItem('zerosum.puzzles', kept)", json.dumps({"solved": {}, "days": earlier}))
    phone.evaluate("dispatchEvent(new Event('storage'))")
    streak = phone.locator(".streak").first
    expect(streak).to_have_text("Days in a row: 1, your best: 3.")
    loads = note_loads(phone)
    play_daily(phone, best=False)
    expect(phone.get_by_role("heading", name="Try 2 of 3: you are to move")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("heading", name="Try 2 of 3: you are to move")).to_be_visible()
    play_daily(phone, best=True)
    expect(phone.get_by_role("heading", name="Won at try 2 of 3")).to_be_visible()
    assert len(loads) == 1, "moves are made without a page load"
    expect(streak).to_have_text("Days in a row: 2, your best: 3.")
    result = phone.get_by_label("Your result, to share").input_value()
    assert result.startswith(f"zerosum daily {day}: won at try 2 of 3\n\N{LARGE BLUE SQUARE}\N{LARGE ORANGE CIRCLE}")
    assert result.endswith(f"\n{site.url}/puzzles/daily/{day}")
    # The link opens exactly that position, for somebody else.
    other.goto(result.splitlines()[-1])
    expect(other.get_by_role("heading", name="Try 1 of 3: you are to move")).to_be_visible()
    phone.goto(f"{site.url}/puzzles")
    expect(phone.locator(".streak")).to_have_text("Days in a row: 2, your best: 3.")


def test_another_tab_and_the_way_back_take_no_move_back(open_page: Browsing, page: Page, site: Server) -> None:
    page.goto(f"{site.url}/puzzles/daily/2020-03-01")
    second = open_page(beside=page)
    second.goto(page.url)
    good, bad = daily_moves("2020-03-01", best=True)[0], daily_moves("2020-03-01", best=False)[0]
    page.locator(f"button[value='{bad}']").click()
    expect(page.locator("[name=at][value='1.0']")).to_have_count(0)
    reached = page.locator("#daily").inner_text()
    second.locator(f"button[value='{good}']").click()
    expect(second.locator("[name=at][value='1.0']")).to_have_count(0)
    assert second.locator("#daily").inner_text() == reached
    page.goto(site.url)
    page.go_back()
    expect(page.locator("[name=at][value='1.0']")).to_have_count(0)
    assert page.locator("#daily").inner_text() == reached


def test_the_daily_is_played_without_a_script(open_page: Browsing, site: Server) -> None:
    plain = open_page(javascript=False, width=360, height=640)
    plain.goto(f"{site.url}/puzzles/daily")
    play_daily(plain, best=True)
    expect(plain.get_by_role("heading", name="Won at try 1 of 3")).to_be_visible()
    expect(plain.locator(".streak").first).to_have_text("Days in a row: 1, your best: 1.")
    assert "won at try 1 of 3" in plain.get_by_label("Your result, to share").input_value()


def test_a_set_shows_what_is_solved_whatever_was_kept(page: Page, site: Server) -> None:
    for spoiled in ("nonsense", "[]", '{"solved": 5, "days": {}}', '{"solved": {}, "days": [1, "x"]}'):
        page.goto(f"{site.url}/games/sum31/puzzles")
        page.evaluate("kept => localStorage.setItem('zerosum.puzzles', kept)", spoiled)
        page.reload()
        expect(page.locator(".tally")).to_be_hidden()
    first = page.get_by_role("link", name="Puzzle 1", exact=True)
    first.click()
    right, _ = right_and_wrong(page)
    dressed(page)
    page.locator(f"button[value='{right}']").click()
    expect(page.get_by_role("heading", name="Right.")).to_be_visible()
    page.wait_for_function("key => Object.keys(JSON.parse(localStorage.getItem(key)).solved).length", arg=KEY)
    page.get_by_role("link", name="All puzzles of this set").press("Enter")
    expect(page.locator(".tally")).to_have_text("1 of 12 solved")
    expect(page.get_by_role("img", name="Solved, 3 of 3 points")).to_have_count(1)
