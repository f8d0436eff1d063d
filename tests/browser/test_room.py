"""A whole lesson in eight browsers: join, pair, play, leave, come back, end, podium, report; names are escaped."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.at_rooms import end, join, open_room
from tests.browser.browsing import Browsing
from tests.browser.playing import after, headline, open_menu, our_turn, presses, version
from tests.server.running import Server

NAMES = ("Ann", "Ben", "<b>Cy</b>", "Ann", "'\"><img src=x>", "Flo")
ESCAPED = ("Ann 2", "<b>Cy</b>", "'\"><img src=x>")


SMALL = """() => [...document.querySelectorAll("#wall *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .filter((one) => one.checkVisibility() && !one.closest(".unseen"))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.closest("svg") ? one.currentCSSZoom ?? 1 : 1, one])
  .map(([size, zoom, one]) => [size * zoom, one.textContent])
  .filter(([size]) => size < 0.025 * innerHeight)"""
"""The texts of a wall that are too small to be read from 8 m."""


def read_from_afar(wall: Page) -> None:
    """Look whether the smallest text of a wall has 2.5 % of its height, and nothing scrolls."""
    assert wall.evaluate(SMALL) == []
    assert wall.evaluate("document.scrollingElement.scrollHeight <= innerHeight")


def seated(pupils: list[Page], before: set[str]) -> dict[str, list[Page]]:
    """Wait until all pupils have a table that is none of those before; return who sits where."""
    for page in pupils:
        page.wait_for_url(lambda url: "/tables/" in url and url not in before)
    tables: dict[str, list[Page]] = {}
    for page in pupils:
        tables.setdefault(page.url, []).append(page)
    return tables


def play(two: list[Page], moves: int) -> None:
    """Make some moves by pressing numbers; the match goes on."""
    first = two if headline(two[0]).inner_text() == "Your turn" else two[::-1]
    for n in range(moves):
        mover = first[n % 2]
        assert our_turn(mover) == "Your turn"
        seen = version(mover)
        presses(mover).first.tap()
        after(mover, seen)


def resign(page: Page) -> None:
    open_menu(page)
    page.locator("#resign").click()
    page.get_by_role("button", name="Yes, resign").click()


def test_a_lesson(open_page: Browsing, site: Server) -> None:
    desk, code = open_room(open_page, site)
    wall = open_page(reduced_motion=True)
    wall.goto(f"{site.url}/room/{code}/wall")
    pupils = [join(open_page, site, code, name) for name in NAMES]
    for name in ESCAPED:
        expect(wall.locator(".names")).to_contain_text(name)
        expect(desk.get_by_role("rowheader", name=name, exact=True)).to_be_visible()
    read_from_afar(wall)
    desk.get_by_role("button", name="Start").click()
    tables = seated(pupils, set())
    assert len(tables) == len(pupils) // 2
    expect(wall.locator("#boards li")).to_have_count(3)
    read_from_afar(wall)
    # One leaves and comes back to the same match.
    table = pupils[0].url
    pupils[0].goto("about:blank")
    pupils[0].goto(f"{site.url}/room/{code}")
    assert pupils[0].url == table
    played, resigned, stuck = tables.values()
    play(played, 4)
    # The teacher ends one match without a result; its two are taken off the board.
    held = desk.locator(f"#end-{stuck[0].url.rpartition('/')[2]}")
    held.get_by_text("End it").click()
    held.get_by_role("button", name="End without a result").click()
    for page in stuck:
        page.wait_for_url(f"**/room/{code}")
        page.get_by_role("button", name="Next partner").click()
    # The others have seen the end, and are asked on by themselves.
    for two in (played, resigned):
        resign(two[0])
    again = seated(pupils, set(tables))
    assert len(again) == len(pupils) // 2
    # Matches under way may be finished after the end.
    end(desk)
    for two in again.values():
        for page in two:
            expect(page.locator("#place")).to_have_attribute("data-phase", "ended")
        resign(two[0])
    for page in pupils:  # from the last board to the podium it goes by itself
        expect(page.get_by_role("heading", name="Podium")).to_be_visible()
    expect(wall.locator(".podium li")).to_have_count(3)
    read_from_afar(wall)
    desk.get_by_role("link", name="Report").click()
    expect(desk.get_by_text("6 pupils, 5 matches")).to_be_visible()
    expect(desk.get_by_role("rowheader", name="<b>Cy</b>", exact=True)).to_be_visible()
    for page in (desk, wall, *pupils):
        assert page.locator("img[src=x]").count() == 0
