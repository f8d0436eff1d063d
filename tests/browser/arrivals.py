"""How a visitor gets to a page: by an address, by links, by a form that is refused, or at a table after some moves."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.browsing import Browsing
from tests.browser.playing import dressed, open_table, play
from tests.server.running import Server

Arrive = Callable[[Browsing, Server], Page]


def goes(path: str) -> Arrive:
    """Return how one arrives by an address alone."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = open_page(reduced_motion=True)
        page.goto(site.url + path)
        return page

    return arrive


def at_table(game: str, opponent: str = "here", *moves: str, **choices: str) -> Arrive:
    """Return how one arrives at a table where moves have been made."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = open_page(reduced_motion=True)
        open_table(page, site, game, opponent, **choices)
        play(page, *moves)
        return page

    return arrive


def then(first: Arrive, *links: str) -> Arrive:
    """Return how one arrives from another place by links, one after another."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = first(open_page, site)
        for name in links:
            dressed(page)
            page.get_by_role("link", name=name).first.click()
        return page

    return arrive


def sent(path: str, button: str, **fields: str) -> Arrive:
    """Return how one arrives by a form whose answer is a refusal."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        open_page.allow(r"status of 4\d\d")
        page = goes(path)(open_page, site)
        for name, value in fields.items():
            page.locator(f"[name={name}]:not([type=hidden])").last.fill(value)
        page.get_by_role("button", name=button).last.click()
        return page

    return arrive
