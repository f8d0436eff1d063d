"""Planted: a pupil who was paired still counts as free, and is seated at another table too."""

from __future__ import annotations

from dataclasses import replace

from zerosum.tables import classroom
from zerosum.tables.classroom import Classroom
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind

real = classroom._FOLDS[ClassroomEventKind.PAIRED]


def paired(before: Classroom, event: ClassroomEvent) -> Classroom:
    """Seat the pupils, and let them go on waiting."""
    after = real(before, event)
    waiting = {n: replace(one, since=before.pupils[n].since) for n, one in after.pupils.items()}
    return replace(after, pupils=waiting)


def plant() -> None:
    classroom._FOLDS[ClassroomEventKind.PAIRED] = paired
