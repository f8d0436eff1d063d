"""The browser of the tests is a real one, and what goes wrong on a page is noticed."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.browsing import PHONE, Browsing, BrowsingError

WITH_SCRIPT = "data:text/html,<title>before</title><script>document.title = 'after'</script>"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers every path but /missing with a page."""

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        # It has an icon, so that no browser asks for one while the server ends.
        self.wfile.write(b"<title>here</title><link rel=icon href=data:,>")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def matches(page: Page, query: str) -> bool:
    return bool(page.evaluate("query => matchMedia(query).matches", query))


def test_a_page_opens_with_scripts(page: Page) -> None:
    page.goto(WITH_SCRIPT)
    assert page.title() == "after"
    assert matches(page, "(prefers-color-scheme: light)")
    assert not matches(page, "(prefers-reduced-motion: reduce)")


def test_a_page_opens_without_scripts(open_page: Browsing) -> None:
    page = open_page(javascript=False)
    page.goto(WITH_SCRIPT)
    assert page.title() == "before"


def test_a_page_opens_in_the_dark_without_motion(open_page: Browsing) -> None:
    page = open_page(dark=True, reduced_motion=True)
    page.goto("about:blank")
    assert matches(page, "(prefers-color-scheme: dark)")
    assert matches(page, "(prefers-reduced-motion: reduce)")


def test_a_page_opens_on_a_phone(open_page: Browsing) -> None:
    page = open_page(width=PHONE)
    page.goto("data:text/html,<meta name=viewport content='width=device-width'>")
    assert page.evaluate("innerWidth") == PHONE


def test_visitors_share_nothing_unless_they_sit_beside_each_other(open_page: Browsing, site: str) -> None:
    one, two = open_page(), open_page()
    beside = open_page(beside=one)
    for page in (one, two, beside):
        page.goto(site)
    one.evaluate("document.cookie = 'seat=1'")
    assert [page.evaluate("document.cookie") for page in (one, two, beside)] == ["seat=1", "", "seat=1"]


WRONG = {
    "console: no": "data:text/html,<script>console.error('no')</script>",
    "script: no": "data:text/html,<script>throw Error('no')</script>",
    "request to another host: http://example.invalid/x.png": "data:text/html,<img src='http://example.invalid/x.png'>",
    "request to another host: http://192.0.2.1/": "data:text/html,<iframe src='http://192.0.2.1/'></iframe>",
    "socket to another host: ws://example.invalid/": "data:text/html,<script>new WebSocket('ws://example.invalid')</script>",
    "Content Security Policy": "data:text/html,<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    "<script>1</script>",
}


@pytest.mark.full
@pytest.mark.parametrize("complaint", WRONG)
def test_what_goes_wrong_on_a_page_fails_the_test(browser: Browser, complaint: str) -> None:
    browsing = Browsing(browser)
    browsing().goto(WRONG[complaint], wait_until="commit")
    browsing().goto("about:blank")
    browsing.wait_for_complaint(browsing(), complaint)
    with pytest.raises(BrowsingError) as raised:
        browsing.finish()
    assert complaint in str(raised.value)


def test_an_answer_that_fails_is_noticed_unless_it_is_expected(browser: Browser, site: str) -> None:
    strict, lenient = Browsing(browser), Browsing(browser)
    lenient.allow("404")
    for browsing in (strict, lenient):
        page = browsing()
        page.goto(f"{site}/missing")
        browsing.wait_for_complaint(page, "404")
    lenient.finish()
    with pytest.raises(BrowsingError, match="404"):
        strict.finish()
