"""The end of a match: a win and a loss look different, say what decided them, and are counted in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.auditing import expect_motion, expect_stillness, watch
from tests.browser.browsing import Browsing
from tests.browser.playing import headline, invite, open_menu, play, ready, resign
from tests.server.running import Server

_SOUNDS = """window.tones = 0;
const Real = AudioContext;
window.AudioContext = class extends Real {
  createOscillator() { window.tones++; return super.createOscillator(); }
};"""
_LOOK = "one => { const { backgroundColor, boxShadow } = getComputedStyle(one); return backgroundColor + boxShadow; }"


def look(page: Page) -> str:
    """Return how the head of the board looks, apart from its words."""
    return str(page.locator(".status").evaluate(_LOOK))


def match(ann: Page, ben: Page, site: Server) -> None:
    """Let two meet."""
    invite(ann, site, "sum31", ben)
    for page in (ann, ben):
        ready(page)
    expect(headline(ann)).to_have_text("Your turn")


@pytest.mark.parametrize("still", [True, False])
def test_a_win_and_a_loss_look_different_from_a_turn(open_page: Browsing, site: Server, still: bool) -> None:
    ann, ben = open_page(width=375, height=667, reduced_motion=still), open_page(reduced_motion=still)
    for page in (ann, ben):
        watch(page)
        page.add_init_script(_SOUNDS)
    match(ann, ben, site)
    open_menu(ann)
    ann.get_by_role("button", name="Sound at the end").click()
    expect(ann.get_by_role("button", name="Sound at the end")).to_have_attribute("aria-pressed", "true")
    ann.locator("#menu > summary").click()
    tones = ann.evaluate("window.tones")
    turn = look(ann)
    for page, move in ((ann, "+9"), (ben, "+8"), (ann, "+7"), (ben, "+1")):
        expect(headline(page)).to_have_text("Your turn")
        play(page, move)
    expect(headline(ann)).to_have_text("Your turn")
    assert ann.evaluate("window.tones") == tones
    play(ann, "+6")
    expect(headline(ann)).to_have_text("You win!")
    expect(headline(ben)).to_have_text("Ann wins")
    for page, who in ((ann, "Ben"), (ben, "You")):
        expect(page.locator("#decided")).to_have_text(f"{who} left the total at 25, and 6 was still there.")
        if still:
            expect_stillness(page)
        else:
            expect_motion(page, "status")
    assert len({turn, look(ann), look(ben)}) == 3
    assert ann.evaluate("window.tones") > tones, "sound was switched on here"
    assert ben.evaluate("window.tones") == 0, "and not there"
    first = ann.locator(".tools").get_by_role("button").first
    expect(first).to_have_text("Ask for a rematch")


def test_wins_in_a_row_are_counted_in_this_browser(open_page: Browsing, site: Server) -> None:
    ann, ben = open_page(reduced_motion=True), open_page(reduced_motion=True)
    streak = ann.locator("#streak")
    for wins in (1, 2):
        match(ann, ben, site)
        play(ann, "+5")
        resign(ben)
        expect(headline(ann)).to_have_text("You win!")
        assert streak.is_visible() is (wins > 1)
    expect(streak).to_have_text("2 wins in a row")
    ann.reload()
    ready(ann)
    expect(streak).to_have_text("2 wins in a row")
    expect(ben.locator("#streak")).to_be_hidden()
    match(ann, ben, site)
    resign(ann)
    expect(headline(ann)).to_have_text("Ben wins")
    assert ann.evaluate("JSON.parse(localStorage['zerosum.wins']).wins") == 0
