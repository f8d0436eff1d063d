"""Everything by the keyboard alone: focus is always seen, and never lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import OVER, after, happened, headline, made, our_turn, play, ready, version
from tests.server.running import Server

MOST = 80
"""Presses of Tab after which a control counts as out of reach."""
_FOCUS = """() => {
  const one = document.activeElement;
  const looks = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor"];
  const shown = (other) => { const all = getComputedStyle(other); return looks.map((name) => all[name]).join(); };
  const focused = shown(one);
  one.blur();
  const plain = shown(one);
  one.focus({ focusVisible: true, preventScroll: true });
  const box = one.getBoundingClientRect();
  const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return { body: one === document.body, marked: focused !== plain, seen, what: one.outerHTML.slice(0, 120) };
}"""


def check_focus(page: Page) -> None:
    """Check that the focus is on something, and that it can be seen there."""
    focus = page.evaluate(_FOCUS)
    assert not focus["body"], "the focus is lost"
    assert focus["marked"], f"no sign of focus on {focus['what']}"
    assert focus["seen"], f"out of sight: {focus['what']}"


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until the focus is where it is wanted."""
    for _ in range(MOST):
        page.keyboard.press(key)
        check_focus(page)
        if wanted.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError(f"{wanted} is not reached by {key}")


def choose(page: Page, menu: Locator, value: str) -> None:
    """Press arrows until the menu with the focus has a value; what is typed counts as one word only if it is quick."""
    page.keyboard.press("Home")
    for _ in range(MOST):
        if menu.input_value() == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"{value} is not reached in {menu}")


def test_lost_and_invisible_focus_is_noticed(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/return")
    page.keyboard.press("Tab")
    check_focus(page)
    page.evaluate("document.styleSheets[0].insertRule('* { outline: none !important; box-shadow: none !important; }')")
    with pytest.raises(AssertionError, match="no sign of focus"):
        check_focus(page)
    page.evaluate("document.activeElement.blur()")
    with pytest.raises(AssertionError, match="the focus is lost"):
        check_focus(page)


def focused(page: Page) -> Locator:
    return page.locator(":focus")


def test_a_whole_match_is_played_by_keys(page: Page, site: Server) -> None:
    page.goto(site.url)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    check_focus(page)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Play against"))
    choose(page, page.get_by_label("Play against"), "level:1")
    tab_to(page, page.get_by_role("button", name="Play Zero Sum Duel"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")
    ready(page)
    first = page.get_by_role("list", name="Numbers").get_by_role("button").first
    tab_to(page, first)
    keys = ["Enter", "Space"]
    while our_turn(page) == "Your turn":
        seen = version(page)
        if focused(page).get_attribute("data-move") is None:
            tab_to(page, page.get_by_role("list", name="Numbers").get_by_role("button", disabled=False).first)
        keys.reverse()
        page.keyboard.press(keys[0])
        after(page, seen)
        check_focus(page)
    check_focus(page)
    expect(headline(page)).to_have_text(OVER)
    tab_to(page, page.get_by_role("button", name="Swap seats", exact=True))
    page.keyboard.press("Enter")
    expect(happened(page)).to_contain_text("Level 1 plays")  # the seats are swapped, so that it moves first
    expect(made(page)).to_have_count(1)
    our_turn(page)
    check_focus(page)


def test_digits_signs_and_arrows_go_to_numbers(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/games/zero-sum-duel")
    page.get_by_label("Play against").select_option("here")
    page.get_by_role("button", name="Play", exact=True).click()
    ready(page)
    for key, move in [("7", "+7"), ("-", "-7"), ("ArrowRight", "-8"), ("ArrowUp", "+8"), ("ArrowLeft", "+7")]:
        page.keyboard.press(key)
        expect(focused(page)).to_have_attribute("data-move", move)
        check_focus(page)
    page.keyboard.press("Enter")
    expect(made(page)).to_have_count(1)
    page.keyboard.press("ArrowDown")
    check_focus(page)
    page.keyboard.type("3-")
    expect(focused(page)).to_have_attribute("data-move", "-3")
    page.keyboard.press("Space")
    expect(happened(page)).to_have_text("Player 2 plays −3. The total is 4.")


def test_a_match_is_given_up_and_a_forfeit_refused_by_keys(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/games/zero-sum-duel")
    page.get_by_label("Play against").select_option("here")
    page.get_by_role("button", name="Play", exact=True).click()
    ready(page)
    play(page, "+5")
    tab_to(page, page.locator("#menu > summary"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Type a move"))
    page.keyboard.type("-5")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="No, choose another")).to_be_focused()
    check_focus(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    check_focus(page)
    tab_to(page, page.locator("summary", has_text="Resign"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Yes, resign"))
    page.keyboard.press("Space")
    expect(headline(page)).to_have_text("Player 1 wins")
    check_focus(page)


def test_focus_stays_while_the_other_moves(open_page: Browsing, site: Server) -> None:
    page, other = open_page(), open_page()
    page.goto(f"{site.url}/new?game=sum31")
    page.get_by_label("Against whom?").select_option("human")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_role("button", name="Open the table").click()
    ready(page)
    copy = page.get_by_role("button", name="Copy").first
    tab_to(page, copy)
    invitation = page.get_by_label("Invitation").input_value()
    other.goto(invitation)
    other.get_by_role("button", name="Take the seat").click()
    expect(headline(page)).to_have_text("Your turn")
    check_focus(page)
    tab_to(page, page.get_by_role("button", name="Add 5"))
    page.keyboard.press("Enter")
    expect(headline(page)).to_have_text("Player 2’s turn")
    before = focused(page).get_attribute("id")
    check_focus(page)
    ready(other)
    play(other, "+9")
    expect(headline(page)).to_have_text("Your turn")
    check_focus(page)
    assert focused(page).get_attribute("id") == before
