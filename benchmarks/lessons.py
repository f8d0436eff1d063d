"""Lessons under load: a room of 200 pupils, then ten rooms of 40, over real sockets from one address.

    python -m benchmarks.lessons                  a minute each
    python -m benchmarks.lessons --seconds 600    ten minutes each

Every pupil makes a move each 5 seconds. Pairing is counted from the tap of the later of two until both have their
table, a move from the tap until it is acknowledged, the wall from then until it shows the move. The pupils are those of
`tests/reliability/lessons.py`; what they were told is held against the database.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from typing import Final

import psutil

from benchmarks.measure import at_most, none
from benchmarks.serving import memory_of, share_of
from tests.reliability.lessons import Classroom, Manner, check_lesson, hold_lesson
from tests.reliability.report import Report
from tests.server.running import Server, served

_PACE: Final = Manner(thought=2.5, tab=None, doubled=0.0)
"""Two take turns, so that each of them moves every 5 seconds."""
_PAIRING, _MOVE, _WALL = 1.0, 0.025, 1.0
_WALL_BYTES: Final = 20_000
_MEMORY: Final = 200


def main() -> None:
    """Print the figures against their limits."""
    reader = argparse.ArgumentParser()
    reader.add_argument("--seconds", type=float, default=60)
    seconds = reader.parse_args().seconds
    for rooms, pupils in ((1, 200), (10, 40)):
        with served() as server:
            _measure(server, rooms, pupils, seconds)


def _measure(server: Server, rooms: int, pupils: int, seconds: float) -> None:
    classes = [Classroom([server.url], _PACE) for _ in range(rooms)]
    began, worked = time.monotonic(), time.process_time()
    asyncio.run(_hold(classes, pupils, seconds))
    taken = time.monotonic() - began
    share = (time.process_time() - worked) / taken
    moves = [wait for room in classes for wait in room.acknowledged]
    print(
        f"      {rooms} x {pupils} pupils, {taken:.0f} s, {len(moves):,} moves; the generator took {share:.0%} of a "
        f"core, of {psutil.cpu_count()} with load {psutil.getloadavg()[0]:.1f}"
    )
    report = Report("room", "lessons")
    database = f"sqlite:///{server.home / 'tables.sqlite3'}"
    paired = [wait for room in classes for wait in check_lesson(report, room, database)]
    for one in report.broken[:10]:
        print(f"      {one}")
    none("errors that a pupil would see, results lost or wrong", len(report.broken))
    _tell("pairing after both are free", paired, _PAIRING)
    _tell("move acknowledged", moves, _MOVE)
    _tell("wall behind", [wait for room in classes for wait in _behind(room)], _WALL)
    most = max(_rate(room) for room in classes)
    at_most(f"wall, on its connection ({most / 1000:.1f} KB/s)", most / _WALL_BYTES, 1, f"{_WALL_BYTES // 1000} KB/s")
    memory = memory_of(server)
    at_most(f"memory ({memory:.0f} MiB)", memory / _MEMORY, 1, f"{_MEMORY} MiB")


async def _hold(classes: Sequence[Classroom], pupils: int, seconds: float) -> None:
    await asyncio.gather(*(hold_lesson(room, pupils, n, asyncio.sleep(seconds)) for n, room in enumerate(classes)))


def _behind(room: Classroom) -> list[float]:
    """Return how long after each move the wall showed it; a move that was followed within a look is never shown."""
    return [room.shown[move] - at for move, at in room.totals.items() if move in room.shown]


def _rate(room: Classroom) -> float:
    first, last = room.walled[0][0], room.walled[-1][0]
    return sum(size for _, size in room.walled) / max(1.0, last - first)


def _tell(what: str, waits: Sequence[float], limit: float) -> None:
    p50, p99, most = (1000 * share_of(waits, share) for share in (0.5, 0.99, 1.0))
    told = f"{what}, p99 ({len(waits):,}: p50 {p50:.0f} ms, p99 {p99:.0f} ms, at most {most:.0f} ms)"
    at_most(told, p99 / 1000 / limit, 1, f"{1000 * limit:g} ms")


if __name__ == "__main__":
    main()
