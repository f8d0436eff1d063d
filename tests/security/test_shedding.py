"""Work is charged before it is done, and refusals cost the server less than the caller (promise 21)."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI, Request
from sqlalchemy import create_engine

from tests.patience import PATIENCE
from tests.server.inside import Inside, counted, inside
from tests.server.test_room_api import Lesson
from zerosum.server import limits
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseQueue, DatabaseThread
from zerosum.server.http.api import AnalysisRequest, analyze
from zerosum.server.http.rate_limits import Budgets
from zerosum.server.pages.templates import Page, render_page
from zerosum.server.prometheus import metrics_pieces
from zerosum.server.world import World


def test_an_analysis_is_charged_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0.2)

    async def talk(app: FastAPI) -> None:
        asker = Inside(app, "203.0.113.7")
        for _ in range(limits.QUESTIONS[0] + 30):
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


def test_time_of_the_database_is_charged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that reads shares its processor with the event loop."""
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0)
    find = queries.seats_of

    def slow(*arguments: Any, **named: Any) -> Any:
        began = time.thread_time()
        while time.thread_time() < began + 0.02:
            pass
        return find(*arguments, **named)

    monkeypatch.setattr(queries, "seats_of", slow)

    async def talk(app: FastAPI) -> None:
        # Far more than the event loop needs for these requests, and far less than the reads do.
        app.state.budgets.rates["time"]._rate = (400, 0.001)
        reader = Inside(app, "203.0.113.11")
        token = (await reader.call("POST", "/api/v1/keys")).json["token"]
        replies = [await reader.call("GET", "/api/v1/tables", token=token) for _ in range(40)]
        assert {one.status for one in replies} == {200, 429}

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
        store, done, begun = DatabaseThread(create_engine("sqlite://")), list[str](), threading.Event()

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
    assert done.index("write") <= 4


def test_after_many_writes_the_next_transaction_waits_for_more_once() -> None:
    async def run() -> tuple[int, list[float]]:
        loop, slept, go, begun = asyncio.get_running_loop(), list[float](), threading.Event(), threading.Event()
        holding, sleeping = asyncio.Event(), asyncio.Event()

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            loop.call_soon_threadsafe(sleeping.set)
            go.wait(PATIENCE)

        def hold(_: object) -> None:
            loop.call_soon_threadsafe(holding.set)
            begun.wait(PATIENCE)

        def nothing(_: object) -> None:
            """Write nothing."""

        store = DatabaseThread(create_engine("sqlite://"), world=World(sleep=sleep))
        held = store.write(hold)
        await holding.wait()
        many = [store.write(nothing) for _ in range(limits.MANY_JOBS)]
        begun.set()
        await asyncio.gather(held, *many)
        one = store.write(nothing)
        await sleeping.wait()
        two = store.write(nothing)
        go.set()
        await asyncio.gather(one, two)
        await store.write(nothing)
        await store.close()
        return store.batches, slept

    batches, slept = asyncio.run(run())
    assert slept == [limits.GATHER_SECONDS]
    assert batches == 4  # what was held, many, one with two, and the last


def test_a_long_page_is_made_in_many_steps() -> None:
    async def run(work: Any) -> int:
        steps = 0
        task = asyncio.ensure_future(work)
        while not task.done():
            steps += 1
            await asyncio.sleep(0)
        await task
        return steps

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    request = Request({"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""})
    page = Page(request, ("x" * 1000 for _ in range(200)), 200, holds_key=False)
    assert asyncio.run(run(page(request.scope, None, send))) >= 20  # type: ignore[arg-type]  # nothing is received
    assert b"".join(one.get("body", b"") for one in sent) == b"x" * 200_000
    assert dict(sent[0]["headers"])[b"content-length"] == b"200000"
    assert isinstance(render_page(request, "problem.html"), Page)


def test_figures_are_told_one_by_one() -> None:
    assert len(list(metrics_pieces())) >= 8


def test_a_crowd_at_the_door_of_a_room_keeps_nobody_inside_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOO_MANY_SECONDS", 0)

    async def talk(app: FastAPI) -> None:
        app.state.budgets.rates["requests"]._room = (60, 0.001)
        one = Lesson(app)
        await one.open(1)
        outsider = Inside(app, "203.0.113.12")
        while (await outsider.call("GET", f"/api/v1/rooms/{one.code}")).status == 200:
            pass
        assert (await one.pupils[0].get(one.at("place")))["place"]

    inside(tmp_path, talk)


def test_all_rooms_of_an_address_share_its_time() -> None:
    budgets = Budgets(lambda: 0.0)
    for number in range(4):
        assert not budgets.time(f"room{number}", "203.0.113.13").wait
        budgets.time(f"room{number}", "203.0.113.13").charge(1.6)
    assert budgets.time("room9", "203.0.113.13").wait
    assert not budgets.time("room9", "203.0.113.14").wait
    assert not budgets.time("203.0.113.13", "203.0.113.13").wait
