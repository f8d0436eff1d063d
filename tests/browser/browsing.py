"""Pages in a real browser, each watched: an error in its console, or a word to another host, fails the test."""

from __future__ import annotations

import re
import shutil
import time
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, WebError, WebSocket

from tests.patience import PATIENCE

# The first has no windows, and takes a quarter of the others' processor time for the same pages.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A process for each visitor costs a tenth of the processor time, and no test looks at it.
    "--renderer-process-limit=1",
    # What a page wrongly asks of another host must not get there either.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
HERE = ("127.0.0.1", "localhost")
PHONE = 360
_NARROW = 600
_REMOTE = ("http", "https", "ws", "wss", "ftp")


class BrowsingError(AssertionError):
    """What was wrong on the pages of a test, a line each."""


def chromium() -> str:
    """Return the path of the system's Chromium."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found is not None, f"There is no Chromium here; none of {', '.join(NAMES)} is on the path."
    return found


class Browsing:
    """Opens pages. Each call is another visitor, with cookies of their own, unless `beside` names a page."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._allowed: list[re.Pattern[str]] = []
        self.complaints: list[str] = []

    def __call__(
        self,
        *,
        dark: bool = False,
        javascript: bool = True,
        width: int = 1280,
        height: int = 800,
        reduced_motion: bool = False,
        beside: Page | None = None,
    ) -> Page:
        """Open a page; `beside` another one it shares that one's visitor and options."""
        if beside is not None:
            return beside.context.new_page()
        context = self._browser.new_context(
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            viewport={"width": width, "height": height},
            is_mobile=width < _NARROW,
            has_touch=width < _NARROW,
            reduced_motion="reduce" if reduced_motion else "no-preference",
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE * 1000)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)
        context.on("page", self._page)
        return context.new_page()

    def allow(self, pattern: str) -> None:
        """Expect complaints in which a pattern is found, such as the status of an answer that is to fail."""
        self._allowed.append(re.compile(pattern))

    def wait_for_complaint(self, page: Page, text: str) -> None:
        """Let time pass on a page until a complaint has come."""
        deadline = time.monotonic() + PATIENCE
        while not any(text in one for one in self.complaints):
            assert time.monotonic() < deadline, f"no complaint about {text}: {self.complaints}"
            page.wait_for_timeout(20)

    def finish(self) -> None:
        """Close all pages, and raise if anything was wrong on one."""
        for context in self._contexts:
            context.close()
        wrong = [one for one in self.complaints if not any(pattern.search(one) for pattern in self._allowed)]
        if wrong:
            raise BrowsingError("\n".join(wrong))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(f"console: {message.text} ({message.location['url']})")

    def _error(self, error: WebError) -> None:
        self.complaints.append(f"script: {error.error}")

    def _request(self, request: Request) -> None:
        self._address("request", request.url)

    def _page(self, page: Page) -> None:
        page.on("websocket", self._socket)

    def _socket(self, socket: WebSocket) -> None:
        self._address("socket", socket.url)

    def _address(self, what: str, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in _REMOTE and parts.hostname not in HERE:
            self.complaints.append(f"{what} to another host: {url}")
