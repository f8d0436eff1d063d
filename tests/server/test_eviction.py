"""A table or a room may leave memory at any moment, and still nobody misses an event at it."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.patience import PATIENCE
from tests.server.inside import Inside, inside
from zerosum.server import limits
from zerosum.tables import classroom_decisions
from zerosum.tables.keys import Key


async def _opened(client: Inside, token: str) -> str:
    order = {"game": "sum31", "opponent": "here"}
    return str((await client.call("POST", "/api/v1/tables", order, token=token)).json["state"]["table"])


async def _move(client: Inside, token: str, table: str, version: int, move: str) -> None:
    command = {"version": version, "move_id": f"m{version}", "move": move}
    reply = await client.call("POST", f"/api/v1/tables/{table}/move", command, token=token)
    assert reply.status == 200, reply.body


@pytest.fixture(autouse=True)
def _one_of_each_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLES_IN_MEMORY", 1)
    monkeypatch.setattr(limits, "ROOMS_IN_MEMORY", 1)


@asynccontextmanager
async def _live(
    app: FastAPI, path: str, token: str, accepted: Callable[[], Awaitable[None]]
) -> AsyncIterator[Callable[[], Awaitable[dict[str, Any]]]]:
    """Open a live connection; before the client knows that it is accepted, much can happen."""
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    arrived = iter([{"type": "websocket.connect"}])

    async def send(message: Any) -> None:
        if message["type"] == "websocket.accept":
            await accepted()
        elif message["type"] == "websocket.send":
            told.put_nowait(json.loads(message["text"]))

    async def receive() -> dict[str, Any]:
        found = next(arrived, None)
        if found is None:
            await asyncio.sleep(3600)
        return found or {"type": "websocket.disconnect", "code": 1000}

    live = asyncio.create_task(app(_scope(path, token), receive, send))
    try:
        yield lambda: asyncio.wait_for(told.get(), PATIENCE)
    finally:
        live.cancel()
        await asyncio.gather(live, return_exceptions=True)


def test_while_a_live_connection_is_being_accepted(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> list[int]:
        client = Inside(app)
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        table = await _opened(client, token)

        async def accepted() -> None:
            await _opened(client, token)
            await _move(client, token, table, 1, "+5")
            await _opened(client, token)

        versions: list[int] = []
        async with _live(app, f"/api/v1/tables/{table}/live", "", accepted) as told:
            while not versions:
                message = await told()
                versions += [message["version"]] if message["type"] in ("event", "state") else []
        return versions

    assert inside(tmp_path, talk) == [2]


async def _room(client: Inside, token: str) -> str:
    return str((await client.call("POST", "/api/v1/rooms", {"game": "sum31"}, token=token)).json["code"])


def test_a_room_while_a_live_connection_is_being_accepted(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        code = await _room(client, token)
        rooms = app.state.runtime.rooms
        room_id = (await rooms.by_code(code)).id

        async def accepted() -> None:
            await _room(client, token)
            assert rooms.get(room_id) is None

        async with _live(app, f"/api/v1/rooms/{code}/live", token, accepted) as told:
            assert (await told())["phase"] == "lobby"
            await _room(client, token)
            assert rooms.get(room_id) is not None, "somebody looks at it"
            await client.call("POST", f"/api/v1/rooms/{code}/start", token=token)
            assert (await told())["phase"] == "playing"
        await _room(client, token)
        assert rooms.get(room_id) is not None, "a lesson goes on in it"

    inside(tmp_path, talk)


def test_a_room_takes_no_memory_for_what_is_over_and_comes_back_as_it_was(tmp_path: Path) -> None:
    renames = 1_500

    async def talk(app: FastAPI) -> None:
        client, rooms = Inside(app), app.state.runtime.rooms
        token, pupil = [(await client.call("POST", "/api/v1/keys")).json["token"] for _ in range(2)]
        code = await _room(client, token)
        await client.call("POST", f"/api/v1/rooms/{code}/join", {"name": "Ann"}, token=pupil)
        loaded = await rooms.by_code(code)

        async def rename(n: int) -> None:
            await rooms.act(loaded.id, lambda room, _: classroom_decisions.rename(room, 1, f"Ann {n % 7}"))

        await rename(1)
        size = rooms.size
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for n in range(renames):
            await rename(n)
        assert tracemalloc.get_traced_memory()[0] - before < 100 * renames
        tracemalloc.stop()
        assert (loaded.version > renames, rooms.size) == (True, size)
        shown = (await client.call("GET", f"/api/v1/rooms/{code}", token=pupil)).json
        await _room(client, token)
        assert rooms.get(loaded.id) is None
        assert not rooms.admits(Key(pupil), code), "who may enter it has left memory too"
        assert (await client.call("GET", f"/api/v1/rooms/{code}", token=pupil)).json == shown
        assert rooms.get(loaded.id).room == loaded.room
        assert rooms.admits(Key(pupil), code)

    inside(tmp_path, talk)


def test_rooms_in_memory_are_bounded_by_their_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(app: FastAPI) -> None:
        client, rooms = Inside(app), app.state.runtime.rooms
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        await _room(client, token)
        monkeypatch.setattr(limits, "ROOMS_IN_MEMORY", 1_000)
        monkeypatch.setattr(limits, "ROOM_BYTES_IN_MEMORY", 3 * rooms.size)
        codes = [await _room(client, token) for _ in range(5)]
        kept = [one.room.code for one in rooms.all()]
        assert kept == codes[2:]

    inside(tmp_path, talk)


def test_while_a_move_is_written(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        table = await _opened(client, token)
        writer, cache = app.state.runtime.writer, app.state.runtime.cache
        append = writer.append

        async def slowly(table_id: str, event: Any) -> Any:
            writer.append = append
            before = cache.get(table)
            await _opened(client, token)
            assert cache.get(table) is None
            assert await cache.fresh(table) is not before
            return await append(table_id, event)

        writer.append = slowly
        await _move(client, token, table, 1, "+5")
        assert cache.get(table).table.version == 2

    inside(tmp_path, talk)


def _scope(path: str, token: str) -> dict[str, Any]:
    key = [(b"authorization", f"Bearer {token}".encode())] if token else []
    return {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"since=1",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8031"), *key],
        "subprotocols": [],
        "extensions": {},
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8031),
    }
