"""Games and matches as texts: a variant is brought to the page, a record comes in and goes out to the terminal."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import happened, headline, made, numbers, open_menu, open_table, our_turn, play, presses
from tests.server.running import COMMAND, Server

SUM21 = 'like = "sum31"\nid = "sum21"\nname = "Sum21"\ntarget = 21\n'
UNFINISHED = '[Game "sum31"]\n[Player1 "Ann"]\n[Player2 "Ben"]\n\n1. +5 +6 2. +9\n'


@pytest.fixture
def visitor(open_page: Browsing) -> Page:
    """Return a page without motion."""
    return open_page(reduced_motion=True)


def record(page: Page, tmp_path: Path) -> Path:
    """Fetch the record of the table that a page shows, as its link does, into a file."""
    open_menu(page)
    page.get_by_text("This table").click()
    link = page.get_by_role("link", name="Record as text").get_attribute("href")
    answer = page.request.get(f"{page.url.partition('/tables/')[0]}{link}")
    assert answer.headers["content-type"].startswith("text/plain")
    path = tmp_path / "match.txt"
    path.write_bytes(answer.body())
    return path


def terminal(*words: str) -> str:
    """Run the installed command, and return what it writes."""
    return subprocess.run([COMMAND[0], *words], check=True, capture_output=True, text=True).stdout


def test_a_variant_is_played_from_its_text(visitor: Page, site: Server) -> None:
    visitor.goto(f"{site.url}/new?game=variant")
    visitor.get_by_label("Against whom?").select_option("level:1")
    visitor.get_by_label("Rules as text").fill(SUM21)
    visitor.get_by_role("button", name="Open a table with this variant").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Sum21")
    open_menu(visitor)
    visitor.get_by_text("Rules of this variant").click()
    expect(visitor.get_by_role("main")).to_contain_text("21 wins")
    visitor.get_by_role("link", name="Show what each move is worth").click()
    expect(presses(visitor).first).to_have_accessible_name("Add 1, loses in 5 moves")
    while our_turn(visitor) == "Your turn":
        play(visitor, presses(visitor).last.get_attribute("value") or "")
    visitor.get_by_role("link", name="Review the match").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Sum21: review")


def test_a_variant_is_played_from_its_file(visitor: Page, site: Server, tmp_path: Path) -> None:
    path = tmp_path / "sum21.toml"
    path.write_text(SUM21.replace("Sum21", "Twenty-one").replace("21\n", "21\npool = [1, 2, 3, 4, 5, 6]\n"))
    visitor.goto(f"{site.url}/new?game=variant")
    visitor.get_by_label("Against whom?").select_option("here")
    visitor.get_by_label("or a rules file").set_input_files(path)
    visitor.get_by_role("button", name="Open a table with this variant").click()
    expect(visitor.get_by_role("heading", level=1)).to_have_text("Twenty-one")
    expect(numbers(visitor)).to_have_count(6)
    play(visitor, "+6", "+5")
    expect(happened(visitor)).to_contain_text("The total is 11.")


def test_a_variant_that_makes_no_game_comes_back_with_a_reason(
    open_page: Browsing, visitor: Page, site: Server
) -> None:
    open_page.allow("status of 422")
    visitor.goto(f"{site.url}/new?game=variant")
    visitor.get_by_label("Rules as text").fill(SUM21.replace("target", "tagret"))
    visitor.get_by_label("Your name").fill("Ann")
    visitor.get_by_role("button", name="Open a table with this variant").click()
    expect(visitor.get_by_role("alert")).to_have_text("tagret: unknown key. Did you mean 'target'?")
    expect(visitor.get_by_label("Rules as text")).to_have_value(SUM21.replace("target", "tagret"))
    expect(visitor.get_by_label("Your name")).to_have_value("Ann")


@pytest.mark.parametrize("as_file", [True, False])
def test_a_record_comes_from_the_terminal_and_goes_back(
    visitor: Page, site: Server, tmp_path: Path, as_file: bool
) -> None:
    visitor.goto(f"{site.url}/new?open=record")
    if as_file:
        (tmp_path / "unfinished.txt").write_text(UNFINISHED)
        visitor.get_by_label("or a file", exact=True).set_input_files(tmp_path / "unfinished.txt")
    else:
        visitor.get_by_label("Record", exact=True).fill(UNFINISHED)
    visitor.get_by_role("button", name="Open the match").click()
    expect(headline(visitor)).to_have_text("Ben’s turn")
    expect(made(visitor)).to_have_count(3)
    play(visitor, "+8", "+3")
    expect(headline(visitor)).to_have_text("Ann wins")
    words = happened(visitor).inner_text().partition(".")[0] + "."
    path = record(visitor, tmp_path)
    assert path.read_text().endswith("\n1. +5 +6 2. +9 +8 3. +3\n")
    assert words in terminal("review", str(path), "--plain")
    assert "Ann wins! The total is exactly 31." in terminal("replay", str(path), "--plain")


def test_a_match_against_a_level_goes_out_to_the_terminal(visitor: Page, site: Server, tmp_path: Path) -> None:
    open_table(visitor, site, "zero-sum-duel", "level:2", name="Ann", first="them")
    our_turn(visitor)
    open_menu(visitor)
    visitor.get_by_text("Resign", exact=True).click()
    visitor.get_by_role("button", name="Yes, resign").click()
    expect(headline(visitor)).to_have_text("Level 2 wins")
    path = str(record(visitor, tmp_path))
    assert "Ann resigns. Level 2 wins!" in terminal("replay", path, "--plain")
    assert "Level 2 won: Ann resigned." in terminal("review", path, "--plain")
