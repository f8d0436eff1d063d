"""Planted: a pupil who was paired still counts as free, and is seated at another table too."""

from __future__ import annotations

from dataclasses import replace

from zerosum.server.domain import room
from zerosum.server.domain.events import RoomEvent, RoomEventKind
from zerosum.server.domain.room import Room

real = room._FOLDS[RoomEventKind.PAIRED]


def paired(before: Room, event: RoomEvent) -> Room:
    """Seat the pupils, and let them go on waiting."""
    after = real(before, event)
    waiting = {n: replace(one, since=before.pupils[n].since) for n, one in after.pupils.items()}
    return replace(after, pupils=waiting)


def plant() -> None:
    room._FOLDS[RoomEventKind.PAIRED] = paired
