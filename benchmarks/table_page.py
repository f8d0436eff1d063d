"""Home and a table on a phone, in a real browser: what moves there, how soon a tap is seen and answered.

`python -m benchmarks.table_page --quick` plays one match.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import at_most, none
from tests.browser.browsing import OPTIONS, chromium
from tests.browser.playing import after, our_turn, presses, ready, version
from tests.server.running import Server, served

_MATCHES: Final = 20
_MOVED: Final = 0.02
"""What may move after a tap, in the browser's measure of layout shift: the end of a match brings its offers."""
_MARKED, _BOARD = 50, 120
"""Milliseconds from a tap until the number is marked, and until the board of the new version is there."""
_FIRST_MOVE: Final = 1.0
"""Seconds from the tap that leaves Home until a first move of one's own is on the board, the taps included."""
_SECOND_TAP: Final = 750
"""Milliseconds in which the page takes no second tap for a wish."""
_READING: Final = 1000
"""Milliseconds in which somebody reads the rule on Home before the first tap of all, right after a start."""
_AFTER_A_START: Final = 3.0
"""How many times as long as usual the way from Home to a first move may take right after a start."""
_WATCH_HOME: Final = """() => {
  window.shift = window.moved = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window[one.hadRecentInput ? "moved" : "shift"] += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  window.marked = [];
  window.answered = [];
  let tapped = 0;
  addEventListener("pointerup", (event) => (tapped = event.timeStamp), true);
  const painted = (waits) => requestAnimationFrame(() => waits.push(performance.now() - tapped));
  new MutationObserver((changes) => {
    if (changes.some((one) => one.attributeName && one.target.hasAttribute("aria-busy"))) painted(window.marked);
    if (changes.some((one) => one.addedNodes.length && document.querySelector(".try.won"))) painted(window.answered);
  }).observe(document.querySelector("main"), { subtree: true, childList: true, attributeFilter: ["aria-busy"] });
}"""
_WATCH: Final = """() => {
  window.shift = window.moved = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window[one.hadRecentInput ? "moved" : "shift"] += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  const board = document.getElementById("board");
  window.marked = [];
  window.answered = [];
  let tapped = 0;
  let seen = 0;
  addEventListener("pointerup", (event) => ([tapped, seen] = [event.timeStamp, Number(board.dataset.version)]), true);
  const painted = (waits, began) => requestAnimationFrame(() => waits.push(performance.now() - began));
  new MutationObserver(() => {
    if (!tapped) return;
    if (board.querySelector(".pending")) painted(window.marked, tapped);
    if (Number(board.dataset.version) > seen) {
      painted(window.answered, tapped);
      tapped = 0;
    }
  }).observe(board, { subtree: true, attributes: true, attributeFilter: ["class", "data-version"] });
}"""


@dataclass
class Waits:
    """What the browser noted, page by page: layout shift of its own accord and after taps; milliseconds from taps."""

    shifts: list[float] = field(default_factory=list)
    moved: list[float] = field(default_factory=list)
    marked: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    first_moves: list[float] = field(default_factory=list)
    """Seconds from the tap that leaves Home until a first move of one's own."""

    def take(self, page: Page) -> None:
        """Add what was noted on a page."""
        self.shifts.append(page.evaluate("window.shift"))
        self.moved.append(page.evaluate("window.moved"))
        self.marked += page.evaluate("window.marked")
        self.answered += page.evaluate("window.answered")


def play_matches(browser: Browser, server: Server, count: int) -> Waits:
    """Play matches by taps."""
    waits = Waits()
    with browser.new_context(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True) as context:
        page = context.new_page()
        for _ in range(count):
            _one_match(page, server)
            waits.take(page)
    return waits


def _one_match(page: Page, server: Server) -> None:
    form: dict[str, str | float | bool] = {"game": "sum31", "opponent": "level:1"}
    page.goto(page.request.post(f"{server.url}/tables", form=form, headers={"Origin": server.url}).url)
    ready(page)
    page.evaluate(_WATCH)
    while our_turn(page) == "Your turn":
        seen = version(page)
        presses(page).first.tap()
        after(page, seen)


def visit_home(browser: Browser, server: Server, count: int, reading: int = 0) -> Waits:
    """Win the board on Home, then make a first move at a table."""
    waits = Waits()
    for _ in range(count):
        with browser.new_context(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True) as context:
            page = context.new_page()
            page.goto(server.url, wait_until="load")
            page.evaluate(_WATCH_HOME)
            page.wait_for_timeout(reading)
            page.get_by_role("button", name="Add 3", exact=True).tap()
            page.locator(".try.won").wait_for()
            page.wait_for_function("window.answered.length > 0")
            waits.take(page)
            page.wait_for_timeout(_SECOND_TAP)
            began = time.perf_counter()
            page.get_by_role("button", name="Play level 1", exact=True).tap()
            our_turn(page)
            seen = version(page)
            presses(page).first.tap()
            after(page, seen)
            waits.first_moves.append(time.perf_counter() - began)
    return waits


def _p95(waits: Sequence[float]) -> float:
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * 0.95))]


def main() -> None:
    """Print the figures against their limits."""
    count = 1 if "--quick" in sys.argv[1:] else _MATCHES
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        first = visit_home(browser, server, 1, _READING)
        at_home = visit_home(browser, server, count)
        at_table = play_matches(browser, server, count)
        browser.close()
    print("      the first visit of Home after a start")
    _tell_taps("Home after a start", first)
    usual = f"the usual {median(at_home.first_moves):.2f} s"
    taken = first.first_moves[0]
    at_most(f"Home to one's own first move ({taken:.2f} s)", taken / median(at_home.first_moves), _AFTER_A_START, usual)
    print(f"      {count} visits of Home on a phone")
    _tell_taps("Home", at_home)
    taken = _p95(at_home.first_moves)
    at_most(f"Home to one's own first move, p95 ({taken:.2f} s)", taken / _FIRST_MOVE, 1, f"{_FIRST_MOVE} s")
    print(f"      {count} matches of Sum31 on a phone, {len(at_table.answered)} taps")
    _tell_taps("a match", at_table)


def _tell_taps(where: str, waits: Waits) -> None:
    none(f"{where}: pages on which anything moves without a tap", sum(one > 0 for one in waits.shifts))
    most = max(waits.moved)
    at_most(f"{where}: what a tap moves, the worst layout shift ({most:.4f})", most / _MOVED, 1, f"{_MOVED}")
    for what, each, limit in (("the mark", waits.marked, _MARKED), ("the new board", waits.answered, _BOARD)):
        at_most(f"{where}: from a tap to {what}, p95 ({_p95(each):.0f} ms)", _p95(each) / limit, 1, f"{limit} ms")


if __name__ == "__main__":
    main()
