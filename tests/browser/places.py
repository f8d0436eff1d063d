"""Every page there is, in each of its states that look different: how a visitor gets there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser import at_rooms, at_tables
from tests.browser.arrivals import Arrive, at_table, goes, sent, then
from tests.browser.browsing import Browsing
from tests.browser.playing import dressed, headline, open_menu, open_table, resign
from tests.browser.solving import play_daily
from tests.server.running import Server
from zerosum.rules.game_files import built_in
from zerosum.rules.notation import parse_position
from zerosum.server.limits import DEVICES
from zerosum.solver import solution_of
from zerosum.tables.new_table import EXAMPLE_VARIANT

RECORD = '[Game "sum31"]\n[Player1 "Ann"]\n[Player2 "Ben"]\n\n1. +4 +6 2. +5 +8 3. +1 +7'


@dataclass(frozen=True)
class Place:
    """A state of a page: the route and the template that show it, and how one arrives."""

    route: str
    template: str
    arrive: Arrive


def _own(open_page: Browsing, site: Server) -> Page:
    """Look at the form of one's own game with all of it open."""
    page = goes("/own?like=zero-sum-game")(open_page, site)
    for words in ("More rules", "The rules in words", "The same as text"):
        page.get_by_text(words, exact=True).click()
    return page


def _own_even(open_page: Browsing, site: Server) -> Page:
    page = goes(f"/own?{urlencode({'rules': Path('docs/variants/ferry.toml').read_text(encoding='utf-8')})}")(
        open_page, site
    )
    page.get_by_role("button", name="Make it even").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    return page


def _own_not_even(open_page: Browsing, site: Server) -> Page:
    page = goes("/own")(open_page, site)
    page.get_by_role("button", name="Make it even").click()
    expect(page.get_by_text("The most even:")).to_be_visible()
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


def _missing(open_page: Browsing, site: Server) -> Page:
    open_page.allow("status of 404")
    return goes("/nowhere")(open_page, site)


def _daily_solved(open_page: Browsing, site: Server) -> Page:
    """Win the daily of today, after a try that was lost; marks, reasons and the streak are there then."""
    page = goes("/puzzles/daily")(open_page, site)
    for best in (False, True):
        play_daily(page, best=best)
    expect(page.locator(".streak").first).to_be_visible()
    return page


def _daily_lost(open_page: Browsing, site: Server) -> Page:
    page = goes("/puzzles/daily")(open_page, site)
    for _ in range(3):
        play_daily(page, best=False)
    expect(page.get_by_role("heading", name="Not won in 3 tries")).to_be_visible()
    return page


def _many_moves(open_page: Browsing, site: Server) -> Page:
    """Answer a puzzle with the most moves there are, and large own totals."""
    page = goes("/games/sequence-zero/puzzle?position=1,2,4,5,6,7,8,9+-3/0+2")(open_page, site)
    page.locator("button[name=move]").first.press("Enter")
    expect(page.locator("#answer")).to_be_visible()
    return page


def _lesson(option: int) -> Arrive:
    """Answer an exercise by one of its moves, in the order of their worth."""

    def arrive(open_page: Browsing, site: Server) -> Page:
        page = goes("/learn/sum31?show=exercise")(open_page, site)
        rules = built_in("sum31")
        at = parse_position(page.locator("[name=position]").input_value(), rules)
        page.locator(f"button[value='{at.text_of(solution_of(rules).options(at)[option].move)}']").press("Enter")
        expect(page.locator("#voice")).to_have_text(re.compile("No. Try again.$" if option else "Right.$"))
        return page

    return arrive


def _learnt(open_page: Browsing, site: Server) -> Page:
    """Look at the end of a course, with what its steps are worth."""
    page = open_page(reduced_motion=True)
    page.context.add_cookies([{"name": "zerosum_lessons", "value": "zero-sum-game!3.0.0.0.4.7.5.5.0", "url": site.url}])
    page.goto(f"{site.url}/learn/zero-sum-game")
    expect(page.locator("#voice")).to_have_text("✓ You have learnt every step.")
    page.locator("summary").click()
    return page


def _law(open_page: Browsing, site: Server) -> Page:
    """Look at a step that is read: the law of a game, and why it holds."""
    page = open_page(reduced_motion=True)
    page.context.add_cookies([{"name": "zerosum_lessons", "value": "zero-sum-duel!2.0.0.0.4.3.5.5.0", "url": site.url}])
    page.goto(f"{site.url}/learn/zero-sum-duel")
    expect(page.locator("#voice")).to_have_text("Step 3: The law")
    return page


def _lost_match(open_page: Browsing, site: Server) -> Page:
    """Lose for the third time: an easier level and a lesson are offered."""
    page = open_page(reduced_motion=True)
    lost = "|".join(["1", *["sum31!level:2!l"] * 2])
    page.context.add_cookies([{"name": "zerosum_results", "value": lost, "url": site.url}])
    open_table(page, site, "sum31", "level:2")
    resign(page)
    expect(page.locator("#step-easier")).to_be_visible()
    return page


def _returned(open_page: Browsing, site: Server) -> Page:
    """Come back on one device after another, until few more can hold the seat."""
    host = open_page(reduced_motion=True)
    open_table(host, site, "sum31", "level:1")
    code = host.locator("#code-1").input_value()
    for _ in range(DEVICES):
        page = open_page(reduced_motion=True)
        page.goto(f"{site.url}/return")
        page.get_by_label("Personal code").fill(code)
        page.get_by_role("button", name="Take my seat").click()
        dressed(page)
        if page.get_by_role("link", name="Go to the table").count():
            return page
    raise AssertionError("nobody was told that few devices are left")


def _changes(open_page: Browsing, site: Server) -> Page:
    """Ask for changes of one rule of a custom game, after a match of it."""
    page = open_page(reduced_motion=True)
    form: dict[str, str | float | bool] = {"game": "variant", "variant": EXAMPLE_VARIANT, "opponent": "here"}
    page.goto(page.request.post(f"{site.url}/tables", form=form, headers={"Origin": site.url}).url)
    open_menu(page)
    page.get_by_text("Resign", exact=True).click()
    page.get_by_role("button", name="Yes, resign").click()
    page.get_by_role("link", name="Show three changes").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Change one rule")
    return page


_LESSON: Final = "GET /learn/{game}"
_TABLE: Final = "GET /tables/{table_id}"
_SOLVED: Final = "GET /games/{game}/solved"
_SUM31: Final = at_table("sum31", "here", name="Ann", opponent_name="Ben")
_PUZZLE: Final = "/games/sum31/puzzle?position=1,2,3,4,7+28+1"

PLACES: Final[dict[str, Place]] = {
    "home": Place("GET /", "home.html", goes("/")),
    "home, won": Place("GET /", "home.html", goes("/?take=%2B3")),
    "home after matches": Place("GET /", "home.html", then(_lost_match, "zerosum")),
    "lost three times": Place(_TABLE, "table.html", _lost_match),
    "lesson after a loss": Place("GET /tables/{table_id}/lesson", "lesson.html", then(_lost_match, "Lesson:")),
    "back on a late device": Place("POST /return", "returned.html", _returned),
    "changes of one rule": Place("GET /tables/{table_id}/changes", "changes.html", _changes),
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
    "own game, made even": Place("POST /own", "own.html", _own_even),
    "own game, none even": Place("POST /own", "own.html", _own_not_even),
    "own game, by a link": Place("GET /own", "own.html", goes(f"/own?{urlencode({'rules': EXAMPLE_VARIANT})}")),
    "own game, refused": Place("POST /own", "own.html", _own_refused),
    "games": Place("GET /games", "games.html", goes("/games")),
    "rules": Place("GET /games/{game}", "game.html", goes("/games/sequence-zero")),
    "rules of many numbers": Place("GET /games/{game}", "game.html", goes("/games/thin-ice")),
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
    "daily": Place("GET /puzzles/daily", "daily.html", goes("/puzzles/daily")),
    "daily, won": Place("POST /puzzles/daily/{day}", "daily.html", _daily_solved),
    "daily, lost": Place("GET /puzzles/daily/{day}", "daily.html", _daily_lost),
    "daily, its reasons": Place("GET /puzzles/daily/{day}", "daily.html", goes("/puzzles/daily/2026-11-15?reasons=1")),
    "puzzles, some solved": Place("GET /puzzles", "puzzles.html", then(_daily_solved, "Puzzles")),
    "courses": Place("GET /learn", "courses.html", then(_lesson(0), "Lessons")),
    "lesson": Place(_LESSON, "lesson.html", goes("/learn/sequence-zero?show=exercise")),
    "lesson, opened": Place(_LESSON, "lesson.html", goes("/learn/sequence-zero")),
    "lesson, the law": Place(_LESSON, "lesson.html", _law),
    "lesson, right": Place("POST /learn/{game}", "lesson.html", _lesson(0)),
    "lesson, wrong": Place("POST /learn/{game}", "lesson.html", _lesson(-1)),
    "lesson, learnt": Place(_LESSON, "lesson.html", _learnt),
    "lesson, of one's own": Place(_LESSON, "lesson.html", goes(f"/learn/own?{urlencode({'rules': EXAMPLE_VARIANT})}")),
    "lesson, none": Place(
        _LESSON, "lesson.html", goes(f"/learn/own?{urlencode({'rules': EXAMPLE_VARIANT + 'swap = true'})}")
    ),
    "records": Place("GET /review", "records.html", goes("/review")),
    "records, refused": Place("POST /review", "records.html", sent("/review", "Review it", record="1. +5")),
    "review of a record": Place("POST /review", "review.html", _stepped),
    "review": Place("GET /tables/{table_id}/review", "review.html", then(at_tables.lost, "Review the match")),
    "return": Place("GET /return", "return.html", goes("/return")),
    "return, refused": Place("POST /return", "return.html", sent("/return", "Take my seat", code="wrong")),
    "reference": Place("GET /api/v1/docs", "reference.html", goes("/api/v1/docs")),
    "missing": Place("problem", "problem.html", _missing),
    "invitation": Place("GET /join/{invitation}", "join.html", _invited),
    "invitation, refused": Place("POST /join/{invitation}", "join.html", _invited_badly),
    "invitation, late": Place("GET /join/{invitation}", "late.html", _comes_late),
    "invitation, too late": Place("POST /join/{invitation}", "late.html", _too_late),
    "projector": Place("GET /tables/{table_id}/projector", "projector.html", at_tables.projected),
    "table, our turn": Place(_TABLE, "table.html", at_table("sequence-zero", "here", "+5", "-6", "-4")),
    "table, waiting": Place(_TABLE, "table.html", at_table("sequence-zero", "human", name="Ann", minutes="5")),
    "table, their turn and a clock": Place(_TABLE, "table.html", at_tables.other_turn),
    "table, asked to undo": Place(_TABLE, "table.html", at_tables.undo_asked),
    "table, watched": Place(_TABLE, "table.html", at_tables.watched),
    "table, values": Place(_TABLE, "table.html", at_tables.why),
    "table, coached": Place("POST /tables/{table_id}/coach", "table.html", at_tables.coached),
    "table, hint": Place(_TABLE, "table.html", at_tables.hinted),
    "table, forfeit to confirm": Place(_TABLE, "table.html", at_tables.confirms),
    "table, swap offered": Place(_TABLE, "table.html", at_tables.played(at_tables.WIDE, "+1")),
    "table, large numbers": Place(_TABLE, "table.html", at_tables.played(at_tables.LARGE, "+1000000", "-500")),
    "table, many moves": Place(_TABLE, "table.html", at_tables.long),
    "table, over": Place(_TABLE, "table.html", at_tables.lost),
    "table, won": Place(_TABLE, "table.html", at_tables.won),
    "table, menu": Place(_TABLE, "table.html", at_tables.menu),
    "table, rematch asked": Place(_TABLE, "table.html", at_tables.rematch_asked),
    "room": Place("GET /room", "room_enter.html", goes("/room")),
    "room, new": Place("GET /room/new", "room_new.html", goes("/room/new")),
    "room, refused": Place("POST /room", "room_new.html", at_rooms.not_opened),
    "room, joining": Place("GET /room/{code}", "room_join.html", at_rooms.JOINING),
    "room, not joined": Place("POST /room/{code}/join", "room_join.html", at_rooms.REFUSED),
    "room, lobby": Place("GET /room/{code}", "room_waiting.html", at_rooms.LOBBY),
    "room, podium": Place("GET /room/{code}", "room_podium.html", at_rooms.PODIUM),
    "room, a table": Place(_TABLE, "table.html", at_rooms.SEATED),
    "room, way in": Place("GET /room/{code}/in/{secret}", "room_in.html", at_rooms.COMING_BACK),
    "room, way in used": Place("POST /room/{code}/in/{secret}", "room_in.html", at_rooms.LATE),
    "room, desk": Place("GET /room/{code}/desk", "room_desk.html", at_rooms.DESK),
    "room, desk with a link": Place("POST /room/{code}/desk/{action}", "room_desk.html", at_rooms.GIVEN_BACK),
    "room, deleted": Place("POST /room/{code}/desk/delete", "room_deleted.html", at_rooms.DELETED),
    "room, wall": Place("GET /room/{code}/wall", "room_wall.html", at_rooms.WALL),
    "room, report": Place("GET /room/{code}/report", "room_report.html", at_rooms.REPORT),
    "table, refused": Place("POST /tables/{table_id}/{command}", "table.html", at_tables.refused),
}
