"""Attacks from one address: all that it may ask for, bytes that are no request, and pupils whom nobody knows.

Each attack is made by a process of its own, over loopback, until the end of a block.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, Final

from tests.patience import PATIENCE
from tests.security.calling import UPGRADE, new_token
from zerosum.tables import limits as table_limits

ADDRESS: Final = "127.0.0.3"
CLASS_ADDRESS: Final = "127.0.0.4"
ABREAST: Final = 20
HELD: Final = 500
"""Connections of an attack that keeps them."""
_ROUNDS: Final = 50
_VARIANT: Final = 'like = "sum31"\nid = "own"\nname = "Own"\ntarget = {number}\n'
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Place:
    """What an attack can ask about, and the keys that it has."""

    port: int
    filled: Mapping[str, str]
    """What stands for `{table}` and the like in a path or a body."""
    keys: Mapping[str, str]

    def fill(self, given: Any, number: int = 0) -> Any:
        """Return a text with everything filled in; what is no text stays as it is."""
        if isinstance(given, str):
            for name, value in {**self.filled, "number": str(number)}.items():
                given = given.replace(f"{{{name}}}", value)
        return given


@dataclass
class Attacker:
    """One of those who attack, and what all of them have met: connections opened and cut, statuses, frames sent."""

    place: Place
    address: Callable[[], str]
    met: Counter[str]
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(20))
    requests: int = 10**9
    """How many it sends on one connection."""

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[Streams]:
        """Open a connection, and close it at the end of the block."""
        source = (self.address(), 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self.place.port, local_addr=source)
        self.met["opened"] += 1
        try:
            yield reader, writer
        finally:
            writer.close()

    async def heard(self, reader: asyncio.StreamReader) -> tuple[str, bytes]:
        """Return the status and the body of an answer."""
        head = await reader.readuntil(b"\r\n\r\n")
        status = head[9:12].decode()
        self.met[status] += 1
        length = re.search(rb"content-length: *([0-9]+)", head.lower())
        return status, await reader.readexactly(int(length[1]) if length else 0)

    async def forever(self, attack: Attack) -> None:
        """Attack again and again."""
        while True:
            try:
                await attack(self)
            except (OSError, asyncio.IncompleteReadError):
                self.met["cut"] += 1
                await asyncio.sleep(0.05)


Attack = Callable[[Attacker], Awaitable[None]]
"""One connection of an attack."""


@dataclass(frozen=True)
class Kind:
    """A request that an address may make: as a program if its path is the API's, else as a browser.

    A `{number}` is always new. `who` sends it: somebody who holds seats, who teaches or learns in a room, or nobody.
    """

    path: str
    body: Mapping[str, Any] | None = None
    who: str = "ann"
    live: bool = False
    """Whether it opens a live connection, which is closed at once."""
    host: str = "127.0.0.1"

    def request(self, place: Place, number: int = 0, *, key: str | None = None) -> bytes:
        """Return the request; a browser takes compressed pages and has its key in a cookie."""
        method = "GET" if self.body is None else "POST"
        path, program = place.fill(self.path, number), self.path.startswith("/api/")
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", *(UPGRADE if self.live else ())]
        body, key = b"", place.keys.get(self.who, "") if key is None else key
        if self.body is not None:
            fields = {name: place.fill(value, number) for name, value in self.body.items()}
            text = json.dumps(fields) if program else "&".join(f"{name}={value}" for name, value in fields.items())
            body = text.encode()
            media = "json" if program else "x-www-form-urlencoded"
            lines += [f"Content-Type: application/{media}", f"Content-Length: {len(body)}"]
        if key and program:
            lines.append(f"Authorization: Bearer {key}")
        elif not program:
            lines += ["Accept: text/html", "Accept-Encoding: gzip", "Origin: http://127.0.0.1"]
            lines += [f"Cookie: zerosum_key={key}"] if key else []
        return "\r\n".join([*lines, "", ""]).encode() + body

    async def __call__(self, attacker: Attacker) -> None:
        """Ask on one connection, for as long as it lasts."""
        async with attacker.connected() as (reader, writer):
            for _ in range(attacker.requests):
                writer.write(self.request(attacker.place, next(attacker.numbers) % 10_000))
                status, _ = await attacker.heard(reader)
                if status == "101":
                    break


@dataclass(frozen=True)
class Bytes:
    """Bytes as they are; then whatever comes is read until the server closes."""

    first: bytes
    again: bytes = b""
    """What is sent on and on, once the first was answered."""
    step: int = 2**20
    """Bytes of one write."""
    pause: float = 0.0
    """Seconds between two writes."""
    abreast: int = ABREAST
    reads: bool = True
    """Whether it reads at all."""
    stays: bool = True
    """Whether it waits to be closed, rather than closing at once."""

    async def __call__(self, attacker: Attacker) -> None:
        """Send on one connection."""
        first = self.first.replace(b"{table}", attacker.place.filled["table"].encode())
        async with attacker.connected() as (reader, writer):
            for at in range(0, len(first), self.step):
                await self._write(writer, first[at : at + self.step])
            if not self.reads:
                await asyncio.sleep(PATIENCE)
            elif self.again:
                await attacker.heard(reader)
                while not reader.at_eof():
                    await self._write(writer, self.again)
                    attacker.met["sent"] += 1
            elif self.stays:
                await attacker.heard(reader)
                await reader.read()
            else:
                writer.transport.abort()

    async def _write(self, writer: asyncio.StreamWriter, data: bytes) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(self.pause)


class InventedPupils:
    """Pupils whom nobody knows: each joins the class, then looks for its place and sends moves that must be refused."""

    async def __call__(self, attacker: Attacker) -> None:
        """Be a pupil for a while."""
        key, room = new_token(), "/api/v1/rooms/{room}"
        async with attacker.connected() as streams:

            async def ask(path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
                streams[1].write(Kind(path, body).request(attacker.place, next(attacker.numbers), key=key))
                status, answer = await attacker.heard(streams[0])
                found = json.loads(answer) if status == "200" else {}
                return found if isinstance(found, dict) else {}

            await ask(f"{room}/join", {"name": "Zed"})
            table, version = "", 1
            for _ in range(_ROUNDS):
                table = (await ask(f"{room}/place")).get("table") or table or "{seat}"
                at = f"/api/v1/tables/{table}"
                version = (await ask(at)).get("version", version)
                await ask(f"{at}/move", {**_move("again"), "version": version})  # once a move, then repeated
                await ask(f"{at}/move", _move("{number}"))  # stale
                await ask(f"{at}/move", {**_move("{number}", "+99"), "version": version})  # illegal


def frame(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """Return a frame as a client sends it, of less than 126 bytes, masked by zeros."""
    return bytes([opcode | 0x80 * final, 0x80 | len(payload)]) + bytes(4) + payload


def _move(move_id: str, move: str = "+1") -> dict[str, Any]:
    return {"version": 1, "move_id": f"m{move_id}", "move": move}


GAMES: Final[dict[str, Attack]] = {
    "reference": Kind("/api/v1/docs"),
    "description": Kind("/api/v1/openapi.json"),
    "games": Kind("/api/v1/games"),
    "solution": Kind("/api/v1/games/sequence-zero/solution"),
    "home": Kind("/"),
    "home of a newcomer": Kind("/", who=""),
    "new": Kind("/new"),
    "shelves": Kind("/games"),
    "rules": Kind("/games/sum31"),
    "solved": Kind("/games/sequence-zero/solved"),
    "lessons": Kind("/learn/sum31"),
    "puzzles": Kind("/games/sum31/puzzles"),
    "daily": Kind("/puzzles/daily/{day}"),
    "try at the daily": Kind("/puzzles/daily/{day}", {"move": "+1"}),
    "own game": Kind("/own"),
    "own game by its text": Kind("/own/check", {"text": _VARIANT}),
    "make even": Kind("/own/check", {"text": _VARIANT, "do": "even"}),
    "measure": Kind("/own", {"text": _VARIANT, "do": "measure"}),
    "analyses": Kind("/api/v1/analyze", {"game": "sum31", "moves": ["+5", "+6"]}),
    "variants": Kind("/api/v1/analyze", {"variant": _VARIANT}),
    "refused analyses": Kind("/api/v1/analyze", {"variant": "x = [" + "1," * (table_limits.VARIANT_MARKS - 2) + "]"}),
    "uploads": Kind("/api/v1/analyze", {"variant": "pool = [" + "1," * 32_000 + "]"}),
}
TABLES: Final[dict[str, Attack]] = {
    "table": Kind("/api/v1/tables/{table}"),
    "page of a table": Kind("/tables/{table}"),
    "board": Kind("/tables/{table}/board"),
    "projector": Kind("/tables/{table}/projector"),
    "events": Kind("/api/v1/tables/{table}/events?since=0"),
    "events of a long table": Kind("/api/v1/tables/{long}/events?since=0"),
    "record": Kind("/tables/{table}/record"),
    "values": Kind("/api/v1/tables/{table}/values"),
    "hint": Kind("/api/v1/tables/{table}/hint?step=4"),
    "late moves": Kind("/api/v1/tables/{table}/move", _move("{number}")),
    "moves sent again": Kind("/api/v1/tables/{table}/move", _move("0")),
    "moves of nobody": Kind("/api/v1/tables/{table}/move", _move("{number}"), who="teacher"),
    "live connections": Kind("/api/v1/tables/{table}/live", live=True),
    "catching up": Kind("/api/v1/tables/{long}/live?since=1", live=True),
    "review": Kind("/tables/{over}/review"),
    "review as JSON": Kind("/api/v1/tables/{over}/matches/1/review"),
    "offers of changes": Kind("/tables/{over}/changes"),
    "list": Kind("/api/v1/tables"),
    "new tables": Kind("/api/v1/tables", {"game": "sum31", "opponent": "here"}),
    "tables against computers": Kind("/api/v1/tables", {"game": "sum31", "opponent": "level:5", "first": "them"}),
    "keys": Kind("/api/v1/keys", {}),
    "invitations": Kind("/join/" + "0" * 28),
    "codes": Kind("/return", {"code": "0" * 28}),
}
ROOMS: Final[dict[str, Attack]] = {
    "new rooms": Kind("/api/v1/rooms", {"game": "sum31"}),
    "room": Kind("/room/{mine}", who="pupil"),
    "room as JSON": Kind("/api/v1/rooms/{mine}", who="pupil"),
    "place in a room": Kind("/api/v1/rooms/{mine}/place", who="pupil"),
    "joining a room": Kind("/api/v1/rooms/{mine}/join", {"name": "Zed {number}"}),
    "wrong rooms": Kind("/room/zz{number}"),
    "wall": Kind("/room/{mine}/wall"),
    "live wall": Kind("/room/{mine}/wall/live", live=True),
    "desk": Kind("/room/{mine}/desk", who="teacher"),
    "report": Kind("/room/{mine}/report", who="teacher"),
    "report as CSV": Kind("/room/{mine}/report.csv", who="teacher"),
    "report as JSON": Kind("/api/v1/rooms/{mine}/report", who="teacher"),
    "outsider at a room": Kind("/room/{room}", who=""),
    "outsider at its JSON": Kind("/api/v1/rooms/{room}"),
    "outsider at a place": Kind("/api/v1/rooms/{room}/place"),
    "outsider at the desk": Kind("/room/{room}/desk"),
    "outsider at the wall": Kind("/room/{room}/wall/live", who="", live=True),
    "invented pupils": InventedPupils(),
    "invented pupils in class": InventedPupils(),
}
OTHERS: Final[dict[str, Attack]] = {
    "style": Kind("/static/style.css"),
    "picture of a link": Kind("/static/link-sum31.png"),
    "nothing": Kind("/nothing"),
    "ready": Kind("/readyz"),
    "metrics": Kind("/metrics"),
    "wrong hosts": Kind("/", host="evil.example"),
}
_ENDLESS: Final = 2**23
_GET: Final = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_POST: Final = b"POST /api/v1/keys HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_LIVE: Final = Kind("/api/v1/tables/{table}/live", live=True, who="").request(Place(0, {}, {}))
BYTES: Final[dict[str, Attack]] = {
    "no request": Bytes(b"\x00\xff\x01 this is no request\r\n\r\n"),
    "a TLS hello": Bytes(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x5a" * 508),
    "a line without an end": Bytes(b"GET /" + b"a" * _ENDLESS),
    "a header without an end": Bytes(_GET + b"X: " + b"x" * _ENDLESS),
    "headers without an end": Bytes(_GET + b"X: 1\r\n" * (_ENDLESS // 6)),
    "length and chunks": Bytes(_POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "one-byte writes": Bytes(_GET + b"Connection: close\r\n\r\n", step=1),
    "half requests": Bytes(_GET + b"X: ", abreast=HELD),
    "half bodies": Bytes(_POST + b"Content-Length: 99\r\n\r\n{", abreast=HELD),
    "a byte a second": Bytes(_GET + b"X: " + b"x" * 1000, step=1, pause=1.0, abreast=HELD),
    "tiny chunks": Bytes(_POST + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 100_000),
    "new connections": Bytes(b"", stays=False),
    "slow readers": Bytes(b"GET /static/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200, reads=False, abreast=100),
    "live messages": Bytes(_LIVE, frame(1, b'{"type":"move","version":1,"move_id":"a","move":"+1"}')),
    "pings": Bytes(_LIVE, frame(9, b"x" * 100)),
    "pieces of messages": Bytes(_LIVE, frame(0, b"", final=False)),
    "no frames": Bytes(_LIVE, b"\xff" * 64),
    "large frames": Bytes(_LIVE, bytes([0x81, 0xFE, 0x13, 0x88]) + bytes(5004)),
}
ATTACKS: Final[dict[str, Attack]] = GAMES | TABLES | ROOMS | OTHERS | BYTES
CALM: Final = "calm"
"""No attack, to compare with."""


def _attack(name: str, place: Place, least: int, told: Any) -> None:
    if not least:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))  # it stands for callers elsewhere
    address = CLASS_ADDRESS if name.endswith("in class") else ADDRESS
    attacker = Attacker(place, lambda: address, Counter())

    async def run() -> None:
        attack = ATTACKS[name]
        tasks = [asyncio.create_task(attacker.forever(attack)) for _ in range(getattr(attack, "abreast", ABREAST))]
        told.send("begun")
        await asyncio.to_thread(told.recv)
        async with asyncio.timeout(PATIENCE):
            while attacker.met.total() < least:
                await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        failed = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(one, Exception)]
        if failed:
            raise failed[0]

    asyncio.run(run())
    told.send(attacker.met)


@contextmanager
def attacked(name: str, place: Place, *, least: int = 0) -> Iterator[Counter[str]]:
    """Attack a server until the end of the block, and until something was met so often; then what it met is known."""
    met: Counter[str] = Counter()
    if name == CALM:
        yield met
        return
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_attack, args=(name, place, least, theirs), daemon=True)
    process.start()
    theirs.close()  # so that an attack that fails is noticed
    try:
        ours.recv()
        yield met
        ours.send("stop")
        met.update(ours.recv())
    finally:
        process.kill()
        process.join()
