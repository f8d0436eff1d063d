"""The wall of a room, for a projector: the code, small live boards, standings, the most exciting board, the podium.

It is made of pieces with ids. A live connection sends the pieces that have changed, once a second at most. At the end
the wall shows the podium and, move by move, the turning point of the day.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.websockets import WebSocket

from zerosum.base.text import printable
from zerosum.jobs import classroom_jobs
from zerosum.match.match import Match, read_match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Person
from zerosum.rules.describe import goal_line
from zerosum.rules.model import Totals
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.screens.board_pieces import CLASSES, number_line, tiles
from zerosum.screens.board_view import only_here, qr_code, shared_origin
from zerosum.server import limits, prometheus
from zerosum.server.http.context import Context, RequestContext, request_context
from zerosum.server.http.websocket import talk
from zerosum.server.pages.templates import render, render_page
from zerosum.server.runtime.classrooms import ClassroomViewer, LoadedClassroom
from zerosum.server.runtime.hub import POLICY_VIOLATION
from zerosum.server.runtime.loaded_table import LoadedTable
from zerosum.tables.classroom import Classroom, ClassroomPhase, podium, standings
from zerosum.tables.classroom_report import TurningPoint, is_final, turning_point
from zerosum.tables.json_text import dumps
from zerosum.tables.keys import shown_room_code
from zerosum.tables.problems import Problem
from zerosum.tables.view import turn_words

router = APIRouter(include_in_schema=False)
_TICK: Final = 0.7
"""Seconds between two looks at a room; what a look shows must be less than a second old when it arrives."""
_SHARED: Final = 0.2
"""Seconds for which one look serves all walls of a room: a class may open it on every phone."""
_EXCITING_SECONDS: Final = 60
_STAYS_SECONDS: Final = 8
"""Seconds that a board stays large before a more exciting one takes its place."""
_SHOWN: Final = 10
"""Lines of the standings."""
_PODIUM: Final = 12
"""Names on the podium; more than three if some are level."""
_PODIUM_SECONDS: Final = 12
_STEP_SECONDS: Final = 2.5
_WALLS: Final = 50
"""Classrooms whose wall is remembered."""
_MOST_BOARDS: Final = 100

Pieces = dict[str, str]


@dataclass(slots=True)
class ClassroomWall:
    """What the walls of one room share: how far each board has swung, and which of them is large."""

    judged: dict[str, int] = field(default_factory=dict)
    """How many moves of each match have been judged."""
    swings: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The biggest swing of each board, and when it was."""
    large: str = ""
    large_since: float = 0.0
    turning: tuple[TurningPoint, Match] | None = None
    ended: float = 0.0
    drawn: dict[str, tuple[int, str]] = field(default_factory=dict)
    """The small board of each table, and the version it shows."""
    made: tuple[float, str, Pieces] = (0.0, "", {})
    """The last look: when, for which origin, and what it showed."""
    judging: asyncio.Task[None] | None = None
    """The work of finding out how far boards have swung; nobody waits for it."""


_walls: OrderedDict[str, ClassroomWall] = OrderedDict()


def _wall_of(room: Classroom) -> ClassroomWall:
    if room.id not in _walls:
        _walls[room.id] = ClassroomWall()
        if len(_walls) > _WALLS:
            _walls.popitem(last=False)
    _walls.move_to_end(room.id)
    return _walls[room.id]


@router.get("/room/{code}/wall")
async def wall(request: Request, code: str, context: Context) -> Response:
    """Show the wall; it has no controls and no secret."""
    loaded = await context.room(code)
    pieces = await wall_pieces(context, loaded, shared_origin(request))
    return render_page(
        request,
        "room_wall.html",
        here="",
        code=loaded.room.code,
        shown=shown_room_code(loaded.room.code),
        game=printable(loaded.room.settings.rules.name),
        left=loaded.room.left(loaded.now()),
        pieces={name: piece for name, piece in pieces.items() if not name.startswith("board-")},
        boards=[piece for name, piece in pieces.items() if name.startswith("board-")],
    )


@router.websocket("/room/{code}/wall/live")
async def live(socket: WebSocket, code: str) -> None:
    """Send the pieces of the wall that change."""
    context = request_context(socket)
    runtime = context.runtime
    try:
        loaded = await context.room(code)
        viewer = ClassroomViewer(loaded.room.id, frozenset(), context.address, pupil=None)
        runtime.hub.check(viewer, limits.ROOM_LIVE)
    except Problem as problem:
        prometheus.count_refusal(problem.code)
        await socket.close(POLICY_VIOLATION, problem.code)
        return
    await socket.accept()
    runtime.rooms.watch(viewer)
    origin = _origin(socket)
    feeding = asyncio.create_task(_feed(context, loaded, viewer, origin))
    try:
        await talk(socket, viewer, context)
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)
        runtime.hub.remove(viewer)


def _origin(socket: WebSocket) -> str:
    """Return how the address of the page begins that has opened a live connection."""
    scheme = "https" if socket.url.scheme == "wss" else "http"
    own = f"{scheme}://{socket.url.netloc}"
    public: tuple[str, ...] = socket.app.state.public_urls
    return public[0] if public and only_here(own) else own


async def _feed(context: RequestContext, loaded: LoadedClassroom, viewer: ClassroomViewer, origin: str) -> None:
    """Send what has changed, once a second at most, until the viewer has gone."""
    sent: Pieces = {}
    clock = context.runtime.world.monotonic
    while viewer.closed is None:
        began = clock()
        with contextlib.suppress(Problem):
            pieces = await wall_pieces(context, loaded, origin)
            changed = {name: piece for name, piece in pieces.items() if sent.get(name) != piece}
            boards = [name for name in pieces if name.startswith("board-")]
            gone = [name for name in sent if name not in pieces]
            if changed or gone:
                left = loaded.room.left(loaded.now())
                viewer.queue(dumps({"type": "wall", "left": left, "pieces": changed, "boards": boards}))
            sent = pieces
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(loaded.changed(), _wait(loaded.room))
        await asyncio.sleep(max(0.0, _TICK - (clock() - began)))


def _wait(room: Classroom) -> float:
    """Return how long to wait if nothing happens: the replay at the end goes on by itself."""
    return _TICK if room.phase is ClassroomPhase.ENDED else 5 * _TICK


async def wall_pieces(context: RequestContext, loaded: LoadedClassroom, origin: str) -> Pieces:
    """Return every piece of the wall as it is now, by its id."""
    known, clock = _wall_of(loaded.room), context.runtime.world.monotonic()
    at, for_origin, made = known.made
    if made and for_origin == origin and clock - at < _SHARED:
        return made
    made = await _look(context, known, loaded, origin)
    known.made = (clock, origin, made)
    return made


async def _look(context: RequestContext, known: ClassroomWall, loaded: LoadedClassroom, origin: str) -> Pieces:
    room, now = loaded.room, loaded.now()
    tables = await _tables(context, room)
    if known.judging is None or known.judging.done():
        known.judging = asyncio.create_task(_judge(context, known, tables))
    playing = room.phase is not ClassroomPhase.LOBBY
    pieces = {
        "wall-head": render("wall_head.html", **_head(room, now, origin)),
        "wall-main": await _main(context, known, room, tables, now) if playing else _lobby(room, origin),
        "wall-side": render("wall_side.html", **_side(room)),
    }
    for table in tables:
        pieces[f"board-{table.table.id}"] = _small(known, table)
    return {name: str(piece) for name, piece in pieces.items()}


async def _tables(context: RequestContext, room: Classroom) -> list[LoadedTable]:
    """Return the tables of a room at which a match is played, the first first.

    One that another replica has made is read once; from then on its events are heard of like those of any copy.
    """
    cache = context.runtime.cache
    shown = [one for one in room.matches if one in room.open_tables][:_MOST_BOARDS]
    missing = [one for one in shown if cache.get(one) is None]
    loaded = dict(zip(missing, await asyncio.gather(*map(cache.fresh, missing), return_exceptions=True), strict=True))
    found = (cache.get(one) or loaded.get(one) for one in shown)
    return [one for one in found if isinstance(one, LoadedTable)]


def _head(room: Classroom, now: int, origin: str) -> dict[str, Any]:
    return {
        "shown": shown_room_code(room.code),
        "game": printable(room.settings.rules.name),
        "goal": goal_line(room.settings.rules),
        "address": _shown_address(origin),
        "phase": room.phase.value,
        "qr": _qr(room, origin) if room.phase in (ClassroomPhase.PLAYING, ClassroomPhase.PAUSED) else "",
        # The script counts down; a piece that changed every second would be sent every second.
        "ends": room.ends if room.phase is ClassroomPhase.PLAYING else 0,
        "left": -(-room.left(now) // 1000) if room.phase is not ClassroomPhase.PLAYING else 0,
    }


def _shown_address(origin: str) -> str:
    return f"{origin.partition('://')[2]}/room"


def _qr(room: Classroom, origin: str) -> str:
    """Return the QR code of the address of a room; nothing if only this machine can open it."""
    return "" if only_here(origin) else qr_code(f"{origin}/room/{room.code}")


def _side(room: Classroom) -> dict[str, Any]:
    rows = standings(room)
    return {
        "lobby": room.phase is ClassroomPhase.LOBBY,
        # The newest first: of a large class not all fit.
        "names": [printable(one.name) for one in reversed(room.present)],
        "rows": [(row.place, printable(row.pupil.name), row.pupil.score) for row in rows[:_SHOWN]],
        "more": max(0, len(rows) - _SHOWN),
        "played": sum(one.counts for one in room.matches.values()),
    }


def _small(known: ClassroomWall, table: LoadedTable) -> str:
    """Return the small board of a table; it is drawn once for each version."""
    at = table.table
    drawn = known.drawn.get(at.id)
    if drawn is None or drawn[0] != at.version:
        known.drawn[at.id] = drawn = (at.version, str(render("wall_board.html", id=at.id, **_board(at.match))))
    return drawn[1]


def _board(match: Match) -> dict[str, Any]:
    """Return what a small board shows: both names, whose turn it is, the totals and the last move."""
    own = match.setup.rules.totals is Totals.OWN
    last = match.positions[-2].text_of(match.moves[-1]) if match.moves else ""
    return {
        "persons": [
            {
                "name": name_of(match, person),
                "style": CLASSES[person],
                "turn": match.outcome is None and match.to_move is person,
                "total": match.position.total(match.seat(person)) if own else None,
            }
            for person in Person
        ],
        "total": None if own else match.position.totals[0],
        "target": match.setup.rules.target,
        "last": last,
    }


async def _judge(context: RequestContext, known: ClassroomWall, tables: list[LoadedTable]) -> None:
    """Ask how far the moves made since the last time have swung each board."""
    for table in tables:
        match = table.table.match
        for ply in range(known.judged.get(table.table.id, 0), len(match.moves)):
            before = match.positions[ply]
            known.judged[table.table.id] = ply + 1
            with contextlib.suppress(Problem):
                move = before.text_of(match.moves[ply])
                swing = await context.runtime.worker.ask(
                    classroom_jobs.swing, rules_to_dict(before.rules), str(before), move
                )
                if swing:
                    known.swings[table.table.id] = (swing, context.runtime.world.monotonic())


def _most_exciting(known: ClassroomWall, tables: list[LoadedTable], now: float) -> LoadedTable | None:
    """Return the board with the biggest swing of the last minute, else the one with the most moves."""
    by_id = {table.table.id: table for table in tables}
    current = by_id.get(known.large)
    if current is not None and now - known.large_since < _STAYS_SECONDS:
        return current

    def excitement(table: LoadedTable) -> tuple[int, float, int]:
        swing, at = known.swings.get(table.table.id, (0, 0.0))
        lately = swing if now - at < _EXCITING_SECONDS else 0
        return (lately, at if lately else 0.0, len(table.table.match.moves))

    best = max(tables, key=excitement, default=None)
    if best is not None and best.table.id != known.large:
        known.large, known.large_since = best.table.id, now
    return best


def _lobby(room: Classroom, origin: str) -> str:
    """Return the large piece before the start: how to join."""
    return render(
        "wall_lobby.html",
        shown=shown_room_code(room.code),
        address=_shown_address(origin),
        qr=_qr(room, origin),
        names=len(room.present),
    )


async def _main(
    context: RequestContext, known: ClassroomWall, room: Classroom, tables: list[LoadedTable], now: int
) -> str:
    """Return the large piece: the most exciting board, or what there is to see afterwards."""
    clock = context.runtime.world.monotonic()
    table = _most_exciting(known, tables, clock)
    if room.phase is not ClassroomPhase.ENDED or (table is not None and not room.closed(now)):
        return _large(known, room, table, clock)
    return await _ending(context, known, room, now)


def _large(known: ClassroomWall, room: Classroom, table: LoadedTable | None, clock: float) -> str:
    if table is None:
        words = "Everybody is being paired." if room.phase is ClassroomPhase.PLAYING else "Paused."
        return render("wall_large.html", board=None, words=words, paused=room.phase is ClassroomPhase.PAUSED)
    match = table.table.match
    swing, at = known.swings.get(table.table.id, (0, 0.0))
    turned = bool(swing) and clock - at < _EXCITING_SECONDS
    return render(
        "wall_large.html",
        board=_board(match),
        words=turn_words(table.table),
        turned=turned,
        gauge=number_line(match),
        pool=_pool(match),
        paused=room.phase is ClassroomPhase.PAUSED,
    )


def _pool(match: Match) -> list[tuple[str, str]]:
    return [(tile.number, CLASSES[tile.taken_by] if tile.taken_by else "") for tile in tiles(match)]


async def _ending(context: RequestContext, known: ClassroomWall, room: Classroom, now: int) -> str:
    """Return the podium or, in turn with it, a step of the replay of the turning point."""
    clock = context.runtime.world.monotonic()
    known.ended = known.ended or clock
    if known.turning is None and is_final(room, now):
        known.turning = await _turning(context, room)
    since = clock - known.ended
    if known.turning is not None:
        point, match = known.turning
        steps = point["n"] + 3
        at = since % (_PODIUM_SECONDS + _STEP_SECONDS * steps)
        if at >= _PODIUM_SECONDS:
            return _step(point, match, min(point["n"], int((at - _PODIUM_SECONDS) / _STEP_SECONDS)))
    top = [(row.place, printable(row.pupil.name), row.pupil.score) for row in podium(standings(room))]
    return render("wall_podium.html", top=top[:_PODIUM], more=len(top) - _PODIUM, final=is_final(room, now))


async def _turning(context: RequestContext, room: Classroom) -> tuple[TurningPoint, Match] | None:
    point = turning_point(room)
    if point is None:
        return None
    table = (await context.runtime.cache.fresh(point["table"])).table
    return point, read_match(table.match.record())


def _step(point: TurningPoint, match: Match, ply: int) -> str:
    """Return the match of the turning point after some moves; with the mistake comes its reason."""
    shown = match.at(ply)
    return render(
        "wall_turning.html",
        board=_board(shown),
        gauge=number_line(shown),
        pool=_pool(shown),
        point=point,
        ply=ply,
        turned=ply == point["n"],
    )
