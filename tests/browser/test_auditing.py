"""The audits of pages find what is planted, and a page of the server lets nothing foreign in unnoticed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.auditing import findings, overflow, spilled, unreachable, wrong
from tests.browser.browsing import PHONE, Browsing, BrowsingError
from tests.server.running import Server

pytestmark = pytest.mark.full

PLANTED = {
    "button-name": "<button></button>",
    "label": "<input>",
    "heading-order": "<h5>deep</h5>",
    "target-size": "<p><button id=one>.</button><button id=two>.</button></p>",
    "color-contrast": "<p id=pale>pale</p>",
}
STYLES = {
    "one": "all: unset; width: 9px; height: 9px",
    "two": "all: unset; width: 9px; height: 9px",
    "pale": "color: #999",
    "wide": "width: 400px",
    "small": "width: 60px",
    "cover": "position: fixed; inset: 0",
}
_STYLE = "([id, style]) => { const one = document.getElementById(id); if (one) one.style.cssText = style; }"


def plant(page: Page, html: str) -> None:
    """Put something on a page. Styles are set by script, which the policy allows."""
    page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", html)
    for name, style in STYLES.items():
        page.evaluate(_STYLE, [name, style])


@pytest.mark.parametrize("rule", PLANTED)
def test_what_is_planted_is_found(page: Page, site: Server, rule: str) -> None:
    page.goto(f"{site.url}/return")
    assert not findings(page)
    plant(page, PLANTED[rule])
    found = wrong(page)
    assert {one.split(": ")[1].split(" ")[0] for one in found if " at [" in one} >= {rule}, found


@pytest.mark.parametrize("mobile", [True, False])
def test_a_page_that_is_too_wide_is_found(open_page: Browsing, site: Server, mobile: bool) -> None:
    page = open_page(width=PHONE) if mobile else open_page()
    page.set_viewport_size({"width": PHONE, "height": 800})
    page.goto(f"{site.url}/return")
    assert not overflow(page)
    plant(page, "<p id=wide>wide</p>")
    assert "wide" in overflow(page)[0]


def test_a_button_too_small_for_its_words_is_found(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/return")
    assert not spilled(page)
    plant(page, "<button id=small>Antidisestablishmentarianism</button>")
    assert "Antidis" in spilled(page)[0]


def test_a_control_that_is_covered_is_found(page: Page, site: Server) -> None:
    page.goto(f"{site.url}/return")
    assert not unreachable(page)
    plant(page, "<div id=cover></div>")
    assert any("Take my seat" in one for one in unreachable(page))


INTRUDERS = {
    "style": "<p style='color: red'>red</p>",
    "script": "<img src=x onerror='1'>",
    "image": "<img src='http://example.invalid/x.png'>",
    "frame": "<iframe src='/'></iframe>",
}


@pytest.mark.parametrize("intruder", INTRUDERS)
def test_the_policy_of_pages_forbids_intruders_and_the_fixture_tells(
    browser: Browser, site: Server, intruder: str
) -> None:
    browsing = Browsing(browser)
    page = browsing()
    page.goto(f"{site.url}/return")
    plant(page, INTRUDERS[intruder])
    browsing.wait_for_complaint(page, "Content Security Policy")
    with pytest.raises(BrowsingError, match="Content Security Policy"):
        browsing.finish()
