"""A table may leave memory at any moment, and still nobody misses an event at it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.patience import PATIENCE
from tests.server.inside import Inside, inside
from zerosum.server import limits


async def _opened(client: Inside, token: str) -> str:
    order = {"game": "sum31", "opponent": "here"}
    return str((await client.call("POST", "/api/v1/tables", order, token=token)).json["state"]["table"])


async def _move(client: Inside, token: str, table: str, version: int, move: str) -> None:
    command = {"version": version, "move_id": f"m{version}", "move": move}
    reply = await client.call("POST", f"/api/v1/tables/{table}/move", command, token=token)
    assert reply.status == 200, reply.body


@pytest.fixture(autouse=True)
def _one_table_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLES_IN_MEMORY", 1)


def test_while_a_live_connection_is_being_accepted(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> list[int]:
        client = Inside(app)
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        table = await _opened(client, token)
        told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        async def send(message: Any) -> None:
            if message["type"] == "websocket.accept":  # much can happen before a client has its answer
                await _opened(client, token)
                await _move(client, token, table, 1, "+5")
                await _opened(client, token)
            elif message["type"] == "websocket.send":
                told.put_nowait(json.loads(message["text"]))

        async def receive() -> dict[str, Any]:
            if not connected:
                connected.append(True)
                return {"type": "websocket.connect"}
            await asyncio.sleep(3600)
            return {"type": "websocket.disconnect", "code": 1000}

        connected: list[bool] = []
        live = asyncio.create_task(app(_scope(table), receive, send))
        versions: list[int] = []
        while not versions:
            message = await asyncio.wait_for(told.get(), PATIENCE)
            versions += [message["version"]] if message["type"] in ("event", "state") else []
        live.cancel()
        await asyncio.gather(live, return_exceptions=True)
        return versions

    assert inside(tmp_path, talk) == [2]


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


def _scope(table: str) -> dict[str, Any]:
    path = f"/api/v1/tables/{table}/live"
    return {
        "type": "websocket",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"since=1",
        "root_path": "",
        "headers": [(b"host", b"127.0.0.1:8031")],
        "subprotocols": [],
        "extensions": {},
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8031),
    }
