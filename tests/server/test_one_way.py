"""One way for a command: by API, by page and by live connection it is read, played and charged once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, counted, inside
from zerosum.match.setup import Person
from zerosum.rules.moves import parse_move
from zerosum.rules.position import Position
from zerosum.server import limits
from zerosum.server.http.rate_limits import WORK, Payer
from zerosum.server.runtime import hub, runtime
from zerosum.server.runtime.hub import Backlog
from zerosum.server.runtime.seating import Seats
from zerosum.server.runtime.table_cache import LoadedTable, TableCache, load_table
from zerosum.server.world import REAL
from zerosum.tables import events
from zerosum.tables.events import Event, EventKind, automatic_event
from zerosum.tables.fields import read_value
from zerosum.tables.new_table import TableRequest, open_request
from zerosum.tables.table import Table
from zerosum.tables.view import state

ONE = frozenset({Person.ONE})
WORK_OF_A_MOVE = (parse_move, Position.play, TableCache.catch_up, Seats.held)


def made(version: int) -> LoadedTable:
    """Return a table with all its events in memory: moves are made and taken back until it has a version."""
    request = TableRequest(game="sum31", name="Ann", opponent="here")
    loaded = load_table("table", [automatic_event(1, 1, EventKind.OPENED, Person.ONE, open_request(request).data)])
    loaded.keeps_from = 1
    while loaded.table.version < version:
        loaded.add(_next(loaded))
    return loaded


class TestAMove:
    @pytest.mark.parametrize(("move", "parsed"), [("+5", {}), ("5", {"parse_move": 1})])
    def test_by_api_is_played_once_its_seats_are_asked_once_and_it_is_parsed_only_if_it_must_be(
        self, move: str, parsed: dict[str, int], tmp_path: Path
    ) -> None:
        async def talk(app: FastAPI) -> None:
            client = Inside(app)
            token = (await client.call("POST", "/api/v1/keys")).json["token"]
            opened = await client.call("POST", "/api/v1/tables", {"game": "sum31", "opponent": "here"}, token=token)
            table = opened.json["state"]["table"]
            with counted(*WORK_OF_A_MOVE) as calls:
                command = {"version": 1, "move_id": "a", "move": move}
                reply = await client.call("POST", f"/api/v1/tables/{table}/move", command, token=token)
            assert reply.status == 200
            assert calls == {"Position.play": 1, "Seats.held": 1} | parsed

        inside(tmp_path, talk)

    def test_by_page_too(self, tmp_path: Path) -> None:
        async def talk(app: FastAPI) -> None:
            client = Inside(app)
            opened = await client.call("POST", "/tables", {"game": "sum31", "opponent": "here"}, form=True)
            place = dict(opened.headers)[b"location"].decode()
            with counted(*WORK_OF_A_MOVE) as calls:
                fields = {"version": "1", "move_id": "a", "move": "+5"}
                reply = await client.call("POST", f"{place}/move", fields, form=True)
            assert reply.status == 303
            assert calls == {"Position.play": 1, "Seats.held": 1}

        inside(tmp_path, talk)

    def test_has_an_id_of_its_own_on_every_page(self, tmp_path: Path) -> None:
        async def talk(app: FastAPI) -> None:
            client, guest = Inside(app), Inside(app, "127.0.0.2")
            order = {"game": "sum31", "opponent": "human", "name": "Ann", "first": "them"}
            opened = await client.call("POST", "/tables", order, form=True)
            place = dict(opened.headers)[b"location"].decode()
            waiting = (await client.call("GET", place)).body.decode()
            (invitation,) = set(re.findall(r"/join/(\w+)", waiting))
            assert (await guest.call("POST", f"/join/{invitation}", {"name": "Ben"}, form=True)).status == 303
            pages = [(await client.call("GET", place)).body.decode() for _ in range(2)]
            ids = {one for page in pages for one in re.findall(r'name="move_id" value="(\w+)"', page)}
            assert len(ids) == 2, "the opponent is to move; one page, one command"

        inside(tmp_path, talk)

    def test_that_would_forfeit_is_asked_about_by_a_page_and_taken_from_a_program(self, tmp_path: Path) -> None:
        async def talk(app: FastAPI) -> None:
            client = Inside(app)
            opened = await client.call("POST", "/tables", {"game": "zero-sum-duel", "opponent": "here"}, form=True)
            place = dict(opened.headers)[b"location"].decode()
            fields = {"version": "1", "move_id": "a", "move": "+12"}
            asked = await client.call("POST", f"{place}/move", fields, form=True)
            assert b"sure=%2B12" in dict(asked.headers)[b"location"]
            shown = await client.call("GET", f"/api/v1{place}")
            assert shown.json["match"]["outcome"] is None
            for since in ("", "soon", str(REAL.now_ms()), str(REAL.now_ms() + 10_000)):
                sure = fields | {"sure": "1", "since": since}
                asked = await client.call("POST", f"{place}/move", sure, form=True)
                assert b"sure=%2B12" in dict(asked.headers)[b"location"], "an answer at once is no answer"
            sure = fields | {"sure": "1", "since": str(REAL.now_ms() - 700)}
            await client.call("POST", f"{place}/move", sure, form=True)
            shown = await client.call("GET", f"/api/v1{place}")
            assert shown.json["match"]["outcome"]["reason"] == "forfeit"

        inside(tmp_path, talk)


class TestCosts:
    def test_a_review_costs_the_same_by_api_and_by_page(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        async def talk(app: FastAPI) -> None:
            charged: list[tuple[str, int]] = []
            monkeypatch.setattr(Payer, "charge", lambda _, work, pieces=1: charged.append((work, pieces)))
            client = Inside(app)
            opened = await client.call("POST", "/tables", {"game": "sum31", "opponent": "here"}, form=True)
            place = dict(opened.headers)[b"location"].decode()
            charged.clear()
            assert (await client.call("GET", f"/api/v1{place}/matches/1/review")).status == 200
            by_api = list(charged)
            charged.clear()
            assert (await client.call("GET", f"{place}/review")).status == 200
            assert charged == by_api == [("question", 1)]

        inside(tmp_path, talk)

    def test_every_piece_of_work_has_a_budget_and_all_are_charged_somewhere(self) -> None:
        source = "".join(
            path.read_text(encoding="utf-8")
            for path in Path(hub.__file__).parents[1].rglob("*.py")
            if path.name != "rate_limits.py"
        )
        for work in WORK:
            assert f'"{work}"' in source, work

    def test_what_was_done_can_be_owed_and_must_be_paid_first(self, tmp_path: Path) -> None:
        async def talk(app: FastAPI) -> None:
            client = Inside(app)
            Payer(app.state.budgets, client.address).owe("state", 10_000)
            assert (await client.call("GET", "/api/v1/games")).status == 429
            other = Inside(app, "127.0.0.2")
            assert (await other.call("GET", "/api/v1/games")).status == 200

        inside(tmp_path, talk)


class TestEventsOfATable:
    def test_cost_what_they_send(self, tmp_path: Path) -> None:
        async def talk(app: FastAPI) -> None:
            client = Inside(app)
            loaded = made(version=2_000)
            app.state.runtime.cache.remember(loaded)
            context = _context(app, client.address)
            from zerosum.tables.view import event_state  # noqa: PLC0415 - counted by its code

            with counted(event_state) as calls:
                assert len(await context.events(loaded, 0)) == limits.PAGE_EVENTS
                assert [one["version"] for one in await context.events(loaded, 1_990)] == list(range(1_991, 2_001))
                assert await context.events(loaded, 5_000) == []
            assert calls["event_state"] == limits.PAGE_EVENTS + 10

        inside(tmp_path, talk)

    def test_a_backlog_is_made_piece_by_piece_and_never_longer_than_stated(self) -> None:
        loaded = made(version=2_000)
        with counted(Table.after, state) as calls:
            messages = Backlog.between(loaded, ONE, 1_990, 2_000, states=True).messages()
            assert calls["Table.after"] == 0
            next(messages)
            first = calls["Table.after"]
            assert 0 < first <= 64
            assert len(list(messages)) == 9
            assert calls["Table.after"] == first + 9
        assert len(list(Backlog.between(loaded, ONE, 1, 2_000, states=True).messages())) == 1
        assert len(list(Backlog.between(loaded, ONE, 1_900, 2_000, states=True).messages())) == 1
        brief = list(Backlog.between(loaded, ONE, 1_900, 2_000, states=False).messages())
        assert len(brief) == 100
        assert all('"words"' in one and '"state"' not in one for one in brief)
        assert len(list(Backlog.between(loaded, ONE, 1, 2_000, states=False).messages())) == 1
        assert list(Backlog.between(loaded, ONE, 2_000, 2_000, states=True).messages()) == []


def _context(app: FastAPI, address: str) -> Any:
    from zerosum.server.http.context import RequestContext  # noqa: PLC0415 - only these tests make one by hand

    return RequestContext(app.state.runtime, Payer(app.state.budgets, address))


class TestAutomaticEvents:
    def test_have_ids_that_no_client_can_send(self) -> None:
        from zerosum.tables.commands import Command  # noqa: PLC0415 - beside what it is compared with

        event = automatic_event(7, 1, EventKind.PLAYED, Person.TWO, {})
        with pytest.raises(ValueError, match="move_id"):
            read_value(Command, {"version": 6, "move_id": event.move_id})

    def test_a_conflict_at_an_unchanged_version_stops_the_computer(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Plant the collision: the computer's events have an id that one of its seat has already."""
        real: Callable[..., Event] = events.automatic_event

        def colliding(version: int, at: int, kind: EventKind, person: Person | None, data: Any) -> Event:
            return Event(version, at, kind, person, data, "again" if person else f"auto:{version}")

        async def talk(app: FastAPI) -> int:
            client = Inside(app)
            token = (await client.call("POST", "/api/v1/keys")).json["token"]
            order = {"game": "sum31", "opponent": "random", "first": "me"}
            opened = (await client.call("POST", "/api/v1/tables", order, token=token)).json["state"]
            place = f"/api/v1/tables/{opened['table']}"
            writer, tried = app.state.runtime.writer, []
            append = writer.append

            async def counting(table_id: str, event: Event) -> Event | None:
                tried.append(event.move_id)
                stored: Event | None = await append(table_id, event)
                return stored

            writer.append = counting
            for move_id in ("a", "b"):
                shown = (await client.call("GET", place, token=token)).json
                if "move" in shown["can"]:
                    move = shown["match"]["legal_moves"][0]
                    command = {"version": shown["version"], "move_id": move_id, "move": move}
                    await client.call("POST", f"{place}/move", command, token=token)
                await app.state.runtime.cache.settled(app.state.runtime.cache.get(opened["table"]), 0.5)
            return tried.count("again")

        monkeypatch.setattr(runtime, "automatic_event", colliding)
        assert inside(tmp_path, talk) <= 5
        assert real is automatic_event


class TestTablesInMemory:
    def test_are_bounded_by_their_size(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        large = made(version=500)
        monkeypatch.setattr(limits, "TABLE_BYTES_IN_MEMORY", 3 * large.size)

        async def talk(app: FastAPI) -> None:
            watched = {"w"}
            cache = TableCache(app.state.runtime.writer, lambda *_: None, watched.__contains__)
            for name in ("w", *(f"t{n}" for n in range(10))):
                table = made(version=500)
                table.table = _renamed(table.table, name)
                cache.remember(table)
                assert cache.size <= limits.TABLE_BYTES_IN_MEMORY
            assert cache.get("w") is not None
            assert [n for n in range(10) if cache.get(f"t{n}")] == [8, 9]
            grown = cache.get("t9")
            assert grown is not None
            while cache.get("t8"):
                await cache.take_in(grown, _next(grown))
            assert cache.get("t9") is grown

        inside(tmp_path, talk)


def _renamed(table: Table, name: str) -> Table:
    from dataclasses import replace  # noqa: PLC0415 - beside its one use

    return replace(table, id=name)


def _next(loaded: LoadedTable) -> Event:
    entry = "undo:1" if loaded.table.match.moves else "+5"
    version = loaded.table.version + 1
    return Event(version, 1, EventKind.PLAYED, Person.ONE, {"entry": entry}, f"m{version}")
