"""A board is of one version of its table, whatever happens there while the page waits for something."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, counted, inside
from zerosum.screens.board_pieces import number_line
from zerosum.screens.board_view import pool_tiles
from zerosum.server.db.writer import DatabaseQueue
from zerosum.server.http.context import Questions
from zerosum.server.runtime.clocks import Clocks
from zerosum.server.runtime.hub import Presence
from zerosum.server.runtime.seating import Seats

Act = Callable[[], Awaitable[None]]
VOLATILE = re.compile(r'name="move_id" value="\w+"|data-appears="\d+"')
"""What differs between two looks at the same version: a fresh id, and milliseconds that have passed."""


class Interruption:
    """Something that happens once, while the page waits for a method of the server."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type, method: str) -> None:
        self._act: Act | None = None
        original = getattr(owner, method)

        async def interrupted(part: Any, *given: Any, **named: Any) -> Any:
            act, self._act = self._act, None
            if act is not None:
                await act()
            return await original(part, *given, **named)

        monkeypatch.setattr(owner, method, interrupted)

    def arm(self, act: Act) -> None:
        """Let something happen at the next wait."""
        self._act = act

    @property
    def happened(self) -> bool:
        """Whether the wait came, and with it what was to happen."""
        return self._act is None


async def _board(client: Inside, table: str, query: str = "") -> str:
    reply = await client.call("GET", f"/tables/{table}/board{query}")
    assert reply.status == 200, reply.body
    return VOLATILE.sub("", reply.body.decode())


async def _opened(client: Inside, **fields: str) -> str:
    reply = await client.call("POST", "/tables", {"game": "sum31", "name": "Ann", "first": "me", **fields}, form=True)
    location = next(value for name, value in reply.headers if name == b"location")
    return location.decode().rpartition("/")[2]


def _mover(client: Inside, table: str, version: int, move: str) -> Act:
    async def act() -> None:
        fields = {"version": str(version), "move_id": f"m{version}", "move": move}
        reply = await client.call("POST", f"/tables/{table}/move", fields, form=True)
        assert reply.status == 303, reply.body

    return act


async def _looks(host: Inside, table: str, query: str, wait: Interruption, act: Act) -> tuple[str, str, str]:
    """Return the board before something happens, the one that was asked for when it happened, and the one after."""
    before = await _board(host, table, query)
    wait.arm(act)
    during = await _board(host, table, query)
    assert wait.happened
    return before, during, await _board(host, table, query)


def _check(before: str, during: str, after: str) -> None:
    assert before != after
    assert during in (before, after)


def test_while_the_coach_thinks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wait = Interruption(monkeypatch, Questions, "ask")

    async def talk(app: FastAPI) -> tuple[str, str, str]:
        client = Inside(app)
        table = await _opened(client, opponent="here")
        return await _looks(client, table, "?values=1", wait, _mover(client, table, 1, "+5"))

    _check(*inside(tmp_path, talk))


@pytest.mark.parametrize(
    ("owner", "method", "ours"),
    [(Presence, "present", True), (Seats, "invitation", True), (Clocks, "moment", False)],
)
def test_while_the_page_looks_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: type, method: str, ours: bool
) -> None:
    wait = Interruption(monkeypatch, owner, method)

    async def talk(app: FastAPI) -> tuple[str, str, str]:
        host, guest = Inside(app), Inside(app)
        table = await _opened(host, opponent="human")
        invitation = re.search(r"/join/(\w+)", await _board(host, table))
        assert invitation is not None
        await guest.call("POST", invitation[0], {"name": "Ben"}, form=True)
        if not ours:  # whether a match can be claimed is only asked while the other one is to move
            await _mover(host, table, 2, "+5")()
            return await _looks(host, table, "", wait, _mover(guest, table, 3, "+6"))
        return await _looks(host, table, "", wait, _mover(host, table, 2, "+5"))

    _check(*inside(tmp_path, talk))


def test_a_version_is_drawn_once_and_read_once_for_all_who_watch(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        host, *crowd = (Inside(app, f"127.0.0.{n}") for n in range(1, 6))
        table = await _opened(host, opponent="human")
        for viewer in crowd:
            await viewer.call("GET", "/")  # gets its cookie
        with counted(number_line, pool_tiles, DatabaseQueue.read) as calls:
            boards = {await _board(viewer, table) for viewer in crowd}
        assert len(boards) == 1
        assert calls["number_line"] == calls["pool_tiles"] == 1
        assert calls["DatabaseQueue.read"] == len(crowd)
        with counted(number_line) as calls:
            assert await _board(host, table) not in boards, "the host sees the invitation too"
        assert calls["number_line"] == 0

    inside(tmp_path, talk)


def test_addresses_without_end_take_no_memory(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        host, spectator = Inside(app), Inside(app, "127.0.0.2")
        table = await _opened(host, opponent="human")
        await spectator.call("GET", "/")
        version = re.search(r'data-version="(\d+)"', await _board(spectator, table))
        assert version is not None
        loaded = app.state.runtime.cache.get(table)
        before = len(loaded.drawn)
        assert before > 0, "a board was kept"
        for n in range(50):
            await spectator.call("GET", f"/tables/{table}/board?at={version[1]}&sure=x{n}")
            await spectator.call("GET", f"/tables/{table}?at={version[1]}&why=x{n}")
        assert len(loaded.drawn) <= before + 1

    inside(tmp_path, talk)


def test_a_new_version_is_drawn_afresh(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        host, spectator = Inside(app), Inside(app, "127.0.0.2")
        table = await _opened(host, opponent="here")
        seen = [await _board(spectator, table)]
        for version, move in enumerate(("+5", "+6", "+9"), 1):
            await _mover(host, table, version, move)()
            seen.append(await _board(spectator, table))
            assert f'data-version="{version + 1}"' in seen[-1]
        assert len(set(seen)) == len(seen)

    inside(tmp_path, talk)
