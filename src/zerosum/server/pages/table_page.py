"""The page of a table, its board alone, what its forms do, and the projector.

The projector shows a table to a whole classroom: large, without controls, as every spectator may see it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from zerosum.coach.lessons import course_ideas
from zerosum.coach.next_step import LessonIdea, MatchResult, NextStep, StepKind, next_steps
from zerosum.jobs import game_jobs, teaching_jobs
from zerosum.jobs.game_jobs import ReasonDocument
from zerosum.jobs.teaching_jobs import CommentDocument
from zerosum.match.setup import Person
from zerosum.rules.game_files import is_built_in
from zerosum.screens.board_header import BoardViewer, ClassroomStrip
from zerosum.screens.board_view import board, only_here, pool_tiles, qr_code, shared_origin
from zerosum.screens.forms import (
    Fields,
    WholeNumber,
    browser_choices,
    course_progress,
    fields_of,
    form_problem,
    number_in,
    remember_choices,
)
from zerosum.screens.line_of_play import move_worth
from zerosum.screens.match_results import BrowserResults, after_match, browser_results, remember_results
from zerosum.screens.table_coach import SILENT, STEPS, Advice, CoachQuery, coach_query
from zerosum.server.http.auth import PageKey
from zerosum.server.http.bodies import validate
from zerosum.server.http.context import Context, RequestContext, coached_position, rules_and_position
from zerosum.server.pages.rule_changes import known_changes
from zerosum.server.pages.templates import render, render_page
from zerosum.server.runtime.command_runner import UnconfirmedForfeit
from zerosum.server.runtime.hub import LastSeen
from zerosum.server.runtime.loaded_table import LoadedTable
from zerosum.tables.commands import COMMANDS, Command, Moment
from zerosum.tables.keys import Key, shown_room_code
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

_DRAWN: Final = 16
"""Boards of one version that are kept for other viewers: addresses can differ without end, memory cannot."""
router = APIRouter(include_in_schema=False)

_FRAGMENT: Final = "X-Fragment"
_SINCE: Final = "Something has happened at this table since; here is how it stands now."
_WORDS: Final = {"stale": _SINCE, "move-id-reused": _SINCE}
"""What people read instead of words meant for programs."""
_ANSWER_SECONDS: Final = 1.0
"""Seconds that a page without a script waits for the move of a computer."""
_LESSON: Final = LessonIdea(title="what cost you the match")
"""The lesson after a loss; which idea it is about is worked out when somebody wants it."""
_MILLISECONDS: Final = re.compile("[0-9]{1,15}")
_READ_MS: Final = 700
"""An answer that comes sooner than this after its question was not meant as one; `board.css` shows it as late."""


@router.get("/tables/{table_id}")
async def table(request: Request, table_id: str, key: PageKey, context: Context) -> Response:
    """Show a table."""
    loaded, news = await context.table_and_news(table_id, key)
    await context.runtime.cache.settled(loaded, _ANSWER_SECONDS)
    viewer = _Viewer(request, context, key, news.held)
    return await _show(viewer, loaded, coach_query(request, loaded.table))


@router.get("/tables/{table_id}/board")
async def fragment(request: Request, table_id: str, key: PageKey, context: Context) -> Response:
    """Show the board alone, for the script of the page."""
    loaded, news = await context.table_and_news(table_id, key)
    viewer = _Viewer(request, context, key, news.held, alone=True, seen=news.last_seen)
    return await _show(viewer, loaded, coach_query(request, loaded.table))


@router.get("/tables/{table_id}/record")
async def record(
    table_id: str, context: Context, match: Annotated[WholeNumber, Query(ge=1, le=10_000)] = 1
) -> Response:
    """Give the record of a match, as the terminal writes and reads it."""
    loaded = await context.table(table_id)
    text = await context.record(loaded, match)
    name = f"{loaded.table.setup.rules.id}-{table_id}-{match}.txt"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return PlainTextResponse(text, headers=headers)


@router.post("/tables/{table_id}/coach")
async def coach(request: Request, table_id: str, key: PageKey, context: Context) -> Response:
    """Switch the coach on or off that speaks up while one person plays a computer; the browser remembers it."""
    fields = await fields_of(request)
    loaded, news = await context.table_and_news(table_id, key)
    if not news.held:
        raise Problem("not-your-seat", "You are a spectator at this table.")
    if not loaded.table.solo:
        raise Problem("no-coaching", "The coach speaks up only while one person plays a computer.")
    chosen = {"coach": fields.get("coach", "")}
    alone = _FRAGMENT in request.headers
    viewer = _Viewer(request, context, key, news.held, alone=alone, coach=chosen["coach"] == "1")
    answer = await _seen(viewer, loaded, CoachQuery(table_id, values=fields.get("values") == "1"))
    remember_choices(request, answer, chosen)
    return answer


@router.post("/tables/{table_id}/{command}")
async def act(request: Request, table_id: str, command: str, key: PageKey, context: Context) -> Response:
    """Do what a form asks, then show the table; a refusal is shown above it."""
    if command not in COMMANDS:
        raise Problem("no-such-page")
    fields = await fields_of(request)
    held = await context.seats(table_id, key)
    viewer = _Viewer(request, context, key, held, alone=_FRAGMENT in request.headers)
    asked = CoachQuery(table_id, values=fields.get("values") == "1")
    confirmed = fields.get("sure") == "1" and _waited(fields, context.runtime.world.now_ms())
    try:
        given = _command(command, fields)
        result = await context.command(table_id, held, command, given, may_forfeit=confirmed)
    except UnconfirmedForfeit:
        loaded = await context.table(table_id)
        return await _seen(viewer, loaded, replace(asked, sure=fields["move"].strip(), at=loaded.table.version))
    except Problem as problem:
        loaded = await context.table(table_id)
        return await _show(viewer, loaded, asked, _Refused(problem, typed=viewer.alone and "typed" in fields))
    return await _seen(viewer, result.loaded, asked)


def _waited(fields: Fields, now: int) -> bool:
    """Whether a question was shown long enough to be read: the second tap of a double tap answers nothing."""
    since = fields.get("since", "")
    return bool(_MILLISECONDS.fullmatch(since)) and now - int(since) >= _READ_MS


@dataclass(frozen=True, slots=True)
class _Viewer:
    """Who looks at a table, by which request; `alone` asks for the board without the page around it.

    `coach` overrides whether the coach speaks up, which the browser remembers.
    """

    request: Request
    context: RequestContext
    key: Key
    held: frozenset[Person]
    alone: bool = False
    coach: bool | None = None
    seen: LastSeen | None = None
    """When each person was last seen, if that has been read already."""

    @property
    def coached(self) -> bool:
        """Whether the coach is to speak up."""
        return browser_choices(self.request).coach if self.coach is None else self.coach


@dataclass(frozen=True, slots=True)
class _Refused:
    """Why a form was refused, and whether it was the one into which moves are typed."""

    problem: Problem
    typed: bool = False


async def _seen(viewer: _Viewer, loaded: LoadedTable, asked: CoachQuery) -> Response:
    """Show the board to a script; send a browser to the page, so that reloading sends nothing again."""
    if viewer.alone:
        return await _show(viewer, loaded, asked)
    return RedirectResponse(asked.link(), 303)


def _command(name: str, fields: Fields) -> Command:
    given: dict[str, Any] = {"version": number_in(fields, "version"), "move_id": fields.get("move_id", "")}
    if fields.get("person"):
        given["person"] = number_in(fields, "person")
    if fields.get("swap"):
        given["swap"] = fields["swap"] != "0"
    if name == "move":
        given["move"] = fields.get("move", "").strip()
    return validate(COMMANDS[name].model, given, form_problem)


async def _moment(viewer: _Viewer, table: Table) -> Moment:
    """Return how long the turn has taken; if an online opponent is to move, also for how long they were not seen."""
    runtime = viewer.context.runtime
    if table.online and table.running and len(viewer.held) == 1 and table.match.to_move not in viewer.held:
        return await runtime.clocks.moment(table, claim=True, seen=viewer.seen)
    now = runtime.world.now_ms()
    return Moment(now, runtime.downtime.spent(table.turn_began, now) if table.clock else 0)


async def _show(viewer: _Viewer, loaded: LoadedTable, asked: CoachQuery, refused: _Refused | None = None) -> Response:
    """Show one version of a table, whatever happens at it while the coach thinks."""
    runtime, key = viewer.context.runtime, viewer.key
    here = await runtime.presence.present(loaded.table.id, viewer.seen) if loaded.table.online else {}
    invitation = await runtime.seats.invitation(loaded.table, key) if viewer.held else None
    # No wait between these two: a version of the table and the words about that version.
    table, said, drawn = loaded.table, loaded.said[-1], loaded.drawn
    asked = asked.about(table)
    advice = await _ask_coach(viewer.context, table, asked, speaks_up=viewer.coached) if viewer.held else Advice()
    problem = refused.problem if refused else None
    known, over = browser_results(viewer.request), table.match.outcome is not None
    results = after_match(known, table, min(viewer.held)) if table.solo and viewer.held else known
    look = BoardViewer(
        held=viewer.held,
        said=said,
        origin=shared_origin(viewer.request),
        here=here,
        moment=await _moment(viewer, table),
        move_id=runtime.world.token_hex(8),
        invitation=invitation,
        codes={person: runtime.seats.code(table, key, person) for person in sorted(viewer.held)},
        problem=_WORDS.get(problem.code, problem.detail) if problem else "",
        typed=refused is not None and refused.typed,
        room=await _room_strip(viewer.context, table),
        next=(steps := _next_steps(table, results) if table.solo and viewer.held else ()),
        lesson=_next_lesson(viewer.request, table, steps) if over and table.solo and viewer.held else "",
        changes=await known_changes(viewer.context, table.setup.rules) if over and viewer.held else (),
    )
    place = (look.origin, *sorted(here.items()))
    # All spectators see the same board, but for a clock that goes on and for what they ask in the address.
    asks = problem is not None or bool(asked.query())
    shared = viewer.alone and not viewer.held and table.clock is None and not asks and not table.room
    if shared and place in drawn:
        return _board_response(drawn[place])
    shown = SimpleNamespace(**board(table, look, asked, advice, drawn))  # templates read attributes faster than keys
    status = problem.status if problem else 200
    if viewer.alone:
        html = render("board.html", request=viewer.request, here="Play", board=shown)
        if shared and len(drawn) < _DRAWN:
            drawn[place] = html
        answer: Response = _board_response(html, status=status)
    else:
        answer = render_page(viewer.request, "table.html", status=status, holds_key=True, here="Play", board=shown)
    if results != known:
        remember_results(viewer.request, answer, results)
    return answer


def _next_steps(table: Table, known: BrowserResults) -> tuple[NextStep, ...]:
    """Return what to offer one person at the end of a match against a computer; in a custom game, lessons alone."""
    outcome = table.match.outcome
    if outcome is None:
        return ()
    if is_built_in(table.setup.rules):
        return next_steps(known.results, _LESSON)
    lost = not table.setup.is_human(table.match.person(outcome.winner))
    return next_steps([MatchResult(table.setup.rules.id, "", won=False)], _LESSON) if lost else ()


def _next_lesson(request: Request, table: Table, steps: Sequence[NextStep]) -> str:
    """Return the game of a match that was won, if its course has something left to learn; a loss has its own lesson."""
    game = table.setup.rules.id
    if not is_built_in(table.setup.rules) or any(step.kind is StepKind.LESSON for step in steps):
        return ""
    learner = course_progress(request, game, *course_ideas(game))
    return game if learner.asked and not learner.done else ""


async def _room_strip(context: RequestContext, table: Table) -> ClassroomStrip | None:
    """Return what the page of a table says of its room."""
    if not table.room:
        return None
    rooms = context.runtime.rooms
    room = (rooms.get(table.room) or await rooms.fresh(table.room)).room
    match = room.matches.get(table.id)
    return ClassroomStrip(room.code, shown_room_code(room.code), room.phase.value, match is not None and match.voided)


def _board_response(html: str, *, status: int = 200) -> Response:
    return HTMLResponse(html, status, {"Cache-Control": "no-store", _FRAGMENT: "board"})


@router.get("/tables/{table_id}/projector")
async def projector(request: Request, table_id: str, context: Context) -> Response:
    """Show a table to a room; nobody's seat counts here, so that no secret is ever on the wall."""
    loaded = await context.table(table_id)
    table, origin = loaded.table, shared_origin(request)
    query, silent = CoachQuery(table_id), Advice()
    moment = Moment(context.runtime.world.now_ms())
    look = BoardViewer(frozenset(), loaded.said[-1], origin, moment=moment)
    shown = board(table, look, query, silent, loaded.drawn)
    watch = str(shown["watch"])
    numbers = pool_tiles(table.match, query, silent, may_move=False)
    qr = "" if only_here(origin) else qr_code(watch)
    return render_page(request, "projector.html", here="", board=shown, watch=watch, qr=qr, tiles=numbers)


async def _ask_coach(context: RequestContext, table: Table, asked: CoachQuery, *, speaks_up: bool) -> Advice:
    """Ask the coach; a board is shown even if the coach is silent."""
    given = await _asked_for(context, table, asked)
    if not speaks_up or not table.solo:
        return given
    try:
        comment = await _comment(context, table)
    except Problem as problem:
        return replace(given, comment=SILENT, problem=given.problem or problem.detail)
    return replace(given, comment=comment)


async def _comment(context: RequestContext, table: Table) -> CommentDocument:
    """Return what the coach says of the last moves of one person who plays a computer."""
    return await context.questions.ask(teaching_jobs.comment, table.match.record())


async def _asked_for(context: RequestContext, table: Table, asked: CoachQuery) -> Advice:
    asks = asked.values or asked.hint
    if not asks or not table.running or table.computer_to_move or not table.coaching:
        return Advice()
    try:
        about = rules_and_position(coached_position(table))
        values = await context.questions.ask(game_jobs.values, *about) if asked.values else []
        hint = [
            line
            for step in range(1, asked.hint + 1)
            for line in await context.questions.ask(game_jobs.hint, *about, step)
        ]
        move = await context.questions.ask(game_jobs.hinted_move, *about) if asked.hint > 1 else ""
        behind = await context.questions.ask(game_jobs.reason, *about, move) if asked.hint == STEPS else None
        why = await _reason(context, table, asked.why) if asked.values and asked.why else None
    except Problem as problem:
        return Advice(problem=problem.detail)
    return Advice([move_worth(one, asked.link(why=one["move"], sure="")) for one in values], hint, move, behind, why)


async def _reason(context: RequestContext, table: Table, move: str) -> ReasonDocument | None:
    position = coached_position(table)
    if move not in map(position.text_of, position.legal_moves()):
        return None
    return await context.questions.ask(game_jobs.reason, *rules_and_position(position), move)
