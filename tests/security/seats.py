"""Who may do and see what at a table: every route and every message, tried by everybody whose seat it is not.

The routes are those of the application itself. One that takes a table's id and is not known here is a finding.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi.routing import iter_route_contexts
from websockets.exceptions import InvalidStatus

from tests.security.calling import Caller, hash_of
from tests.security.listening import Listener
from tests.security.seating import SCENES, Online, Scene, open_online, scene
from tests.server.running import Server
from zerosum.server.app import make_app
from zerosum.server.settings import Settings
from zerosum.tables.commands import COMMANDS

API: Final = "/api/v1/tables/{table_id}"
PAGE: Final = "/tables/{table_id}"
FOR_ALL: Final = "for all"
FOR_PLAYERS: Final = "for players"
READS: Final = {
    API: FOR_ALL,
    f"{API}/events": FOR_ALL,
    f"{API}/matches/{{number}}/record": FOR_ALL,
    f"{API}/matches/{{number}}/review": FOR_ALL,
    f"{API}/values": FOR_PLAYERS,
    f"{API}/hint": FOR_PLAYERS,
    PAGE: FOR_ALL,
    f"{PAGE}/board": FOR_ALL,
    f"{PAGE}/changes": FOR_ALL,
    f"{PAGE}/lesson": FOR_ALL,
    f"{PAGE}/projector": FOR_ALL,
    f"{PAGE}/record": FOR_ALL,
    f"{PAGE}/review": FOR_ALL,
}
"""Every route that shows something of a table."""
COACH: Final = ("POST", f"{PAGE}/coach")
"""The switch of the coach that speaks up, which is for one person against a computer alone."""
LIVE: Final = ("WEBSOCKET", f"{API}/live")
_REFUSED: Final = (401, 403)


def routes() -> set[tuple[str, str]]:
    """Return the method and the path of every route of the application that takes a table's id."""
    app = make_app(Settings("sqlite:////nowhere/nothing.sqlite3"))
    found = set()
    for route in iter_route_contexts(app.routes):
        if "{table_id" in (route.path or ""):
            found |= {(method, route.path or "") for method in route.methods or {"WEBSOCKET"}}
    return found


def known_routes() -> set[tuple[str, str]]:
    """Return the routes that are tried here."""
    commands = {("POST", f"{API}/{command}") for command in SCENES}
    return {("GET", path) for path in READS} | commands | {("POST", f"{PAGE}/{{command}}"), COACH, LIVE}


def unknown() -> list[str]:
    """Return the routes and commands that are not tried, and those that are gone."""
    strange = [f"{method} {path}" for method, path in sorted(routes() ^ known_routes())]
    return strange + sorted(set(COMMANDS) ^ set(SCENES))


def nearly_keys(token: str, invitation: str) -> list[str]:
    """Return what is no key, though much of it is made of one."""
    made = [token[:-1], token + "A", token.swapcase(), hash_of(token), f"{token},{token}", f"zs_{hash_of(token)[:43]}"]
    return ["", "zs_", "null", "*", "0" * 28, invitation, *made]


def malformed(token: str, invitation: str) -> Iterator[str]:
    """Yield headers that bring no key."""
    yield from (f"Bearer {text}" for text in nearly_keys(token, invitation))
    basic = base64.b64encode(f"{token}:".encode()).decode()
    yield from (token, f"Basic {basic}", f"Token {token}", f'Bearer "{token}"', "Bearer")


@dataclass(frozen=True)
class Others:
    """Everybody whose seat it is not, each once as a program and once as a browser."""

    server: Server
    listener: Listener
    elsewhere: Online

    def callers(self, at: Scene) -> list[Caller]:
        """Return those who try at a table."""
        spectator = self.listener.somebody(self.server, "a spectator", browser=True)
        spectator.call("GET", f"/tables/{at.table.id}")
        nobody = Caller(self.server, "nobody", heard=self.listener.heard)
        known = [
            self.listener.somebody(self.server, "a stranger"),
            spectator,
            self.elsewhere.one.renamed("a player elsewhere"),
            at.opponent.renamed("the opponent"),
        ]
        ways = [one.renamed(f"{one.name} {way}", browser=way == "by cookie") for one in known for way in _WAYS]
        return [nobody, nobody.renamed("nobody in a browser", browser=True), *ways]


_WAYS: Final = ("by header", "by cookie")
Try = Callable[[Caller, Scene, str, dict[str, Any]], tuple[bool, str]]
"""Gives a command through one door; whether it was taken, and what was answered."""


def by_request(caller: Caller, at: Scene, command: str, body: dict[str, Any]) -> tuple[bool, str]:
    """Give a command to the API."""
    reply = caller.call("POST", f"/api/v1/tables/{at.table.id}/{command}", body)
    return reply.status not in _REFUSED, f"{reply.status} {reply.text}"


def by_form(caller: Caller, at: Scene, command: str, body: dict[str, Any]) -> tuple[bool, str]:
    """Give a command by the form of a page; a page knows a browser's key alone."""
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": caller.server.url}
    reply = caller.call("POST", f"/tables/{at.table.id}/{command}", urlencode(body).encode(), form)
    return reply.status not in _REFUSED, f"{reply.status} {reply.text}"


def by_message(caller: Caller, at: Scene, command: str, body: dict[str, Any]) -> tuple[bool, str]:
    """Give a command on a live connection."""
    try:
        with caller.live(at.table.id) as socket:
            socket.hear()
            answer = socket.ask({"type": command, **body})
    except InvalidStatus as error:
        return False, str(error.response.status_code)
    refused = answer["type"] == "problem" and answer["problem"]["status"] in _REFUSED
    return not refused, str(answer)


DOORS: Final[dict[str, Try]] = {"API": by_request, "page": by_form, "live": by_message}


def check_command(server: Server, listener: Listener, command: str, door: str, elsewhere: Online) -> Iterator[str]:
    """Yield who could give a command for somebody else, or could not give one's own."""
    at = scene(server, listener, command)
    give, version = DOORS[door], at.table.state()["version"]
    body = at.table.body(command)
    for caller in Others(server, listener, elsewhere).callers(at):
        bodies = [{**body, "person": at.person}]
        if "opponent" not in caller.name:
            bodies.append(body)
        for given in bodies:
            taken, answer = give(caller, at, command, given)
            if taken or at.table.state()["version"] != version:
                yield f"{door} {command}: taken from {caller.name} ({answer[:200]})"
    if door == "API":
        yield from _malformed(at, command, body)
    actor = at.actor.renamed(at.actor.name, browser=door == "page")
    taken, answer = give(actor, at, command, at.table.body(command))
    events = actor.call("GET", f"/api/v1/tables/{at.table.id}/events?since={version}").json["events"]
    if [one["person"] for one in events] != [at.person]:
        yield f"{door} {command}: not taken from whose seat it is ({answer[:200]}, {events})"


def check_coach(server: Server, listener: Listener, elsewhere: Online) -> Iterator[str]:
    """Yield who can switch on a coach at a table of two people; nobody may, not even they."""
    at = scene(server, listener, "move")
    for caller in (
        *Others(server, listener, elsewhere).callers(at),
        at.actor.renamed("whose turn it is", browser=True),
    ):
        taken, answer = by_form(caller, at, "coach", {"coach": "1"})
        if taken:
            yield f"coach: switched on by {caller.name} ({answer[:200]})"


def _malformed(at: Scene, command: str, body: dict[str, Any]) -> Iterator[str]:
    nobody = Caller(at.actor.server, "somebody malformed", heard=at.actor.heard)
    version = at.table.state()["version"]
    for value in malformed(at.actor.token, at.table.invitation):
        reply = nobody.call("POST", f"/api/v1/tables/{at.table.id}/{command}", body, {"Authorization": value})
        if reply.code not in ("no-key", "not-your-seat"):
            yield f"API {command}: Authorization: {value[:12]} ... was answered {reply.status}"
    for value in nearly_keys(at.actor.token, at.table.invitation):
        browser = nobody.renamed(nobody.name, token=value, browser=True)
        taken, answer = by_form(browser, at, command, body)
        if taken:
            yield f"page {command}: a cookie {value[:4]} ... was answered {answer[:100]}"
    if at.table.state()["version"] != version:
        yield f"{command}: something was taken without a key"


def check_reads(server: Server, listener: Listener, elsewhere: Online) -> Iterator[str]:
    """Yield who is shown something that is not for them; secrets are for the listener to find."""
    for waiting in (True, False):
        at = _waiting(server, listener) if waiting else SCENES["move"](open_online(server, listener))
        if not waiting:
            at.table.do(at.table.one, "resign")
        for caller in Others(server, listener, elsewhere).callers(at):
            for path, whose in READS.items():
                yield from _check_read(caller, at, path, whose)
            yield from _check_live(caller, at)


def _waiting(server: Server, listener: Listener) -> Scene:
    """Return a table to which somebody has yet to come: its invitation is open, and nobody's but its owner's."""
    one = listener.somebody(server, "person 1")
    opened = one.call("POST", "/api/v1/tables", {"game": "sum31"}).json
    listener.know(opened["codes"]["1"], one)
    invitation = listener.know(opened["invitation"], one)
    table = Online(opened["state"]["table"], one, one, invitation)
    return Scene(table, one, listener.somebody(server, "no opponent"), 1)


def _check_read(caller: Caller, at: Scene, path: str, whose: str) -> Iterator[str]:
    reply = caller.call("GET", path.format(table_id=at.table.id, number=1))
    player = "opponent" in caller.name and at.table.two is not at.table.one
    if reply.status >= 500:
        yield f"{path}: {reply.status} to {caller.name}"
    if whose == FOR_PLAYERS and not player and reply.status not in _REFUSED:
        yield f"{path}: {reply.status} to {caller.name}, who does not sit there"
    if path == API:
        state = reply.json
        if state["you"] != ([2] if player else []) or (not player and state["can"]):
            yield f"{path}: {caller.name} is told to be {state['you']} and to be able to {state['can']}"


def _check_live(caller: Caller, at: Scene) -> Iterator[str]:
    with caller.live(at.table.id) as socket:
        state = socket.hear()["state"]
        player = "opponent" in caller.name and at.table.two is not at.table.one
        if state["you"] != ([2] if player else []):
            yield f"live: {caller.name} is told to be {state['you']}"
