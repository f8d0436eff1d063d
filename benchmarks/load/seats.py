"""Tables with two persons each, who play by what they are told, and check that they are told everything."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
from collections import deque
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Any, Final

from benchmarks.load.sockets import Socket, asking

GAME: Final = "zero-sum-game"
_TABLES_AN_ADDRESS: Final = 8


@dataclass
class Tally:
    """What was measured, in seconds from when a move was due, and what went wrong."""

    acknowledged: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    """Until the opponent had it."""
    rematches: int = 0
    errors: list[str] = field(default_factory=list)


class Person:
    """One of two persons at a table: a connection, and what it was told last."""

    def __init__(self, table: Playing, number: int, token: str) -> None:
        self._table = table
        self.number = number
        self.token = token
        self.socket: Socket | None = None
        self.state: dict[str, Any] = {"version": 0, "can": [], "match": {"outcome": None}}
        self.version = 0
        """How far it was told of events."""

    async def connect(self, port: int, address: str) -> None:
        """Open the live connection."""
        request = asking(f"/api/v1/tables/{self._table.id}/live", port, self.token)
        loop = asyncio.get_running_loop()
        _, socket = await loop.create_connection(
            lambda: Socket(self._hear, request), "127.0.0.1", port, local_addr=(address, 0)
        )
        self.socket = socket
        await socket.opened

    def say(self, kind: str, move_id: str, **more: str) -> None:
        """Send a command for what was seen last."""
        message = {"type": kind, "version": self.state["version"], "move_id": move_id, **more}
        if self.socket is not None:
            self.socket.send(json.dumps(message, separators=(",", ":")).encode())

    def _hear(self, text: bytes) -> None:
        message = json.loads(text)
        match message["type"]:
            case "event":
                if message["version"] != self.version + 1:
                    self._table.wrong(f"told of version {message['version']} after {self.version}")
                self.version, self.state = message["version"], message["state"]
                self._table.told(self)
            case "answer":
                if message["version"] <= self.version:
                    self._table.wrong(f"told of version {message['version']} before it was acknowledged")
                self.state = message["state"]
                self._table.answered(message["move_id"])
            case "state":
                self.version, self.state = message["version"], message["state"]
            case "presence":
                pass
            case _:
                self._table.wrong(text.decode())


class Playing:
    """A table at which a move is made whenever one is due, and a rematch as soon as a match is over."""

    def __init__(self, table_id: str, tokens: tuple[str, str], tally: Tally, *, endless: bool = False) -> None:
        self.id = table_id
        self.persons = [Person(self, number, token) for number, token in enumerate(tokens, 1)]
        self._tally = tally
        self._endless = endless
        self._chance = Random(table_id)
        self._clock = asyncio.get_running_loop().time
        self._due: deque[float] = deque()
        self._moving: tuple[str, float] | None = None
        """The move under way, by its id, and when it was due."""
        self._asked: set[str] = set()
        self._last: tuple[int, float] = (0, 0.0)
        """The version of the last move, and when it was due."""
        self._sent = 0

    @property
    def idle(self) -> bool:
        """Whether nothing is due and everything sent is acknowledged and told."""
        versions = {person.version for person in self.persons}
        return not self._due and self._moving is None and not self._asked and len(versions) == 1

    def wrong(self, what: str) -> None:
        """Note something that must not be."""
        self._tally.errors.append(f"{self.id}: {what}")

    def due(self, at: float) -> None:
        """Have a move made which is due at a time; later only if one before it is not acknowledged."""
        self._due.append(at)
        self._move()

    def stop(self) -> None:
        """Let no further move follow by itself."""
        self._endless = False
        self._due.clear()

    def _move(self) -> None:
        if self._moving is not None or not self._due:
            return
        latest = max(self.persons, key=lambda person: int(person.state["version"]))
        for person in self.persons:
            if "move" in person.state["can"] and person.state["version"] == latest.state["version"]:
                move_id = self._new_id()
                self._moving = move_id, self._due.popleft()
                self._last = person.state["version"] + 1, self._moving[1]
                person.say("move", move_id, move=self._chance.choice(person.state["match"]["legal_moves"]))
                return

    def _new_id(self) -> str:
        self._sent += 1
        return f"m{self._sent}"

    def answered(self, move_id: str) -> None:
        """Take an acknowledgement."""
        if self._moving is not None and move_id == self._moving[0]:
            self._tally.acknowledged.append(self._clock() - self._moving[1])
            self._moving = None
            if self._endless:
                self._due.append(self._clock())
            self._move()
        elif move_id in self._asked:
            self._asked.remove(move_id)
            self._tally.rematches += 1
        else:
            self.wrong(f"{move_id} was acknowledged, but not sent")

    def told(self, person: Person) -> None:
        """Go on from an event."""
        last = person.state["last"]
        if last["kind"] == "played" and last["person"] != person.number and last["version"] == self._last[0]:
            self._tally.told.append(self._clock() - self._last[1])
        if person.state["match"]["outcome"] is None:
            self._move()
        # One asks, and once the other is told of it they agree.
        elif person.state["rematch_asked"] == (None if person.number == 1 else 1):
            self._asked.add(self._new_id())
            person.say("rematch", f"m{self._sent}")


async def seat_all(port: int, count: int, tally: Tally, *, endless: bool = False) -> list[Playing]:
    """Open tables, each with two persons connected live."""
    playing = []
    for number in range(count):
        # From one address come no more than the server's limits let in.
        address = f"127.0.1.{1 + number // _TABLES_AN_ADDRESS}"
        table_id, tokens = _open(port, address)
        table = Playing(table_id, tokens, tally, endless=endless)
        for person in table.persons:
            await person.connect(port, address)
        playing.append(table)
    return playing


async def leave_all(playing: list[Playing]) -> None:
    """End all connections."""
    for table in playing:
        for person in table.persons:
            if person.socket is not None:
                person.socket.close()
    await asyncio.sleep(0.1)


def _open(port: int, address: str) -> tuple[str, tuple[str, str]]:
    with contextlib.closing(
        http.client.HTTPConnection("127.0.0.1", port, timeout=30, source_address=(address, 0))
    ) as server:
        first, second = (_post(server, "keys", {})["token"] for _ in range(2))
        opened = _post(server, "tables", {"game": GAME, "name": "Ann"}, first)
        _post(server, "join", {"invitation": opened["invitation"], "name": "Ben"}, second)
    return opened["state"]["table"], (first, second)


def _post(server: http.client.HTTPConnection, path: str, document: object, token: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    server.request("POST", f"/api/v1/{path}", json.dumps(document), headers)
    answer = server.getresponse()
    body = answer.read()
    if answer.status not in (HTTPStatus.OK, HTTPStatus.CREATED):
        raise AssertionError(f"{path}: {answer.status} {body!r}")
    made: dict[str, Any] = json.loads(body)
    return made
