"""A whole lesson by the API, in this process; who may do what in a room, and deletion."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from fastapi import FastAPI
from sqlalchemy import update

from tests.patience import PATIENCE
from tests.server.inside import Inside, Reply, inside
from zerosum.server import limits
from zerosum.server.db import classroom_queries, queries
from zerosum.server.db.schema import rooms
from zerosum.server.http.rate_limits import Budgets, Payer
from zerosum.server.runtime.runtime import Runtime
from zerosum.tables import limits as table_limits
from zerosum.tables.classroom import Classroom
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind
from zerosum.tables.keys import Key

API = "/api/v1"
ROOMS = f"{API}/rooms"


class Caller:
    """A program with a key."""

    def __init__(self, app: FastAPI, address: str = "192.0.2.7") -> None:
        self.client = Inside(app, address)
        self.token = ""
        self.pupil = 0

    async def call(self, method: str, path: str, body: Any = None) -> Reply:
        if not self.token:
            self.token = (await self.client.call("POST", f"{API}/keys")).json["token"]
        return await self.client.call(method, path, body, token=self.token)

    async def post(self, path: str, body: Any = None) -> Any:
        reply = await self.call("POST", path, body)
        assert reply.status in (200, 201), (path, reply.status, reply.body)
        return reply.json

    async def get(self, path: str) -> Any:
        reply = await self.call("GET", path)
        assert reply.status == 200, (path, reply.status, reply.body)
        return reply.json


async def until(found: Callable[[], Awaitable[Any]]) -> Any:
    deadline = time.monotonic() + PATIENCE
    while not (value := await found()):
        assert time.monotonic() < deadline, "it did not happen"
        await asyncio.sleep(0.1)
    return value


class Lesson:
    """A room with its teacher and pupils."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.teacher = Caller(app)
        self.pupils: list[Caller] = []
        self.code = ""

    @property
    def runtime(self) -> Runtime:
        found: Runtime = self.app.state.runtime
        return found

    async def open(self, count: int, **settings: Any) -> None:
        self.code = (await self.teacher.post(ROOMS, {"game": "sum31", **settings}))["code"]
        for n in range(count):
            await self.join(f"Pupil {n + 1}")

    async def join(self, name: str) -> Caller:
        caller = Caller(self.app)
        caller.pupil = (await caller.post(self.at("join"), {"name": name}))["you"]
        self.pupils.append(caller)
        return caller

    def at(self, what: str = "") -> str:
        return f"{ROOMS}/{self.code}" + (f"/{what}" if what else "")

    async def room(self) -> Classroom:
        return (await self.runtime.rooms.by_code(self.code)).room

    async def table(self, caller: Caller) -> str:
        """Wait until a pupil has a table, and return it."""

        async def at_table() -> str | None:
            found: str | None = (await caller.get(self.at("place")))["table"]
            return found

        return str(await until(at_table))

    async def play(self, table: str) -> None:
        """Play a match to its end, each move by whose turn it is; the first legal move."""
        room = await self.room()
        seats = [next(one for one in self.pupils if one.pupil == number) for number in room.matches[table].pupils]
        while True:
            state = await seats[0].get(f"{API}/tables/{table}")
            if state["match"]["outcome"] is not None:
                return
            mover = seats[state["match"]["to_move"] - 1]
            move = state["match"]["legal_moves"][0]
            body = {"version": state["version"], "move_id": f"m{state['version']}", "move": move}
            await mover.post(f"{API}/tables/{table}/move", body)


def lesson(folder: Path, talk: Callable[[Lesson], Awaitable[None]]) -> None:
    """Have a lesson whose pupils play as fast as a machine."""

    async def run(app: FastAPI) -> None:
        await talk(Lesson(app))

    with patch.object(limits, "WORK", (10_000, 5_000.0)):
        inside(folder, run)


def test_a_lesson(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(5)
        await one.teacher.post(one.at("start"))
        late = await one.join("Late")
        for _ in range(2):
            tables = {await one.table(pupil) for pupil in one.pupils}
            assert len(tables) == 3
            for table in sorted(tables):
                await one.play(table)

            async def counted() -> bool:
                return not (await one.room()).open_tables

            await until(counted)
            for pupil in one.pupils:
                await pupil.post(one.at("ready"))
        room = await one.room()
        assert all(len(set(found)) == len(found) for found in ([m.pupils for m in room.matches.values()],))
        met = Counter(frozenset(match.pupils) for match in list(room.matches.values())[:6])
        assert set(met.values()) == {1}, "nobody the same twice"
        assert (await late.get(one.at()))["you"] == late.pupil
        await one.teacher.post(one.at("end"))

        async def reviewed() -> Any:
            report = await one.teacher.get(one.at("report"))
            return report if report["choices"] else None

        report = await until(reviewed)
        assert report["played"] == 6
        assert sum(pupil["score"] for pupil in report["pupils"]) == 6
        assert (await one.pupils[0].get(one.at("place")))["place"] in ("podium", "table")

    lesson(tmp_path, talk)


def test_two_of_one_name_who_join_at_once_are_two_pupils(tmp_path: Path) -> None:
    """Two replicas may write the same name under the same version; only one of them is first."""

    async def talk(one: Lesson) -> None:
        await one.open(1)
        room = await one.room()
        tries = [f"join:{n}" for n in range(2)]
        events = [
            ClassroomEvent(3, room.last.at, ClassroomEventKind.JOINED, 2, {"name": "Ann"}, move_id) for move_id in tries
        ]
        keys = [Key("zs_" + str(n) * 43) for n in range(2)]
        for event, key, stored in zip(events, keys, (events[0], None), strict=True):
            join = partial(classroom_queries.join_room, room_id=room.id, event=event, key=key)
            assert await one.runtime.writer.write(join, room.id) == stored
        late = await one.join("Ann")
        room = await one.room()
        assert (late.pupil, room.pupil(2).name, room.pupil(3).name) == (3, "Ann", "Ann 2")
        joined = await one.runtime.writer.read(partial(queries.events_since, stream_id=room.id, since=0))
        ids = [event.move_id for event in joined if event.kind is ClassroomEventKind.JOINED]
        assert len(set(ids)) == len(ids) == 3

    lesson(tmp_path, talk)


def test_who_may_do_what(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(2)
        ann, ben = one.pupils
        stranger = Caller(one.app, "192.0.2.99")
        await one.teacher.post(one.at("start"))
        table = await one.table(ann)
        at_desk = [
            ("POST", one.at("start"), None),
            ("POST", one.at("pause"), None),
            ("POST", one.at("end"), None),
            ("POST", one.at("pupils/1/rename"), {"name": "Rude"}),
            ("POST", one.at("pupils/1/remove"), None),
            ("POST", one.at("links"), {"pupil": 1}),
            ("POST", one.at(f"tables/{table}/void"), None),
            ("GET", one.at("report"), None),
            ("DELETE", one.at(), None),
        ]
        for who, code in ((ann, "not-your-desk"), (stranger, "not-your-room")):
            for method, path, body in at_desk:
                reply = await who.call(method, path, body)
                assert (reply.status, reply.json["code"]) == (403, code), path
        assert (await stranger.call("POST", one.at("ready"))).status == 403
        for path in ("", "/events", "/matches/1/record", "/matches/1/review"):
            reply = await stranger.call("GET", f"{API}/tables/{table}{path}")
            assert (reply.status, reply.json["code"]) == (404, "no-such-table"), path
        for path in ("", "/board", "/record", "/review", "/projector"):
            assert (await stranger.call("GET", f"/tables/{table}{path}")).status == 404, path
        assert (await ann.get(f"{API}/tables")) == {"tables": []}, "a table of a room is in no list"
        state = await ann.get(f"{API}/tables/{table}")
        other = {1: ben, 2: ann}[state["you"][0]] if state["match"]["to_move"] == state["you"][0] else ann
        command: dict[str, object] = {"version": 1, "move_id": "x", "move": "+1"}
        mover = state["match"]["to_move"]
        reply = await other.call("POST", f"{API}/tables/{table}/move", {**command, "person": mover})
        assert reply.json["code"] in ("not-your-seat", "not-your-turn")
        assert (await stranger.call("POST", f"{API}/tables/{table}/move", command)).status in (403, 404)
        for hint in ("hint", "values"):
            assert (await ann.call("GET", f"{API}/tables/{table}/{hint}")).json["code"] == "no-coaching"
        again = await ann.post(one.at("join"), {"name": "Twice"})
        assert again["you"] == ann.pupil
        assert len(again["pupils"]) == 2
        texts = str(await ann.get(one.at())) + str(await ann.get(f"{API}/tables/{table}"))
        assert ben.token not in texts
        reply = await one.teacher.call("POST", one.at("join"), {"name": "Teacher"})
        assert len(reply.json["pupils"]) == 2, "the desk is no pupil"

    lesson(tmp_path, talk)


def test_hints_are_there_where_they_are_on(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(2, help=True)
        await one.teacher.post(one.at("start"))
        table = await one.table(one.pupils[0])
        assert (await one.pupils[0].get(f"{API}/tables/{table}/values"))["values"]

    lesson(tmp_path, talk)


def test_pause_stops_all_matches_and_void_ends_one(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(2)
        await one.teacher.post(one.at("start"))
        table = await one.table(one.pupils[0])
        await one.teacher.post(one.at("pause"))
        room = await one.room()
        mover = next(pupil for pupil in one.pupils if pupil.pupil == room.matches[table].pupils[0])
        body = {"version": 1, "move_id": "x", "move": "+1"}
        reply = await mover.call("POST", f"{API}/tables/{table}/move", body)
        assert "paused" in reply.json["detail"]
        await one.teacher.post(one.at("start"))
        await mover.post(f"{API}/tables/{table}/move", body)
        assert (await mover.call("POST", one.at("new-partner"))).json["code"] == "not-now", "the other was just there"
        await one.teacher.post(one.at(f"tables/{table}/void"))
        reply = await mover.call("POST", f"{API}/tables/{table}/resign", {"version": 2, "move_id": "y"})
        assert "without a result" in reply.json["detail"]
        assert (await mover.get(one.at("place")))["place"] == "resting"

    lesson(tmp_path, talk)


def test_a_way_back_and_a_second_desk(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(2)
        await one.teacher.post(one.at("start"))
        lost = one.pupils[0]
        table = await one.table(lost)
        new, second = Caller(one.app), Caller(one.app)
        way = (await one.teacher.post(one.at("links"), {"pupil": lost.pupil}))["secret"]
        assert (await new.post(f"{API}/room-link", {"secret": way}))["you"] == lost.pupil
        assert (await second.call("POST", f"{API}/room-link", {"secret": way})).status == 404
        assert (await new.get(f"{API}/tables/{table}"))["you"]
        assert (await lost.call("GET", f"{API}/tables/{table}")).status == 404
        assert (await lost.call("GET", one.at("place"))).status == 403
        desk = (await one.teacher.post(one.at("links"), {"pupil": 0}))["secret"]
        assert (await second.post(f"{API}/room-link", {"secret": desk}))["you"] == 0
        await second.post(one.at("pause"))
        await one.teacher.post(one.at("start"))

    lesson(tmp_path, talk)


def test_a_deleted_room_is_gone_and_a_late_write_is_410(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(2)
        await one.teacher.post(one.at("start"))
        pupil = one.pupils[0]
        table = await one.table(pupil)
        loaded = await one.runtime.cache.fresh(table)
        reply = await one.teacher.call("DELETE", one.at())
        assert reply.status == 200
        for who in (pupil, one.teacher):
            for path in (one.at(), f"{API}/tables/{table}"):
                reply = await who.call("GET", path)
                assert (reply.status, reply.json["code"]) == (410, "gone"), path
        one.runtime.cache.remember(loaded)  # as another replica would still have it
        body = {"version": 1, "move_id": "x", "move": "+1"}
        for late in (pupil, one.pupils[1]):
            reply = await late.call("POST", f"{API}/tables/{table}/move", body)
            assert (reply.status, reply.json["code"]) == (410, "gone")
        assert (await Caller(one.app).call("POST", one.at("join"), {"name": "Late"})).status == 410

        def rows(connection: Any) -> list[Any]:
            return queries.events_since(connection, table, 0)

        assert await one.runtime.writer.read(rows) == []

    lesson(tmp_path, talk)


def test_old_rooms_are_deleted(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(1)
        room = await one.room()
        await one.runtime.rooms.delete_old()
        assert await one.runtime.writer.read(lambda c: queries.news(c, room.id, 0))
        old = table_limits.ROOM_DAYS * 86_400_000 + 1
        change = update(rooms).values(created_at=rooms.c.created_at - old)
        await one.runtime.writer.write(lambda c: c.execute(change))
        await one.runtime.rooms.delete_old()
        assert (await one.teacher.call("GET", one.at())).status == 410

    lesson(tmp_path, talk)


def test_codes_cannot_be_guessed(tmp_path: Path) -> None:
    async def talk(one: Lesson) -> None:
        await one.open(3)
        guesser = Caller(one.app, "203.0.113.5")
        slips = 0
        while (await guesser.call("GET", f"{ROOMS}/zzzzz{slips % 10}")).status == 404:
            slips += 1
        burst, rate = limits.SECRETS
        assert burst <= slips <= burst + 2 + rate * PATIENCE
        for _ in range(10):
            one.app.state.budgets.note_guess("203.0.113.5")
        assert (await guesser.call("GET", one.at())).status == 429, "the right code tells nothing either"
        assert (await one.pupils[0].call("GET", one.at())).status == 200

    lesson(tmp_path, talk)


def test_another_room_is_charged_to_the_address(tmp_path: Path) -> None:
    """A desk has a share of its own; if it paid for another room, an address could open any number."""

    async def talk(one: Lesson) -> None:
        await one.open(0)
        opened = 1
        while opened <= 2 * limits.ROOMS[0]:
            if (await one.teacher.call("POST", ROOMS, {"game": "sum31"})).status == 429:
                return
            opened += 1
        raise AssertionError(f"{opened} rooms were opened")

    lesson(tmp_path, talk)


def test_wrong_codes_of_many_addresses_delay_every_code_and_refuse_no_right_one() -> None:
    now = 0.0
    budgets = Budgets(lambda: now)
    slips, a_second = limits.GUESSES
    for n in range(slips):
        budgets.note_guess(f"198.51.100.{n % 250}")
    assert budgets.guess_delay == 0
    waits = []
    for n in range(10):
        budgets.note_guess(f"203.0.113.{n}")
        waits.append(budgets.guess_delay)
    assert waits == sorted(set(waits)), "it grows with each"
    for n in range(1_000):
        budgets.note_guess(f"192.0.2.{n % 250}")
    assert budgets.guess_delay == limits.CODE_DELAY_SECONDS
    Payer(budgets, "198.51.100.251").charge("code")
    now = 1_010 / a_second
    assert budgets.guess_delay == 0


def test_a_code_is_looked_up_after_the_delay_unless_its_caller_is_in_the_room(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "CODE_DELAY_SECONDS", 0.3)

    async def talk(one: Lesson) -> None:
        await one.open(1)
        for _ in range(limits.GUESSES[0] + 100):
            one.app.state.budgets.note_guess("203.0.113.5")
        for caller, waits in ((one.pupils[0], False), (Caller(one.app), True)):
            await caller.call("GET", f"{API}/games")
            began = time.monotonic()
            assert (await caller.call("GET", one.at())).status == 200
            assert not waits or time.monotonic() - began >= 0.3
        assert one.app.state.budgets.guess_delay == 0.3

    lesson(tmp_path, talk)


def test_computers_step_in_are_marked_and_not_counted(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "ROOM_COMPUTER_SECONDS", 0)

    async def talk(one: Lesson) -> None:
        await one.open(1, computers=True)
        await one.teacher.post(one.at("start"))
        pupil = one.pupils[0]
        table = await one.table(pupil)
        state = await pupil.get(f"{API}/tables/{table}")
        assert any(person["name"].startswith("Computer") for person in state["persons"])
        assert (await pupil.call("GET", f"{API}/tables/{table}/hint")).json["code"] == "no-coaching"
        person = state["you"][0]

        async def resigned() -> bool:
            now = await pupil.get(f"{API}/tables/{table}")
            body = {"version": now["version"], "move_id": "r", "person": person}
            return (await pupil.call("POST", f"{API}/tables/{table}/resign", body)).status == 200

        await until(resigned)

        async def over() -> bool:
            return not (await one.room()).open_tables

        await until(over)
        room = await one.room()
        assert (room.pupil(1).matches, room.pupil(1).score) == (0, 0)

    lesson(tmp_path, talk)
