"""A board is of one version of its table, whatever happens there while the page waits for something."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from tests.server.inside import Inside, inside
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
