"""Work is charged before it is done, and refusals cost the server less than the caller (promise 21)."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

import pytest
from fastapi import FastAPI, Request
from fastapi.dependencies.utils import solve_dependencies
from prometheus_client import CollectorRegistry, Gauge
from sqlalchemy import create_engine
from starlette.datastructures import Headers

from tests.server.inside import Inside, counted, inside
from tests.server.test_room_api import Lesson
from zerosum.base.reports import bars
from zerosum.coach.bundled import offered
from zerosum.rules.game_files import GAMES_FOLDER, load_text, parse_table
from zerosum.screens.game_quality import quality_of
from zerosum.server import limits, prometheus
from zerosum.server.db import queries
from zerosum.server.db.writer import DatabaseQueue, DatabaseThread
from zerosum.server.http.api import AnalysisRequest, analyze
from zerosum.server.http.rate_limits import Budgets
from zerosum.server.http.turns import Turns
from zerosum.server.pages.templates import Page, render_page
from zerosum.server.prometheus import LongCounter, LongHistogram
from zerosum.tables import limits as table_limits
from zerosum.tables.new_table import requested_rules
from zerosum.tables.problems import Problem


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


def test_live_connections_to_rooms_are_charged_to_the_address_too() -> None:
    budgets = Budgets(lambda: 0.0)

    def opened(room: str, address: str) -> int:
        scope = {"type": "websocket", "path": "/room/aaaaaa/wall/live"}
        for count in range(2 * limits.ADDRESS_ROOM_LIVE[0]):
            try:
                budgets.admit(room, address, scope, Headers())
            except Problem:
                return count
        raise AssertionError("nothing was refused")

    most = limits.ADDRESS_ROOM_LIVE[0]
    by_room = [opened(f"room {number}", "203.0.113.7") for number in range(5)]
    assert by_room[0] == limits.ROOM_REQUESTS[0] // limits.LIVE_REQUESTS < most
    assert most - len(by_room) <= sum(by_room) <= most
    assert opened("room 4", "203.0.113.8") == by_room[0]


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


def _sent(*headers: tuple[bytes, bytes]) -> tuple[int, Mapping[bytes, bytes], bytes]:
    """Return in how many steps a page of 200,000 characters is sent, its headers and its body."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> int:
        steps = 0
        task = asyncio.ensure_future(page(request.scope, None, send))  # type: ignore[arg-type]  # nothing is received
        while not task.done():
            steps += 1
            await asyncio.sleep(0)
        await task
        return steps

    scope = {"type": "http", "method": "GET", "path": "/", "headers": [*headers], "query_string": b""}
    request = Request(scope)
    page = Page(request, (f"{number:1000}" for number in range(200)), 200, holds_key=False)
    steps = asyncio.run(run())
    return steps, dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent)


def test_a_long_page_is_made_in_many_steps() -> None:
    steps, headers, body = _sent()
    assert steps >= 200_000 // 6_000
    assert body == "".join(f"{number:1000}" for number in range(200)).encode()
    assert headers[b"content-length"] == b"200000"
    request = Request({"type": "http", "method": "GET", "path": "/", "headers": [], "query_string": b""})
    assert isinstance(render_page(request, "problem.html"), Page)


def test_a_long_page_is_compressed_in_many_steps() -> None:
    plain_steps, _, plain = _sent()
    steps, headers, body = _sent((b"accept-encoding", b"gzip"))
    assert steps - plain_steps >= 200_000 // 10_000
    assert gzip.decompress(body) == plain
    assert headers[b"content-encoding"] == b"gzip"
    assert int(headers[b"content-length"]) == len(body) < len(plain)


def test_figures_are_told_in_short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = CollectorRegistry()
    monkeypatch.setattr(prometheus, "registry", registry)
    asked = LongCounter("asked", "Asked.", ["route"], registry=registry)
    took = LongHistogram("took", "Took.", ["route"], buckets=(0.1, 1.0), registry=registry)
    Gauge("open", "Open.", registry=registry).set(7)
    for number in range(300):
        asked.labels(f"/{number}").inc(number)
        took.labels(f"/{number}").observe(0.5)
    pieces = [one.decode() for one in prometheus.metrics_pieces()]
    assert max(one.count("\n") for one in pieces) <= 60
    lines = "".join(pieces).splitlines()
    assert len([one for one in lines if one.startswith("#")]) == 3 * 2
    assert {f'asked_total{{route="/{number}"}} {number}.0' for number in range(300)} <= {*lines}
    assert {f'took_bucket{{le="1.0",route="/{number}"}} 1.0' for number in range(300)} <= {*lines}
    assert len(lines) == 3 * 2 + 300 + 300 * 5 + 1


def test_a_figure_without_samples_is_told() -> None:
    registry = CollectorRegistry()
    LongCounter("asked", "Asked.", ["route"], registry=registry)
    assert [one.name for one in registry.collect()] == ["asked"]


class StepsWatched:
    """Which of some functions run in each step of the requests to an application."""

    def __init__(self, app: FastAPI, *functions: Any) -> None:
        self.steps: list[set[str]] = [set()]
        self._turns: Turns = app.state.turns
        self._names: dict[CodeType, str] = {one.__code__: one.__name__ for one in functions}

    def __enter__(self) -> Self:
        """Watch from now on."""
        self._clock, self._before = self._turns.clock, sys.getprofile()
        self._turns.clock = self._read_clock
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        """Watch no longer."""
        sys.setprofile(self._before)
        self._turns.clock = self._clock

    def _read_clock(self) -> float:
        """Note that a step begins or ends."""
        self.steps.append(set())
        return self._clock()

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in self._names:
            self.steps[-1].add(self._names[frame.f_code])

    @property
    def ran(self) -> list[set[str]]:
        """The functions of each step in which any ran."""
        return [one for one in self.steps if one]


def test_rules_are_read_and_pictures_drawn_in_steps_of_their_own(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        maker = Inside(app)
        for asked_before in (False, True):
            with StepsWatched(app, load_text, solve_dependencies, bars) as watched:
                text = 'like = "sum31"\nid = "own"\nname = "Own"\ntarget = 21\n'
                assert (await maker.call("POST", "/own/check", {"text": text}, form=True)).status == 200
                refused = await maker.call("POST", "/api/v1/analyze", {"variant": "x = []"})
                assert refused.status == 422, asked_before
            assert watched.ran.count({"load_text"}) == 2
            assert {"bars"} in watched.ran
            assert all(len(one) == 1 for one in watched.ran), watched.ran

    inside(tmp_path, talk)


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
