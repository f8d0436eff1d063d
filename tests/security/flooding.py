"""Floods, each from a process of its own: `python -m tests.security.flooding KIND PORT TABLE NICENESS`.

A flood goes on until its standard input ends; meanwhile it says how it fares, ten times a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from tests.patience import PATIENCE
from tests.security.calling import upgrade
from zerosum.server.limits import CATCH_UP_STATES, PAGE_EVENTS

ROOT: Final = Path(__file__).resolve().parents[2]
ADDRESS: Final = "127.0.0.2"
_ABREAST: Final = 20
_PATHS: Final = (
    "/",
    "/api/v1/games",
    "/static/style.css",
    "/tables/{}",
    "/healthz",
    "/api/v1/tables/{}",
    "/tables/{}/board",
)
_MASK: Final = b"\0\0\0\0"
"""Masked by nothing: a frame must be masked, and this mask changes no byte."""

counts: Final[Counter[str]] = Counter()
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _connect(port: int) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(ADDRESS, 0), limit=2**24)


async def _answered(streams: Streams, request: bytes) -> None:
    reader, writer = streams
    writer.write(request)
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    counts[head[9:12].decode()] += 1
    length = next((line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), b":0")
    await reader.readexactly(int(length.partition(b":")[2]))


async def _requests(port: int, table: str, host: str = "127.0.0.1") -> None:
    streams = await _connect(port)
    try:
        while True:
            for path in _PATHS:
                await _answered(streams, f"GET {path.format(table)} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    finally:
        streams[1].close()


async def _wrong_hosts(port: int, table: str) -> None:
    await _requests(port, table, "evil.example")


async def _uploads(port: int, table: str) -> None:
    """Send rules that take long to read, though they make no game."""
    del table
    body = json.dumps({"variant": "pool = [" + "1," * 32_000 + "]"}).encode()
    head = "POST /api/v1/analyze HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    streams = await _connect(port)
    try:
        while True:
            await _answered(streams, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    finally:
        streams[1].close()


async def _connections(port: int, table: str) -> None:
    del table
    _, writer = await _connect(port)
    counts["connected"] += 1
    writer.close()
    await asyncio.sleep(0.005)


async def _upgraded(port: int, table: str, query: str = "") -> Streams:
    reader, writer = await _connect(port)
    writer.write(upgrade(table, query))
    head = await reader.readuntil(b"\r\n\r\n")
    counts[head[9:12].decode()] += 1
    if head[9:12] != b"101":
        writer.close()
        raise ConnectionError
    return reader, writer


def frame(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """Return a frame as a client sends it, of less than 126 bytes."""
    return bytes([opcode | 0x80 * final, 0x80 | len(payload)]) + _MASK + payload


async def _sending(port: int, table: str, what: bytes) -> None:
    reader, writer = await _upgraded(port, table)
    try:
        while not reader.at_eof():
            writer.write(what)
            await writer.drain()
            counts["sent"] += 1
            await asyncio.sleep(0)
    finally:
        writer.close()


async def _messages(port: int, table: str) -> None:
    await _sending(port, table, frame(1, b'{"type":"move","version":1,"move_id":"a","move":"+1"}'))


async def _pings(port: int, table: str) -> None:
    await _sending(port, table, frame(9, b"x" * 100))


async def _catching_up(port: int, table: str) -> None:
    """Come back again and again, having missed as much as a table of 590 plies has, or as is told one by one."""
    table, _, version = table.partition(":")
    sinces = (1, max(1, int(version) - PAGE_EVENTS), max(1, int(version) - CATCH_UP_STATES))
    reader, writer = await _upgraded(port, table, f"?since={sinces[counts['101'] % len(sinces)]}")
    try:
        writer.write(frame(1, b'{"type":"ping"}'))
        counts["bytes"] += len(await reader.readuntil(b'{"type":"pong"}'))
        counts["caught up"] += 1
    finally:
        writer.close()


async def _events(port: int, table: str) -> None:
    """Ask for all that has happened, again and again."""
    streams = await _connect(port)
    request = f"GET /api/v1/tables/{table.partition(':')[0]}/events?since=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    try:
        while True:
            await _answered(streams, request.encode())
            await asyncio.sleep(_ABREAST / PACES["events"])
    finally:
        streams[1].close()


PACES: Final = {"catching up": 28.0, "events": 280.0}
"""How many a second an attack makes that stays within the rate of its address."""
ON_A_LONG_TABLE: Final[dict[str, Callable[[int, str], Awaitable[None]]]] = {
    "catching up": _catching_up,
    "events": _events,
}
"""Floods of a table named ID:VERSION."""
KINDS: Final[dict[str, Callable[[int, str], Awaitable[None]]]] = {
    "requests": _requests,
    "wrong hosts": _wrong_hosts,
    "uploads": _uploads,
    "connections": _connections,
    "messages": _messages,
    "pings": _pings,
}


async def _again(kind: str, port: int, table: str) -> None:
    attack = (KINDS | ON_A_LONG_TABLE)[kind]
    while True:
        try:
            await attack(port, table)
        except (OSError, asyncio.IncompleteReadError):
            counts["cut"] += 1
            await asyncio.sleep(0.005)
        if kind in PACES:
            await asyncio.sleep(_ABREAST / PACES[kind])


def _say() -> None:
    sys.stdout.write(json.dumps(counts) + "\n")
    sys.stdout.flush()


async def _say_how_it_fares() -> None:
    while True:
        _say()
        await asyncio.sleep(0.1)


async def _flood(kind: str, port: int, table: str) -> None:
    tasks = [asyncio.create_task(_again(kind, port, table)) for _ in range(_ABREAST)]
    tasks.append(asyncio.create_task(_say_how_it_fares()))
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    _say()


@contextmanager
def flood(kind: str, port: int, table: str, *, niceness: int = 0) -> Iterator[Counter[str]]:
    """Flood a server until the end of the block; what the flood has met grows meanwhile.

    With the highest niceness it stands for callers elsewhere: it takes as little time as can be from the server and
    the honest players. On a busy machine it then hardly gets to anything.
    """
    command = [sys.executable, "-m", "tests.security.flooding", kind, str(port), table, str(niceness)]
    met: Counter[str] = Counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        listening = threading.Thread(target=_hear, args=(process.stdout, met), daemon=True)
        listening.start()
        try:
            yield met
        finally:
            process.stdin.close()
            process.wait(PATIENCE)
            listening.join()
    assert process.returncode == 0, f"The flood has ended by itself: {process.returncode}."


def _hear(lines: IO[bytes], met: Counter[str]) -> None:
    for line in lines:
        met.update(Counter(json.loads(line)) - met)


if __name__ == "__main__":
    os.nice(int(sys.argv[4]))
    asyncio.run(_flood(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
