"""A whole lesson in eight browsers: join, pair, play, leave, come back, end, podium, report; names are escaped."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.at_rooms import end, join, open_room
from tests.browser.browsing import Browsing
from tests.patience import PATIENCE
from tests.server.running import Server

NAMES = ("Ann", "Ben", "<b>Cy</b>", "Ann", "'\"><img src=x>", "Flo")


def _seated(pages: list[Page]) -> None:
    for page in pages:
        page.wait_for_url("**/tables/**", timeout=PATIENCE * 1000)


def _resign(page: Page) -> None:
    page.locator("#menu > summary").click()
    page.locator("#resign").click()
    page.get_by_role("button", name="Yes, resign").click()


def test_a_lesson(open_page: Browsing, site: Server) -> None:
    desk, code = open_room(open_page, site)
    wall = open_page(reduced_motion=True)
    wall.goto(f"{site.url}/room/{code}/wall")
    pupils = [join(open_page, site, code, name) for name in NAMES]
    for name in ("Ann 2", "<b>Cy</b>", "'\"><img src=x>"):
        expect(wall.locator(".names")).to_contain_text(name)
        expect(desk.get_by_role("rowheader", name=name, exact=True)).to_be_visible()
    desk.get_by_role("button", name="Start").click()
    _seated(pupils)
    expect(wall.locator("#boards li")).to_have_count(3)
    # One leaves and comes back to the same match.
    table = pupils[0].url
    pupils[0].goto("about:blank")
    pupils[0].goto(f"{site.url}/room/{code}")
    assert pupils[0].url == table
    tables = {page.url for page in pupils}
    assert len(tables) == 3
    for table in tables:
        _resign(next(page for page in pupils if page.url == table))
    for page in pupils:
        expect(page.locator("#onward")).to_be_visible()
        page.locator("#onward button").click()
    _seated(pupils)
    assert not {page.url for page in pupils} & tables
    for table in {page.url for page in pupils}:
        _resign(next(page for page in pupils if page.url == table))
    expect(desk.get_by_text("6 played")).to_be_visible()
    end(desk)
    for page in pupils:
        page.goto(f"{site.url}/room/{code}")
        expect(page.get_by_role("heading", name="Podium")).to_be_visible()
    expect(wall.locator(".podium li")).to_have_count(3)
    desk.get_by_role("link", name="Report").click()
    expect(desk.get_by_role("rowheader", name="<b>Cy</b>", exact=True)).to_be_visible()
    for page in (desk, wall, *pupils):
        assert page.locator("img[src=x]").count() == 0
