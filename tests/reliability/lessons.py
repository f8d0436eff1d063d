"""A lesson under load: simulated pupils of one class, all behind one address, while servers are killed.

Pupils tap twice, drop their connections and come back. Afterwards the events of the room are counted a second time.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.patience import PATIENCE
from tests.reliability.report import Report
from tests.server.running import Server
from zerosum.server.db import queries, room_queries
from zerosum.server.db.engine import open_database, read_url
from zerosum.server.domain.events import RoomEvent, RoomEventKind
from zerosum.server.domain.room import fold_room

API = "/api/v1"
AWAY = (httpx2.TransportError, OSError, WebSocketException)
RETRIED = frozenset({502, 503})


@dataclass
class Class:
    """A room and what its pupils saw."""

    urls: Sequence[str]
    seed: int
    code: str = ""
    errors: list[str] = field(default_factory=list)
    moves: int = 0
    finished: set[str] = field(default_factory=set)
    over: bool = False


@dataclass
class SimulatedPupil:
    """A pupil: joins, plays whatever the room gives, and never gives up."""

    room: Class
    client: httpx2.AsyncClient
    dice: random.Random
    token: str

    async def call(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        """Send a request until some replica answers it."""
        while True:
            url = self.dice.choice(self.room.urls)
            try:
                headers = {"Authorization": f"Bearer {self.token}"}
                reply = await self.client.request(method, url + path, json=body, headers=headers)
            except AWAY:
                await asyncio.sleep(0.1)
                continue
            if reply.status_code in RETRIED:
                await asyncio.sleep(0.1)
                continue
            if reply.status_code not in (200, 201, 409):
                self.room.errors.append(f"{method} {path}: {reply.status_code} {reply.text[:200]}")
            return reply

    async def live(self) -> None:
        """Join, then go wherever the place is, until the lesson is over; now and then the connection is dropped."""
        at = f"{API}/rooms/{self.room.code}"
        await self.call("POST", f"{at}/join", {"name": "Pupil"})
        while not self.room.over:
            url = self.dice.choice(self.room.urls).replace("http", "ws", 1)
            try:
                headers = {"Authorization": f"Bearer {self.token}"}
                async with connect(f"{url}{at}/live", additional_headers=headers) as socket:
                    for _ in range(self.dice.randrange(5, 40)):
                        await self._step(at)
                        await asyncio.wait_for(socket.recv(), 0.5)
            except TimeoutError:
                continue
            except AWAY:
                await asyncio.sleep(0.1)

    async def _step(self, at: str) -> None:
        place = (await self.call("GET", f"{at}/place")).json()
        if place.get("place") == "table":
            await self._play(str(place["table"]))
        elif place.get("place") == "resting":
            for _ in range(2):  # a double tap
                await self.call("POST", f"{at}/ready")

    async def _play(self, table: str) -> None:
        """Make a move if it is our turn, twice with one id."""
        reply = await self.call("GET", f"{API}/tables/{table}")
        if reply.status_code != 200:
            return
        state = reply.json()
        match = state["match"]
        if match["outcome"] is not None:
            self.room.finished.add(table)
        elif match["to_move"] in state["you"]:
            move = self.dice.choice(match["legal_moves"])
            body = {"version": state["version"], "move_id": f"m{state['version']}", "move": move}
            for _ in range(self.dice.choice((1, 1, 2))):
                done = await self.call("POST", f"{API}/tables/{table}/move", body)
            if done.status_code == 200:
                self.room.moves += 1
                if done.json()["state"]["match"]["outcome"] is not None:
                    self.room.finished.add(table)


def play_lesson(
    servers: Sequence[Server], database: str, *, pupils: int, seconds: float, kills: int = 0, seed: int = 1
) -> Report:
    """Hold a lesson, kill servers in turn meanwhile, and hold the store against what pupils saw."""
    what = f"{pupils} pupils, {kills} kills, {'PostgreSQL' if len(servers) > 1 else 'SQLite'}"
    report = Report("room", what)
    taught = asyncio.run(_lesson(servers, pupils, seconds, kills, seed))
    engine = open_database(read_url(database))
    with engine.begin() as connection:
        room_id = room_queries.room_by_code(connection, taught.code) or ""
        events = queries.room_events_since(connection, room_id, 0)
    engine.dispose()
    report.broken += taught.errors[:20]
    check_events(report, events, taught)
    report.figures |= {"moves": taught.moves, "matches": len(taught.finished), "events": len(events)}
    return report


async def _lesson(servers: Sequence[Server], pupils: int, seconds: float, kills: int, seed: int) -> Class:
    room = Class([server.url for server in servers], seed)
    dice = random.Random(seed)
    limits = httpx2.Limits(max_connections=pupils + 20, max_keepalive_connections=pupils + 20)
    async with httpx2.AsyncClient(limits=limits, timeout=PATIENCE) as client:
        teacher = SimulatedPupil(room, client, random.Random(seed), f"zs_{secrets.token_urlsafe(32)}")
        opened = await teacher.call("POST", f"{API}/rooms", {"game": "sum31", "minutes": 60})
        room.code = opened.json()["code"]
        everybody = [
            SimulatedPupil(room, client, random.Random(seed + n), f"zs_{secrets.token_urlsafe(32)}")
            for n in range(pupils)
        ]
        tasks = [asyncio.create_task(one.live()) for one in everybody]
        await teacher.call("POST", f"{API}/rooms/{room.code}/start")
        for n in range(kills):
            before = room.moves
            await _until(lambda before=before: room.moves > before + 10)
            await asyncio.sleep(dice.random() * 0.5)
            server = servers[n % len(servers)]
            server.kill()
            await asyncio.to_thread(server.start)
        await _until(lambda: room.moves > pupils and len(room.finished) > 1)
        await asyncio.sleep(seconds)
        await teacher.call("POST", f"{API}/rooms/{room.code}/end")
        await asyncio.sleep(3)
        room.over = True
        done = await asyncio.gather(*tasks, return_exceptions=True)
        room.errors += [repr(one) for one in done if isinstance(one, BaseException)]
    return room


async def _until(true: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.05)


def check_events(report: Report, events: Sequence[RoomEvent], taught: Class) -> None:
    """Count a second time: nobody at two tables, every result once, and none lost that a pupil saw."""
    playing: dict[int, str] = {}
    pairs: dict[str, tuple[int, int]] = {}
    results, voided, wins = Counter[str](), set[str](), Counter[int]()
    for event in events:
        data = cast("dict[str, Any]", event.data)
        if event.kind is RoomEventKind.PAIRED:
            for table, one, two, _ in data["pairs"]:
                report.check(not {one, two} & playing.keys(), f"a pupil at two tables, event {event.version}")
                pairs[table] = (one, two)
                playing |= {one: table, two: table}
        elif event.kind in (RoomEventKind.RESULT, RoomEventKind.VOIDED):
            for pupil in pairs[data["table"]]:
                playing.pop(pupil, None)
            if event.kind is RoomEventKind.RESULT:
                results[data["table"]] += 1
                wins[data["winner"]] += 1
            else:
                voided.add(data["table"])
    report.check(all(times == 1 for times in results.values()), "a result was counted twice")
    lost = taught.finished - set(results) - voided
    report.check(not lost, f"results lost: {sorted(lost)}")
    room = fold_room("room", events)
    scores = {one.number: one.score for one in room.pupils.values() if one.score}
    report.check(scores == dict(wins), "the scores are not the results")
    report.check(len(results) > 0, "nothing was played")
