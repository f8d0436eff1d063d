"""Work is charged before it is done, and refusals cost the server less than the caller (promise 21)."""

from __future__ import annotations

import asyncio
import gzip
import json
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import create_engine
from starlette.datastructures import Headers
from starlette.responses import Response

from tests.server.inside import Inside, counted, inside
from zerosum.coach.bundled import offered
from zerosum.rules.game_files import GAMES_FOLDER, parse_table
from zerosum.screens.game_quality import quality_of
from zerosum.server import limits
from zerosum.server.db import writer
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.http.api import AnalysisRequest, analyze
from zerosum.server.http.rate_limits import BUDGETS
from zerosum.server.pages import adapter
from zerosum.server.pages.compression import compress
from zerosum.tables import limits as table_limits
from zerosum.tables.new_table import requested_rules
from zerosum.tables.problems import Problem


def test_an_analysis_is_charged_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0.2)
    monkeypatch.setitem(BUDGETS, "questions", (50, 0.1))

    async def talk(app: FastAPI) -> None:
        asker = Inside(app, "203.0.113.7")
        for _ in range(80):
            reply = await asker.call("POST", "/api/v1/analyze", {"game": "no-such"})
            if reply.status == 429:
                break
            assert reply.status == 404
        with counted(analyze, AnalysisRequest.__init__) as calls:
            began = time.monotonic()
            answers = [asker.call("POST", "/api/v1/analyze", {"nonsense": "x" * 1000}) for _ in range(20)]
            replies = await asyncio.gather(*answers)
        assert [one.status for one in replies].count(429) >= 15
        assert time.monotonic() - began >= 0.2
        assert sum(calls.values()) <= 5

    inside(tmp_path, talk)


def test_every_refusal_of_too_much_is_delayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0.2)

    async def talk(app: FastAPI) -> None:
        guesser = Inside(app, "203.0.113.8")
        status, began = 404, time.monotonic()
        while status == 404:
            began = time.monotonic()
            status = (await guesser.call("GET", "/join/" + "0" * 28)).status
        assert status == 429
        assert time.monotonic() - began >= 0.2

    inside(tmp_path, talk)


def test_a_list_of_tables_looks_for_news_of_all_at_once(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        reader = Inside(app)
        token = (await reader.call("POST", "/api/v1/keys")).json["token"]
        for _ in range(6):
            await reader.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
        with counted(DatabaseQueue.read) as calls:
            found = await reader.call("GET", "/api/v1/tables", token=token)
        assert len(found.json["tables"]) == 6
        assert sum(calls.values()) == 2

    inside(tmp_path, talk)


def test_writes_wait_for_few_reads_however_many_there_are() -> None:
    async def run() -> list[str]:
        store, done, begun = DatabaseQueue(create_engine("sqlite://")), list[str](), threading.Event()

        def job(name: str) -> Callable[[object], None]:
            return lambda _: done.append(name)

        def hold(_: object) -> None:
            begun.wait()

        reads = [asyncio.ensure_future(store.read(hold))]
        reads += [asyncio.ensure_future(store.read(job("read"))) for _ in range(100)]
        await asyncio.sleep(0)
        write = asyncio.ensure_future(store.write(job("write")))
        await asyncio.sleep(0)
        begun.set()
        await asyncio.gather(write, *reads)
        await store.close()
        return done

    done = asyncio.run(run())
    assert done.count("read") == 100
    assert done.index("write") <= writer._READS < 100


async def _steps(work: Coroutine[Any, Any, object]) -> int:
    """Do some work; return in how many steps, between which others have their turn."""
    steps, task = 0, asyncio.ensure_future(work)
    while not task.done():
        steps += 1
        await asyncio.sleep(0)
    await task
    return steps


def test_a_long_page_is_made_in_many_steps_and_compressed() -> None:
    made = [f"{number:1000}" for number in range(200)]
    assert asyncio.run(_steps(adapter._rest(made))) >= 200_000 // 6_000
    assert asyncio.run(adapter._rest(made)) == "".join(made)
    plain = "".join(made).encode()
    answer = Response(plain)
    compress(answer, Headers({"accept-encoding": "gzip"}))
    assert gzip.decompress(answer.body) == plain
    assert answer.headers["content-encoding"] == "gzip"
    assert int(answer.headers["content-length"]) == len(answer.body) < len(plain)


def test_the_pictures_of_a_built_in_game_are_drawn_once(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        reader = Inside(app)
        await reader.call("GET", "/games/sum31")
        with counted(quality_of, offered, json.load) as calls:
            assert "first player" in (await reader.call("GET", "/games/sum31")).body.decode()
        assert not calls

    inside(tmp_path, talk)


def test_the_page_of_a_table_is_not_compressed(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        player = Inside(app)
        token = (await player.call("POST", "/api/v1/keys")).json["token"]
        opened = await player.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
        path = f"/tables/{opened.json['state']['table']}"
        player.cookies["zerosum_key"] = token
        page = await player.call("GET", path)
        assert page.status == 200
        assert b"content-encoding" not in {name.lower() for name, _ in page.headers}

    inside(tmp_path, talk)


def test_rules_that_would_take_long_to_read_are_not_read() -> None:
    largest = max((one.read_text(encoding="utf-8") for one in Path(GAMES_FOLDER).glob("*.toml")), key=len)
    assert requested_rules(None, largest).examples
    for text in (
        "x = [" + "1," * table_limits.VARIANT_MARKS + "]",
        "a.b = 1\n" * table_limits.VARIANT_MARKS,
        'x = "' + "\\n" * table_limits.VARIANT_MARKS + '"',
        f"# {'x' * table_limits.VARIANT_LENGTH}",
    ):
        with counted(parse_table) as calls, pytest.raises(Problem, match="Rules have at most"):
            requested_rules(None, text)
        assert not calls
