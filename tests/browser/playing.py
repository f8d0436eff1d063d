"""What visitors do at a table, by the names that they see and hear."""

from __future__ import annotations

import re
from collections.abc import Iterable

from playwright.sync_api import Locator, Page, expect

from tests.server.running import Server
from zerosum.base.text import MINUS

GAMES = {
    "sum-to-zero": "Sum to Zero",
    "sequence-zero": "Sequence Zero",
    "zero-sum-duel": "Zero Sum Duel",
    "zero-sum-game": "Zero Sum Game",
    "sum31": "Sum31",
}
OVER = re.compile(r"wins$|You win!")
OURS_OR_OVER = re.compile(rf"Your turn$|{OVER.pattern}")
_WINS = re.compile(r", wins (?:in (\d+) moves|at once)")
_LISTEN = """() => {
  window.heard = [];
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) window.heard.push(node.textContent);
  }).observe(document.getElementById("news"), {childList: true});
}"""
_IN_ORDER = """sentences => {
  let at = 0;
  for (const said of window.heard) if (at < sentences.length && said.includes(sentences[at])) at++;
  return at === sentences.length;
}"""
_HEADLINE = "pattern => new RegExp(pattern).test(document.getElementById('status')?.textContent)"
_NEWER = "version => Number(document.getElementById('board')?.dataset.version) > version"


def open_table(page: Page, site: Server, game: str, opponent: str = "level:1", **choices: str) -> str:
    """Open a table by the form with all choices, and return its address; the visitor moves first unless they choose."""
    page.goto(f"{site.url}/new?game={game}")
    page.get_by_label("Against whom?").select_option(opponent)
    for name, value in {"first": "me", **choices}.items():
        field = page.locator(f"[name={name}]:not([type=hidden])")
        if field.first.get_attribute("type") in ("radio", "checkbox"):
            page.locator(f"[name={name}][value='{value}']:not([type=hidden])").check()
        elif field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(GAMES.get(game, ""))
    dressed(page)
    return page.url


def dressed(page: Page) -> None:
    """Wait for the stylesheets of the page: before them, what they hide can still be found, and never be clicked."""
    page.wait_for_load_state()


def invite(host: Page, site: Server, game: str, guest: Page, **choices: str) -> str:
    """Let the host open a table and the guest take the seat by the invitation; return the table's address."""
    address = open_table(host, site, game, "human", **{"name": "Ann", **choices})
    guest.goto(host.get_by_label("Invitation").input_value())
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest).to_have_url(address)
    dressed(guest)
    return address


def headline(page: Page) -> Locator:
    """Return the words that say whose turn it is, or who has won."""
    return page.locator("#status")


def happened(page: Page) -> Locator:
    """Return the words that say what has just happened."""
    return page.locator("#happened")


def numbers(page: Page) -> Locator:
    """Return the numbers of the pool, free and taken."""
    return page.get_by_role("list", name="Numbers").get_by_role("listitem")


def presses(page: Page) -> Locator:
    """Return the buttons that play a number now."""
    return page.get_by_role("list", name="Numbers").get_by_role("button", disabled=False)


def press(page: Page, move: str) -> Locator:
    """Return the button of a move, such as `+5`, by the name that is read aloud."""
    sign, number = move[0], f"{int(move[1:]):,}".replace("-", MINUS)
    name = f"Add {number}" if sign == "+" else f"(Subtract {number}|Add {MINUS}{number})"
    return page.get_by_role("list", name="Numbers").get_by_role("button", name=re.compile(rf"^{name}(,|$)"))


def made(page: Page) -> Locator:
    """Return the moves made so far, as the page lists them."""
    return page.get_by_role("region", name=re.compile("^Moves")).get_by_role("listitem")


def version(page: Page) -> int:
    """Return which version of the table the page shows."""
    return int(page.locator("#board").get_attribute("data-version") or 0)


def after(page: Page, seen: int) -> None:
    """Wait until the page shows more than it did."""
    page.wait_for_function(_NEWER, arg=seen)


def play(page: Page, *moves: str) -> None:
    """Make moves by their buttons, each once the one before is on the page."""
    for move in moves:
        seen = version(page)
        press(page, move).first.click()
        after(page, seen)


def our_turn(page: Page) -> str:
    """Wait until it is the visitor's turn, or the match is over, and return the headline."""
    page.wait_for_function(_HEADLINE, arg=OURS_OR_OVER.pattern)
    return headline(page).inner_text()


def good(page: Page) -> Locator:
    """Return the button that wins soonest, where values are shown and one wins, else the first."""
    found = presses(page)
    plies = [_WINS.search(one.get_attribute("aria-label") or "") for one in found.all()]
    soonest = min((int(one[1] or 1), n) for n, one in enumerate(plies) if one) if any(plies) else (0, 0)
    return found.nth(soonest[1])


def ready(page: Page) -> None:
    """Wait for the script of the page; before it is there, moves are made all the same, by forms."""
    page.locator("[data-copy]:not([hidden])").first.wait_for(state="attached")


def listen(page: Page) -> None:
    """Note all that a screen reader is told from now on, on this page."""
    ready(page)
    page.evaluate(_LISTEN)


def heard(page: Page) -> list[str]:
    """Return what a screen reader was told."""
    return list(page.evaluate("window.heard"))


def expect_heard(page: Page, *sentences: str) -> None:
    """Wait until a screen reader has been told sentences, in this order."""
    page.wait_for_function(_IN_ORDER, arg=list(sentences))


def open_menu(page: Page) -> None:
    """Open the menu of a table, unless it is open."""
    if page.locator("#menu[open]").count() == 0:
        page.locator("#menu > summary").click()


def type_move(page: Page, move: str) -> None:
    """Type a move into the field of the menu, and play it."""
    open_menu(page)
    page.get_by_label("Type a move").fill(move)
    page.get_by_role("button", name="Play", exact=True).click()


def resign(page: Page) -> None:
    """Give the match up on one's turn, and confirm it."""
    expect(headline(page)).to_have_text("Your turn")
    open_menu(page)
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()


def share(pages: Iterable[Page], words: str | re.Pattern[str]) -> None:
    """Check that all see the same thing happen."""
    for page in pages:
        expect(happened(page)).to_have_text(words)
