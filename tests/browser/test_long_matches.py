"""A match of 85 moves on a phone: its columns at the table, and its review, on the site and in a file."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.auditing import overflow, spilled, wrong
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import dressed
from tests.server.running import COMMAND, Server
from zerosum.coach.review import review
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import built_in
from zerosum.solver import solution_of

PLIES = 85
SLIDING = 150
RECORD = Path(__file__).parents[2] / "docs" / "matches" / "6-ann-bob.txt"


def long_match(plies: int) -> Match:
    """Return a match in which everybody avoids the end."""
    chance, match = Random(0), Match.begin(Setup(rules=built_in("zero-sum-game"), names=("Ann", "Bob")))
    while len(match.moves) < plies:
        at = match.position
        going_on = [move for move in at.legal_moves() if at.play_unchecked(move).outcome is None]
        match = match.after(chance.choice(going_on))
    return match


def written(record: Path, folder: Path) -> Path:
    """Return the page of a review that the command writes to its standard output."""
    page = folder / "review.html"
    ran = subprocess.run([COMMAND[0], "review", str(record), "--html", "-"], check=True, capture_output=True)
    page.write_bytes(ran.stdout)
    return page


def boxes(found: Locator) -> list[dict[str, Any]]:
    """Return where things stand on the screen."""
    return list(found.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"))


def check_bars(page: Page, plies: int) -> None:
    """Check that all bars of the chart are on the screen, apart from each other and wide enough to be seen."""
    found = boxes(page.locator("#chart g.step > rect:not(.hit)"))
    assert len(found) == plies + 1
    assert all(one["left"] >= 0 and one["right"] <= PHONE and one["width"] >= 1.5 for one in found)
    assert all(one["right"] < other["left"] for one, other in pairwise(found))


def check_columns(page: Page) -> None:
    """Check that nothing of the list of all moves is cut, and that no part of a row lies on another."""
    for row in (0, PLIES // 2, PLIES - 1):
        cells = boxes(page.locator(".all-moves tbody tr").nth(row).locator("> :not(:empty)"))
        assert len(cells) >= 6
        mover = page.locator(".all-moves tbody tr").nth(row).locator(".mover")
        assert mover.evaluate("one => getComputedStyle(one).backgroundColor") in ("rgba(0, 0, 0, 0)", "transparent")
        assert all(one["left"] >= 0 and one["right"] <= PHONE for one in cells)
        for n, one in enumerate(cells):
            for other in cells[n + 1 :]:
                assert one["right"] <= other["left"] + 1 or one["bottom"] <= other["top"] + 1, (one, other)


@pytest.fixture(scope="module")
def match() -> Match:
    """Return the long match."""
    return long_match(PLIES)


def decided(match: Match) -> str:
    """Return where its review opens."""
    return f"{review(match, solution_of(match.setup.rules)).opens_at} of {len(match.moves)}"


def test_the_list_of_moves_keeps_players_in_their_columns(open_page: Browsing, site: Server, match: Match) -> None:
    page = open_page(width=PHONE, height=640)
    page.goto(f"{site.url}/new?open=record")
    page.get_by_label("Record", exact=True).fill(match.record())
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/tables/*")
    lefts = [{round(one["left"]) for one in boxes(page.locator(f".moves > li.{style}"))} for style in ("p1", "p2")]
    assert all(len(one) == 1 for one in lefts), lefts
    assert min(lefts[0]) < min(lefts[1])


def test_a_review_on_the_site_fits_a_phone_and_opens_at_the_turn(
    open_page: Browsing, site: Server, match: Match
) -> None:
    page = open_page(width=PHONE, height=640)
    page.goto(f"{site.url}/review")
    page.get_by_label("The record").fill(match.record())
    page.get_by_role("button", name="Review it").click()
    expect(page.locator("#where")).to_have_text(decided(match))
    dressed(page)
    expect(page.locator("#stage .step:visible .turn").first).to_be_visible()
    expect(page.locator("#stage .step:visible .totals")).to_contain_text("Ann's total")
    check_bars(page, PLIES)
    check_columns(page)
    assert not [*overflow(page), *spilled(page)]


def test_a_review_in_a_file_fits_a_phone_and_opens_at_the_turn(
    open_page: Browsing, match: Match, tmp_path: Path
) -> None:
    (tmp_path / "match.txt").write_text(match.record())
    address = written(tmp_path / "match.txt", tmp_path).as_uri()
    for javascript in (False, True):
        page = open_page(width=PHONE, height=640, javascript=javascript)
        page.goto(address)
        expect(page.locator("#where")).to_have_text(decided(match))
        expect(page.locator("#stage .step:visible .turn")).to_be_visible()
        check_bars(page, PLIES)
        check_columns(page)
        assert not [*overflow(page), *spilled(page)]
    (tmp_path / "match.txt").write_text(long_match(SLIDING).record())
    page.goto(written(tmp_path / "match.txt", tmp_path).as_uri())
    expect(page.get_by_text("slide it sideways")).to_be_visible()
    assert page.evaluate(
        "(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)(document.getElementById('chart'))"
    )
    assert not overflow(page)


def test_nothing_is_wrong_with_a_review_in_a_file(open_page: Browsing, tmp_path: Path) -> None:
    page = open_page()
    page.goto(written(RECORD, tmp_path).as_uri())
    assert not wrong(page)
