"""The page of a table on a phone, in a real browser: what moves during a match, how soon a tap is seen and answered.

`python -m benchmarks.table_page --quick` plays one match.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measure import at_most
from tests.browser.browsing import OPTIONS, chromium
from tests.browser.playing import after, our_turn, presses, ready, version
from tests.server.running import Server, served

_MATCHES: Final = 20
_SHIFT: Final = 0.02
_MARKED, _BOARD = 50, 150
"""Milliseconds from a tap until the number is marked, and until the board of the new version is there."""
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


def _p95(waits: Sequence[float]) -> float:
    return sorted(waits)[min(len(waits) - 1, int(len(waits) * 0.95))]


def main() -> None:
    """Print the figures against their limits."""
    count = 1 if "--quick" in sys.argv[1:] else _MATCHES
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        shifts, marked, answered = play_matches(browser, server, count)
        browser.close()
    print(f"      {count} matches of Sum31 on a phone, {len(answered)} taps")
    at_most(f"layout shift during a match, the worst ({max(shifts):.4f})", max(shifts) / _SHIFT, 1, f"{_SHIFT}")
    for what, waits, limit in (("the mark", marked, _MARKED), ("the new board", answered, _BOARD)):
        at_most(f"from a tap to {what}, p95 ({_p95(waits):.0f} ms)", _p95(waits) / limit, 1, f"{limit} ms")


if __name__ == "__main__":
    main()
