"""Planted: after a restart every result of a room is counted once more."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.server.runtime.classrooms import Classrooms
from zerosum.tables.classroom_decisions import ClassroomDraft
from zerosum.tables.events import ClassroomEventKind

real = Classrooms.resume


async def resume(rooms: Classrooms) -> None:
    """Load the rooms, and take their results for new ones."""
    await real(rooms)
    for loaded in rooms.all():
        for match in list(loaded.room.matches.values()):
            if match.winner is not None:
                data: dict[str, object] = {"table": match.table, "match": 1, "winner": match.winner}
                again = ClassroomDraft(ClassroomEventKind.RESULT, data)
                await rooms.act(loaded.room.id, lambda _, __, again=again: again)  # type: ignore[misc]


def plant() -> None:
    patch(Classrooms, "resume", resume)
