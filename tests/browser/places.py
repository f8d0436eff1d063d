"""Every page there is, in each of its states that look different: how a visitor gets there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import Page, expect

from tests.browser.browsing import Browsing
from tests.browser.playing import after, headline, invite, open_menu, open_table, our_turn, play, press, resign, version
from tests.browser.solving import right_and_wrong
from tests.server.running import Server
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.files import load_text
from zerosum.rules.moves import Move, Operation

Arrive = Callable[[Browsing, Server], Page]
RECORD = '[Game "sum31"]\n[Player1 "Ann"]\n[Player2 "Ben"]\n\n1. +4 +6 2. +5 +8 3. +1 +7'
WIDE = f"""like = "zero-sum-duel"
id = "wide"
name = "A wide <b>one"
target = 500
pool = {list(range(1, 41))}
ban = "mirror"
swap = true
"""
LARGE = """like = "zero-sum-duel"
id = "large"
name = "Large"
pool = [1, 22, 333, 500, 88888, 123456, 999999, 1000000, 1000000]
"""
_MANY = 26
"""So many moves do not fit into the list without scrolling it."""


@dataclass(frozen=True)
class Place:
    """A state of a page: the route and the template that show it, and how one arrives."""

    route: str
    template: str
    arrive: Arrive


def goes(path: str) -> Arrive:
    """Return how one arrives by an address alone."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = open_page(reduced_motion=True)
        page.goto(site.url + path)
        return page

    return arrive


def at_table(game: str, opponent: str = "here", *moves: str, **choices: str) -> Arrive:
    """Return how one arrives at a table where moves have been made."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = open_page(reduced_motion=True)
        open_table(page, site, game, opponent, **choices)
        play(page, *moves)
        return page

    return arrive


def then(first: Arrive, *links: str) -> Arrive:
    """Return how one arrives from another place by links, one after another."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = first(open_page, site)
        for name in links:
            page.get_by_role("link", name=name).first.click()
        return page

    return arrive


def sent(path: str, button: str, **fields: str) -> Arrive:
    """Return how one arrives by a form whose answer is a refusal."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        open_page.allow(r"status of 4\d\d")
        page = goes(path)(open_page, site)
        for name, value in fields.items():
            page.locator(f"[name={name}]:not([type=hidden])").last.fill(value)
        page.get_by_role("button", name=button).last.click()
        return page

    return arrive


def _met(open_page: Browsing, site: Server) -> tuple[Page, Page]:
    host, guest = open_page(reduced_motion=True), open_page(reduced_motion=True)
    invite(host, site, "sum31", guest, minutes="3", increment="2", best_of="3")
    expect(headline(host)).to_have_text("Your turn")
    return host, guest


def _other_turn(open_page: Browsing, site: Server) -> Page:
    host, _ = _met(open_page, site)
    play(host, "+5")
    return host


def _undo_asked(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    play(host, "+5")
    host.get_by_role("button", name="Ask to take back").click()
    expect(guest.get_by_role("button", name="Allow it")).to_be_visible()
    host.close()
    return guest


def _watched(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    play(host, "+5")
    spectator = open_page(reduced_motion=True)
    spectator.goto(guest.url)
    return spectator


def _rematch_asked(open_page: Browsing, site: Server) -> Page:
    host, guest = open_page(reduced_motion=True), open_page(reduced_motion=True)
    invite(host, site, "zero-sum-game", guest)
    expect(headline(host)).to_have_text("Your turn")
    play(host, "+5")
    resign(guest)
    guest.get_by_role("button", name="Ask for a rematch").click()
    expect(host.get_by_role("button", name="Yes, play again")).to_be_visible()
    return host


def _won(open_page: Browsing, site: Server) -> Page:
    host, guest = _met(open_page, site)
    for page, move in ((host, "+9"), (guest, "+8"), (host, "+7"), (guest, "+1"), (host, "+6")):
        expect(headline(page)).to_have_text("Your turn")
        play(page, move)
    expect(headline(host)).to_have_text("You win!")
    guest.close()
    return host


def _menu(open_page: Browsing, site: Server) -> Page:
    page = at_table("zero-sum-duel", "here", "+5")(open_page, site)
    open_menu(page)
    return page


def _confirms(open_page: Browsing, site: Server) -> Page:
    page = at_table("zero-sum-duel", "here", "+5")(open_page, site)
    page.get_by_role("link", name=re.compile("^5.*taken by")).press("Enter")
    expect(page.get_by_role("button", name="Play +5 and forfeit")).to_be_visible()
    return page


def _refused(open_page: Browsing, site: Server) -> Page:
    page = at_table("sum31")(open_page, site)
    open_menu(page)
    page.get_by_label("Type a move").fill("seven")
    open_page.allow("status of 422")
    # As without the script of the page: a form that is sent.
    page.locator(".typed").evaluate("form => form.submit()")
    expect(page.get_by_role("alert")).to_be_visible()
    return page


def _played(variant: str, *moves: str) -> Arrive:
    def arrive(open_page: Browsing, site: Server) -> Page:
        page = goes("/new?game=variant")(open_page, site)
        page.get_by_label("Against whom?").select_option("here")
        page.get_by_label("Rules as text").fill(variant)
        page.get_by_role("button", name="Open a table with this variant").click()
        play(page, *moves)
        return page

    return arrive


def _own(open_page: Browsing, site: Server) -> Page:
    """Look at the form of one's own game with all of it open."""
    page = goes("/own?like=zero-sum-game")(open_page, site)
    for words in ("More rules", "The rules in words", "The same as text"):
        page.get_by_text(words, exact=True).click()
    return page


def _own_refused(open_page: Browsing, site: Server) -> Page:
    open_page.allow("status of 422")
    page = goes("/own")(open_page, site)
    for label in ("Numbers", "Target", "Start"):
        page.get_by_label(label, exact=True).fill("many")
    page.keyboard.press("Enter")
    page.wait_for_url("**/own#verdict")
    expect(page.locator(".wrong")).to_have_count(3)
    return page


def _long(open_page: Browsing, site: Server) -> Page:
    match = Match.begin(Setup(rules=load_text(WIDE)))
    for number in range(1, _MANY + 1):
        match = match.after(Move(number, Operation.ADD))
    page = goes("/new?open=record")(open_page, site)
    page.get_by_label("Record", exact=True).fill(match.record())
    page.get_by_role("button", name="Open the match").click()
    return page


def _why(open_page: Browsing, site: Server) -> Page:
    page = _VALUES(open_page, site)
    page.get_by_text("Reasons, move by move").click()
    page.get_by_role("link", name="Why").first.click()
    expect(page.locator("#reasons .said")).to_be_visible()
    return page


def _lost(open_page: Browsing, site: Server) -> Page:
    """Lose a match against perfection, slowly enough to have made mistakes."""
    page = open_page(reduced_motion=True)
    open_table(page, site, "sum31", "perfect")
    for move in ("+9", "+8", "+7", "+6", "+4"):
        if our_turn(page) != "Your turn":
            break
        free = press(page, move)
        if free.count():
            seen = version(page)
            free.click()
            after(page, seen)
    if our_turn(page) == "Your turn":
        resign(page)
    expect(headline(page)).to_have_text("Perfect wins")
    return page


def _stepped(open_page: Browsing, site: Server) -> Page:
    """Review a record, at a turning point of it."""
    page = sent("/review", "Review it", record=RECORD)(open_page, site)
    page.get_by_role("button", name="Show move").first.click()
    expect(page.locator("#stage .turn").first).to_be_visible()
    return page


def _invited(open_page: Browsing, site: Server) -> Page:
    host, guest = open_page(reduced_motion=True), open_page(reduced_motion=True)
    open_table(host, site, "sum-to-zero", "human", name="Ann")
    guest.goto(host.get_by_label("Invitation").input_value())
    return guest


def _invited_badly(open_page: Browsing, site: Server) -> Page:
    open_page.allow("status of 422")
    guest = _invited(open_page, site)
    guest.get_by_label("Your name").fill("ann")
    guest.get_by_role("button", name="Take the seat").click()
    expect(guest.get_by_role("alert")).to_be_visible()
    return guest


def _late(open_page: Browsing, site: Server) -> Page:
    host, guest, late = (open_page(reduced_motion=True) for _ in range(3))
    open_table(host, site, "sum31", "human", name="Ann")
    invitation = host.get_by_label("Invitation").input_value()
    for page in (guest, late):
        page.goto(invitation)
        page.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Take the seat").click()
    expect(headline(guest)).to_have_text("Ann’s turn")
    return late


def _too_late(open_page: Browsing, site: Server) -> Page:
    open_page.allow("status of 410")
    late = _late(open_page, site)
    late.get_by_role("button", name="Take the seat").click()
    expect(late.get_by_role("link", name="Watch the match")).to_be_visible()
    return late


def _comes_late(open_page: Browsing, site: Server) -> Page:
    late = _late(open_page, site)
    late.reload()
    return late


def _named(open_page: Browsing, site: Server) -> Page:
    page = goes("/")(open_page, site)
    page.get_by_label("Play against").select_option("human")
    page.get_by_role("button", name="Play Sum31").click()
    return page


def _projected(open_page: Browsing, site: Server) -> Page:
    page = at_table("sequence-zero", "here", "+5", "-6", "-4")(open_page, site)
    page.goto(f"{page.url.partition('?')[0]}/projector")
    return page


def _missing(open_page: Browsing, site: Server) -> Page:
    open_page.allow("status of 404")
    return goes("/nowhere")(open_page, site)


def _daily_solved(open_page: Browsing, site: Server) -> Page:
    """Solve the puzzle of today, with a wrong answer before; marks and the streak are there then."""
    page = goes("/puzzles/daily")(open_page, site)
    best, worst = right_and_wrong(page)
    page.locator(f"button[value='{worst}']").press("Enter")
    expect(page.get_by_role("heading", name="No.")).to_be_visible()
    page.locator(f"button[value='{best}']").press("Enter")
    expect(page.locator(".streak").first).to_be_visible()
    return page


def _many_moves(open_page: Browsing, site: Server) -> Page:
    """Answer a puzzle with the most moves there are, and large own totals."""
    page = goes("/games/sequence-zero/puzzle?position=1,2,4,5,6,7,8,9+-3/0+2")(open_page, site)
    page.locator("button[name=move]").first.press("Enter")
    expect(page.locator("#answer")).to_be_visible()
    return page


_TABLE: Final = "GET /tables/{table_id}"
_SOLVED: Final = "GET /games/{game}/solved"
_SUM31: Final = at_table("sum31", "here", name="Ann", opponent_name="Ben")
_DUEL: Final = at_table("zero-sum-duel", "level:1")
_VALUES: Final = then(_DUEL, "Show what each move is worth")
_HINTED: Final = then(_DUEL, "Hint", "Which move?", "Why?")
_PUZZLE: Final = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"

PLACES: Final[dict[str, Place]] = {
    "home": Place("GET /", "home.html", goes("/")),
    "home with tables": Place("GET /", "home.html", then(_SUM31, "zerosum")),
    "new": Place("GET /new", "new.html", goes("/new")),
    "new variant": Place("GET /new", "new.html", goes("/new?game=variant&open=record")),
    "new, refused": Place(
        "POST /tables",
        "new.html",
        sent("/new?game=variant", "Open a table with this variant", variant="target = 'none'"),
    ),
    "name before inviting": Place("POST /tables", "name.html", _named),
    "address of tables": Place("GET /tables", "return.html", goes("/tables")),
    "own game": Place("GET /own", "own.html", _own),
    "own game, no game": Place("GET /own", "own.html", goes("/own?like=sum-to-zero")),
    "own game, refused": Place("POST /own", "own.html", _own_refused),
    "games": Place("GET /games", "games.html", goes("/games")),
    "rules": Place("GET /games/{game}", "game.html", goes("/games/sequence-zero")),
    "rules with a warning": Place("GET /games/{game}", "game.html", goes("/games/zero-sum-duel")),
    "solved": Place(_SOLVED, "solved.html", goes("/games/sum-to-zero/solved")),
    "solved, walked": Place(_SOLVED, "solved.html", goes("/games/zero-sum-game/solved?moves=+5-3")),
    "solved, at an end": Place(_SOLVED, "solved.html", goes("/games/sum-to-zero/solved?moves=+5-5")),
    "solved, refused": Place(_SOLVED, "solved.html", goes("/games/sum31/solved?moves=+5+5")),
    "puzzles": Place("GET /puzzles", "puzzles.html", goes("/puzzles")),
    "puzzles of a game": Place("GET /games/{game}/puzzles", "puzzles.html", goes("/games/zero-sum-game/puzzles?set=2")),
    "puzzle": Place("GET /games/{game}/puzzle", "puzzle.html", goes(_PUZZLE)),
    "puzzle, right": Place("GET /games/{game}/puzzle", "puzzle.html", goes(f"{_PUZZLE}&move=%2B3")),
    "puzzle, wrong": Place("GET /games/{game}/puzzle", "puzzle.html", goes(f"{_PUZZLE}&move=%2B1")),
    "puzzle, hints": Place("GET /games/{game}/puzzle", "puzzle.html", goes(f"{_PUZZLE}&tried=%2B1&move=%2B2")),
    "puzzle, shown": Place("GET /games/{game}/puzzle", "puzzle.html", goes(f"{_PUZZLE}&show=1")),
    "puzzle, many moves": Place("GET /games/{game}/puzzle", "puzzle.html", _many_moves),
    "puzzle of the day": Place("GET /puzzles/daily", "puzzle.html", goes("/puzzles/daily")),
    "puzzle of the day, solved": Place("GET /puzzles/daily/{day}", "puzzle.html", _daily_solved),
    "puzzles, some solved": Place("GET /puzzles", "puzzles.html", then(_daily_solved, "Puzzles")),
    "records": Place("GET /review", "records.html", goes("/review")),
    "records, refused": Place("POST /review", "records.html", sent("/review", "Review it", record="1. +5")),
    "review of a record": Place("POST /review", "review.html", _stepped),
    "review": Place("GET /tables/{table_id}/review", "review.html", then(_lost, "Review the match")),
    "return": Place("GET /return", "return.html", goes("/return")),
    "return, refused": Place("POST /return", "return.html", sent("/return", "Take my seat", code="wrong")),
    "reference": Place("GET /api/v1/docs", "reference.html", goes("/api/v1/docs")),
    "missing": Place("problem", "problem.html", _missing),
    "invitation": Place("GET /join/{invitation}", "join.html", _invited),
    "invitation, refused": Place("POST /join/{invitation}", "join.html", _invited_badly),
    "invitation, late": Place("GET /join/{invitation}", "late.html", _comes_late),
    "invitation, too late": Place("POST /join/{invitation}", "late.html", _too_late),
    "projector": Place("GET /tables/{table_id}/projector", "projector.html", _projected),
    "table, waiting": Place(_TABLE, "table.html", at_table("sequence-zero", "human", name="Ann", minutes="5")),
    "table, our turn": Place(_TABLE, "table.html", at_table("sequence-zero", "here", "+5", "-6", "-4")),
    "table, their turn and a clock": Place(_TABLE, "table.html", _other_turn),
    "table, asked to undo": Place(_TABLE, "table.html", _undo_asked),
    "table, watched": Place(_TABLE, "table.html", _watched),
    "table, values": Place(_TABLE, "table.html", _why),
    "table, hint": Place(_TABLE, "table.html", _HINTED),
    "table, forfeit to confirm": Place(_TABLE, "table.html", _confirms),
    "table, swap offered": Place(_TABLE, "table.html", _played(WIDE, "+1")),
    "table, large numbers": Place(_TABLE, "table.html", _played(LARGE, "+1000000", "-500")),
    "table, many moves": Place(_TABLE, "table.html", _long),
    "table, over": Place(_TABLE, "table.html", _lost),
    "table, won": Place(_TABLE, "table.html", _won),
    "table, menu": Place(_TABLE, "table.html", _menu),
    "table, rematch asked": Place(_TABLE, "table.html", _rematch_asked),
    "table, refused": Place("POST /tables/{table_id}/{command}", "table.html", _refused),
}
