"""Nobody can move for anybody else, nor learn what is another's: over every route and every message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.security.listening import Listener
from tests.security.planted import NO_RATES, changed
from tests.security.seating import NO_PATIENCE, SCENES, open_online
from tests.security.seats import DOORS, check_coach, check_command, check_reads, unknown
from tests.server.running import Server, served
from zerosum.tables.commands import COMMANDS

NO_SEAT_CHECK = """
from zerosum.match.setup import Person
from zerosum.server.http import context
right = context.RequestContext.command
async def command(self, table_id, held, name, command, **more):
    held = held or frozenset(Person) if name == "resign" else held
    return await right(self, table_id, held, name, command, **more)
context.RequestContext.command = command
"""
TALKATIVE = """
from zerosum.tables import keys
right, given = keys.invitation_of, {}
def invitation_of(key, table_id):
    return given.setdefault(table_id, right(key, table_id))
keys.invitation_of = invitation_of
from zerosum.tables import view
common = view._common
view._common = lambda table, said: common(table, said) | {"secret": given.get(table.id)}
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served(command=changed(NO_RATES + NO_PATIENCE)) as one:
        yield one


def test_every_route_and_every_command_is_known() -> None:
    assert unknown() == []


def test_a_route_or_a_command_that_is_not_known_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "swap-seats", COMMANDS["resign"])
    monkeypatch.setattr("tests.security.seats.routes", lambda: {("DELETE", "/api/v1/tables/{table_id}")})
    found = unknown()
    assert "DELETE /api/v1/tables/{table_id}" in found
    assert "swap-seats" in found


@pytest.mark.parametrize("door", DOORS)
def test_commands_are_taken_from_whose_seat_it_is_and_from_nobody_else(server: Server, door: str) -> None:
    listener = Listener()
    elsewhere = open_online(server, listener)
    found = [one for command in SCENES for one in check_command(server, listener, command, door, elsewhere)]
    assert found == []
    assert listener.leaks() == []


def test_nobody_has_a_coach_against_a_person(server: Server) -> None:
    listener = Listener()
    assert list(check_coach(server, listener, open_online(server, listener))) == []


def test_nobody_is_shown_what_is_not_for_them(server: Server) -> None:
    listener = Listener()
    assert list(check_reads(server, listener, open_online(server, listener))) == []
    assert listener.leaks() == []
    assert len(listener.told) > 200


@pytest.mark.full
def test_a_route_without_the_check_of_seats_is_found() -> None:
    with served(command=changed(NO_RATES + NO_PATIENCE + NO_SEAT_CHECK)) as server:
        listener = Listener()
        elsewhere = open_online(server, listener)
        for door in DOORS:
            found = list(check_command(server, listener, "resign", door, elsewhere))
            assert any("taken from a stranger" in one for one in found)
            assert not list(check_command(server, listener, "move", door, elsewhere))


@pytest.mark.full
def test_a_secret_told_to_spectators_is_found() -> None:
    with served(command=changed(NO_RATES + TALKATIVE)) as server:
        listener = Listener()
        assert not list(check_reads(server, listener, open_online(server, listener)))
        assert any("spectator" in one for one in listener.leaks())
