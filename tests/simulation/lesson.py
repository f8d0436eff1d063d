"""A class at the simulated server: pupils who join, are paired, play and come back, and their teacher."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from tests.simulation.clients import History, Seat, Viewer, call
from tests.simulation.replicas import REPLICAS, Replica, Simulation
from zerosum.match.setup import Person
from zerosum.server.runtime.table_cache import load_table
from zerosum.tables.classroom import COMPUTER, Classroom, open_room, place_of
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind, Event

PUPILS: Final = 5
_ADDRESS: Final = "10.2.0.1"
"""A class has one address."""
_PLACE: Final = ("place", "phase", "table")


@dataclass(kw_only=True)
class Pupil(Viewer):
    """A pupil: goes wherever the room says, and never gives up."""

    code: str
    first: int
    """The replica at which it joins, so that some join at each at the same time."""
    number: int = 0
    place: dict[str, Any] = field(default_factory=dict)
    told: list[dict[str, Any]] = field(default_factory=list)
    seat: Seat | None = None
    at_table: asyncio.Task[None] | None = None

    def replica(self) -> Replica:
        """Return a replica to ask."""
        return super().replica() if self.number else self.simulation.replicas[self.first]

    def where(self) -> tuple[str, str]:
        """Return where the room is."""
        return f"/api/v1/rooms/{self.code}/live", ""

    def hear(self, text: str) -> None:
        """Take the word where to go."""
        self.history.note("pupil", self.number, "hears", text)
        known = json.loads(text)
        if known["type"] == "place":
            self.place = self._noted(known)

    def _noted(self, known: Mapping[str, Any]) -> dict[str, Any]:
        place = {one: known[one] for one in _PLACE if known.get(one) is not None}
        self.told.append(place)
        return place

    async def _ask(self, what: str, body: object = None) -> dict[str, Any]:
        status, text = await _command(self, what, body)
        self.history.note("pupil", self.number, what, status, text)
        return json.loads(text) if status == 200 else {}

    async def join(self) -> None:
        """Join, or join again; the same key is the same pupil."""
        number = (await self._ask("join", {"name": "Ann"})).get("you")
        if number is None:
            await asyncio.sleep(0.2)
        elif self.number not in (0, number):
            self.history.wrong.append(f"pupil {self.number} joined again and is {number}")
        else:
            self.number = number

    async def act(self) -> None:
        """Do what the place asks for, honestly or not."""
        dice = self.simulation.dice
        how = dice.random()
        if not self.number or how < 0.02:
            await self.join()
        elif how < 0.04 and await self._ask(dice.choice(["pause", "end", "start"])):
            self.history.wrong.append(f"pupil {self.number} did what only the teacher may")
        elif self.place.get("place") == "table":
            await self._play(self.place["table"])
        elif self.place.get("place") == "resting":
            for got in await asyncio.gather(*[self._ask("ready") for _ in range(dice.choice([1, 1, 2]))]):
                if got:
                    self._noted(got)
        else:
            await asyncio.sleep(dice.uniform(0.1, 0.5))

    async def _play(self, table: str) -> None:
        if self.seat is None or self.seat.table != table:
            path = f"/api/v1/tables/{table}"
            status, text = await call(self.replica(), path, self.address, self.token, method="GET")
            if status != 200:
                await asyncio.sleep(0.1)
                return
            self.leave_table()
            self.seat = Seat(
                simulation=self.simulation,
                history=self.history,
                table=table,
                person=json.loads(text)["you"][0],
                token=self.token,
                address=self.address,
            )
            self.at_table = asyncio.get_running_loop().create_task(self.seat.stay_connected())
        await self.seat.act()

    def leave_table(self) -> None:
        """Look at the last table no more."""
        if self.seat is not None:
            self.seat.leave()


@dataclass(kw_only=True)
class Lesson:
    """A room, its teacher and its pupils."""

    simulation: Simulation
    history: History
    token: str
    code: str
    pupils: list[Pupil]
    rooms: list[Classroom] = field(default_factory=list)
    """The room after each event that was there when the faults last ended."""

    async def teach(self) -> None:
        """Start the lesson and look after it."""
        dice = self.simulation.dice
        while True:
            match dice.randrange(12):
                case 0:
                    await self._ask("pause")
                    await asyncio.sleep(dice.uniform(0.0, 1.0))
                case 1:
                    await self._ask(f"pupils/{dice.randint(1, PUPILS)}/rename", {"name": dice.choice(["Bea", "Cy"])})
                case 2:
                    tables = [one.seat.table for one in self.pupils if one.seat is not None]
                    if tables and dice.random() < 0.5:
                        await self._ask(f"tables/{dice.choice(tables)}/void")
            await self._ask("start")
            await asyncio.sleep(dice.uniform(0.2, 2.0))

    def replica(self) -> Replica:
        """Return a replica to ask."""
        return self.simulation.dice.choice(self.simulation.replicas)

    async def _ask(self, what: str, body: object = None) -> None:
        status, text = await _command(self, what, body)
        self.history.note("teacher", what, status, text)


async def _command(who: Pupil | Lesson, what: str, body: object) -> tuple[int, str]:
    """Send a command to a room; return its answer."""
    who.history.sent += 1
    replica = who.replica()
    status, text = await call(replica, f"/api/v1/rooms/{who.code}/{what}", _ADDRESS, who.token, body)
    who.history.taken += status == 200
    return status, text


async def open_lesson(simulation: Simulation, history: History, token: str, opened: Mapping[str, Any]) -> Lesson:
    """Return a lesson in a room that was opened, with pupils who have not joined yet."""
    pupils = [
        Pupil(
            simulation=simulation,
            history=history,
            token=f"zs_{simulation.dice.randbytes(32).hex()[:43]}",
            address=_ADDRESS,
            code=opened["code"],
            first=number % REPLICAS,
        )
        for number in range(PUPILS)
    ]
    return Lesson(simulation=simulation, history=history, token=token, code=opened["code"], pupils=pupils)


def rooms_after_each(
    room_id: str, events: Sequence[ClassroomEvent], known: Sequence[Classroom] = ()
) -> list[Classroom]:
    """Return the room as it was after each event; the first of them may be known."""
    rooms = list(known) or [open_room(room_id, events[0])]
    for event in events[len(rooms) :]:
        rooms.append(rooms[-1].after(event))
    return rooms


def check_places(pupils: Sequence[Pupil], rooms: Sequence[Classroom], known: int) -> list[str]:
    """Return who does not know the place that they have had since some version was known to all."""
    return [
        f"pupil {one.number} thinks of {one.place}, and the room of {place_of(rooms[-1], one.number)}"
        for one in pupils
        if one.number and not any(place_of(room, one.number) == one.place for room in rooms[known - 1 :])
    ]


def check_lesson(
    pupils: Sequence[Pupil],
    rooms: Sequence[Classroom],
    events: Sequence[ClassroomEvent],
    tables: Mapping[str, list[Event]],
) -> list[str]:
    """Return what is wrong with a lesson."""
    wrong = [*_check_pairs(rooms, events), *_check_results(rooms[-1], tables)]
    for one in pupils:
        places = [place_of(room, one.number) for room in rooms]
        wrong += [f"pupil {one.number} was told {place}, which never was" for place in one.told if place not in places]
    numbers = [one.number for one in pupils if one.number]
    if len(set(numbers)) < len(numbers):
        wrong.append(f"pupils share a number: {numbers}")
    return wrong


def _check_pairs(rooms: Sequence[Classroom], events: Sequence[ClassroomEvent]) -> list[str]:
    """Return who was seated at two tables at once, and which results were counted twice."""
    wrong = []
    playing, counted = set[int](), set[str]()
    for event, room in zip(events, rooms, strict=True):
        data = cast("dict[str, Any]", event.data)
        if event.kind is ClassroomEventKind.PAIRED:
            for table, *pair, _ in data["pairs"]:
                if playing & set(pair):
                    wrong.append(f"room: event {event.version} seats somebody at {table} who is at another table")
                playing |= set(pair) - {COMPUTER}
        elif event.kind in (ClassroomEventKind.RESULT, ClassroomEventKind.VOIDED):
            playing -= set(room.matches[data["table"]].pupils)
            if data["table"] in counted:
                wrong.append(f"room: {data['table']} ended twice")
            counted.add(data["table"])
    return wrong


def _check_results(room: Classroom, tables: Mapping[str, list[Event]]) -> list[str]:
    """Return which results are not those of the tables, and which were not counted."""
    wrong = []
    for match in room.matches.values():
        outcome = _winner(match.table, tables[match.table])
        if match.winner is not None and (outcome is None or match.pupils[outcome - 1] != match.winner):
            wrong.append(f"room: {match.winner} has not won at {match.table}")
        if match.open and outcome is not None:
            wrong.append(f"room: the result of {match.table} was not counted")
    return wrong


def _winner(table: str, events: Sequence[Event]) -> Person | None:
    loaded = load_table(table, list(events))
    outcome = loaded.table.match.outcome
    return None if outcome is None else loaded.table.match.person(outcome.winner)
