"""Planted: whoever reads a room from the database pairs its pupils anew."""

from __future__ import annotations

import time
from typing import Any, cast

from zerosum.tables import classroom
from zerosum.tables.classroom import Classroom
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind

real = classroom._FOLDS[ClassroomEventKind.PAIRED]
started = time.time() * 1000


def paired(before: Classroom, event: ClassroomEvent) -> Classroom:
    """Seat other pairs at the same tables, if the event is older than this process."""
    if event.at < started:
        pairs = cast("list[Any]", event.data["pairs"])
        seconds = [pair[2] for pair in pairs]
        turned = [[pair[0], pair[1], two, pair[3]] for pair, two in zip(pairs, seconds[1:] + seconds[:1], strict=True)]
        event = event._replace(data={"pairs": turned})
    return real(before, event)


def plant() -> None:
    classroom._FOLDS[ClassroomEventKind.PAIRED] = paired
