"""Home and a table on a phone, in a real browser: what moves there, how soon a tap is seen and answered.

`python -m benchmarks.table_page --quick` plays one match.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import at_most
from tests.browser.browsing import OPTIONS, chromium
from tests.browser.playing import after, our_turn, presses, ready, version
from tests.server.running import Server, served

_MATCHES: Final = 20
_SHIFT: Final = 0.02
_MARKED, _BOARD = 50, 120
"""Milliseconds from a tap until the number is marked, and until the board of the new version is there."""
_FIRST_MOVE: Final = 1.0
"""Seconds from the tap that leaves Home until a first move of one's own is on the board, the taps included."""
_SECOND_TAP: Final = 750
"""Milliseconds in which the page takes no second tap for a wish."""
_WATCH_HOME: Final = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; })
    .observe({ type: "layout-shift", buffered: true });
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
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.shift += one.value; // what follows a tap counts too
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


def play_matches(browser: Browser, server: Server, count: int) -> tuple[list[float], list[float], list[float]]:
    """Play matches by taps; return the layout shift of each, and the waits for marks and for boards."""
    shifts, marked, answered = list[float](), list[float](), list[float]()
    with browser.new_context(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True) as context:
        page = context.new_page()
        for _ in range(count):
            _one_match(page, server)
            shifts.append(page.evaluate("window.shift"))
            marked += page.evaluate("window.marked")
            answered += page.evaluate("window.answered")
    return shifts, marked, answered


def _one_match(page: Page, server: Server) -> None:
    form: dict[str, str | float | bool] = {"game": "sum31", "opponent": "level:1"}
    page.goto(page.request.post(f"{server.url}/tables", form=form, headers={"Origin": server.url}).url)
    ready(page)
    page.evaluate(_WATCH)
    while our_turn(page) == "Your turn":
        seen = version(page)
        presses(page).first.tap()
        after(page, seen)


def visit_home(browser: Browser, server: Server, count: int) -> tuple[list[float], ...]:
    """Win the board on Home, then make a first move at a table; return shifts, both waits, and seconds until then."""
    shifts, marked, answered, moved = list[float](), list[float](), list[float](), list[float]()
    for _ in range(count):
        with browser.new_context(viewport={"width": 375, "height": 667}, is_mobile=True, has_touch=True) as context:
            page = context.new_page()
            page.goto(server.url, wait_until="load")
            page.evaluate(_WATCH_HOME)
            page.get_by_role("button", name="Add 3", exact=True).tap()
            page.locator(".try.won").wait_for()
            page.wait_for_function("window.answered.length > 0")
            shifts.append(page.evaluate("window.shift"))
            marked += page.evaluate("window.marked")
            answered += page.evaluate("window.answered")
            page.wait_for_timeout(_SECOND_TAP)
            began = time.perf_counter()
            page.get_by_role("button", name="Play level 1", exact=True).tap()
            our_turn(page)
            seen = version(page)
            presses(page).first.tap()
            after(page, seen)
            moved.append(time.perf_counter() - began)
    return shifts, marked, answered, moved


def _p95(waits: Sequence[float]) -> float:
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * 0.95))]


def main() -> None:
    """Print the figures against their limits."""
    count = 1 if "--quick" in sys.argv[1:] else _MATCHES
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        visit_home(browser, server, 1)  # after which the worker runs
        at_home = visit_home(browser, server, count)
        shifts, marked, answered = play_matches(browser, server, count)
        browser.close()
    home_shifts, *_, moved = at_home
    print(f"      {count} visits of Home on a phone")
    at_most(f"layout shift on Home, the worst ({max(home_shifts):.4f})", max(home_shifts) / _SHIFT, 1, f"{_SHIFT}")
    for what, waits, limit in (("the mark", at_home[1], _MARKED), ("the new board", at_home[2], _BOARD)):
        at_most(f"Home: from a tap to {what}, p95 ({_p95(waits):.0f} ms)", _p95(waits) / limit, 1, f"{limit} ms")
    at_most(
        f"Home to one's own first move, p95 ({_p95(moved):.2f} s)", _p95(moved) / _FIRST_MOVE, 1, f"{_FIRST_MOVE} s"
    )
    print(f"      {count} matches of Sum31 on a phone, {len(answered)} taps")
    at_most(f"layout shift during a match, the worst ({max(shifts):.4f})", max(shifts) / _SHIFT, 1, f"{_SHIFT}")
    for what, waits, limit in (("the mark", marked, _MARKED), ("the new board", answered, _BOARD)):
        at_most(f"from a tap to {what}, p95 ({_p95(waits):.0f} ms)", _p95(waits) / limit, 1, f"{limit} ms")


if __name__ == "__main__":
    main()
