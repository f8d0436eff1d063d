"""The first view of a page in a real browser: what is transferred in all, and whether it works before any script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from benchmarks.measure import at_most, none
from tests.browser.browsing import OPTIONS, chromium
from tests.server.running import served

_KIB: Final = 1024
_ON_THE_WIRE: Final = 30 * _KIB
_UNPACKED: Final = 60 * _KIB
_GAME: Final = "zero-sum-game"
_QUIET: Final = 500
"""Milliseconds after everything has arrived in which something more might be asked for."""
_PAINTED: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
_WAITING: Final = "[...document.scripts].filter(one => !one.src || !(one.type === 'module' || one.defer)).length"


@dataclass
class View:
    """What one view took: bytes received by kind, with the heads of answers, and messages on live connections."""

    received: dict[str, int] = field(default_factory=dict)
    requests: int = 0
    unpacked: int = 0
    """Bytes of all bodies after decompression."""
    painted: float = 0.0
    waited_for: int = 0
    """Scripts that the browser has to wait for before it shows what follows them."""

    @property
    def in_all(self) -> int:
        """All bytes."""
        return sum(self.received.values())

    def add(self, kind: str, size: int) -> None:
        """Count something received."""
        self.received[kind] = self.received.get(kind, 0) + size


def first_view(page: Page, address: str) -> View:
    """Open an address with nothing cached, and count all that comes."""
    view, kinds = View(), dict[str, str]()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = event["type"]
        view.requests += 1

    def finished(event: dict[str, Any]) -> None:
        view.add(kinds.get(event["requestId"], "Other"), int(event["encodedDataLength"]))

    def unpacked(event: dict[str, Any]) -> None:
        view.unpacked += int(event["dataLength"])

    def told(event: dict[str, Any]) -> None:
        view.add("WebSocket", len(event["response"]["payloadData"]))

    session.on("Network.responseReceived", answered)
    session.on("Network.loadingFinished", finished)
    session.on("Network.dataReceived", unpacked)
    session.on("Network.webSocketFrameReceived", told)
    page.goto(address, wait_until="load")
    page.wait_for_timeout(_QUIET)
    view.painted = page.evaluate(_PAINTED)
    view.waited_for = page.evaluate(_WAITING)
    return view


def plays_without(browser: Browser, site: str, withhold: Callable[[Route], None]) -> int:
    """Play two moves by forms while every request for a script is withheld; return how many were asked for."""
    withheld = 0

    def instead(route: Route) -> None:
        nonlocal withheld
        withheld += 1
        withhold(route)

    with browser.new_context() as context:
        context.route(lambda url: ".js" in url, instead)
        page = context.new_page()
        page.goto(site, wait_until="commit")
        page.get_by_label("Play against").select_option("here")
        page.get_by_role("button", name="Play Zero Sum Game").click(no_wait_after=True)
        for move, told in (("+5", "5"), ("-4", "4")):
            page.locator(f"[name=move][value='{move}']").click(no_wait_after=True)
            expect(page.locator("#happened")).to_contain_text(told)
        expect(page.locator("ol.moves li")).to_have_count(2)
    return withheld


def main() -> None:
    """Print the figures against their limits."""
    with served() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        for name in ("home page", "table page", "page of a pupil who joins a room"):
            with browser.new_context() as context:
                address = server.url
                if name == "table page":
                    order: dict[str, str | float | bool] = {"game": _GAME, "opponent": "here"}
                    address = context.request.post(f"{server.url}/tables", form=order).url
                if name.endswith("room"):
                    opened = browser.new_context().request.post(
                        f"{server.url}/room", form={"game": _GAME, "minutes": 15}
                    )
                    address = opened.url.removesuffix("/desk")
                _tell(name, first_view(context.new_page(), address))
        refused = plays_without(browser, server.url, lambda route: route.abort())
        pending = plays_without(browser, server.url, lambda _: None)
        print(f"ok    moves are played by forms while {refused} scripts are refused, and while {pending} never arrive")
        browser.close()


def _tell(name: str, view: View) -> None:
    kinds = ", ".join(f"{kind.lower()} {size:,}" for kind, size in sorted(view.received.items()))
    print(f"      {name}: {view.requests} requests, first paint after {view.painted:.0f} ms; bytes: {kinds}")
    for what, size, limit in (("on the wire", view.in_all, _ON_THE_WIRE), ("unpacked", view.unpacked, _UNPACKED)):
        most = f"{limit // _KIB} KiB"
        at_most(f"{name}, first view {what} ({size / _KIB:.1f} KiB)", size / limit, 1, most)
    none(f"{name}, scripts that what follows waits for", view.waited_for)


if __name__ == "__main__":
    main()
