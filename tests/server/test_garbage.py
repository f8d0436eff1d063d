"""Garbage in cycles is collected soon if a request made it; all else, once memory has grown."""

from __future__ import annotations

import asyncio
import gc
import json
import time
import weakref
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat
from pathlib import Path
from typing import Final

import pytest
from fastapi import FastAPI

from tests.patience import PATIENCE
from tests.server.inside import Inside, inside
from zerosum.match.setup import Person
from zerosum.server import garbage
from zerosum.server.http import websocket
from zerosum.server.http.context import RequestContext
from zerosum.server.runtime.hub import Connection

LOOKS = 0.5
"""Seconds in which garbage is collected several times."""


class Link:
    """A part of a cycle."""

    other: Link


def cycle() -> list[Link]:
    """Return both parts of a cycle."""
    one, two = Link(), Link()
    one.other, two.other = two, one
    return [one, two]


@pytest.fixture(autouse=True)
def as_elsewhere() -> Iterator[None]:
    """Leave Python to collect garbage by itself again."""
    yield
    gc.unfreeze()
    gc.enable()


async def goes(*, steps: Callable[[], int], within: float, old: bool = False) -> bool:
    """Whether a cycle goes while garbage is collected; `steps` counts those of requests."""
    collecting = asyncio.create_task(garbage.collect_garbage(steps))
    await asyncio.sleep(0)
    assert not gc.isenabled()
    parts = cycle()
    seen = weakref.ref(parts[0])
    if old:
        gc.collect()  # so it is among what has been in use for long
    parts.clear()
    deadline = time.monotonic() + within
    while seen() is not None and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    collecting.cancel()
    return seen() is None


def test_a_new_cycle_of_a_request_goes_soon() -> None:
    assert asyncio.run(goes(steps=count().__next__, within=PATIENCE))


def test_an_old_cycle_goes_once_memory_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "memory", lambda: 1_000)
    assert not asyncio.run(goes(steps=count().__next__, old=True, within=LOOKS))
    growing = count(1_000, 100)
    monkeypatch.setattr(garbage, "memory", lambda: next(growing))
    assert asyncio.run(goes(steps=count().__next__, old=True, within=PATIENCE))


def test_what_moves_alone_made_is_searched_once_a_request_came_and_memory_has_grown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    growing = count(1_000, 100)
    monkeypatch.setattr(garbage, "memory", lambda: next(growing))
    assert not asyncio.run(goes(steps=lambda: 0, within=LOOKS))
    # Nothing happens, then one request, then nothing again.
    first = chain(repeat(0, 4), repeat(1))
    assert asyncio.run(goes(steps=first.__next__, within=PATIENCE))


SENT: Final = {
    "a move, taken back": {"type": "move", "move": "+5"},
    "a stale move": {"type": "move", "move": "+5", "version": 1, "move_id": "late"},
    "the same move again": {"type": "move", "move": "+5", "version": 1, "move_id": "m1"},
    "a move without its operation": {"type": "move", "move": "5"},
    "a move that is no move": {"type": "move", "move": "five"},
    "a move of a wrong type": {"type": "move", "move": 5},
    "a command that cannot be carried out now": {"type": "rematch"},
    "an unknown command": {"type": "fly"},
    "a ping": {"type": "ping"},
    "no object": [],
}
"""What somebody with a seat can send; a command gets the version of the table and an id."""


def test_no_message_of_a_seated_player_leaves_a_cycle(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> dict[str, int]:
        client, runtime = Inside(app), app.state.runtime
        token = (await client.call("POST", "/api/v1/keys")).json["token"]
        order = {"game": "zero-sum-duel", "opponent": "here"}
        table_id = (await client.call("POST", "/api/v1/tables", order, token=token)).json["state"]["table"]
        context = RequestContext(runtime, app.state.budgets, app.state.turns, client.address)
        loaded, connection = await context.table(table_id), Connection(table_id, frozenset(Person), client.address)
        runtime.hub.add(connection, loaded, 0, loaded)
        ids = count(1)

        async def send(message: object) -> None:
            if isinstance(message, dict):
                message = {"version": loaded.table.version, "move_id": f"m{next(ids)}"} | message
            await websocket._take(json.dumps(message), connection, context)
            await asyncio.sleep(0)  # the opponent is told
            connection._queue.clear()

        async def cycles(message: object) -> int:
            await send(message)  # what is made at the first time stays
            if loaded.table.match.moves:
                await send({"type": "ask-undo"})
            gc.collect()
            for _ in range(3):
                await send(message)
                if loaded.table.match.moves:
                    await send({"type": "ask-undo"})
            return gc.collect()

        await send(SENT["a move, taken back"])  # the first message, m1
        await send({"type": "ask-undo"})
        gc.disable()
        gc.freeze()  # only what the messages make is searched
        return {what: await cycles(message) for what, message in SENT.items()}

    assert inside(tmp_path, talk) == dict.fromkeys(SENT, 0)


def test_the_system_tells_of_memory() -> None:
    before = garbage.memory()
    held = bytearray(b"x" * 200_000_000)
    assert garbage.memory() > before > 0
    assert len(held) == 200_000_000
