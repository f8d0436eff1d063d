"""Classrooms in a browser: how a teacher and pupils get to each of their pages."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.arrivals import Arrive
from tests.browser.browsing import Browsing
from tests.server.running import Server


def open_room(open_page: Browsing, site: Server, minutes: str = "15", **checked: bool) -> tuple[Page, str]:
    """Open a room; return the desk and the code."""
    desk = open_page(reduced_motion=True)
    desk.goto(f"{site.url}/room/new")
    desk.get_by_label("Minutes").fill(minutes)
    for name, on in checked.items():
        desk.locator(f"[name={name}]").set_checked(on)
    desk.get_by_role("button", name="Open the room", exact=True).click()
    desk.wait_for_url("**/desk")
    return desk, desk.url.split("/")[-2]


def not_opened(open_page: Browsing, site: Server) -> Page:
    """Give rules that make no game."""
    open_page.allow("status of 422")
    page = open_page(reduced_motion=True)
    page.goto(f"{site.url}/room/new")
    page.get_by_text("Play a game of our own").click()
    page.get_by_label("Rules as text").fill("nonsense")
    page.get_by_role("button", name="with these rules").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def join(open_page: Browsing, site: Server, code: str, name: str) -> Page:
    """Join a room as another visitor with a phone; return the pupil's page."""
    page = open_page(reduced_motion=True, width=360, height=640)
    page.goto(f"{site.url}/room?code={code.upper()}")
    page.get_by_label("Your nickname").fill(name)
    page.get_by_role("button", name="Join").click()
    return page


def _room(then: Callable[[Browsing, Server, Page, str], Page]) -> Arrive:
    def arrive(open_page: Browsing, site: Server) -> Page:
        return then(open_page, site, *open_room(open_page, site))

    return arrive


def lobby(open_page: Browsing, site: Server, _desk: Page, code: str) -> Page:
    """Wait in the lobby."""
    page = join(open_page, site, code, "Ann")
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    return page


def joining(open_page: Browsing, site: Server, _desk: Page, code: str) -> Page:
    """Be asked for a nickname."""
    page = open_page(reduced_motion=True)
    page.goto(f"{site.url}/room/{code}")
    return page


def refused(open_page: Browsing, site: Server, _desk: Page, code: str) -> Page:
    """Give a nickname that cannot be used."""
    open_page.allow("status of 422")
    page = joining(open_page, site, _desk, code)
    page.get_by_label("Your nickname").fill(" ")
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def seated(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Sit at a table of the room."""
    page, _ = (join(open_page, site, code, name) for name in ("Ann", "Ben"))
    desk.get_by_role("button", name="Start").click()
    page.wait_for_url("**/tables/**")
    return page


def podium(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Look at the podium, after the end."""
    page = lobby(open_page, site, desk, code)
    desk.get_by_role("button", name="Start").click()
    end(desk)
    expect(page.get_by_role("heading", name="Podium")).to_be_visible()
    return page


def end(desk: Page) -> None:
    """End the lesson."""
    desk.get_by_text("End", exact=True).click()
    desk.get_by_role("button", name="End the lesson").click()
    expect(desk.get_by_text("Over", exact=True)).to_be_visible()


def at_desk(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Sit at the desk, with somebody in the room."""
    join(open_page, site, code, "Ann")
    expect(desk.get_by_role("rowheader", name="Ann")).to_be_visible()
    return desk


def given_back(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Make a way back for a pupil."""
    at_desk(open_page, site, desk, code)
    desk.get_by_text("Change", exact=True).click()
    desk.get_by_role("button", name="A way back").click()
    expect(desk.get_by_label("Link")).to_be_visible()
    return desk


def coming_back(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Open a way back on another device."""
    address = given_back(open_page, site, desk, code).get_by_label("Link").input_value()
    page = open_page(reduced_motion=True)
    page.goto(address)
    return page


def came_back_late(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Use a way back that has been used."""
    open_page.allow("status of 404")
    first = coming_back(open_page, site, desk, code)
    late = open_page(reduced_motion=True)
    late.goto(first.url)
    for page in (first, late):
        page.get_by_role("button", name="Come in").click()
    expect(late.get_by_role("alert")).to_be_visible()
    return late


def deleted(_open_page: Browsing, _site: Server, desk: Page, _code: str) -> Page:
    """Delete a room."""
    desk.get_by_text("This room", exact=True).click()
    desk.get_by_label("Delete this room").check()
    desk.get_by_role("button", name="Delete now").click()
    expect(desk.get_by_role("heading", name="is deleted")).to_be_visible()
    return desk


def walled(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Look at the wall while a match is played."""
    seated(open_page, site, desk, code)
    page = open_page(reduced_motion=True)
    page.goto(f"{site.url}/room/{code}/wall")
    expect(page.locator("#boards li")).to_have_count(1)
    return page


def reported(open_page: Browsing, site: Server, desk: Page, code: str) -> Page:
    """Look at the report."""
    at_desk(open_page, site, desk, code)
    desk.goto(f"{site.url}/room/{code}/report")
    return desk


LOBBY, JOINING, REFUSED, SEATED, PODIUM = map(_room, (lobby, joining, refused, seated, podium))
DESK, GIVEN_BACK, COMING_BACK, LATE, DELETED = map(_room, (at_desk, given_back, coming_back, came_back_late, deleted))
WALL, REPORT = map(_room, (walled, reported))
