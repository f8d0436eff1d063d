"""Puzzles on a phone, by touch: wrong, hint, again, solved; marks and a streak that stay; the same one for all."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import dressed
from tests.browser.solving import right_and_wrong
from tests.server.running import Server

PHONE = (375, 667)
DOUBLE_TAP = 750
"""Milliseconds after which a tap is meant for what stands there now: a little more than the script waits."""
PUZZLE = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"
KEY = "zerosum.puzzles"

# At the very moment at which the answer is there: some time later, a tap on the link is meant.
_SECOND_TAP = """() => new MutationObserver((_, observer) => {
  const link = [...document.querySelectorAll("a")].find((one) => one.textContent.includes("All puzzles"));
  if (!document.getElementById("answer") || !link) return;
  observer.disconnect();
  link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 2 }));
  window.tapped = true;
}).observe(document.body, { childList: true, subtree: true })"""


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
    expect(asked.locator(".gauge, .numbers")).to_have_count(2)
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


def test_the_day_is_the_same_for_two_and_a_streak_stays(open_page: Browsing, phone: Page, site: Server) -> None:
    other = open_page()
    for page in (phone, other):
        page.goto(f"{site.url}/puzzles")
        page.get_by_role("link", name="Solve it").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Puzzle of the day")
    dressed(phone)
    other.goto(phone.url)
    day = str(phone.locator("#puzzle").get_attribute("data-day"))
    assert phone.url == f"{site.url}/puzzles/daily/{day}"
    assert phone.locator("#puzzle").inner_html() == other.locator("#puzzle").inner_html()
    right, wrong = right_and_wrong(phone)
    # Yesterday's was solved, and a run of three long before; a day that was missed ends a run.
    now = datetime.fromisoformat(day)
    earlier = [f"{now - timedelta(days):%Y-%m-%d}" for days in (1, 10, 11, 12)]
    phone.evaluate("kept => localStorage.setItem('zerosum.puzzles', kept)", json.dumps({"solved": {}, "days": earlier}))
    # As another tab would tell: no second load, in which it could be tomorrow.
    phone.evaluate("dispatchEvent(new Event('storage'))")
    streak = phone.locator(".streak").last
    expect(streak).to_have_text("Days in a row: 1, your best: 3.")
    phone.locator(f"button[value='{wrong}']").tap()
    expect(phone.get_by_role("heading", name="No.")).to_be_visible()
    phone.wait_for_timeout(DOUBLE_TAP)
    phone.locator(f"button[value='{right}']").tap()
    expect(phone.locator("#answer .streak")).to_have_text("Days in a row: 2, your best: 3.")
    phone.reload()
    expect(streak).to_have_text("Days in a row: 2, your best: 3.")
    expect(phone.locator(".week a[aria-current] .done")).to_be_visible()
    phone.goto(f"{site.url}/puzzles")
    expect(phone.locator("[data-game]:visible")).to_have_text("1 solved")
    expect(other.locator(".streak").last).to_be_hidden()


def test_a_day_of_the_past_is_marked_but_adds_nothing_to_the_streak(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/puzzles/daily/2020-02-29")
    right, _ = right_and_wrong(page)
    page.locator(f"button[value='{right}']").click()
    expect(page.get_by_role("heading", name="Right.")).to_be_visible()
    assert kept(page)["days"] == []
    assert kept(page)["solved"]["daily 2020-02-29"] == 3
    expect(page.locator(".streak").last).to_be_hidden()
    page.goto(f"{site.url}/puzzles/daily/2020-02-29")
    expect(page.get_by_role("heading", name="Right.")).to_be_visible()
    expect(page.get_by_role("img", name="Solved, 3 of 3 points").first).to_be_visible()


def test_a_day_opened_again_goes_on_where_it_was_left(page: Page, site: Server) -> None:
    """Neither a reload nor the answer that was seen makes the first try good again."""
    day = f"{site.url}/puzzles/daily/2020-03-01"
    page.goto(day)
    expect(page.locator(".rules")).to_contain_text("Take turns to take a number")
    right, wrong = right_and_wrong(page)
    page.locator(f"button[value='{wrong}']").click()
    expect(page.get_by_role("heading", name="No.")).to_be_visible()
    page.goto(day)
    expect(page.locator(".tried")).to_have_count(1)
    page.locator(f"button[value='{right}']").click()
    expect(page.locator("#answer")).to_contain_text("2 of 3 points.")
    page.goto(day)
    expect(page.locator("#answer")).to_contain_text("2 of 3 points.")
    assert kept(page)["solved"]["daily 2020-03-01"] == 2
    looked = f"{site.url}/puzzles/daily/2020-03-02"
    page.goto(looked)
    page.get_by_role("link", name="Show the answer").click()
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    page.goto(looked)
    expect(page.get_by_role("heading", name="The answer")).to_be_visible()
    assert "daily 2020-03-02" not in kept(page)["solved"]


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
