"""Attacks that are within all rates: each must cost what it sends, and no more than its share."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.patience import PATIENCE
from tests.security.catching_up import long_table
from tests.security.colliding import collide
from tests.security.flooding import ON_A_LONG_TABLE, flood
from tests.security.honest import going_on
from tests.security.planted import NO_RATES, changed
from tests.security.sharing import ask_much
from tests.server.running import Server, served

PLIES = 120
LOOPING = """
from zerosum.tables.events import Event
from zerosum.server.runtime import runtime
def colliding(version, at, kind, person, data):
    return Event(version, at, kind, person, data, "again")
runtime.automatic_event = colliding
play = runtime.ComputerTurns._play
async def play_for_ever(self, loaded):
    while loaded.table.computer_to_move:
        await play(self, loaded)
runtime.ComputerTurns._play = play_for_ever
"""
ONE_CALLER = """
from zerosum.server.worker.client import WorkQueue
ask = WorkQueue.ask
WorkQueue.ask = lambda self, question, caller="": ask(self, question)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with served() as one:
        yield one


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    return long_table(server, PLIES)


@pytest.mark.parametrize("kind", ON_A_LONG_TABLE)
def test_honest_players_go_on_while_a_long_table_is_attacked(server: Server, table: str, kind: str) -> None:
    """How much slower they are is measured by `make reliability`."""
    enough = {"catching up": "caught up", "events": "200"}[kind]
    with going_on(server, pause=0.1) as match, flood(kind, server.port, table) as met:
        deadline = time.monotonic() + PATIENCE
        moves = len(match.seconds)
        while met[enough] < 30 or len(match.seconds) < moves + 5:
            assert time.monotonic() < deadline, met
            time.sleep(0.05)


def test_no_id_of_a_client_stops_a_computer_or_makes_it_try_for_ever() -> None:
    with served(command=changed(NO_RATES)) as server:
        collide(server, 1).hold()


@pytest.mark.full
def test_a_computer_that_tries_for_ever_is_found() -> None:
    with served(command=changed(NO_RATES + LOOPING)) as server:
        assert any("while nobody does anything" in one for one in collide(server, 1, within=3).broken)


@pytest.mark.full
def test_one_address_does_not_keep_all_others_waiting() -> None:
    with served() as server:
        ask_much(server).hold()


@pytest.mark.full
def test_questions_that_are_answered_as_they_come_are_found() -> None:
    with served(command=changed(ONE_CALLER)) as server:
        assert any("waited for" in one or "was answered" in one for one in ask_much(server).broken)
