"""Clocks: seen by everybody, ticking for who is to move, and ending a match when they have run down."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import hurried
from tests.browser.browsing import Browsing
from tests.browser.playing import expect_heard, happened, headline, invite, listen, open_table, play, share
from tests.patience import PATIENCE
from tests.server.running import Server, served

_MINUTES = ("1", "5", "25")
"""How long a match may last that is to end by time: longer where it had ended before anybody listened."""


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """Return a server whose minutes are short."""
    with served(command=hurried.COMMAND) as server:
        yield server


def clock(page: Page, name: str) -> Locator:
    """Return the clock of a player."""
    return page.get_by_role("region", name="Players").locator(".player", has_text=name).locator("time")


def seconds(text: str) -> int:
    """Return what a clock shows, in seconds."""
    minutes, _, rest = text.partition(":")
    return int(minutes) * 60 + int(rest)


def test_the_clock_of_who_is_to_move_ticks(open_page: Browsing, site: Server) -> None:
    ann, ben = open_page(), open_page(reduced_motion=True)
    invite(ann, site, "sum31", ben, minutes="30", increment="60")
    expect(headline(ann)).to_have_text("Your turn")
    for page in (ann, ben):
        expect(clock(page, "Ann")).not_to_have_text(clock(page, "Ann").inner_text())
        expect(clock(page, "Ben")).to_have_text("1:30")
    expect(ann.get_by_text("time left").first).to_be_attached()
    before = seconds(clock(ann, "Ann").inner_text())
    play(ann, "+5")
    expect(headline(ben)).to_have_text("Your turn")
    assert before < seconds(clock(ann, "Ann").inner_text()) <= before + 60
    expect(clock(ann, "Ben")).not_to_have_text("1:30")
    expect(clock(ben, "Ann")).to_have_text(clock(ann, "Ann").inner_text())


def test_time_that_runs_out_ends_the_match_for_all_who_look(open_page: Browsing, site: Server) -> None:
    ann, ben, eve = (open_page(reduced_motion=True) for _ in range(3))
    for minutes in _MINUTES:
        address = invite(ann, site, "sum31", ben, minutes=minutes)
        listen(ben)
        if headline(ben).inner_text().endswith("turn"):
            break
    eve.goto(address)
    expect(clock(ann, "Ann")).to_have_class(re.compile("low"))
    for page, words in ((ann, "Ben won: you"), (ben, "You won: Ann"), (eve, "Ben won: Ann")):
        share((page,), f"{words} ran out of time.")
    expect(headline(ben)).to_have_text("You win!")
    expect_heard(ben, "Ben won: Ann ran out of time.")
    for page in (ann, ben, eve):
        expect(clock(page, "Ann")).to_have_text("0:00")


def test_a_clock_needs_no_script(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    open_table(page, site, "sum31", "here", name="Ann", opponent_name="Ben", minutes="1")
    expect(clock(page, "Ann")).to_have_text(re.compile("0:0[0-3]"))
    expect(clock(page, "Ben")).to_have_text("0:03")
    deadline = time.monotonic() + PATIENCE
    while happened(page).inner_text() != "Ben won: Ann ran out of time.":
        assert time.monotonic() < deadline, happened(page).inner_text()
        page.wait_for_timeout(200)
        page.reload()
