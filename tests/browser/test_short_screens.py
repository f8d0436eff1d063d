"""Phones on their side, pages at 200 % and the narrowest phones: everything that a move needs is in sight at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import findings
from tests.browser.browsing import Browsing
from tests.browser.playing import open_table, play, ready
from tests.server.running import Server

SIZES = [(667, 375), (640, 400), (320, 568), (360, 640)]
FIRST = {(667, 375), (320, 568)}
"""The smallest of either way round; `make full` looks at all."""
SCREENS = [pytest.param(one, marks=[] if one in FIRST else pytest.mark.full) for one in SIZES]
GAMES = ["sum31", "sequence-zero", "sum-to-zero"]
"""One total; two totals and two signs; the most numbers."""
_NEEDED = ["#by-number .tile", ".gauge svg", ".runner", ".sum", "#status"]
_OUTSIDE = """(needed) => needed.filter((one) => [...document.querySelectorAll(one)].some((element) => {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return top < -0.5 || left < -0.5 || bottom > innerHeight + 0.5 || right > innerWidth + 0.5;
}))"""
_COVERED = """(needed) => {
  const hint = document.getElementById("hints").getBoundingClientRect();
  return needed.filter((one) => [...document.querySelectorAll(one)].some((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return hint.left < right - 1 && left < hint.right - 1 && hint.top < bottom - 1 && top < hint.bottom - 1;
  }));
}"""


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_numbers_line_and_totals_are_in_sight_and_no_hint_covers_them(
    open_page: Browsing, site: Server, size: tuple[int, int]
) -> None:
    page: Page = open_page(width=size[0], height=size[1], reduced_motion=True, dark=size[0] == 640)
    for game in GAMES:
        open_table(page, site, game, "level:1")
        ready(page)
        assert page.evaluate(_OUTSIDE, _NEEDED) == [], game
        page.get_by_role("link", name="Hint", exact=True).first.click()
        expect(page.locator("#hints")).to_be_visible()
        assert page.evaluate(_COVERED, ["#by-number .press", ".gauge svg", ".sum"]) == [], game
        assert page.evaluate(_OUTSIDE, ["#hints", *_NEEDED]) == [], game
    assert page.evaluate("document.scrollingElement.scrollWidth") == size[0]
    assert findings(page) == []


@pytest.mark.parametrize("size", SCREENS, ids=str)
def test_line_and_numbers_of_a_puzzle_are_in_sight(open_page: Browsing, site: Server, size: tuple[int, int]) -> None:
    page = open_page(width=size[0], height=size[1], reduced_motion=True)
    for path in ("/puzzles/daily/2026-11-15", "/games/sum31/puzzle?position=1,2,3,4,7+28+1"):
        page.goto(site.url + path)
        assert page.evaluate(_OUTSIDE, ["#moves button", ".totals", ".gauge svg"]) == [], path
    page.goto(f"{site.url}/learn/sum31?show=exercise")
    assert page.evaluate(_OUTSIDE, ["#voice", ".totals", ".gauge svg"]) == []


def test_no_number_moves_while_a_row_of_them_is_taken(open_page: Browsing, site: Server) -> None:
    page = open_page(width=667, height=375, reduced_motion=True)
    open_table(page, site, "sequence-zero", "here")
    last = page.locator("#by-number .tile").last
    before = last.bounding_box()
    play(page, "+1", "+2", "+3", "+4", "+5")
    assert last.bounding_box() == before


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_the_wall_is_read_from_the_last_row(open_page: Browsing, site: Server, size: tuple[int, int]) -> None:
    """The smallest text has 2.5 % of the height, and nothing scrolls."""
    host, wall = open_page(reduced_motion=True), open_page(width=size[0], height=size[1])
    wall.goto(f"{open_table(host, site, 'sequence-zero', 'here', name='Ann', opponent_name='Ben')}/projector")
    sizes = wall.evaluate("""() => [...document.querySelectorAll("#projector *")]
      .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
      .filter((one) => !one.closest(".unseen"))
      .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent])""")
    assert sizes
    assert [one for one in sizes if one[0] < 0.025 * size[1] - 0.01] == []
    assert wall.evaluate("document.scrollingElement.scrollHeight <= innerHeight")
