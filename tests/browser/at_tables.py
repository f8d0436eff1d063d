"""The page of a table in each of its states that look different: how a visitor gets there."""

from __future__ import annotations

import re
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.arrivals import Arrive, at_table, goes, then
from tests.browser.browsing import Browsing
from tests.browser.playing import after, headline, invite, open_menu, open_table, our_turn, play, press, resign, version
from tests.server.running import Server
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import load_text
from zerosum.rules.moves import Move, Operation

WIDE = f"""like = "zero-sum-duel"
id = "wide"
name = "A wide <b>one"
target = 500
pool = {list(range(1, 41))}
ban = "mirror"
swap = true
"""
LARGE = """like = "zero-sum-duel"
id = "large"
name = "Large"
pool = [1, 22, 333, 500, 88888, 123456, 999999, 1000000, 1000000]
"""
_MANY = 26
"""So many moves do not fit into the list without scrolling it."""
DUEL: Final = at_table("zero-sum-duel", "level:1")
VALUES: Final = then(DUEL, "Show what each move is worth")


def _met(open_page: Browsing, site: Server) -> tuple[Page, Page]:
    host, guest = open_page(reduced_motion=True), open_page(reduced_motion=True)
    invite(host, site, "sum31", guest, minutes="3", increment="2", best_of="3")
    expect(headline(host)).to_have_text("Your turn")
    return host, guest


def other_turn(open_page: Browsing, site: Server) -> Page:
    host, _ = _met(open_page, site)
    play(host, "+5")
    return host


def undo_asked(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    play(host, "+5")
    host.get_by_role("button", name="Ask to take back").click()
    expect(guest.get_by_role("button", name="Allow it")).to_be_visible()
    host.close()
    return guest


def watched(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    play(host, "+5")
    spectator = open_page(reduced_motion=True)
    spectator.goto(guest.url)
    return spectator


def rematch_asked(open_page: Browsing, site: Server) -> Page:
    host, guest = open_page(reduced_motion=True), open_page(reduced_motion=True)
    invite(host, site, "zero-sum-game", guest)
    expect(headline(host)).to_have_text("Your turn")
    play(host, "+5")
    resign(guest)
    guest.get_by_role("button", name="Ask for a rematch").click()
    expect(host.get_by_role("button", name="Yes, play again")).to_be_visible()
    return host


def won(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    for page, move in ((host, "+9"), (guest, "+8"), (host, "+7"), (guest, "+1"), (host, "+6")):
        expect(headline(page)).to_have_text("Your turn")
        play(page, move)
    expect(headline(host)).to_have_text("You win!")
    guest.close()
    return host


def menu(open_page: Browsing, site: Server) -> Page:
    page = at_table("zero-sum-duel", "here", "+5")(open_page, site)
    open_menu(page)
    return page


def confirms(open_page: Browsing, site: Server) -> Page:
    page = at_table("zero-sum-duel", "here", "+5")(open_page, site)
    page.get_by_role("link", name=re.compile("^5.*taken by")).press("Enter")
    expect(page.get_by_role("button", name="Play +5 and forfeit")).to_be_visible()
    return page


def refused(open_page: Browsing, site: Server) -> Page:
    page = at_table("sum31")(open_page, site)
    open_menu(page)
    page.get_by_label("Type a move").fill("seven")
    open_page.allow("status of 422")
    # As without the script of the page: a form that is sent.
    page.locator(".typed").evaluate("form => form.submit()")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def played(variant: str, *moves: str) -> Arrive:
    def arrive(open_page: Browsing, site: Server) -> Page:
        page = goes("/new?game=variant")(open_page, site)
        page.get_by_label("Against whom?").select_option("here")
        page.get_by_label("Rules as text").fill(variant)
        page.get_by_role("button", name="Open a table with this variant").click()
        play(page, *moves)
        return page

    return arrive


def long(open_page: Browsing, site: Server) -> Page:
    match = Match.begin(Setup(rules=load_text(WIDE)))
    for number in range(1, _MANY + 1):
        match = match.after(Move(number, Operation.ADD))
    page = goes("/new?open=record")(open_page, site)
    page.get_by_label("Record", exact=True).fill(match.record())
    page.get_by_role("button", name="Open the match").click()
    return page


def why(open_page: Browsing, site: Server) -> Page:
    page = VALUES(open_page, site)
    page.get_by_text("Reasons, move by move").click()
    page.get_by_role("link", name="Why").first.click()
    expect(page.locator("#reasons .said")).to_be_visible()
    return page


def hinted(open_page: Browsing, site: Server) -> Page:
    page = then(DUEL, "Hint", "Which move?", "Why?")(open_page, site)
    expect(page.get_by_role("link", name="Why?", exact=True)).to_have_count(0)
    return page


def coached(open_page: Browsing, site: Server) -> Page:
    """Switch on the coach, and let the win go."""
    page = goes("/new?open=record")(open_page, site)
    record = '[Game "sum31"]\n[Who1 "perfect"]\n[Who2 "human"]\n\n1. +9 +8 2. +5\n'
    page.get_by_label("Record", exact=True).fill(record)
    page.get_by_role("button", name="Open the match").click()
    page.get_by_role("switch", name="Coach me while I play").click()
    expect(page.locator("#comment")).to_be_visible()
    play(page, "+1")
    our_turn(page)
    expect(page.get_by_role("button", name="Take it back")).to_be_visible()
    return page


def lost(open_page: Browsing, site: Server) -> Page:
    """Lose a match against perfection, slowly enough to have made mistakes."""
    page = open_page(reduced_motion=True)
    open_table(page, site, "sum31", "perfect")
    for move in ("+9", "+8", "+7", "+6", "+4"):
        if our_turn(page) != "Your turn":
            break
        free = press(page, move)
        if free.count():
            seen = version(page)
            free.click()
            after(page, seen)
    if our_turn(page) == "Your turn":
        resign(page)
    expect(headline(page)).to_have_text("Perfect wins")
    return page


def projected(open_page: Browsing, site: Server) -> Page:
    page = at_table("sequence-zero", "here", "+5", "-6", "-4")(open_page, site)
    page.goto(f"{page.url.partition('?')[0]}/projector")
    return page
