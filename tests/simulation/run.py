"""One seed: two replicas, some tables, so many commands, and what must be true of what came of it.

`python -m tests.simulation.run SEED [COMMANDS]` prints the history of a seed and what is wrong with it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import func, select

from tests.simulation.clients import History, Seat, call
from tests.simulation.lesson import Lesson, Pupil, check_lesson, check_places, open_lesson, rooms_after_each
from tests.simulation.replicas import REPLICAS, Simulation
from tests.simulation.virtual import VirtualLoop
from zerosum.base.errors import ZerosumError
from zerosum.match.setup import Person
from zerosum.server.db import queries
from zerosum.server.db.classroom_queries import room_by_code
from zerosum.server.db.schema import events as stored_events
from zerosum.server.db.schema import tables as stored_tables
from zerosum.server.runtime.table_cache import load_table
from zerosum.tables.events import ClassroomEvent, Event, is_room_id

TABLES: Final = 5
ROUNDS: Final = 6
"""How often the faults end, so that everybody must be told everything."""
SETTLED: Final = 5.0
"""Virtual seconds after the last fault in which everybody must have been told everything."""
CALM: Final = 2.0
"""Of these, the seconds in which something may still happen of which only the rest is left to tell."""
DEAF: Final = 0.4
"""How likely a replica hears no notifications for a while."""
ACKNOWLEDGED: Final = 0.3
_GAMES: Final = ("sum31", "zero-sum-game", "sum-to-zero")
_CLOCK: Final = {"minutes": 3, "increment": 2}


@dataclass(frozen=True)
class Outcome:
    """What came of a seed: its history as text, what is wrong, and figures."""

    history: str
    wrong: list[str]
    sent: int
    acknowledged: int
    events: int
    seconds: float

    @property
    def digest(self) -> str:
        """Return what two runs of the same seed have in common."""
        return sha256(self.history.encode()).hexdigest()


def simulate(seed: object, commands: int = 1000) -> Outcome:
    """Run a seed."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(_simulate(seed, commands))
    finally:
        loop.set_exception_handler(lambda *_: None)
        loop.run_until_complete(_end())
        loop.close()


async def _end() -> None:
    """End everything that still goes on."""
    for _ in range(50):
        left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in left:
            task.cancel()
        if not left:
            return
        await asyncio.wait(left, timeout=0.1)


async def _simulate(seed: object, commands: int) -> Outcome:
    simulation, history = Simulation(seed), History()
    await simulation.start()
    loop = asyncio.get_running_loop()
    seats = [seat for number in range(TABLES) for seat in await _seated(simulation, history, number)]
    lesson = await _taught(simulation, history)
    everybody: list[Seat | Pupil] = [*seats, *lesson.pupils]
    live = [loop.create_task(one.stay_connected()) for one in everybody]
    wrong, players = list[str](), list[asyncio.Task[None]]()
    for number in range(ROUNDS):
        until = commands * (number + 1) // ROUNDS
        beside = [loop.create_task(_make_trouble(simulation)), loop.create_task(lesson.teach())]
        players = [loop.create_task(_play(one, until)) for one in everybody]
        await asyncio.wait(players)
        for task in beside:
            task.cancel()
        wrong += _failed(players)
        await _calm(simulation)
        then = _versions(lesson)
        await asyncio.sleep(SETTLED - CALM)
        sitting = [*seats, *(one.seat for one in lesson.pupils if one.seat is not None and not one.seat.stopped)]
        wrong += _check_known(sitting, lesson, then)
    kept = _stored(lesson)
    live += [one.at_table for one in lesson.pupils if one.at_table is not None]
    wrong = [*simulation.errors, *history.wrong, *_failed(live), *wrong, *_check(history, kept, lesson)]
    for one in everybody:
        one.stopped = True
    for replica in simulation.replicas:
        replica.kill()
    history.lines += [str(event) for events in kept.streams.values() for event in events]
    return Outcome(
        "\n".join(history.lines),
        wrong,
        history.sent,
        history.taken,
        sum(map(len, kept.streams.values())),
        loop.time(),
    )


async def _calm(simulation: Simulation) -> None:
    """End all faults, and let a while pass."""
    simulation.trouble.over = True
    simulation.trouble.deaf.clear()
    for replica in simulation.replicas:
        if not replica.up:
            await replica.run(replica.start)
    await asyncio.sleep(CALM)


@dataclass(frozen=True)
class Stored:
    """All events that are in the database."""

    tables: dict[str, list[Event]]
    room_id: str
    room: list[ClassroomEvent]

    @property
    def streams(self) -> Mapping[str, Sequence[Event | ClassroomEvent]]:
        """Return the events of every table and of the room."""
        return {**self.tables, self.room_id: self.room}


def _stored(lesson: Lesson) -> Stored:
    with lesson.simulation.engine.connect() as connection:
        ids = connection.execute(select(stored_tables.c.id)).scalars().all()
        room_id = room_by_code(connection, lesson.code) or ""
        events = {one: queries.events_since(connection, one, 0) for one in ids if not is_room_id(one)}
        return Stored(events, room_id, queries.events_since(connection, room_id, 0))


def _versions(lesson: Lesson) -> dict[str, int]:
    """Return how many events each table and room has."""
    query = select(stored_events.c.table_id, func.max(stored_events.c.version).label("version")).group_by(
        stored_events.c.table_id
    )
    with lesson.simulation.engine.connect() as connection:
        return {row.table_id: row.version for row in connection.execute(query)}


def _check_known(seats: list[Seat], lesson: Lesson, then: dict[str, int]) -> list[str]:
    """Return who has not been told what was there when the faults had ended."""
    wrong = [
        f"{seat.table}: person {seat.person} knows {seat.version} of {then[seat.table]} events"
        for seat in seats
        if seat.version < then.get(seat.table, 0)
    ]
    with lesson.simulation.engine.connect() as connection:
        room_id = room_by_code(connection, lesson.code) or ""
        events = queries.events_since(connection, room_id, 0)
    lesson.rooms = rooms_after_each(room_id, events, lesson.rooms)
    return wrong + check_places(lesson.pupils, lesson.rooms, then[room_id])


def _failed(tasks: list[asyncio.Task[None]]) -> list[str]:
    ended = [one for one in tasks if one.done() and not one.cancelled()]
    return [f"a client failed: {one.exception()!r}" for one in ended if one.exception() is not None]


async def _seated(simulation: Simulation, history: History, number: int) -> list[Seat]:
    dice, seats = simulation.dice, list[Seat]()
    tokens = [f"zs_{dice.randbytes(32).hex()[:43]}" for _ in Person]
    order: dict[str, Any] = {"game": _GAMES[number % len(_GAMES)], "name": "Ann"}
    if number % 2:
        order["clock"] = _CLOCK
    opened = await _surely(simulation, number, tokens[0], "/api/v1/tables", order)
    taken = {"invitation": opened["invitation"], "name": "Ben"}
    await _surely(simulation, number, tokens[1], "/api/v1/join", taken)
    for person, token in zip(Person, tokens, strict=True):
        address = f"10.0.{number}.{person.value}"
        seats.append(
            Seat(
                simulation=simulation,
                history=history,
                table=opened["state"]["table"],
                person=person.value,
                token=token,
                address=address,
            )
        )
    return seats


async def _taught(simulation: Simulation, history: History) -> Lesson:
    token = f"zs_{simulation.dice.randbytes(32).hex()[:43]}"
    opened = await _surely(simulation, TABLES, token, "/api/v1/rooms", {"game": "sum31", "minutes": 180})
    return await open_lesson(simulation, history, token, opened)


async def _surely(simulation: Simulation, number: int, token: str, path: str, body: object) -> Any:
    while True:
        replica = simulation.dice.choice(simulation.replicas)
        status, text = await call(replica, path, f"10.1.{number}.1", token, body)
        if status in (200, 201):
            return json.loads(text)
        await asyncio.sleep(0.1)


async def _play(one: Seat | Pupil, commands: int) -> None:
    while one.history.sent < commands:
        await one.act()
        await asyncio.sleep(one.simulation.dice.uniform(0.0, 0.1))


async def _make_trouble(simulation: Simulation) -> None:
    """Kill replicas, set their clocks, and let them hear no notifications for a while."""
    dice = simulation.trouble.dice
    simulation.trouble.over = False
    while True:
        simulation.trouble.deaf = {one for one in range(REPLICAS) if dice.random() < DEAF}
        await asyncio.sleep(dice.uniform(0.5, 4.0))
        replica = dice.choice(simulation.replicas)
        if dice.random() < 0.5:
            replica.offset = dice.choice([0.0, 3600.0, -3600.0, dice.uniform(-5.0, 5.0)])
        if replica.up and dice.random() < 0.4:
            replica.kill()
            await asyncio.sleep(dice.uniform(0.1, 2.0))
            await replica.run(replica.start)


def _check(history: History, kept: Stored, lesson: Lesson) -> list[str]:
    """Return what is wrong with a history."""
    wrong = []
    for table, events in kept.streams.items():
        if [one.version for one in events] != list(range(1, len(events) + 1)):
            wrong.append(f"{table}: there are versions {[one.version for one in events]}")
        if [one.at for one in events] != sorted(one.at for one in events):
            wrong.append(f"{table}: time ran backwards")
    for table, moves in kept.tables.items():
        for one in moves:
            sender = history.senders.get((table, one.move_id))
            if sender is not None and sender != one.person:
                wrong.append(f"{table}: {sender} has moved for {one.person}")
    wrong += _check_acknowledged(history, kept.tables)
    wrong += _check_told(history, kept.tables)
    wrong += check_lesson(lesson.pupils, rooms_after_each(kept.room_id, kept.room), kept.room, kept.tables)
    if history.taken < ACKNOWLEDGED * history.sent:
        wrong.append(f"only {history.taken} of {history.sent} commands were acknowledged")
    return wrong


def _check_acknowledged(history: History, kept: dict[str, list[Event]]) -> list[str]:
    wrong = []
    counts = Counter((table, one.move_id) for table, events in kept.items() for one in events)
    for table, person, move_id, version in sorted(set(history.acknowledged)):
        stored = kept[table][version - 1] if version <= len(kept[table]) else None
        if counts[table, move_id] != 1 or stored is None or (stored.person, stored.move_id) != (person, move_id):
            wrong.append(
                f"{table}: {move_id} was acknowledged as {version}, and is there {counts[table, move_id]} times"
            )
    return wrong


def _check_told(history: History, kept: dict[str, list[Event]]) -> list[str]:
    """Hold every state that anybody was told against the events up to it."""
    seats: dict[str, set[tuple[int, ...]]] = {}
    for one in history.told:
        seats.setdefault(one.table, set()).add(one.held)
    states: dict[str, list[dict[tuple[int, ...], str]]] = {}
    for table, held in seats.items():
        try:
            states[table] = list(_states(table, kept[table], held))
        except (ZerosumError, ValueError) as error:
            return [f"{table}: its events make no table: {error}"]
    wrong = []
    for one in history.told:
        known = states[one.table]
        if one.version > len(known) or known[one.version - 1][one.held] != one.text:
            wrong.append(f"{one.table}: person {one.held} was told a version {one.version} that never was")
    return wrong


def _states(table: str, events: list[Event], seats: set[tuple[int, ...]]) -> Iterator[dict[tuple[int, ...], str]]:
    """Yield the state after each event, as the holders of some seats see it."""
    loaded, holders = load_table(table, events[:1]), {one: frozenset(map(Person, one)) for one in seats}
    yield {one: loaded.text(held) for one, held in holders.items()}
    for event in events[1:]:
        loaded.add(event)
        yield {one: loaded.text(held) for one, held in holders.items()}


if __name__ == "__main__":
    given = sys.argv[1:]
    found = simulate(given[0], int(given[1]) if given[1:] else 1000)
    sys.stdout.write(found.history + "\n")
    sys.stderr.write("\n".join([*found.wrong[:20], f"{found.sent} sent, {found.acknowledged} acknowledged\n"]))
