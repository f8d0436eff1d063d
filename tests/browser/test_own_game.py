"""A game of one's own, by a form: numbers are filled in, the verdict is read, a table opens."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.auditing import findings, overflow, spilled, unreachable
from tests.browser.browsing import Browsing
from tests.browser.playing import dressed, headline, made, our_turn, presses
from tests.full import first
from tests.patience import PATIENCE
from tests.server.running import Server
from zerosum.lab.metrics import evenness
from zerosum.rules.game_files import load_file

SIZES = [(375, 667), (1280, 800)]
TEXT = 'like = "sum31"\nid = "my-sum31"\nname = "My Sum31"\ntarget = {}\n'


def fill(page: Page, label: str, value: str) -> None:
    """Write something into a field of the form."""
    page.get_by_label(label, exact=True).fill(value)


def text(page: Page) -> str:
    """Return the rules as text."""
    return page.locator("#own-text").input_value()


@pytest.mark.parametrize(("width", "height"), first(1, SIZES))
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
    dressed(page)
    fill(page, "Target", "24")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("alert")).to_contain_text("read who wins, then play")
    dressed(page)
    expect(page.locator("#verdict")).to_contain_text("player wins")
    expect(page.locator("#own-text")).to_have_value(TEXT.format(24))
    page.get_by_text("The same as text").click()
    page.locator("#own-text").fill(TEXT.format(25))
    page.get_by_role("button", name="Text to form").click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("25")
    dressed(page)
    assert not [*overflow(page), *unreachable(page)]
    page.get_by_role("button", name="Fill in").click()
    expect(page.get_by_label("Target", exact=True)).to_have_value("31")
    dressed(page)
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
    dressed(page)  # of a form that is not all there, only a part is sent
    page.get_by_label("Against whom?").select_option("here")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My Zero Sum Duel")


def test_how_good_it_is(open_page: Browsing, site: Server) -> None:
    page = open_page(width=360, height=640, reduced_motion=True)
    page.goto(f"{site.url}/own")
    page.get_by_role("button", name="How good is it?").click()
    quality = page.locator("#quality")
    expect(quality).to_contain_text("Between two players of level 5 the first player wins 42 %.")
    expect(quality.get_by_role("img")).to_have_count(3)
    assert not [*overflow(page), *spilled(page)]


def ferry(page: Page, site: Server) -> None:
    """Type a game that no small number of openings wins, and that a change of its target makes even."""
    page.goto(f"{site.url}/own")
    fill(page, "Numbers", "-4, -2, 1, 2, 3, 5, 5, 6, 7, 8")
    fill(page, "Target", "20")


@pytest.mark.parametrize(("width", "height"), first(1, [(360, 640), (1280, 800)]))
def test_who_wins_between_equals_is_shown_while_typing(
    open_page: Browsing, site: Server, width: int, height: int
) -> None:
    page = open_page(width=width, height=height, reduced_motion=True)
    ferry(page, site)
    first = evenness(load_file("docs/variants/ferry.toml"))["first"]
    picture = page.locator("#verdict").get_by_role("img", name="How often the first player wins between equals")
    expect(page.locator("#own-seats")).to_have_text("Between equals it is even up to level 5")
    expect(picture.locator("rect")).to_have_count(len(first) - 1)
    for who, bar in zip(first, picture.locator("rect title").all_text_contents(), strict=False):
        assert bar.endswith(f": {100 * first[who]:.1f} %")
    if width == 360:
        expect(page.locator(".short")).to_contain_text("Even up to level 5.")
    fill(page, "Target", "24")
    expect(page.locator("#own-seats")).to_have_text("Between equals it is even up to level 7")
    expect(page.get_by_role("button", name="Make it even")).to_have_count(0)
    assert not [*overflow(page), *spilled(page), *unreachable(page)]


def _tapped(page: Page) -> None:
    page.get_by_role("button", name="Make it even").tap()


def _clicked(page: Page) -> None:
    page.get_by_role("button", name="Make it even").click()


def _by_keys(page: Page) -> None:
    page.get_by_role("button", name="Make it even").focus()
    page.keyboard.press("Enter")


@pytest.mark.parametrize("press", first(2, [_tapped, _by_keys, _clicked]), ids=["touch", "keyboard", "mouse"])
def test_one_tap_makes_it_even_and_another_undoes_it(
    open_page: Browsing, site: Server, press: Callable[[Page], None]
) -> None:
    page = open_page(width=360, height=640, reduced_motion=True) if press is _tapped else open_page()
    ferry(page, site)
    press(page)
    said = page.locator("#evening")
    expect(said).to_contain_text("Now it is even. Change the target from 20 to 24")
    expect(said).to_be_focused()
    expect(page.get_by_label("Target", exact=True)).to_have_value("24")
    expect(page.locator("#own-seats")).to_have_text("Between equals it is even up to level 7")
    assert not findings(page)
    assert not [*overflow(page), *spilled(page), *unreachable(page)]
    said.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_label("Target", exact=True)).to_have_value("20")
    expect(said).to_have_count(0)


def test_how_far_making_it_even_has_come_is_shown_and_typing_ends_it(open_page: Browsing, site: Server) -> None:
    page = open_page(reduced_motion=True)
    page.goto(f"{site.url}/own")
    held: list[Route] = []
    # A name that no other test gives: what the server has tried before it does not try again, and shows no progress.
    fill(page, "Name of the game", "Tried once")
    named = TEXT.replace("My Sum31", "Tried once").replace("my-sum31", "tried-once")
    expect(page.locator("#own-text")).to_have_value(named.format(31).replace("target = 31\n", ""))
    expect(page.locator("#own-seats")).to_be_visible()
    page.route("**/own/check", lambda route: held.append(route))  # noqa: PLW0108 - a bound method cannot be marked
    _clicked(page)
    bar = page.locator("#evening progress")
    until = monotonic() + PATIENCE
    while not (bar.count() and int(bar.get_attribute("value") or 0)):  # one answer at a time is let through
        assert monotonic() < until
        assert not page.get_by_text("games near this one were tried").count(), "nothing was left to try"
        if held:
            held.pop(0).continue_()
        page.wait_for_timeout(20)
    # All may have been tried by now: the server goes on while this browser waits.
    assert int(bar.get_attribute("value") or 0) <= int(bar.get_attribute("max") or 0)
    while not held:
        page.wait_for_timeout(20)
    fill(page, "Target", "25")
    held.pop().continue_()
    page.unroute("**/own/check")
    expect(page.locator("#evening")).to_have_count(0)
    expect(page.locator("#own-text")).to_have_value(named.format(25))


def test_without_a_script_a_button_makes_it_even(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False, width=360, height=640)
    ferry(page, site)
    page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#own-seats")).to_have_text("Between equals it is even up to level 5")
    page.get_by_role("button", name="Make it even").click()
    expect(page.locator("#evening")).to_contain_text("Now it is even.")
    expect(page.get_by_label("Target", exact=True)).to_have_value("24")
    dressed(page)
    assert not [*overflow(page), *unreachable(page)]


@pytest.mark.parametrize("javascript", [True, False])
def test_a_link_opens_exactly_these_rules_for_somebody_else(
    open_page: Browsing, site: Server, javascript: bool
) -> None:
    page = open_page(javascript=javascript)
    ferry(page, site)
    if not javascript:
        page.get_by_role("button", name="Check").last.click()
    expect(page.locator("#own-text")).to_have_value(re.compile(r"target = 20\n"))
    link = page.get_by_label("Link to these rules").input_value()
    other = open_page(javascript=javascript)
    other.goto(link)
    assert text(other) == text(page)
    expect(other.get_by_label("Target", exact=True)).to_have_value("20")
    expect(other.locator("#own-seats")).to_have_text("Between equals it is even up to level 5")
    keys = [cookie["value"] for cookie in page.context.cookies() if "value" in cookie]
    assert not any(key in link for key in keys)
    expect(page.get_by_role("button", name="Copy")).to_have_count(int(javascript))


def test_one_match_from_each_seat_is_offered_where_the_seat_decides(open_page: Browsing, site: Server) -> None:
    page = open_page(reduced_motion=True)
    page.goto(f"{site.url}/own?like=zero-sum-duel")
    both = page.get_by_label("One match from each seat")
    both.check()
    page.get_by_label("Against whom?").select_option("here")
    page.get_by_role("button", name="Open a table").click()
    expect(page.get_by_role("heading", name="match 1 of 2")).to_be_visible()
    page.goto(f"{site.url}/own")
    expect(page.locator("#own-seats")).to_be_visible()
    expect(both).to_have_count(0)
