"""Rooms as screens ask the server for them, and their walls: a live connection sends the pieces that have changed."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from fastapi import APIRouter
from starlette.websockets import WebSocket

from zerosum.jobs import classroom_jobs
from zerosum.match.match import Match, read_match
from zerosum.rules.model import rules_to_dict
from zerosum.screens.board_view import only_here
from zerosum.screens.classroom_pages import ClassroomHost, ClassroomSight
from zerosum.screens.classroom_wall import ClassroomWall, Pieces, WallLook, wall_pieces
from zerosum.server import limits, prometheus
from zerosum.server.http.context import RequestContext, request_context
from zerosum.server.http.websocket import talk
from zerosum.server.pages.adapter import ServerHost, public_origin, qr_code
from zerosum.server.runtime.classrooms import Classrooms, ClassroomViewer, LoadedClassroom
from zerosum.server.runtime.hub import POLICY_VIOLATION
from zerosum.server.runtime.table_cache import LoadedTable
from zerosum.tables.classroom import DESK, Classroom, ClassroomPhase
from zerosum.tables.classroom_decisions import ClassroomRequest
from zerosum.tables.classroom_report import TurningPoint, is_final, turning_point
from zerosum.tables.json_text import dumps
from zerosum.tables.problems import Problem
from zerosum.tables.table import Table

router = APIRouter(include_in_schema=False)
_TICK: Final = 0.7
"""Seconds between two looks at a room; what a look shows must be less than a second old when it arrives."""
_SHARED: Final = 0.2
"""Seconds for which one look serves all walls of a room: a class may open it on every phone."""
_WALLS: Final = 50
"""Classrooms whose wall is remembered."""


@dataclass(frozen=True, slots=True)
class ClassroomServerHost(ServerHost, ClassroomHost):
    """The server as the screens of rooms ask it."""

    @property
    def rooms(self) -> Classrooms:
        """What can be done in rooms."""
        return self.context.runtime.rooms

    async def own_rooms(self) -> list[ClassroomSight]:
        """Return the rooms where the key of the browser is."""
        return [_sight(loaded, pupil) for loaded, pupil in await self.rooms.of(self.key)]

    async def open_room(self, order: ClassroomRequest) -> str:
        """Open a room."""
        return (await self.context.open_room(self.key, order)).room.code

    async def room(self, code: str) -> ClassroomSight:
        """Return the room with a code."""
        key, loaded = self.key, await self.context.room(code)
        pupil = await self.rooms.member(loaded.room.id, key)
        if pupil is not None and pupil != DESK:
            await self.rooms.note_seen(loaded.room.id, pupil)
        return _sight(loaded, pupil)

    async def room_as_pupil(self, code: str) -> tuple[Classroom, int, int]:
        """Return the room of a pupil."""
        loaded, pupil = await self.context.pupil(code, self.key)
        await self.rooms.note_seen(loaded.room.id, pupil)
        return loaded.room, loaded.now(), pupil

    async def desk(self, code: str) -> ClassroomSight:
        """Return the room of a teacher."""
        return _sight(await self.context.desk(code, self.key), DESK)

    async def wall(self, code: str, origin: str) -> tuple[Classroom, int, Pieces]:
        """Return the wall of a room."""
        loaded = await self.context.room(code)
        pieces = await current_pieces(self.context, loaded, origin)
        return loaded.room, loaded.now(), pieces

    async def join_room(self, code: str, name: str) -> str:
        """Take a place in a room."""
        return (await self.context.join_room(code, self.key, name))[0].room.code

    async def come_in(self, secret: str) -> str:
        """Use a link that works once."""
        self.context.payer.charge("secret")
        return (await self.rooms.come_in(secret, self.key))[0].room.code


def _sight(loaded: LoadedClassroom, pupil: int | None) -> ClassroomSight:
    return ClassroomSight(loaded.room, loaded.now(), pupil)


@dataclass(slots=True)
class LiveWall:
    """The wall of one room, and what keeps it up to date."""

    shared: ClassroomWall = field(default_factory=ClassroomWall)
    judged: dict[str, int] = field(default_factory=dict)
    """How many moves of each match have been judged."""
    made: tuple[float, str, Pieces] = (0.0, "", {})
    """The last look: when, for which origin, and what it showed."""
    judging: asyncio.Task[None] | None = None
    """The work of finding out how far boards have swung; nobody waits for it."""


@lru_cache(_WALLS)
def _wall_of(room_id: str) -> LiveWall:
    del room_id
    return LiveWall()


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
    scheme = "https" if socket.url.scheme == "wss" else "http"
    origin = public_origin(socket, f"{scheme}://{socket.url.netloc}")
    feeding = asyncio.create_task(_feed(context, loaded, viewer, origin))
    try:
        await runtime.rooms.watch(viewer)
        await talk(socket, viewer, context)
    finally:
        feeding.cancel()
        await asyncio.gather(feeding, return_exceptions=True)
        runtime.hub.remove(viewer)


async def _feed(context: RequestContext, loaded: LoadedClassroom, viewer: ClassroomViewer, origin: str) -> None:
    """Send what has changed, once a second at most, until the viewer has gone."""
    sent: Pieces = {}
    clock = context.runtime.world.monotonic
    while viewer.closed is None:
        began = clock()
        loaded = context.runtime.rooms.get(loaded.id) or loaded  # until it was watched it could leave memory
        with contextlib.suppress(Problem):
            pieces = await current_pieces(context, loaded, origin)
            changed = {name: piece for name, piece in pieces.items() if sent.get(name) != piece}
            boards = [name for name in pieces if name.startswith("board-")]
            gone = [name for name in sent if name not in pieces]
            if changed or gone:
                left = loaded.room.left(loaded.now())
                viewer.queue(dumps({"type": "wall", "left": left, "pieces": changed, "boards": boards}))
            sent = pieces
        with contextlib.suppress(TimeoutError):  # the replay at the end goes on by itself
            ended = loaded.room.phase is ClassroomPhase.ENDED
            await asyncio.wait_for(loaded.changed(), _TICK if ended else 5 * _TICK)
        await asyncio.sleep(max(0.0, _TICK - (clock() - began)))


async def current_pieces(context: RequestContext, loaded: LoadedClassroom, origin: str) -> Pieces:
    """Return every piece of the wall of a room as it is now, by its id."""
    known, clock = _wall_of(loaded.room.id), context.runtime.world.monotonic()
    at, for_origin, made = known.made
    if made and for_origin == origin and clock - at < _SHARED:
        return made
    made = await _look(context, known, loaded, origin)
    known.made = (clock, origin, made)
    return made


async def _look(context: RequestContext, known: LiveWall, loaded: LoadedClassroom, origin: str) -> Pieces:
    room, now = loaded.room, loaded.now()
    tables = await _tables(context, room)
    if known.judging is None or known.judging.done():
        known.judging = asyncio.create_task(_judge(context, known, tables))
    if known.shared.turning is None and is_final(room, now):
        known.shared.turning = await _turning(context, room)
    qr = "" if only_here(origin) else qr_code(f"{origin}/room/{room.code}")
    clock = context.runtime.world.monotonic()
    return wall_pieces(known.shared, WallLook(room, tables, now, clock, origin, qr))


async def _tables(context: RequestContext, room: Classroom) -> list[Table]:
    """Return the tables of a room at which a match is played, the first first.

    One that another replica has made is read once; from then on its events are heard of like those of any copy.
    """
    cache = context.runtime.cache
    shown = [one for one in room.matches if one in room.open_tables][: limits.WALL_BOARDS]
    missing = [one for one in shown if cache.get(one) is None]
    loaded = dict(zip(missing, await asyncio.gather(*map(cache.fresh, missing), return_exceptions=True), strict=True))
    found = (cache.get(one) or loaded.get(one) for one in shown)
    return [one.table for one in found if isinstance(one, LoadedTable)]


async def _judge(context: RequestContext, known: LiveWall, tables: list[Table]) -> None:
    """Ask how far the moves made since the last time have swung each board."""
    for table in tables:
        match = table.match
        for ply in range(known.judged.get(table.id, 0), len(match.moves)):
            before = match.positions[ply]
            known.judged[table.id] = ply + 1
            with contextlib.suppress(Problem):
                move = before.text_of(match.moves[ply])
                swing = await context.runtime.worker.ask(
                    classroom_jobs.swing, rules_to_dict(before.rules), str(before), move
                )
                if swing:
                    known.shared.swings[table.id] = (swing, context.runtime.world.monotonic())


async def _turning(context: RequestContext, room: Classroom) -> tuple[TurningPoint, Match] | None:
    point = turning_point(room)
    if point is None:
        return None
    table = (await context.runtime.cache.fresh(point["table"])).table
    return point, read_match(table.match.record())
