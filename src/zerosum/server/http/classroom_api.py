"""The API of rooms, `/api/v1/rooms`: what a teacher's and a pupil's page can do, and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path
from fastapi.security import HTTPBearer
from pydantic import BaseModel, Field, StrictInt, StrictStr
from starlette.responses import Response
from starlette.websockets import WebSocket

from zerosum.server import limits, prometheus
from zerosum.server.http.auth import AnyKey, OwnKey, request_key
from zerosum.server.http.bodies import CHECKED, json_response
from zerosum.server.http.context import Context, request_context
from zerosum.server.http.openapi import Links, route_responses
from zerosum.server.http.websocket import talk
from zerosum.server.runtime.classrooms import ClassroomViewer, LoadedClassroom
from zerosum.server.runtime.hub import POLICY_VIOLATION
from zerosum.tables import classroom_decisions as decide
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import DESK, place_of
from zerosum.tables.classroom_decisions import ClassroomRequest
from zerosum.tables.classroom_report import ClassroomReport, ClassroomState, room_report, room_state
from zerosum.tables.problems import Problem

BASE: Final = "/api/v1"
router = APIRouter(prefix=BASE, generate_unique_id_function=lambda route: route.name)
_KEYED: Final = [Depends(HTTPBearer(auto_error=False, description="A key from POST /api/v1/keys."))]
_FOR_ALL: Final[dict[str, Any]] = {"security": [{}]}

Code = Annotated[str, Path(max_length=16, description="The code of a room.")]
Number = Annotated[str, Path(pattern="^[1-9][0-9]{0,3}$", description="The number of a pupil.")]
TableOfRoom = Annotated[str, Path(max_length=32, description="The id of a table of the room.")]
_CODE: Final = {"code": "$response.body#/code"}
_AFTER: Final[Links] = {
    name: {"operationId": name, "parameters": _CODE}
    for name in ("room", "join_room", "ready", "new_partner", "start", "pause", "end", "report", "desk_link")
}


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """Where the caller is: `lobby`, `waiting`, `resting`, `table` (and at which), `podium` or `removed`."""

    place: str
    phase: str
    pupil: int
    table: str | None = None


@dataclass(frozen=True, slots=True)
class OneTimeLink:
    """The secret of a link that works once: the browser that uses it takes over the place."""

    secret: str


@dataclass(frozen=True, slots=True)
class Deleted:
    """A room that is gone, with its tables and names."""

    deleted: bool


class JoinRequest(BaseModel, extra="forbid", frozen=True):
    """The name of a pupil."""

    name: Annotated[StrictStr, Field(min_length=1, max_length=4 * table_limits.ROOM_NAME_LENGTH)]


class LinkRequest(BaseModel, extra="forbid", frozen=True):
    """The place that a link is for: a pupil, or 0 for the desk."""

    pupil: Annotated[StrictInt, Field(ge=0, le=table_limits.ROOM_PUPILS)]


class LinkUse(BaseModel, extra="forbid", frozen=True):
    """A link that is used."""

    secret: Annotated[StrictStr, Field(max_length=64)]


@router.post("/rooms", status_code=201, responses=route_responses(ClassroomState, 201, _AFTER), dependencies=_KEYED)
async def open_room(request: Annotated[ClassroomRequest, CHECKED], key: OwnKey, context: Context) -> Response:
    """Open a room; the caller's key opens its desk."""
    return _state(await context.open_room(key, request), DESK, 201)


def _state(loaded: LoadedClassroom, you: int | None, status: int = 200) -> Response:
    return json_response(room_state(loaded.room, loaded.now(), you), status)


@router.post("/room-link", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def come_in(given: LinkUse, key: OwnKey, context: Context) -> Response:
    """Use a link to a desk, or back to the place of a pupil; it works once."""
    context.payer.charge("secret")
    loaded, pupil = await context.runtime.rooms.come_in(given.secret, key)
    return _state(loaded, pupil)


@router.get("/rooms/{code}", responses=route_responses(ClassroomState), dependencies=_KEYED, openapi_extra=_FOR_ALL)
async def room(code: Code, key: AnyKey, context: Context) -> Response:
    """Show a room to somebody who has its code."""
    loaded = await context.room(code)
    return _state(loaded, await context.runtime.rooms.member(loaded.room.id, key))


@router.delete("/rooms/{code}", responses=route_responses(Deleted), dependencies=_KEYED)
async def delete_room(code: Code, key: OwnKey, context: Context) -> Response:
    """Delete a room with its tables and names, at once."""
    loaded = await context.desk(code, key)
    await context.runtime.rooms.delete(loaded.room.id)
    return json_response(Deleted(deleted=True))


@router.post("/rooms/{code}/join", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def join_room(code: Code, joining: JoinRequest, key: OwnKey, context: Context) -> Response:
    """Join a room; the same key is the same pupil again."""
    loaded, pupil = await context.join_room(code, key, joining.name)
    return _state(loaded, pupil)


@router.get("/rooms/{code}/place", responses=route_responses(OwnPlace), dependencies=_KEYED)
async def place(code: Code, key: OwnKey, context: Context) -> Response:
    """Say where the caller, a pupil, is; to ask is also a sign of being there."""
    loaded, pupil = await context.pupil(code, key)
    await context.runtime.rooms.note_seen(loaded.room.id, pupil)
    return _place(loaded, pupil)


def _place(loaded: LoadedClassroom, pupil: int) -> Response:
    return json_response({"pupil": pupil, "table": None, **place_of(loaded.room, pupil)})


@router.post("/rooms/{code}/ready", responses=route_responses(OwnPlace), dependencies=_KEYED)
async def ready(code: Code, key: OwnKey, context: Context) -> Response:
    """Ask for the next partner."""
    loaded, pupil = await context.pupil(code, key)
    rooms = context.runtime.rooms
    await rooms.note_seen(loaded.room.id, pupil)
    return _place(await rooms.act(loaded.room.id, lambda room, _: decide.ready(room, pupil)), pupil)


@router.post("/rooms/{code}/new-partner", responses=route_responses(OwnPlace), dependencies=_KEYED)
async def new_partner(code: Code, key: OwnKey, context: Context) -> Response:
    """Leave a match whose other player is absent, without a result, and ask for another partner."""
    loaded, pupil = await context.pupil(code, key)
    rooms = context.runtime.rooms
    await rooms.leave_absent(loaded.room.id, pupil)
    return _place(await rooms.act(loaded.room.id, lambda room, _: decide.ready(room, pupil)), pupil)


@router.post("/rooms/{code}/start", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def start(code: Code, key: OwnKey, context: Context) -> Response:
    """Start the lesson, or go on after a pause."""
    return await _at_desk(code, key, context, lambda room, _: decide.start(room))


@router.post("/rooms/{code}/pause", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def pause(code: Code, key: OwnKey, context: Context) -> Response:
    """Pause all matches."""
    return await _at_desk(code, key, context, lambda room, _: decide.pause(room))


@router.post("/rooms/{code}/end", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def end(code: Code, key: OwnKey, context: Context) -> Response:
    """End the lesson; matches under way may be finished."""
    return await _at_desk(code, key, context, lambda room, _: decide.end(room))


@router.post("/rooms/{code}/pupils/{number}/rename", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def rename(code: Code, number: Number, given: JoinRequest, key: OwnKey, context: Context) -> Response:
    """Give a pupil another name."""
    return await _at_desk(code, key, context, lambda room, _: decide.rename(room, int(number), given.name))


@router.post("/rooms/{code}/pupils/{number}/remove", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def remove(code: Code, number: Number, key: OwnKey, context: Context) -> Response:
    """Remove a pupil; their match ends without a result."""
    loaded = await context.desk(code, key)
    return _state(await context.runtime.rooms.remove(loaded.room.id, int(number)), DESK)


@router.post("/rooms/{code}/tables/{table}/void", responses=route_responses(ClassroomState), dependencies=_KEYED)
async def void(code: Code, table: TableOfRoom, key: OwnKey, context: Context) -> Response:
    """End a stuck match without a result."""
    return await _at_desk(code, key, context, lambda room, _: decide.void(room, table))


@router.post("/rooms/{code}/links", responses=route_responses(OneTimeLink), dependencies=_KEYED)
async def desk_link(code: Code, given: LinkRequest, key: OwnKey, context: Context) -> Response:
    """Make a link that works once: to this desk, or back to the place of a pupil whose phone was lost."""
    loaded = await context.desk(code, key)
    if given.pupil != DESK and given.pupil not in {one.number for one in loaded.room.present}:
        raise Problem("not-now", "This pupil is not in the room.")
    return json_response(OneTimeLink(await context.runtime.rooms.link(loaded.room.id, given.pupil)))


@router.get("/rooms/{code}/report", responses=route_responses(ClassroomReport), dependencies=_KEYED)
async def report(code: Code, key: OwnKey, context: Context) -> Response:
    """Give the report of the class, for its teacher."""
    loaded = await context.desk(code, key)
    return json_response(room_report(loaded.room))


async def _at_desk(code: str, key: OwnKey, context: Context, decision: decide.ClassroomDecision) -> Response:
    loaded = await context.desk(code, key)
    return _state(await context.runtime.rooms.act(loaded.room.id, decision), DESK)


@router.websocket("/rooms/{code}/live")
async def live(socket: WebSocket, code: str) -> None:
    """Tell a pupil where their place is, and a teacher that something has happened."""
    context = request_context(socket)
    runtime = context.runtime
    try:
        loaded, pupil = await context.room_as(code, request_key(socket))
        viewer = ClassroomViewer(loaded.room.id, frozenset(), context.address, pupil=pupil)
        runtime.hub.check(viewer, limits.ROOM_LIVE)
    except Problem as problem:
        prometheus.count_refusal(problem.code)
        await socket.close(POLICY_VIOLATION, problem.code)
        return
    await socket.accept()
    here = frozenset({pupil}) if pupil != DESK else frozenset[int]()
    try:
        await runtime.rooms.watch(viewer)
        await runtime.presence.arrive(loaded.room.id, here)
        await talk(socket, viewer, context)
    finally:
        runtime.hub.remove(viewer)
        await asyncio.shield(runtime.presence.leave(loaded.room.id, here))
