"""The page of a table, its board alone, what its forms do, and the projector.

The projector shows a table to a whole classroom: large, without controls, as every spectator may see it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, Final

from zerosum.coach.lessons import course_ideas
from zerosum.coach.next_step import LessonIdea, MatchResult, NextStep, StepKind, next_steps
from zerosum.jobs import game_jobs, teaching_jobs
from zerosum.jobs.game_jobs import ReasonDocument
from zerosum.rules.game_files import is_built_in
from zerosum.screens.board_header import BoardViewer
from zerosum.screens.board_view import board, only_here, pool_tiles
from zerosum.screens.forms import Fields, browser_choices, course_progress, number_in, read_form, remember_choices
from zerosum.screens.line_of_play import move_worth
from zerosum.screens.match_results import BrowserResults, after_match, browser_results, remember_results
from zerosum.screens.rendering import page, render
from zerosum.screens.rule_changes import known_changes
from zerosum.screens.screen import FRAGMENT, Answer, ScreenHost, Surroundings, TableSight, Visit, go, screen
from zerosum.screens.table_coach import SILENT, STEPS, Advice, CoachQuery, coach_query
from zerosum.tables.commands import COMMANDS, Command, Moment, UnconfirmedForfeit, coached_position
from zerosum.tables.fields import Whole
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

_DRAWN: Final = 16
"""Boards of one version that are kept for other viewers: addresses can differ without end, memory cannot."""
_MATCHES: Final = 10_000
_SINCE: Final = "Something has happened at this table since; here is how it stands now."
_WORDS: Final = {"stale": _SINCE, "move-id-reused": _SINCE}
"""What people read instead of words meant for programs."""
_LESSON: Final = LessonIdea(title="what cost you the match")
"""The lesson after a loss; which idea it is about is worked out when somebody wants it."""
_MILLISECONDS: Final = re.compile("[0-9]{1,15}")
_READ_MS: Final = 700
"""An answer that comes sooner than this after its question was not meant as one; `board.css` shows it as late."""


@dataclass(frozen=True, slots=True)
class _Look:
    """A visit to a table: who shows it, and why the form that was sent is refused, if it is."""

    visit: Visit
    host: ScreenHost
    alone: bool = False
    """Whether the board is asked for without the page around it."""
    problem: Problem | None = None
    typed: bool = False
    """Whether it was the form into which moves are typed that was refused."""
    coach: bool | None = None
    """Whether the coach speaks up, if that has just been switched; else the browser remembers it."""

    @property
    def coached(self) -> bool:
        """Whether the coach is to speak up."""
        return browser_choices(self.visit.cookies).coach if self.coach is None else self.coach


@screen("GET", "/tables/{table_id}")
async def table(visit: Visit, host: ScreenHost) -> Answer:
    """Show a table."""
    sight = await host.table(visit.path["table_id"], settled=True)
    return await _show(_Look(visit, host), sight, coach_query(visit.query, sight.table))


@screen("GET", "/tables/{table_id}/board")
async def fragment(visit: Visit, host: ScreenHost) -> Answer:
    """Show the board alone, for the script of the page."""
    sight = await host.table(visit.path["table_id"])
    return await _show(_Look(visit, host, alone=True), sight, coach_query(visit.query, sight.table))


@screen("GET", "/tables/{table_id}/record", anonymous=True, match=Whole(1, _MATCHES))
async def record(visit: Visit, host: ScreenHost) -> Answer:
    """Give the record of a match, as the terminal writes and reads it."""
    sight, match = await host.table(visit.path["table_id"]), int(visit.query.get("match", "1"))
    text = await host.record(sight, match)
    name = f"{sight.table.setup.rules.id}-{sight.table.id}-{match}.txt"
    return Answer(text, media_type="text/plain", headers={"Content-Disposition": f'inline; filename="{name}"'})


@screen("POST", "/tables/{table_id}/coach")
async def coach(visit: Visit, host: ScreenHost) -> Answer:
    """Switch the coach on or off that speaks up while one person plays a computer; the browser remembers it."""
    sight, fields = await host.table(visit.path["table_id"]), visit.fields
    if not sight.held:
        raise Problem("not-your-seat", "You are a spectator at this table.")
    if not sight.table.solo:
        raise Problem("no-coaching", "The coach speaks up only while one person plays a computer.")
    chosen = {"coach": fields.get("coach", "")}
    look = _Look(visit, host, alone=visit.alone, coach=chosen["coach"] == "1")
    answer = await _seen(look, sight, CoachQuery(sight.table.id, values=fields.get("values") == "1"))
    return replace(answer, cookies={**answer.cookies, **remember_choices(visit.cookies, chosen)})


@screen("POST", "/tables/{table_id}/{command}")
async def act(visit: Visit, host: ScreenHost) -> Answer:
    """Do what a form asks, then show the table; a refusal is shown above it."""
    table_id, command, fields = visit.path["table_id"], visit.path["command"], visit.fields
    if command not in COMMANDS:
        raise Problem("no-such-page")
    look = _Look(visit, host, alone=visit.alone)
    asked = CoachQuery(table_id, values=fields.get("values") == "1")
    confirmed = fields.get("sure") == "1" and _waited(fields, host.now_ms())
    try:
        sight = await host.command(table_id, command, _command(command, fields), may_forfeit=confirmed)
    except UnconfirmedForfeit:
        sight = await host.table(table_id)
        asked = replace(asked, sure=fields["move"].strip(), at=sight.table.version)
    except Problem as problem:
        refused = replace(look, problem=problem, typed=visit.alone and "typed" in fields)
        return await _show(refused, await host.table(table_id), asked)
    return await _seen(look, sight, asked)


def _waited(fields: Fields, now: int) -> bool:
    """Whether a question was shown long enough to be read: the second tap of a double tap answers nothing."""
    since = fields.get("since", "")
    return bool(_MILLISECONDS.fullmatch(since)) and now - int(since) >= _READ_MS


async def _seen(look: _Look, sight: TableSight, asked: CoachQuery) -> Answer:
    """Show the board to a script; send a browser to the page, so that reloading sends nothing again."""
    return await _show(look, sight, asked) if look.alone else go(asked.link())


def _command(name: str, fields: Fields) -> Command:
    given: dict[str, Any] = {"version": number_in(fields, "version"), "move_id": fields.get("move_id", "")}
    if fields.get("person"):
        given["person"] = number_in(fields, "person")
    if fields.get("swap"):
        given["swap"] = fields["swap"] != "0"
    if name == "move":
        given["move"] = fields.get("move", "").strip()
    return read_form(COMMANDS[name].model, given)


async def _show(look: _Look, sight: TableSight, asked: CoachQuery) -> Answer:
    """Show one version of a table, whatever happens at it while the coach thinks."""
    visit, host, table = look.visit, look.host, sight.table
    around = await host.meeting.around(sight) if host.meeting else Surroundings(Moment(host.now_ms()))
    asked = asked.about(table)
    advice = await _ask_coach(host, table, asked, speaks_up=look.coached) if sight.held else Advice()
    known = browser_results(visit.cookies)
    results = after_match(known, table, min(sight.held)) if table.solo and sight.held else known
    place = (visit.origin, *sorted(around.here.items()))
    shared = _is_shared(look, sight, asked)
    if shared and place in sight.drawn:
        return _board(sight.drawn[place])
    viewer = await _viewer(look, sight, around, results)
    shown = SimpleNamespace(**board(table, viewer, asked, advice, sight.drawn))  # templates read attributes faster
    status = look.problem.status if look.problem else 200
    cookies = remember_results(results) if results != known else {}
    if not look.alone:
        return page("table.html", status=status, private=True, cookies=cookies, here="Play", board=shown)
    html = render("board.html", here="Play", board=shown)
    if shared and len(sight.drawn) < _DRAWN:
        sight.drawn[place] = html
    return _board(html, status, cookies)


def _is_shared(look: _Look, sight: TableSight, asked: CoachQuery) -> bool:
    """Whether all spectators see the same board: not a clock that goes on, nor what one asks in the address."""
    asks = look.problem is not None or bool(asked.query())
    return look.alone and not sight.held and sight.table.clock is None and not asks and not sight.table.room


async def _viewer(look: _Look, sight: TableSight, around: Surroundings, results: BrowserResults) -> BoardViewer:
    """Return who looks at a table, and what they are told beside the board."""
    table, problem = sight.table, look.problem
    over = table.match.outcome is not None
    alone = table.solo and bool(sight.held)
    steps = _next_steps(table, results) if alone else ()
    viewer = BoardViewer(
        held=sight.held,
        said=sight.said,
        origin=look.visit.origin,
        around=around,
        move_id=look.host.token(),
        problem=_WORDS.get(problem.code, problem.detail) if problem else "",
        typed=look.typed,
        next=steps,
        lesson=_next_lesson(look.visit.cookies, table, steps) if over and alone else "",
        changes=await known_changes(look.host, table.setup.rules) if over and sight.held else (),
    )
    link, host = viewer.invitation_link, look.host.meeting
    return replace(viewer, invitation_qr=host.qr_code(link)) if link and host else viewer


def _board(html: str, status: int = 200, cookies: Mapping[str, str] | None = None) -> Answer:
    return Answer(html, status, headers={FRAGMENT: "board"}, cookies=cookies or {}, private=True)


def _next_steps(table: Table, known: BrowserResults) -> tuple[NextStep, ...]:
    """Return what to offer one person at the end of a match against a computer; in a custom game, lessons alone."""
    outcome = table.match.outcome
    if outcome is None:
        return ()
    if is_built_in(table.setup.rules):
        return next_steps(known.results, _LESSON)
    lost = not table.setup.is_human(table.match.person(outcome.winner))
    return next_steps([MatchResult(table.setup.rules.id, "", won=False)], _LESSON) if lost else ()


def _next_lesson(cookies: Fields, table: Table, steps: Sequence[NextStep]) -> str:
    """Return the game of a match that was won, if its course has something left to learn; a loss has its own lesson."""
    game = table.setup.rules.id
    if not is_built_in(table.setup.rules) or any(step.kind is StepKind.LESSON for step in steps):
        return ""
    learner = course_progress(cookies, game, *course_ideas(game))
    return game if learner.asked and not learner.done else ""


@screen("GET", "/tables/{table_id}/projector", anonymous=True)
async def projector(visit: Visit, host: ScreenHost) -> Answer:
    """Show a table to a room; nobody's seat counts here, so that no secret is ever on the wall."""
    sight = await host.table(visit.path["table_id"])
    query, silent = CoachQuery(sight.table.id), Advice()
    viewer = BoardViewer(frozenset(), sight.said, visit.origin, Surroundings(Moment(host.now_ms())))
    shown = board(sight.table, viewer, query, silent, sight.drawn)
    watch = str(shown["watch"])
    numbers = pool_tiles(sight.table.match, query, silent, may_move=False)
    qr = "" if only_here(visit.origin) or host.meeting is None else host.meeting.qr_code(watch)
    return page("projector.html", here="", board=shown, watch=watch, qr=qr, tiles=numbers)


async def _ask_coach(host: ScreenHost, table: Table, asked: CoachQuery, *, speaks_up: bool) -> Advice:
    """Ask the coach; a board is shown even if the coach is silent."""
    given = await _asked_for(host, table, asked)
    if not speaks_up or not table.solo:
        return given
    try:
        comment = await host.ask(teaching_jobs.comment, table.match.record())
    except Problem as problem:
        return replace(given, comment=SILENT, problem=given.problem or problem.detail)
    return replace(given, comment=comment)


async def _asked_for(host: ScreenHost, table: Table, asked: CoachQuery) -> Advice:
    asks = asked.values or asked.hint
    if not asks or not table.running or table.computer_to_move or not table.coaching:
        return Advice()
    try:
        about = game_jobs.about(coached_position(table))
        values = await host.ask(game_jobs.values, *about) if asked.values else []
        hint = [line for step in range(1, asked.hint + 1) for line in await host.ask(game_jobs.hint, *about, step)]
        move = await host.ask(game_jobs.hinted_move, *about) if asked.hint > 1 else ""
        behind = await host.ask(game_jobs.reason, *about, move) if asked.hint == STEPS else None
        why = await _reason(host, table, asked.why) if asked.values and asked.why else None
    except Problem as problem:
        return Advice(problem=problem.detail)
    return Advice([move_worth(one, asked.link(why=one["move"], sure="")) for one in values], hint, move, behind, why)


async def _reason(host: ScreenHost, table: Table, move: str) -> ReasonDocument | None:
    position = coached_position(table)
    if move not in map(position.text_of, position.legal_moves()):
        return None
    return await host.ask(game_jobs.reason, *game_jobs.about(position), move)
