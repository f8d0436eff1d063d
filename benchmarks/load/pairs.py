"""The same load for a bare server: pairs of connections that send in turn, one message of each pair under way."""

from __future__ import annotations

import asyncio
import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.load.loops import Run
from benchmarks.load.sockets import Lines, Socket, asking
from benchmarks.measure import PYTHON
from tests.server.leash import release, spawn
from tests.server.ports import free_port

_PATIENCE: Final = 10


@contextmanager
def bare_server(kind: str) -> Iterator[int]:
    """Run a bare server, and return its port; its file is on the disk where the server's home is too."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        command = [PYTHON, "-m", "benchmarks.load.peer", kind, str(port), str(Path(folder, "kept"))]
        process = spawn(command, stdin=subprocess.DEVNULL)
        try:
            yield port
        finally:
            process.terminate()
            release(process, _PATIENCE)


class Pair:
    """Two connections that send in turn what a move looks like."""

    def __init__(self) -> None:
        self._sockets: list[Lines] = []
        self._sent = 0
        self._expected = b""
        self.echoed = 0
        self.wrong = 0
        self.stopped = False

    async def connect(self, kind: str, port: int) -> None:
        """Open both connections."""
        loop = asyncio.get_running_loop()
        for _ in range(2):
            socket = Lines(self._hear) if kind == "lines" else Socket(self._hear, asking("/", port))
            await loop.create_connection(partial(_same, socket), "127.0.0.1", port)
            await socket.opened
            self._sockets.append(socket)

    def send(self) -> None:
        """Send the next message."""
        self._sent += 1
        message = {"type": "move", "version": self._sent, "move_id": f"m{self._sent}", "move": "+5"}
        self._expected = json.dumps(message, separators=(",", ":")).encode()
        self._sockets[self._sent % 2].send(self._expected)

    def _hear(self, text: bytes) -> None:
        self.wrong += text != self._expected
        json.loads(text)
        self.echoed += 1
        if not self.stopped:
            self.send()

    def close(self) -> None:
        """End both connections."""
        for socket in self._sockets:
            self.wrong += socket.lost is not None
            socket.close()


def _same(made: Lines) -> Lines:
    return made


async def echo_rate(kind: str, count: int, warm: float, seconds: float) -> tuple[float, Run]:
    """Return how many messages a second a bare server keeps and sends back to so many pairs."""
    with bare_server(kind) as port:
        await _listening(port)
        pairs = [Pair() for _ in range(count)]
        for pair in pairs:
            await pair.connect(kind, port)
        for pair in pairs:
            pair.send()
        await asyncio.sleep(warm)
        clock = asyncio.get_running_loop().time
        began, worked, before = clock(), time.process_time(), sum(pair.echoed for pair in pairs)
        await asyncio.sleep(seconds)
        run = Run(clock() - began, time.process_time() - worked)
        rate = (sum(pair.echoed for pair in pairs) - before) / run.seconds
        for pair in pairs:
            pair.stopped = True
        await asyncio.sleep(1)
        for pair in pairs:
            pair.close()
        await asyncio.sleep(0.1)
        if wrong := sum(pair.wrong for pair in pairs):
            raise AssertionError(f"the bare server was wrong {wrong} times")
        return rate, run


async def _listening(port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise TimeoutError("the bare server did not begin to listen")
