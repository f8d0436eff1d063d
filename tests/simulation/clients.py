"""Clients of the simulated server: they play, and double-tap, drop what they ask, send it again, and lie."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tests.simulation.replicas import Replica, Simulation

_HEADERS: Final = [(b"host", b"127.0.0.1:8031"), (b"content-type", b"application/json")]
PATIENCE: Final = 8.0
"""Virtual seconds that a client waits for an answer."""
_STATE: Final = '"state":'


@dataclass(frozen=True)
class Told:
    """A state that somebody was told: of which table, at which version, with which seats, and its text."""

    table: str
    version: int
    held: tuple[int, ...]
    text: str


@dataclass
class History:
    """All that clients have sent and were told, in order."""

    lines: list[str] = field(default_factory=list)
    acknowledged: list[tuple[str, int, str, int]] = field(default_factory=list)
    """Table, person, id and version of each command that was acknowledged."""
    senders: dict[tuple[str, str], int] = field(default_factory=dict)
    """Who has sent a command, by table and id; 0 is somebody without a seat."""
    told: list[Told] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    sent: int = 0
    """How many commands were sent, to tables and to rooms."""
    taken: int = 0
    """How many of them were acknowledged."""

    def note(self, *what: object) -> None:
        """Write a line."""
        self.lines.append(f"{asyncio.get_running_loop().time():.6f} " + " ".join(map(str, what)))


async def call(
    replica: Replica, path: str, address: str, token: str, body: object = None, *, method: str = "POST"
) -> tuple[int, str]:
    """Return the status and the text of the answer to a request; 0 if there is none."""
    content = b"" if body is None else json.dumps(body).encode()
    headers = [*_HEADERS, (b"content-length", str(len(content)).encode())]
    if token:
        headers.append((b"authorization", f"Bearer {token}".encode()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": (address, 1),
        "server": ("127.0.0.1", 8031),
    }
    requests = [{"type": "http.request", "body": content, "more_body": False}]
    status, parts = 0, list[bytes]()

    async def receive() -> dict[str, Any]:
        if requests:
            return requests.pop()
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.append(message.get("body", b""))

    if not replica.up:
        await asyncio.sleep(0.05)
        return 0, ""
    died = replica.died
    work = replica.run(replica.app, scope, receive, send)
    await asyncio.wait({work, died}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
    if died.done() or not work.done() or work.cancelled():
        work.cancel()
        return 0, ""
    work.result()
    return status, b"".join(parts).decode()


def _give_up(answer: asyncio.Future[Any]) -> None:
    if not answer.done():
        answer.set_result(None)


@dataclass(kw_only=True)
class Viewer:
    """Somebody with a live connection, who comes back whenever it is lost."""

    simulation: Simulation
    history: History
    token: str
    address: str
    inbox: asyncio.Queue[dict[str, Any]] | None = None
    connection: asyncio.Task[Any] | None = None
    stopped: bool = False

    def replica(self) -> Replica:
        """Return a replica to ask."""
        return self.simulation.dice.choice(self.simulation.replicas)

    def where(self) -> tuple[str, str]:
        """Return the path and the query of the live connection."""
        raise NotImplementedError

    def hear(self, text: str) -> None:
        """Take a message."""
        raise NotImplementedError

    def lost(self) -> None:
        """Note that the connection is lost."""

    async def stay_connected(self) -> None:
        """Look on live, and come back whenever the connection is lost."""
        while not self.stopped:
            replica = self.replica()
            if replica.up:
                self.inbox = asyncio.Queue()
                self.inbox.put_nowait({"type": "websocket.connect"})
                died = replica.died

                async def take(message: Any, died: asyncio.Future[None] = died) -> None:
                    if not died.done():
                        self._take(message)

                self.connection = replica.run(replica.app, self._scope(), self.inbox.get, take)
                await asyncio.wait({self.connection, died}, return_when=asyncio.FIRST_COMPLETED)
                self.inbox = None
                if self.connection.done() and not self.connection.cancelled():
                    self.connection.result()
            self.lost()
            await asyncio.sleep(self.simulation.dice.uniform(0.05, 0.3))

    def leave(self) -> None:
        """Close the connection for good."""
        self.stopped = True
        if self.inbox is not None:
            self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})

    def _scope(self) -> dict[str, Any]:
        path, query = self.where()
        return {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [*_HEADERS, (b"authorization", f"Bearer {self.token}".encode())],
            "subprotocols": [],
            "extensions": {},
            "client": (self.address, 1),
            "server": ("127.0.0.1", 8031),
        }

    def _take(self, message: Any) -> None:
        if message["type"] == "websocket.send":
            self.hear(message["text"])
        elif message["type"] == "websocket.close" and self.inbox is not None:
            self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})


@dataclass(kw_only=True)
class Seat(Viewer):
    """A person at a table: what it knows, and its live connection."""

    table: str
    person: int
    version: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    answers: dict[str, asyncio.Future[Any]] = field(default_factory=dict)
    sent: int = 0

    def new_id(self) -> str:
        """Return an id for a command."""
        self.sent += 1
        name = f"p{self.person}n{self.sent}"
        self.history.senders[self.table, name] = self.person
        return name

    def where(self) -> tuple[str, str]:
        """Return where the table is, and the version that is known."""
        return f"/api/v1/tables/{self.table}/live", f"since={self.version}"

    def lost(self) -> None:
        """Wait for no answer any more."""
        for answer in self.answers.values():
            if not answer.done():
                answer.set_result(None)

    def hear(self, text: str) -> None:
        """Take an event, the state, or the answer to a command."""
        known = json.loads(text)
        self.history.note(self.table, self.person, "hears", text)
        match known["type"]:
            case "event":
                if known["version"] != self.version + 1:
                    self.history.wrong.append(f"{self.table}: told of {known['version']} after {self.version}")
                self._learn(known, text)
            case "state":
                self._learn(known, text)
            case "answer" | "problem":
                answer = self.answers.pop(known["move_id"], None)
                if answer is not None and not answer.done():
                    answer.set_result((known, text))

    def _learn(self, known: Mapping[str, Any], text: str) -> None:
        self.version = known["version"]
        self._see(known, text)

    def _see(self, known: Mapping[str, Any], text: str) -> None:
        state, version = text[text.index(_STATE) + len(_STATE) : -1], known["version"]
        self.history.told.append(Told(self.table, version, (self.person,), state))
        if version >= self.state.get("version", 0):
            self.state = known["state"]

    async def send(self, name: str, command: Mapping[str, Any]) -> bool:
        """Send a command, live or by a request; whether it was acknowledged."""
        self.history.sent += 1
        live = self.inbox is not None and self.simulation.dice.random() < 0.75
        self.history.note(self.table, self.person, "sends", name, json.dumps(command), "live" if live else "")
        known, text = await (self._send_live(name, command) if live else self._send_request(name, command))
        self.history.note(self.table, self.person, "got", command["move_id"], known.get("version"))
        if known:
            self.history.taken += 1
            self.history.acknowledged.append((self.table, self.person, command["move_id"], known["version"]))
            self._see(known, text)
        return bool(known)

    async def _send_live(self, name: str, command: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        answer: asyncio.Future[tuple[dict[str, Any], str] | None] = asyncio.get_running_loop().create_future()
        self.answers[command["move_id"]] = answer
        assert self.inbox is not None
        self.inbox.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": name, **command})})
        given_up = asyncio.get_running_loop().call_later(PATIENCE, _give_up, answer)
        try:
            got = await asyncio.shield(answer)
        finally:
            given_up.cancel()
        return got if got is not None and got[0]["type"] == "answer" else ({}, "")

    async def _send_request(self, name: str, command: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
        path = f"/api/v1/tables/{self.table}/{name}"
        status, text = await call(self.replica(), path, self.address, self.token, command)
        self.history.note(self.table, self.person, "answered", status, text)
        return (json.loads(text), text) if status == 200 else ({}, "")

    def due(self) -> tuple[str, dict[str, Any]] | None:
        """Return what one may do now, as far as one knows."""
        can = [one for one in self.state.get("can", ()) if one != "claim"]
        if not can:
            return None
        dice = self.simulation.dice
        name = "move" if "move" in can and dice.random() < 0.9 else dice.choice(can)
        if name == "resign" and dice.random() < 0.7:
            return None
        command: dict[str, Any] = {"version": self.state["version"], "move_id": self.new_id()}
        if name == "move":
            command["move"] = dice.choice(self.state["match"]["legal_moves"])
        return name, command

    async def act(self) -> None:
        """Do one thing, honestly or not."""
        dice, due = self.simulation.dice, self.due()
        how = dice.random()
        if how < 0.06:
            await self._lie()
        elif due is None:
            await asyncio.sleep(dice.uniform(0.02, 0.2))
        elif how < 0.16:
            await asyncio.gather(self.send(*due), self.send(*due))
        elif how < 0.22:
            await self._drop_and_resend(*due)
        elif not await self.send(*due) and dice.random() < 0.8:
            await asyncio.sleep(dice.uniform(0.01, 0.5))
            await self.send(*due)

    async def _drop_and_resend(self, name: str, command: dict[str, Any]) -> None:
        dice = self.simulation.dice
        first = asyncio.get_running_loop().create_task(self.send(name, command))
        await asyncio.wait({first}, timeout=dice.uniform(0.0, 0.01))
        first.cancel()
        if self.connection is not None and dice.random() < 0.5:
            self.connection.cancel()
        await asyncio.sleep(dice.uniform(0.0, 1.0))
        await self.send(name, command)

    async def _lie(self) -> None:
        dice = self.simulation.dice
        version = max(1, self.state.get("version", 1) + dice.choice([-2, -1, 0, 0, 1]))
        command: dict[str, Any] = {"version": version, "move_id": self.new_id()}
        match dice.randrange(3):
            case 0:  # for the other person
                name, command["person"] = dice.choice(["move", "resign"]), 3 - self.person
                legal = self.state.get("match", {}).get("legal_moves") or ["+1"]
                if name == "move":
                    command["move"] = dice.choice(legal)
                await self.send(name, command)
            case 1:  # what no rules allow
                await self.send("move", {**command, "move": dice.choice(["+0", "+99", "-7", "x", "swap"])})
            case _:  # as somebody without a seat
                command["move_id"] = f"s{command['move_id']}"
                self.history.senders[self.table, command["move_id"]] = 0
                token = f"zs_{'x' * 43}"
                path = f"/api/v1/tables/{self.table}/resign"
                status, text = await call(self.replica(), path, self.address, token, command)
                self.history.note(self.table, "a stranger got", status, text)
