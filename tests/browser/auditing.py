"""What is wrong with a page for some of those who use it: found by axe, by its width, by reaching for every control."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.browsing import PHONE
from tests.full import FULL

# Axe leaves this one out unless it is asked for: a control is at least 24 pixels wide and high, or stands alone.
_FULL = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
_COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
_Schemes = dict[Any, dict[str, Any]]
_BOTH: _Schemes = {"light": _FULL, "dark": _COLOURS}
"""Nothing but colours changes in the dark, so that the other rules need not be asked again."""
_HUGE = 1000
"""Elements of a page on which axe takes seconds: `make full` looks at it twice, not four times; `make test` once."""
Size = tuple[int, int]
_PHONE: Size = (PHONE, 640)
_WIDE: Size = (1280, 800)
SIZES: tuple[Size, ...] = (_PHONE, (667, 375), (640, 400), _WIDE)
"""A phone, the same on its side, a page at 200 %, a screen on a desk."""
_TWICE: dict[Size, _Schemes] = {_WIDE: {"dark": _FULL}, _PHONE: {"light": _FULL}}
_ALL: dict[Size, _Schemes] = dict.fromkeys(SIZES, _BOTH) if FULL else {_PHONE: {"light": _FULL}}

# The width of the layout, not of the window: a phone shows the whole of a page that is too wide, only smaller.
_OVERFLOW = """() => {
  const wide = document.scrollingElement.scrollWidth;
  const screen = document.documentElement.clientWidth;
  if (wide <= screen) return [];
  const cut = (one) => getComputedStyle(one).overflowX !== "visible";
  const scrolls = (one) => one !== document.body && (cut(one) || scrolls(one.parentElement));
  const over = [...document.body.querySelectorAll("*")].filter(
    (one) => one.getBoundingClientRect().right > screen + 1 && !scrolls(one.parentElement));
  return [`${wide} pixels wide on ${screen}: ` + over.slice(0, 5).map((one) => one.outerHTML.slice(0, 80)).join(" ")];
}"""

# Everything that can be used is focused, as with the Tab key, and then must be there under the finger.
_UNREACHABLE = """() => {
  const wrong = [];
  const every = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  for (const one of document.querySelectorAll(every)) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.tabIndex < 0) continue;
    one.focus();
    one.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = one.getClientRects()[0];
    const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
    const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
    const found = document.elementFromPoint(x, y);
    const hit = found && (one.contains(found) || found.closest("label")?.contains(one));
    const words = (other) => other?.outerHTML.slice(0, 80);
    if (document.activeElement !== one || !hit) wrong.push(`${words(one)} at ${x}, ${y} is ${words(found)}`);
  }
  return wrong;
}"""
_SPILLED = """() => [...document.querySelectorAll("button, .button, select, .tile, .card, th, td")]
  .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.clientWidth && getComputedStyle(one).overflowX === "visible")
  .map((one) => `${one.scrollWidth} pixels in ${one.clientWidth}: ${one.outerHTML.slice(0, 80)}`)"""
_WATCH = """
window.moved = [];
const note = (target) => window.moved.push(target.outerHTML.slice(0, 80));
const animate = Element.prototype.animate;
Element.prototype.animate = function (...all) { note(this); return animate.apply(this, all); };
addEventListener("transitionrun", (event) => note(event.target), true);
addEventListener("animationstart", (event) => note(event.target), true);
"""

# An animation begins some frames after the change that asks for it.
_FRAMES = """async () => {
  for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
  return window.moved;
}"""


def findings(page: Page, options: dict[str, Any] = _FULL) -> list[str]:
    """Return what axe finds, a line each."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{one['id']} at {node['target']}: {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def overflow(page: Page) -> list[str]:
    """Return what makes a page wider than its screen."""
    return list(page.evaluate(_OVERFLOW))


def unreachable(page: Page) -> list[str]:
    """Return the controls that cannot be focused, or lie under something else or off the screen."""
    return list(page.evaluate(_UNREACHABLE))


def spilled(page: Page) -> list[str]:
    """Return controls and cards that are too small for what stands in them."""
    return list(page.evaluate(_SPILLED))


def watch(page: Page) -> None:
    """Note all that moves on the pages that are opened from now on."""
    page.add_init_script(_WATCH)


def expect_motion(page: Page, what: str = "") -> None:
    """Wait until something has moved on a page in whose markup `what` is found."""
    page.wait_for_function("what => window.moved.some((one) => one.includes(what))", arg=what)


def expect_stillness(page: Page) -> None:
    """Check that nothing has moved on a page, nor moves in what it draws next."""
    assert page.evaluate(_FRAMES) == []


def wrong(page: Page) -> list[str]:
    """Return all that is wrong with a page, on screens of every size, in light and in the dark."""
    found: list[str] = []
    huge = page.evaluate("document.querySelectorAll('*').length") > _HUGE
    for (width, height), schemes in _TWICE.items() if huge and FULL else _ALL.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme, options in schemes.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found += [f"{scheme}, {width}x{height}: {one}" for one in findings(page, options)]
        found += [f"{width}x{height}: {one}" for one in (*overflow(page), *spilled(page), *unreachable(page))]
    return found
