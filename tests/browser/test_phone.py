"""A table in the hand: it fits, nothing moves under a finger, and a double tap never forfeits."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.auditing import findings, overflow, spilled
from tests.browser.boards import watch_matches
from tests.browser.browsing import PHONE, Browsing
from tests.browser.playing import (
    GAMES,
    after,
    expect_heard,
    headline,
    listen,
    made,
    open_menu,
    open_table,
    play,
    press,
    ready,
    resign,
    type_move,
    version,
)
from tests.full import part
from tests.patience import PATIENCE
from tests.server.running import Server

SMALLEST, OTHERS, DESKTOP = (360, 640), ((375, 667), (412, 915)), (1280, 800)
PHONES = [pytest.param(SMALLEST), *(pytest.param(size, marks=pytest.mark.full) for size in OTHERS)]
MOVES = part(25, 60)
"""So many moves are watched here; `make reliability` watches more."""
_BOXES = """() => ["h1", ".players", ".head", ".pool", ".tools"].map((query) => {
  const { left, top, right, bottom } = document.querySelector(query).getBoundingClientRect();
  const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return { query, left, top, right, bottom, inside };
})"""
_LANDING = """() => {
  const ghost = document.getElementById("ghost");
  return [document.getElementById("aside").textContent, ghost.getAttribute("x"), ghost.checkVisibility()];
}"""
_CUT = """() => [".goal-line p", ".name b", ".about", "#status", ".words"].flatMap((query) =>
  [...document.querySelectorAll(query)].filter((one) => one.scrollWidth > one.clientWidth + 1
    || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent))"""
_ON_TOP = """(one) => { const { x, y, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2)); }"""
_APPEARS = """(taken) => new Promise((done) => {
  const seen = () => {
    const sure = document.getElementById("sure");
    if (sure) done(sure.checkVisibility({ visibilityProperty: true }));
  };
  new MutationObserver(seen).observe(document.getElementById("board"), { subtree: true, childList: true });
  taken.click();
})"""
HUGE = """format = 1
id = "huge"
name = "Huge"
pool = [{pool}]
operations = ["add", "subtract"]
totals = "own"
start = [-1000000, 1000000]
target = 0
exhausted = "closest"
tie = "second-mover"
"""


def table(page: Page, site: Server, **choices: str) -> None:
    """Open a table for two at one screen."""
    form: dict[str, str | float | bool] = {"opponent": "here", "name": "Ann", "opponent_name": "Ben", **choices}
    page.goto(page.request.post(f"{site.url}/tables", form=form, headers={"Origin": site.url}).url)
    ready(page)


def boxes(page: Page) -> list[dict[str, object]]:
    return list(page.evaluate(_BOXES))


def double_tap(page: Page, where: Locator) -> None:
    """Tap twice at the same point, whatever is there the second time, a tenth of a second later.

    The events say when they were made; how long a busy machine takes between them does not count.
    """
    box = where.bounding_box()
    assert box is not None
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    finger, began = page.context.new_cdp_session(page), time.time()
    touch = page.evaluate("navigator.maxTouchPoints > 0")
    for number in range(2):
        for half, type_ in enumerate(("touchStart", "touchEnd") if touch else ("mousePressed", "mouseReleased")):
            event = {"type": type_, "timestamp": began + number * 0.1 + half * 0.02}
            if touch:
                finger.send("Input.dispatchTouchEvent", {**event, "touchPoints": [] if half else [point]})
            else:
                clicked = {"button": "left", "clickCount": number + 1}
                finger.send("Input.dispatchMouseEvent", {**event, **point, **clicked})
    finger.detach()


@pytest.mark.parametrize("size", PHONES, ids=str)
def test_board_and_numbers_fit_a_phone_in_all_games(open_page: Browsing, site: Server, size: tuple[int, int]) -> None:
    page = open_page(width=size[0], height=size[1], reduced_motion=True)
    for game in GAMES:
        table(page, site, game=game)
        begun = boxes(page)
        assert all(one["inside"] for one in begun), (game, begun)
        for move in ("+5", "-3" if game != "sum31" else "+3"):
            play(page, move)
            assert boxes(page) == begun, game
            assert page.evaluate(_CUT) == [], game


def test_after_a_match_scores_and_what_decided_it_are_not_cut_off(open_page: Browsing, site: Server) -> None:
    page = open_page(width=PHONE, height=640, reduced_motion=True)
    open_table(page, site, "sequence-zero", "level:1")
    resign(page)
    expect(headline(page)).to_have_text("Level 1 wins")
    assert page.evaluate(_CUT) == []
    page.get_by_role("button", name="Play again").click()
    expect(page.locator(".wins").first).to_be_visible()
    assert page.evaluate(_CUT) == []


def test_a_question_about_a_typed_move_is_not_hidden_by_the_menu(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667, reduced_motion=True)
    table(page, site, game="zero-sum-duel")
    play(page, "+5")
    type_move(page, "+5")
    for name in ("#unsure", "#sure"):
        expect(page.locator(name)).to_be_visible()
        assert page.locator(name).evaluate(_ON_TOP), name
    page.locator("#unsure").click()
    expect(page.get_by_label("Type a move")).to_be_visible()


@pytest.mark.parametrize("size", [*PHONES, pytest.param(DESKTOP)], ids=str)
def test_a_double_tap_never_forfeits_and_moves_nothing(
    open_page: Browsing, site: Server, size: tuple[int, int]
) -> None:
    page = open_page(width=size[0], height=size[1], reduced_motion=True)
    table(page, site, game="zero-sum-duel")
    play(page, "+5", "-3")
    before = boxes(page)
    double_tap(page, page.locator(".taken a").last)
    expect(page.get_by_role("button", name="Play +5 and forfeit")).to_be_visible()
    assert boxes(page) == before
    double_tap(page, page.locator(".taken a").last)
    expect(headline(page)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")
    expect(made(page)).to_have_count(2)
    page.get_by_role("link", name="No, choose another").click()
    expect(page.locator("#unsure")).to_have_count(0)
    seen = version(page)
    double_tap(page, press(page, "+9"))
    after(page, seen)
    expect(made(page)).to_have_count(3)
    assert page.locator("#sure").count() == 0, "the second tap does not ask the next player"
    assert boxes(page) == before


def test_an_answer_at_once_is_no_answer(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667, reduced_motion=True)
    table(page, site, game="zero-sum-duel")
    play(page, "+5", "-3")
    assert page.locator(".taken a").last.evaluate(_APPEARS) is False
    expect(page.locator("#sure")).to_be_visible()
    # The same question again keeps its time, so that it need not be answered twice.
    page.get_by_role("button", name="Play +5 and forfeit").click()
    expect(headline(page)).to_have_text("Ben wins")


def test_without_a_script_a_double_tap_never_forfeits(open_page: Browsing, site: Server) -> None:
    page = open_page(javascript=False, width=375, height=667)
    open_table(page, site, "zero-sum-duel", "here", name="Ann", opponent_name="Ben")
    for number in (9, 4):
        with page.expect_navigation():
            press(page, f"+{number}").click()
    taken = page.locator(".taken a").last
    box = taken.bounding_box()
    assert box is not None
    for _ in range(3):
        # The browser drops a tap on a page that is being left or is not drawn yet, and the test would wait for ever.
        # A picture can only be taken of a page that is drawn.
        page.screenshot()
        with page.expect_navigation():
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("alert")).to_contain_text("forfeits the match")
    expect(made(page)).to_have_count(2)
    expect(headline(page)).to_have_text("Ann\N{RIGHT SINGLE QUOTATION MARK}s turn")


def test_a_board_never_contradicts_itself_and_never_jumps(open_page: Browsing, site: Server) -> None:
    watched = watch_matches(open_page(width=375, height=667, reduced_motion=True), site, MOVES)
    assert watched.wrong == []
    assert watched.boards > watched.moves


def test_a_number_says_where_it_lands(open_page: Browsing, site: Server) -> None:
    page = open_page()
    table(page, site, game="sum31")
    play(page, "+9")
    deadline = time.monotonic() + PATIENCE
    # A board that is drawn anew shows nothing until one points at it again.
    while page.evaluate(_LANDING) != ["Add 5. The total goes to 14.", "45.16%", True]:
        assert time.monotonic() < deadline, page.evaluate(_LANDING)
        page.mouse.move(1, 1)
        press(page, "+5").hover()
    page.mouse.move(1, 1)
    expect(page.locator("#aside")).to_be_hidden()
    page.keyboard.press("7")
    expect(page.locator("#aside")).to_have_text("Add 7. The total goes to 16.")


def test_a_long_press_shows_and_does_not_play(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667)
    table(page, site, game="sum31")
    box = press(page, "+5").bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 20, "y": box["y"] + 20}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator("#aside")).to_have_text("Add 5. The total goes to 5.")
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#aside")).to_be_hidden()
    expect(made(page)).to_have_count(0)


def test_a_tap_is_marked_before_any_answer(open_page: Browsing, site: Server) -> None:
    page = open_page(width=375, height=667)
    table(page, site, game="sum31")
    page.route("**/move", lambda _: None)
    press(page, "+5").tap()
    expect(press(page, "+5")).to_have_class(re.compile("pending"))
    page.unroute_all(behavior="ignoreErrors")


def test_typed_moves_keep_the_focus_and_a_digit_of_a_taken_number_answers(open_page: Browsing, site: Server) -> None:
    page = open_page()
    open_table(page, site, "sum31", "level:1", name="Ann")
    listen(page)
    open_menu(page)
    page.get_by_label("Type a move").fill("+1")
    page.keyboard.press("Enter")
    expect(made(page)).to_have_count(2)
    expect(page.get_by_label("Type a move")).to_be_focused()
    expect(page.get_by_label("Type a move")).to_have_value("")
    page.locator("#status").focus()
    page.keyboard.press("1")
    expect(page.locator("#aside")).to_have_text("1 is gone: Ann has taken it.")
    expect_heard(page, "1 is gone: Ann has taken it.")


@pytest.mark.parametrize("pool", ["1000000, 999999, -1000000, 1, 2, 3, 4, 5, 6", ", ".join(map(str, range(1, 65)))])
def test_the_largest_games_have_no_overlaps(open_page: Browsing, site: Server, pool: str) -> None:
    page = open_page(width=PHONE, height=640, reduced_motion=True)
    table(page, site, game="variant", variant=HUGE.format(pool=pool))
    play(page, "+1")
    type_move(page, f"+{'1000000' if '1000000' in pool else '64'}")
    expect(made(page)).to_have_count(2)
    page.locator("#menu > summary").click()
    assert [*overflow(page), *spilled(page)] == []
    expect(page.locator(".player .sum").first).to_have_text(re.compile("\N{MINUS SIGN}999,999"))
    cut = page.evaluate("""() => [...document.querySelectorAll(".sum, .press .number")].filter((one) => {
      const { left, right } = one.getBoundingClientRect();
      const around = one.closest(".player, .press").getBoundingClientRect();
      return left < around.left || right > around.right;
    }).map((one) => one.textContent)""")
    assert cut == []


def test_the_menu_and_the_coach_leave_the_numbers_in_sight(open_page: Browsing, site: Server) -> None:
    page = open_page(width=PHONE, height=640, reduced_motion=True)
    table(page, site, game="sum31")
    pool = page.locator(".pool").bounding_box()
    assert pool is not None
    open_menu(page)
    panels = [page.locator("#menu .panel").bounding_box()]
    assert findings(page) == []
    page.locator("#menu > summary").click()
    page.get_by_role("link", name="Hint", exact=True).tap()
    expect(page.locator("#hints")).to_be_visible()
    panels.append(page.locator("#hints").bounding_box())
    assert all(one and one["y"] >= 0 and one["y"] + one["height"] <= pool["y"] for one in panels), panels
    assert page.locator(".pool").bounding_box() == pool


def test_a_lost_connection_is_told_wherever_one_has_scrolled(open_page: Browsing, site: Server) -> None:
    open_page.allow("Failed to load resource: net::|WebSocket connection to")
    page = open_page(width=PHONE, height=640, reduced_motion=True)
    table(page, site, game="sum31")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.context.set_offline(offline=True)
    press(page, "+5").evaluate("button => button.click()")
    expect(page.locator("#link")).to_be_in_viewport()
    page.context.set_offline(offline=False)
    expect(page.locator("#link")).to_be_hidden()
