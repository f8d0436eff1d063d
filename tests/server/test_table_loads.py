"""A table of 20,000 events is loaded from its latest match, once for all who ask, within a bound (promise 22)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, counted, inside
from zerosum.match.match import read_match
from zerosum.server import limits
from zerosum.server.runtime.table_cache import TableCache
from zerosum.tables.events import new_id
from zerosum.tables.keys import new_key
from zerosum.tables.table import Table

ORDER = {"game": "sum31", "opponent": "here"}


async def _opened(client: Inside, token: str) -> str:
    return str((await client.call("POST", "/api/v1/tables", ORDER, token=token)).json["state"]["table"])


async def _do(client: Inside, token: str, table: str, name: str, **more: object) -> Any:
    version = (await client.call("GET", f"/api/v1/tables/{table}")).json["version"]
    command = {"version": version, "move_id": f"id{version}", **more}
    reply = await client.call("POST", f"/api/v1/tables/{table}/{name}", command, token=token)
    assert reply.status == 200, reply.body
    return reply.json


async def _match(client: Inside, token: str, table: str, move: str) -> None:
    """Play a short match, and begin the next."""
    await _do(client, token, table, "move", move=move)
    await _do(client, token, table, "resign")
    await _do(client, token, table, "rematch")


def _lengthened(folder: Path, table: str, until: int) -> None:
    """Repeat the last match of a table, as if it had been played again and again."""
    with sqlite3.connect(folder / "tables.sqlite3") as database:
        rows = database.execute(
            "SELECT version, at, kind, person, data FROM events WHERE table_id = ? ORDER BY version", [table]
        ).fetchall()
        began = next(row for row in reversed(rows) if row[2] == "began")
        match, last = [row for row in rows if row[0] >= began[0]], rows[-1][0]
        number, length = json.loads(began[4])["number"], len(match)

        def more() -> Iterator[tuple[object, ...]]:
            for version in range(last + 1, until + 1):
                turn, place = divmod(version - last - 1, length)
                _, at, kind, person, data = match[place]
                if kind == "began":
                    data = json.dumps({**json.loads(data), "number": number + turn + 1})
                yield (table, version, at, kind, person, data, f"more{version}")

        database.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", more())


async def _long_table(app: FastAPI, folder: Path, token: str, until: int) -> str:
    client = Inside(app)
    table = await _opened(client, token)
    for move in ("+5", "+6"):
        await _match(client, token, table, move)
    await _do(client, token, table, "move", move="+9")
    await _do(client, token, table, "resign")
    _lengthened(folder, table, until)
    app.state.runtime.cache.close()
    return table


def test_of_a_long_table_four_events_are_read(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        token = new_key().token
        table = await _long_table(app, tmp_path, token, 19_999)
        client = Inside(app)
        with counted(Table.after) as folds:
            state = (await client.call("GET", f"/api/v1/tables/{table}", token=token)).json
            listed = (await client.call("GET", "/api/v1/tables", token=token)).json["tables"]
        assert state["version"] == 19_999
        assert listed == [state]
        assert folds["Table.after"] <= 3
        # What came long before is still there for whoever asks for it.
        for number, first in ((1, "+5"), (2, "+6"), (4_000, "+9")):
            record = (await client.call("GET", f"/api/v1/tables/{table}/matches/{number}/record")).body.decode()
            assert [str(move.number) for move in read_match(record).moves] == [first[1:]], number
        assert (await client.call("GET", f"/api/v1/tables/{table}/matches/9999/record")).status == 404
        for since in (0, 5, 9_000, 19_990, 19_999):
            told = (await client.call("GET", f"/api/v1/tables/{table}/events?since={since}")).json["events"]
            expected = range(since + 1, min(19_999, since + limits.PAGE_EVENTS) + 1)
            assert [one["version"] for one in told] == list(expected)
            assert all(one["words"] for one in told)

    inside(tmp_path, talk)


def test_a_page_of_events_keeps_a_long_match_and_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that begins in a match longer than a table keeps, and ends in another, once told later events twice."""
    monkeypatch.setattr("zerosum.server.runtime.table_cache._KEPT", 2)

    async def talk(app: FastAPI) -> None:
        table = await _long_table(app, tmp_path, new_key().token, 400)
        for since in (0, 5, 100):
            told = (await Inside(app).call("GET", f"/api/v1/tables/{table}/events?since={since}")).json["events"]
            assert [one["version"] for one in told] == list(range(since + 1, since + limits.PAGE_EVENTS + 1))

    inside(tmp_path, talk)


def test_of_a_long_match_the_last_events_are_kept_and_the_others_read_again(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client, token = Inside(app), new_key().token
        table = await _opened(client, token)
        await _do(client, token, table, "move", move="+5")
        _undone(tmp_path, table, 1_000)
        app.state.runtime.cache.close()
        whole: list[Any] = []
        while len(whole) < 1_000:
            reply = await client.call("GET", f"/api/v1/tables/{table}/events?since={len(whole)}")
            whole += reply.json["events"]
        assert [one["version"] for one in whole] == list(range(1, 1_001))
        assert len({one["words"] for one in whole[1:]}) == 2
        assert len(app.state.runtime.cache.get(table).events) < 200
        again = await _do(client, token, table, "ask-undo")
        assert again["version"] == 1_001

    inside(tmp_path, talk)


def test_a_command_of_an_early_match_sent_again_has_its_first_answer(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        token = new_key().token
        client = Inside(app)
        table = await _opened(client, token)
        command = {"version": 1, "move_id": "id1", "move": "+5"}
        first = await client.call("POST", f"/api/v1/tables/{table}/move", command, token=token)
        await _do(client, token, table, "resign")
        await _do(client, token, table, "rematch")
        await _match(client, token, table, "+6")
        app.state.runtime.cache.close()
        again = await client.call("POST", f"/api/v1/tables/{table}/move", command, token=token)
        assert (again.status, again.body) == (200, first.body)
        other = await client.call("POST", f"/api/v1/tables/{table}/move", {**command, "move": "+4"}, token=token)
        assert (other.status, other.json["code"]) == (409, "move-id-reused")
        # At the current version an old id is no new command either.
        version = (await client.call("GET", f"/api/v1/tables/{table}")).json["version"]
        now = {**command, "version": version}
        reply = await client.call("POST", f"/api/v1/tables/{table}/move", now, token=token)
        assert (reply.status, reply.json["version"]) == (200, 2)

    inside(tmp_path, talk)


def test_a_table_of_the_first_release_is_folded_whole_and_kept_in_part(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        token = new_key().token
        client = Inside(app)
        table = await _opened(client, token)
        for move in ("+5", "+6"):
            await _match(client, token, table, move)
        before = (await client.call("GET", f"/api/v1/tables/{table}", token=token)).json
        with sqlite3.connect(tmp_path / "tables.sqlite3") as database:
            rows = database.execute("SELECT version, data FROM events WHERE kind = 'began'").fetchall()
            for version, data in rows:
                old = {key: one for key, one in json.loads(data).items() if key in ("tags", "command")}
                database.execute("UPDATE events SET data = ? WHERE version = ?", [json.dumps(old), version])
        app.state.runtime.cache.close()
        assert (await client.call("GET", f"/api/v1/tables/{table}", token=token)).json == before

    inside(tmp_path, talk)


def test_loads_are_joined(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        token = new_key().token
        table = await _long_table(app, tmp_path, token, 100)
        cache = app.state.runtime.cache
        with counted(TableCache.part) as calls:
            both = await asyncio.gather(*(cache.loaded(table) for _ in range(10)))
        assert all(one is both[0] for one in both)
        assert calls["Streams.part"] == 1
        cache.close()
        waiting = [asyncio.create_task(cache.loaded(table)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()  # who asked first is gone, and the others have what was asked for
        assert (await waiting[1]) is (await waiting[2]) is cache.get(table)
        assert cache.get(table).version == 100
        waiting = [asyncio.create_task(cache.loaded(new_id())) for _ in range(3)]
        done = await asyncio.gather(*waiting, return_exceptions=True)
        assert [str(one).partition(":")[0] for one in done] == ["no-such-table"] * 3
        assert (cache.loading, cache._loads) == (0, {})

    inside(tmp_path, talk)


def test_long_matches_are_loaded_within_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events, tables = 600, 8
    monkeypatch.setattr(limits, "LOADING_BYTES", 2 * 10**6)
    monkeypatch.setattr(limits, "TABLE_BYTES_IN_MEMORY", 2 * 10**6)

    async def talk(app: FastAPI) -> None:
        token = new_key().token
        client = Inside(app)
        ids = []
        for _ in range(tables):
            table = await _opened(client, token)
            await _do(client, token, table, "move", move="+5")
            _undone(tmp_path, table, events)
            ids.append(table)
        app.state.runtime.cache.close()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        replies = await asyncio.gather(*(client.call("GET", f"/api/v1/tables/{one}") for one in ids * 2))
        after, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert [one.json["version"] for one in replies] == [events] * len(replies)
        assert app.state.runtime.cache.loading == 0
        assert app.state.runtime.cache.size <= 2 * 10**6
        assert peak - before < 1.2 * 4 * 10**6 + 10**6, (after - before, peak - before)

    inside(tmp_path, talk)


def _undone(folder: Path, table: str, until: int) -> None:
    """Have a move made and taken back again and again, in one match."""
    undo = json.dumps({"entry": "undo:1", "command": "ask-undo"})
    move = json.dumps({"entry": "+5", "command": "move +5"})
    with sqlite3.connect(folder / "tables.sqlite3") as database:
        database.executemany(
            "INSERT INTO events VALUES (?, ?, 1, 'played', 1, ?, ?)",
            ((table, version, move if version % 2 == 0 else undo, f"m{version}") for version in range(3, until + 1)),
        )
