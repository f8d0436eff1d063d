"""Planted: a key that is in a room already is let in again as another pupil."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server.db import queries, room_queries
from zerosum.server.domain import room_decisions
from zerosum.server.domain.events import RoomEvent
from zerosum.server.domain.keys import Key
from zerosum.server.domain.room import Room
from zerosum.server.http.context import RequestContext
from zerosum.server.runtime.rooms import LoadedRoom


async def join_room(context: RequestContext, code: str, key: Key, name: str) -> tuple[LoadedRoom, int]:
    """Let in whoever asks."""
    loaded = await context.room(code)

    def admit(room: Room, event: RoomEvent) -> Callable[[Connection], RoomEvent | None]:
        def write(connection: Connection) -> RoomEvent | None:
            stored = queries.append(connection, room.id, event)
            if stored is not None and room_queries.member(connection, room.id, key) is None:
                room_queries._admit(connection, room.id, event.pupil, key.hash, event.at)
            return stored

        return write

    loaded = await context.runtime.rooms.act(loaded.room.id, lambda room, _: room_decisions.join(room, name), admit)
    pupil = await context.runtime.rooms.member(loaded.room.id, key)
    assert pupil is not None
    return loaded, pupil


def plant() -> None:
    patch(RequestContext, "join_room", join_room)
