"""A lesson over real sockets: simulated pupils of a class, all behind one address, while servers are killed.

Pupils tap twice, close their tabs and open them again. Afterwards the events are counted a second time, and held
against all that pupils were told. `benchmarks.lessons` measures the same lessons.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, cast

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from tests.patience import PATIENCE
from tests.reliability.report import Report
from tests.server.running import Server
from zerosum.server.db import classroom_queries, queries
from zerosum.server.db.engine import open_database, read_url
from zerosum.tables import classroom
from zerosum.tables.classroom import fold_room
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind, Event
from zerosum.tables.table import fold

API: Final = "/api/v1"
AWAY: Final = (httpx2.TransportError, OSError, WebSocketException)
RETRIED: Final = frozenset({502, 503})
NAMES: Final = ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal")
_COMING: Final = 10
"""Pupils who come in a second."""
_LOOK: Final = 0.5
"""Seconds after which somebody who hears nothing looks whether the tab is to be closed."""
_RELOAD: Final = 15.0
"""Seconds of silence at a table after which a pupil loads the page again."""
_BOARD: Final = re.compile(r'<span class="at"><b>(\d+)</b>')
"""The total on a small board of Sum31."""
_POLICY: Final = 1008
_TOO_MANY: Final = 429
_REFUSED: Final = 403
"""What a handshake is told that comes too soon."""
_AGAIN: Final = 1.0
"""Seconds after which a page opens a refused connection again."""


@dataclass(frozen=True)
class Manner:
    """How pupils behave: seconds of thought before a move, seconds that a tab stays open, share of doubled taps."""

    thought: float = 0.2
    tab: float | None = 6.0
    doubled: float = 0.3


@dataclass
class Classroom:
    """A room, and all that its pupils were told."""

    urls: Sequence[str]
    manner: Manner = Manner()
    code: str = ""
    errors: list[str] = field(default_factory=list)
    """What a pupil would see as an error."""
    joined: dict[int, str] = field(default_factory=dict)
    """The pupils who were let in, and the name that each was told."""
    ready: dict[int, float] = field(default_factory=dict)
    """When each pupil asked for a partner last."""
    seated: dict[tuple[int, str], tuple[float, float]] = field(default_factory=dict)
    """When a pupil was told of a table, and since when that pupil was ready."""
    winners: dict[str, int] = field(default_factory=dict)
    """The person who won at each table, as pupils saw it."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until each move was acknowledged."""
    totals: dict[tuple[str, int], float] = field(default_factory=dict)
    """When a move that made a total at a table was acknowledged."""
    shown: dict[tuple[str, int], float] = field(default_factory=dict)
    """When the wall showed that total."""
    walled: list[tuple[float, int]] = field(default_factory=list)
    """When the wall got a message, and its bytes."""
    reports: list[Any] = field(default_factory=list)
    """The report of the class at the end, as each replica has it."""
    told_to_wait: int = 0
    """How often somebody was told to come later, since the whole class has one address."""
    started: float = 0.0
    over: bool = False
    patience: float = PATIENCE
    """Seconds without anything new after which the lesson has come to a standstill."""

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return len(self.acknowledged)

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true; nothing is worth waiting for once a pupil has seen an error."""
        until = clock() + self.patience
        while not true() and not self.errors:
            if clock() > until:
                self.errors.append("the lesson has come to a standstill")
            await asyncio.sleep(0.05)


def clock() -> float:
    """Return the seconds of the loop's clock."""
    return asyncio.get_running_loop().time()


@dataclass
class Visitor:
    """A browser with a key; it never gives up."""

    room: Classroom
    client: httpx2.AsyncClient
    dice: random.Random
    token: str = field(default_factory=lambda: f"zs_{secrets.token_urlsafe(32)}")

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request until some replica answers it; return the answer, None if it is a refusal."""
        while True:
            url = self.dice.choice(self.room.urls)
            try:
                reply = await self.client.request(method, url + path, json=body, headers=self.headers)
            except AWAY:
                await asyncio.sleep(0.1)
                continue
            if reply.status_code in RETRIED:
                await asyncio.sleep(0.1)
            elif reply.status_code == _TOO_MANY:
                self.room.told_to_wait += 1
                await asyncio.sleep(float(reply.headers["retry-after"]))
            elif reply.status_code in (200, 201):
                return reply.json()
            else:
                self.room.errors.append(f"{method} {path}: {reply.status_code} {reply.text[:200]}")
                return None

    async def tap(self, path: str, body: Any = None) -> Any:
        """Send what a button sends, now and then twice at once."""
        taps = 2 if self.dice.random() < self.room.manner.doubled else 1
        replies = await asyncio.gather(*(self.call("POST", path, body) for _ in range(taps)))
        return replies[0]

    @asynccontextmanager
    async def live(self, path: str) -> AsyncIterator[ClientConnection]:
        """Open a live connection to some replica; to be dropped as too slow is an error."""
        url = self.dice.choice(self.room.urls).replace("http", "ws", 1)
        try:
            async with connect(url + path, additional_headers=self.headers, max_size=None) as socket:
                yield socket
        except InvalidStatus as error:
            if error.response.status_code == _REFUSED:
                self.room.told_to_wait += 1
                await asyncio.sleep(_AGAIN)
            elif error.response.status_code not in RETRIED:
                self.room.errors.append(f"{path}: {error}")
            raise
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code == _POLICY:
                self.room.errors.append(f"{path}: {error}")
            raise


async def hear(socket: ClientConnection) -> str:
    """Return the next message, an empty one if there is none for a while."""
    try:
        return str(await asyncio.wait_for(socket.recv(), _LOOK))
    except TimeoutError:
        return ""


class SimulatedPupil(Visitor):
    """A pupil: joins, then plays whatever the room gives."""

    number = 0
    comes: float = 0.0
    """After how many seconds."""

    @property
    def at(self) -> str:
        return f"{API}/rooms/{self.room.code}"

    async def attend(self) -> None:
        """Join, then go wherever the place is, until the lesson is over."""
        name = self.dice.choice(NAMES)
        await asyncio.sleep(self.comes)
        state = await self.tap(f"{self.at}/join", {"name": name})
        self.number = state["you"]
        if self.number in self.room.joined:
            self.room.errors.append(f"two keys are pupil {self.number}")
        self.room.joined[self.number] = next(one["name"] for one in state["pupils"] if one["pupil"] == self.number)
        while not self.room.over:
            try:
                await self._open_tab()
            except AWAY:
                await asyncio.sleep(0.1)

    async def _open_tab(self) -> None:
        tab = self.room.manner.tab
        closes = clock() + (PATIENCE * 1000 if tab is None else self.dice.uniform(0.1, 2 * tab))
        async with self.live(f"{self.at}/live") as socket:
            while not self.room.over and clock() < closes:
                message = await hear(socket)
                if message and not await self._go(json.loads(message), closes):
                    return
        await asyncio.sleep(self.dice.uniform(0.0, tab or 0.0) / 3)

    async def _go(self, place: Mapping[str, Any], closes: float) -> bool:
        """Go where the room says; whether this tab stays open."""
        match place["place"]:
            case "table":
                table = str(place["table"])
                free = max(self.room.started, self.ready())
                self.room.seated.setdefault((self.number, table), (clock(), free))
                return table in self.room.winners or await self._play(table, closes)
            case "resting":
                await asyncio.sleep(self.dice.uniform(0.0, self.room.manner.thought))
                self.room.ready[self.number] = clock()
                await self.tap(f"{self.at}/ready")
            case "removed" | "elsewhere":
                self.room.errors.append(f"pupil {self.number} is {place['place']}")
        return True

    def ready(self) -> float:
        return self.room.ready.get(self.number, 0.0)

    async def _play(self, table: str, closes: float) -> bool:
        """Play a match as its live connection tells it; whether it is over."""
        async with self.live(f"{API}/tables/{table}/live") as socket:
            heard = clock()
            while not self.room.over and clock() < closes and clock() < heard + _RELOAD + self.room.manner.thought:
                message = json.loads(await hear(socket) or "{}")
                if "state" not in message:
                    continue
                heard, state = clock(), message["state"]
                while state is not None and self._mine(state):
                    state = await self._move(table, state)
                if state is not None and state["match"]["outcome"] is not None:
                    self.room.winners[table] = state["match"]["outcome"]["winner"]
                    return True
        return False

    @staticmethod
    def _mine(state: Mapping[str, Any]) -> bool:
        return state["match"]["outcome"] is None and state["match"]["to_move"] in state["you"]

    async def _move(self, table: str, state: Mapping[str, Any]) -> Any:
        """Make a move; return the state that it made."""
        thought = self.room.manner.thought
        await asyncio.sleep(self.dice.uniform(0.5 * thought, 1.5 * thought))
        move = self.dice.choice(state["match"]["legal_moves"])
        body = {"version": state["version"], "move_id": f"m{state['version']}", "move": move}
        sent = clock()
        done = await self.tap(f"{API}/tables/{table}/move", body)
        if done is None:
            return None
        self.room.acknowledged.append(clock() - sent)
        after = done["state"]
        if after["match"]["outcome"] is None:
            self.room.totals[table, after["match"]["totals"][0]] = clock()
        return after


class Teacher(Visitor):
    """The desk."""

    async def open(self) -> None:
        """Open the room."""
        self.room.code = (await self.call("POST", f"{API}/rooms", {"game": "sum31", "minutes": 60}))["code"]

    async def start(self, pupils: int) -> None:
        """Start once all are there."""
        await self.room.until(lambda: len(self.room.joined) == pupils)
        self.room.started = clock()
        await self.call("POST", f"{API}/rooms/{self.room.code}/start")

    async def end(self) -> None:
        """End the lesson, and wait until the matches under way are finished."""
        await self.call("POST", f"{API}/rooms/{self.room.code}/end")
        until = clock() + self.room.patience
        while clock() < until and not self.room.errors:
            state = await self.call("GET", f"{API}/rooms/{self.room.code}")
            if not any(one["table"] for one in state["pupils"]):
                break
            await asyncio.sleep(0.5)
        else:
            self.room.errors.append("some matches were never finished")
        for url in self.room.urls:
            answer = await self.client.get(f"{url}{API}/rooms/{self.room.code}/report", headers=self.headers)
            self.room.reports.append(answer.json())


class Projector(Visitor):
    """The wall, on its one connection."""

    async def watch(self) -> None:
        """Note when each total is shown, and how much is sent."""
        while not self.room.over:
            try:
                async with self.live(f"/room/{self.room.code}/wall/live") as socket:
                    while not self.room.over:
                        self._note(await hear(socket))
            except AWAY:
                await asyncio.sleep(0.1)

    def _note(self, message: str) -> None:
        if not message:
            return
        self.room.walled.append((clock(), len(message.encode())))
        for name, piece in json.loads(message).get("pieces", {}).items():
            found = _BOARD.search(piece) if name.startswith("board-") else None
            if found:
                self.room.shown.setdefault((name.removeprefix("board-"), int(found[1])), clock())


def play_lesson(
    servers: Sequence[Server],
    database: str,
    *,
    pupils: int,
    seconds: float,
    kills: int = 0,
    seed: int = 1,
    manner: Manner | None = None,
    patience: float = PATIENCE,
) -> Report:
    """Hold a lesson, kill servers in turn meanwhile, and hold the store against what pupils were told.

    The first kill falls while pupils join.
    """
    what = f"{pupils} pupils, {kills} kills, {'PostgreSQL' if len(servers) > 1 else 'SQLite'}"
    report = Report("room", what)
    room = Classroom([server.url for server in servers], manner or Manner(), patience=patience)

    async def kill() -> None:
        dice = random.Random(seed)
        for n in range(kills):
            if n == 0:
                await room.until(lambda: 2 * len(room.joined) > pupils)
            else:
                await room.until(partial(played_on, room, room.moves + 10))
                await asyncio.sleep(dice.random() * 0.5)
            server = servers[n % len(servers)]
            server.kill()
            await asyncio.to_thread(server.start)
        await room.until(lambda: room.moves > pupils and len(room.winners) > 1)
        await asyncio.sleep(0.0 if room.errors else seconds)

    asyncio.run(hold_lesson(room, pupils, seed, kill()))
    check_lesson(report, room, database)
    return report


def played_on(room: Classroom, moves: int) -> bool:
    """Whether more moves were made, and a match was finished."""
    return room.moves > moves and len(room.winners) > 0


async def hold_lesson(room: Classroom, pupils: int, seed: int, meanwhile: Awaitable[None]) -> None:
    """Open a room, let pupils play in it until `meanwhile` is done, and let them finish their matches."""
    limits = httpx2.Limits(max_connections=2 * pupils + 20, max_keepalive_connections=2 * pupils + 20)
    async with httpx2.AsyncClient(limits=limits, timeout=PATIENCE) as client:
        teacher = Teacher(room, client, random.Random(seed))
        await teacher.open()
        everybody = [SimulatedPupil(room, client, random.Random(f"{seed} {n}")) for n in range(pupils)]
        for number, one in enumerate(everybody):
            one.comes = (number + one.dice.random()) / _COMING
        tasks = [asyncio.create_task(one.attend()) for one in everybody]
        tasks.append(asyncio.create_task(Projector(room, client, random.Random(seed)).watch()))
        await asyncio.gather(meanwhile, teacher.start(pupils))
        await teacher.end()
        room.over = True
        done = await asyncio.gather(*tasks, return_exceptions=True)
        room.errors += [repr(one) for one in done if isinstance(one, BaseException)]


def check_lesson(report: Report, room: Classroom, database: str) -> list[float]:
    """Hold what pupils were told against the database, note the figures, and return how long each two waited."""
    engine = open_database(read_url(database))
    with engine.begin() as connection:
        room_id = classroom_queries.room_by_code(connection, room.code) or ""
        events = queries.events_since(connection, room_id, 0)
        paired = [str(pair[0]) for event in events if event.kind is ClassroomEventKind.PAIRED for pair in _pairs(event)]
        played = {table: queries.events_since(connection, table, 0) for table in paired}
    engine.dispose()
    report.broken += [f"a pupil saw: {one}" for one in room.errors[:20]]
    counted = count_again(report, events)
    check_tables(report, counted, played)
    check_told(report, counted, room)
    check_reports(report, counted, room)
    folded = fold_room(room_id, events)
    scores = {one.number: one.score for one in folded.pupils.values() if one.score}
    report.check(scores == dict(counted.wins), "the scores are not the results")
    report.check(folded == fold_room(room_id, events), "replayed again, the room is another")
    report.check(len(counted.results) > 0, "nothing was played")
    report.figures |= {"moves": room.moves, "matches": len(counted.results), "events": len(events)}
    report.figures["told to wait"] = room.told_to_wait
    if room.told_to_wait:
        report.late.append(f"pupils were told to come later {room.told_to_wait} times; one address carries a class")
    waits = pairing_waits(folded, room)
    if waits:
        report.figures["pairing"] = f"{max(waits):.2f} s at most"
    return waits


def _pairs(event: ClassroomEvent) -> list[tuple[str, int, int, str]]:
    return cast("list[tuple[str, int, int, str]]", event.data["pairs"])


@dataclass
class Counted:
    """What the events of a room say, counted without its own code."""

    names: dict[int, str] = field(default_factory=dict)
    pairs: dict[str, tuple[int, int]] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    """The winner at each table."""
    wins: Counter[int] = field(default_factory=Counter)


def count_again(report: Report, events: Sequence[ClassroomEvent]) -> Counted:
    """Count the events of a lesson in which nobody was removed: nobody at two tables, every result once."""
    counted, playing = Counted(), dict[int, str]()
    for event in events:
        data = cast("dict[str, Any]", event.data)
        if event.kind is ClassroomEventKind.JOINED:
            counted.names[event.pupil] = data["name"]
        elif event.kind is ClassroomEventKind.PAIRED:
            for table, one, two, _ in _pairs(event):
                report.check(not {one, two} & playing.keys(), f"a pupil at two tables, event {event.version}")
                counted.pairs[table] = (one, two)
                playing |= {one: table, two: table}
        elif event.kind is ClassroomEventKind.RESULT:
            report.check(data["table"] not in counted.results, f"a result was counted twice: {data['table']}")
            counted.results[data["table"]] = data["winner"]
            counted.wins[data["winner"]] += 1
            for pupil in counted.pairs[data["table"]]:
                playing.pop(pupil, None)
    return counted


def check_tables(report: Report, counted: Counted, played: Mapping[str, list[Event]]) -> None:
    """Hold the results of a room against what was played at its tables."""
    for table, events in played.items():
        report.check(events, f"a pairing without its table: {table}")
        outcome = fold(table, events).match.outcome if events else None
        if outcome is None:
            report.check(table not in counted.results, f"a result of a match that is not over: {table}")
            continue
        winner = counted.pairs[table][fold(table, events).match.person(outcome.winner) - 1]
        report.check(counted.results.get(table) == winner, f"a result lost or wrong: {table}")


def check_told(report: Report, counted: Counted, room: Classroom) -> None:
    """Hold what pupils were told against the events."""
    for number, name in room.joined.items():
        report.check(counted.names.get(number) == name, f"let in and not kept: pupil {number}, {name}")
    report.check(len(counted.names) == len(room.joined), "a pupil joined twice")
    for number, table in room.seated:
        report.check(number in counted.pairs.get(table, ()), f"pupil {number} was sent to {table}, paired elsewhere")
    for table, person in room.winners.items():
        seats = counted.pairs.get(table)
        wrong = seats is None or counted.results.get(table) != seats[person - 1]
        report.check(not wrong, f"a result that pupils saw is lost or wrong: {table}")


def check_reports(report: Report, counted: Counted, room: Classroom) -> None:
    """Hold the report that each replica gives against the events."""
    names = counted.names
    matches = sorted(
        (table, *(names[pupil] for pupil in counted.pairs[table]), names[winner])
        for table, winner in counted.results.items()
    )
    played = Counter(pupil for table in counted.results for pupil in counted.pairs[table])
    figures = {number: (names[number], counted.wins[number], played[number]) for number in names}
    for given in room.reports:
        told = sorted((one["table"], one["first"], one["second"], one["winner"]) for one in given["matches"])
        report.check(told == matches, "a replica reports other matches")
        pupils = {one["pupil"]: (one["name"], one["score"], one["matches"]) for one in given["pupils"]}
        report.check(pupils == figures, "a replica reports other figures")


def pairing_waits(folded: classroom.Classroom, room: Classroom) -> list[float]:
    """Return how long each two who had not just met waited from when both were free until both were told."""
    waits, last = list[float](), dict[int, int]()
    for match in folded.matches.values():
        one, two = match.pupils
        both = [room.seated[pupil, match.table] for pupil in match.pupils if (pupil, match.table) in room.seated]
        if len(both) == len(match.pupils) and last.get(one) != two and last.get(two) != one:
            waits.append(max(told for told, _ in both) - max(free for _, free in both))
        last |= {one: two, two: one}
    return waits
