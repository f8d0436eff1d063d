"""Tables with people at them, brought to where a command can be given."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.security.calling import Caller
from tests.security.listening import Listener
from tests.server.running import Server

_ids = itertools.count(1)


def move_id() -> str:
    """Return an id that no command has had."""
    return f"m{next(_ids)}"


@dataclass(frozen=True, slots=True)
class Online:
    """A table of two people, each with a key of their own."""

    id: str
    one: Caller
    two: Caller
    invitation: str

    def state(self, caller: Caller | None = None) -> dict[str, Any]:
        """Return the table as somebody sees it, else as its first person does."""
        state: dict[str, Any] = (caller or self.one).call("GET", f"/api/v1/tables/{self.id}").json
        return state

    def do(self, caller: Caller, command: str, **more: object) -> dict[str, Any]:
        """Give a command, which must be taken."""
        reply = caller.call("POST", f"/api/v1/tables/{self.id}/{command}", self.body(command, **more))
        assert reply.status == 200, reply.text
        answer: dict[str, Any] = reply.json
        return answer

    def body(self, command: str, **more: object) -> dict[str, object]:
        """Return what a command carries now."""
        state = self.state()
        given: dict[str, object] = {"version": state["version"], "move_id": move_id()}
        if command == "move":
            given["move"] = state["match"]["legal_moves"][0]
        return given | more


def open_online(server: Server, listener: Listener, order: Mapping[str, object] | None = None) -> Online:
    """Open a table and have the second person join."""
    one, two = listener.somebody(server, "person 1"), listener.somebody(server, "person 2")
    opened = one.call("POST", "/api/v1/tables", {"game": "sum31", "name": "Ann", **(order or {})}).json
    invitation = listener.know(opened["invitation"], one, two)
    listener.know(opened["codes"]["1"], one)
    joined = two.call("POST", "/api/v1/join", {"invitation": invitation, "name": "Ben"}).json
    listener.know(joined["codes"]["2"], two)
    return Online(opened["state"]["table"], one, two, invitation)


@dataclass(frozen=True, slots=True)
class Scene:
    """A table where a command can be given, and by whom."""

    table: Online
    actor: Caller
    opponent: Caller
    person: int


def _first_to_act(table: Online) -> Scene:
    return Scene(table, table.one, table.two, 1)


def _moved(table: Online) -> Scene:
    table.do(table.one, "move")
    return Scene(table, table.one, table.two, 1)


def _asked_to_undo(table: Online) -> Scene:
    table.do(table.one, "move")
    table.do(table.one, "ask-undo")
    return Scene(table, table.two, table.one, 2)


def _over(table: Online) -> Scene:
    table.do(table.two, "resign")
    return Scene(table, table.one, table.two, 1)


def _asked_for_more(table: Online) -> Scene:
    table.do(table.two, "resign")
    table.do(table.one, "rematch")
    return Scene(table, table.two, table.one, 2)


SCENES: Final[dict[str, Callable[[Online], Scene]]] = {
    "move": _first_to_act,
    "resign": _first_to_act,
    "ask-undo": _moved,
    "accept-undo": _asked_to_undo,
    "refuse-undo": _asked_to_undo,
    "rematch": _over,
    "refuse-rematch": _asked_for_more,
    "next": _over,
    "claim": _moved,
}
"""How each command becomes possible; a claim needs a server that waits for nobody (`NO_PATIENCE`)."""

NO_PATIENCE: Final = """
from zerosum.server import limits
from zerosum.tables import limits as table_limits
table_limits.ABSENT_SECONDS = 0
"""


def scene(server: Server, listener: Listener, command: str) -> Scene:
    """Return a new table where a command can be given."""
    order = {"best_of": 3} if command == "next" else {}
    return SCENES[command](open_online(server, listener, order))
