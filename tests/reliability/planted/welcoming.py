"""Planted: a key that is in a room already is let in again as another pupil."""

from __future__ import annotations

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server.db import classroom_queries, queries
from zerosum.server.http.context import RequestContext
from zerosum.server.runtime.classrooms import LoadedClassroom
from zerosum.tables import classroom_decisions
from zerosum.tables.events import ClassroomEvent
from zerosum.tables.keys import Key


async def join_room(context: RequestContext, code: str, key: Key, name: str) -> tuple[LoadedClassroom, int]:
    """Let in whoever asks."""
    loaded = await context.room(code)

    def admit(connection: Connection, room_id: str, event: ClassroomEvent) -> ClassroomEvent | None:
        stored = queries.append(connection, room_id, event)
        if stored is not None and classroom_queries.member(connection, room_id, key) is None:
            classroom_queries._admit(connection, room_id, event.pupil, key.hash, event.at)
        return stored

    loaded = await context.runtime.rooms.act(loaded.id, lambda room, _: classroom_decisions.join(room, name), admit)
    pupil = await context.runtime.rooms.member(loaded.room.id, key)
    assert pupil is not None
    return loaded, pupil


def plant() -> None:
    patch(RequestContext, "join_room", join_room)
