"""Handshakes of live connections: one a turn of the loop, however many arrive at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn import Config
from uvicorn.server import ServerState

from tests.patience import PATIENCE
from tests.security.calling import upgrade
from zerosum.server import limits
from zerosum.server.http.protocols import HttpProtocol, WebSocketProtocol
from zerosum.server.http.turns import TURNS, Turns

MANY = 30


async def accept(_scope: Scope, receive: Receive, send: Send) -> None:
    """Accept a live connection, and keep it while the client does."""
    await receive()
    await send({"type": "websocket.accept"})
    await receive()


class Doors:
    """A server in this process, and its clients, who are not read from until they have all sent their handshakes."""

    def __init__(self) -> None:
        self.turns = Turns(lambda: 0.0)
        self.state = ServerState()
        self.waiting: list[HttpProtocol] = []
        self.clients: list[socket.socket] = []
        self.opened: list[int] = []
        """The turns of the loop in which handshakes were answered."""
        self._turn = 0
        opened, doors = self.opened, self

        class Noted(WebSocketProtocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
                opened.append(doors._turn)
                super().connection_made(transport)

        self._config = Config(accept, http=HttpProtocol, ws=Noted, lifespan="off", log_config=None)
        self._config.load()

    def _protocol(self) -> HttpProtocol:
        protocol = HttpProtocol(config=self._config, server_state=self.state, app_state={TURNS: self.turns})
        self.waiting.append(protocol)
        return protocol

    def _count(self) -> None:
        self._turn += 1
        asyncio.get_running_loop().call_soon(self._count)

    async def knock(self) -> None:
        """Let all handshakes arrive in one turn of the loop."""
        async with await asyncio.get_running_loop().create_server(self._protocol, "127.0.0.1", 0) as server:
            for _ in range(MANY):
                self.clients.append(socket.create_connection(server.sockets[0].getsockname(), timeout=PATIENCE))
            await until(lambda: len(self.waiting) == MANY)
        self._count()
        for client in self.clients:
            client.sendall(upgrade("a"))

    async def close(self) -> None:
        """Let all clients go."""
        for client in self.clients:
            client.close()
        await until(lambda: not self.state.connections and not self.state.tasks)


async def until(done: Callable[[], bool]) -> None:
    """Wait for something."""
    async with asyncio.timeout(PATIENCE):
        while not done():
            await asyncio.sleep(0)


def run(work: Callable[[Doors], Coroutine[Any, Any, None]]) -> Doors:
    """Do something with a server to which many come at once."""

    async def knocked() -> Doors:
        doors = Doors()
        await doors.knock()
        try:
            await work(doors)
        finally:
            await doors.close()
        return doors

    return asyncio.run(knocked())


def test_handshakes_that_arrive_at_once_are_answered_one_a_turn_of_the_loop() -> None:
    async def wait(doors: Doors) -> None:
        await until(lambda: len(doors.opened) == MANY)
        answers = [await asyncio.to_thread(client.recv, 4096) for client in doors.clients]
        assert all(answer.startswith(b"HTTP/1.1 101 ") for answer in answers)

    opened = run(wait).opened
    assert all(before < after for before, after in pairwise(opened)), opened


def test_a_move_passes_before_handshakes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_SECONDS", PATIENCE)

    async def wait(doors: Doors) -> None:
        with doors.turns.move():
            await until(lambda: all(one._upgrade for one in doors.waiting))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not doors.opened
        await until(lambda: len(doors.opened) == MANY)

    run(wait)


def test_a_server_that_stops_answers_no_handshake_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HELD_SECONDS", PATIENCE)

    async def wait(doors: Doors) -> None:
        with doors.turns.move():
            await until(lambda: all(one._upgrade for one in doors.waiting))
            for one in list(doors.state.connections):
                one.shutdown()
            await until(lambda: all(one._upgrade and one._upgrade.done() for one in doors.waiting))
        assert not doors.state.connections
        for client in doors.clients:
            with suppress(ConnectionResetError):
                assert await asyncio.to_thread(client.recv, 4096) == b""

    assert not run(wait).opened
