"""A browser for the tests of this folder, pages in it, and a server."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.browsing import OPTIONS, Browsing, chromium
from tests.patience import PATIENCE
from tests.security.planted import NO_RATES, changed
from tests.server.running import Server, served

# As long as actions are given, on a machine that has much to do.
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def launched() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Return the system's Chromium, driven by Playwright, and the event loop of Playwright.

    That loop counts as the running one, so that no other could run. It is set aside between the tests of this folder.
    """
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=list(OPTIONS))
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield opened, loop
        asyncio._set_running_loop(loop)
        opened.close()


@pytest.fixture
def browser(launched: tuple[Browser, asyncio.AbstractEventLoop]) -> Iterator[Browser]:
    """Return the browser, for one test."""
    opened, loop = launched
    asyncio._set_running_loop(loop)
    yield opened
    asyncio._set_running_loop(None)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Browsing]:
    """Return what opens pages: `open_page(dark=True)`, `open_page(width=PHONE)`, `open_page(javascript=False)`."""
    browsing = Browsing(browser)
    yield browsing
    browsing.finish()


@pytest.fixture
def page(open_page: Browsing) -> Page:
    """Return one page, light and wide, with scripts."""
    return open_page()


@pytest.fixture(scope="session")
def site() -> Iterator[Server]:
    """Return the server; visitors of one test are strangers to those of another.

    All come from one address, so nothing limits what an address may begin or try: the speed of tests must not matter.
    """
    with served(command=changed(NO_RATES)) as server:
        yield server
