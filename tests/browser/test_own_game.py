"""A game of one's own, by a form: numbers are filled in, the verdict is read, a table opens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import overflow, spilled, unreachable
from tests.browser.browsing import Browsing
from tests.browser.playing import headline, made, our_turn, presses
from tests.server.running import Server

SIZES = [(375, 667), (1280, 800)]
TEXT = 'like = "sum31"\nid = "my-sum31"\nname = "My Sum31"\ntarget = {}\n'


def fill(page: Page, label: str, value: str) -> None:
    """Write something into a field of the form."""
    page.get_by_label(label, exact=True).fill(value)


def verdict(page: Page) -> str:
    """Return the words on whether this is a game, and who wins."""
    return page.locator("#verdict").inner_text()


def text(page: Page) -> str:
    """Return the rules as text."""
    return page.locator("#own-text").input_value()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_numbers_alone_make_a_game_that_is_played(open_page: Browsing, site: Server, width: int, height: int) -> None:
    page = open_page(width=width, height=height, reduced_motion=True)
    page.goto(f"{site.url}/own")
    expect(page.locator("#verdict")).to_contain_text("the second player wins, in 7 moves")
    fill(page, "Numbers", "1 to 6, 10")
    fill(page, "Target", "20")
    expect(page.locator("#verdict")).to_contain_text(re.compile(r"This is a game\..*the first player wins", re.DOTALL))
    expect(page.locator("#own-text")).to_have_value(
        TEXT.format(20).replace("target", "pool = [1, 2, 3, 4, 5, 6, 10]\ntarget")
    )
    expect(page.get_by_label("Numbers", exact=True)).to_have_value("1 to 6, 10")
    assert not [*overflow(page), *spilled(page)]
    page.get_by_label("Against whom?").select_option("level:1")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My Sum31")
    assert "#" not in page.url
    assert our_turn(page) == "Your turn"
    expect(made(page)).to_have_count(0)
    presses(page).first.click()
    expect(made(page).first).to_be_visible()


def test_who_takes_the_seat_that_wins_moves_second_where_that_wins(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False)
    page.goto(f"{site.url}/own")
    page.get_by_label("Against whom?").select_option("here")
    page.get_by_role("button", name="Open a table").click()
    expect(headline(page)).to_have_text("Player 2’s turn")


def test_what_is_wrong_stands_at_its_field_and_goes_away(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667)
    page.goto(f"{site.url}/own")
    for label, value, said in (
        ("Target", "three", "'three' is not a whole number."),
        ("Numbers", "1, 0", "0 cannot be one of the numbers: it would move nothing."),
        ("Start", "", "Write a whole number, such as 0."),
        ("Name of the game", "", "Give the game a name."),
    ):
        field = page.get_by_label(label, exact=True)
        right = field.input_value()
        field.fill(value)
        expect(field).to_have_accessible_description(said)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        expect(page.locator("#verdict")).to_contain_text(f"Change this: {label}.")
        field.fill(right)
        expect(page.locator("#verdict")).to_contain_text("This is a game.")
    page.get_by_label("When the numbers run out").select_option("sudden-death")
    expect(page.locator("#ends-wrong")).to_contain_text("only win if each player has a total")
    page.get_by_label("Each player has a total of their own").check()
    expect(page.locator("#verdict")).to_contain_text(re.compile("This is"))


def test_rules_that_are_no_game_say_so_before_the_table_opens(open_page: Browsing, site: Server) -> None:
    page = open_page()
    page.clock.install()
    page.goto(f"{site.url}/own?like=sum-to-zero")
    # The button is pressed before what was typed is sent by itself, however slow this machine is.
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    for target, words in (
        ("100", "No move matters: the second player wins whatever both do."),
        ("3", "The first player can win with the very first move."),
    ):
        fill(page, "Target", target)
        page.get_by_role("button", name="Open a table").click()
        expect(page.locator("#verdict")).to_contain_text(words)
        expect(page).to_have_url(re.compile("/own"))
    page.clock.resume()
    fill(page, "Numbers", "4")
    expect(page.locator("#verdict")).to_contain_text("There is never a choice")


def test_text_becomes_the_form_and_the_form_becomes_text(open_page: Browsing, site: Server) -> None:
    page = open_page()
    page.goto(f"{site.url}/own")
    page.get_by_text("The same as text").click()
    page.locator("#own-text").fill(
        'like = "zero-sum-duel"\nid = "mine"\nname = "Mine"\npool = [1, 2, 4, 8]\nswap = true\n'
    )
    expect(page.get_by_label("Name of the game")).to_have_value("Mine")
    expect(page.get_by_label("Numbers", exact=True)).to_have_value("1, 2, 4, 8")
    expect(page.get_by_label("Begin with")).to_have_value("zero-sum-duel")
    expect(page.get_by_label("Numbers can be subtracted too")).to_be_checked()
    expect(page.locator("#own-swap")).to_be_checked()
    page.locator("#own-text").press_sequentially("tagret = 5\n")
    expect(page.locator("#text-wrong")).to_contain_text("tagret: unknown key. Did you mean 'target'?")
    fill(page, "Target", "5")
    expect(page.locator("#own-text")).to_have_value(re.compile(r"target = 5\n"))
    assert "tagret" not in text(page)
    page.get_by_label("Begin with").select_option("sum31")
    expect(page.locator("#own-text")).to_have_value('like = "sum31"\nid = "mine"\nname = "Mine"\n')


def test_without_a_script_buttons_do_it(open_page: Browsing, site: Server) -> None:
    open_page.allow("status of 422")
    page = open_page(javascript=False, width=375, height=667)
    page.goto(f"{site.url}/own")
    fill(page, "Target", "x")
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#target-wrong")).to_be_visible()
    fill(page, "Target", "24")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("alert")).to_contain_text("read who wins, then play")
    assert "player wins" in verdict(page)
    assert text(page) == TEXT.format(24)
    page.get_by_text("The same as text").click()
    page.locator("#own-text").fill(TEXT.format(25))
    page.get_by_role("button", name="Text to form").click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("25")
    assert not [*overflow(page), *unreachable(page)]
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("31")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My Sum31")


def test_a_game_too_large_to_solve_says_so_and_people_play_it(open_page: Browsing, site: Server) -> None:
    open_page.allow("status of 422")
    page = open_page()
    page.goto(f"{site.url}/own?like=zero-sum-duel")
    fill(page, "Numbers", "1 to 60")
    expect(page.locator("#verdict")).to_contain_text("Two people can play it all the same.")
    page.get_by_label("Against whom?").select_option("perfect")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("alert")).to_contain_text("Use a smaller pool")
    page.get_by_label("Against whom?").select_option("here")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My Zero Sum Duel")


def test_how_good_it_is_and_a_change_that_makes_it_better(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667, reduced_motion=True)
    page.goto(f"{site.url}/own")
    page.get_by_role("button", name="How good is it?").click()
    quality = page.locator("#quality")
    expect(quality).to_contain_text("Between two players of level 5 the first player wins 42 %.")
    expect(quality.get_by_role("img")).to_have_count(3)
    expect(quality).to_contain_text("Change the target from 31 to 32")
    assert not [*overflow(page), *spilled(page)]
    quality.get_by_role("button", name="Make this change").first.click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("32")
    expect(page.locator("#verdict")).to_contain_text("3 of 9 openings win")
    expect(quality).to_have_count(0)
