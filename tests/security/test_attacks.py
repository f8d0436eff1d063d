"""Attacks, each alone beside honest people: everybody is answered, and memory stays flat (promises 19 and 21).

How many milliseconds honest people wait is measured by `make reliability`; nothing here depends on speed.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

import pytest

from benchmarks.load.seats import Tally, leave_all, seat_all
from tests.full import first
from tests.patience import PATIENCE
from tests.security.attacks import ABREAST, ATTACKS, BYTES, Bytes, Place, attacked
from tests.security.calling import Caller, fresh_address, opened
from tests.security.colliding import collide
from tests.security.permitted import Felt, Honest, prepare
from tests.security.planted import BURST, KEPT_REFUSALS, LIMITED, NO_RATES, RATE, SHARED_DESK, UNLIMITED, changed
from tests.security.sharing import ask_much
from tests.security.work import let_in
from tests.server.running import COMMAND, Server, served
from zerosum.server import limits

MOST_MIB: Final = 120.0
"""By which memory may grow here, beside other tests; each attack lasts a second."""
MET: Final[dict[str, set[str]]] = {
    "late moves": {"409", "429"},
    "invented pupils in class": {"200", "403", "404", "409", "422", "429"},
    "outsider at the desk": {"403", "404", "429"},
    "no request": {"400"},
    "length and chunks": {"400", "429"},
    "half requests": {"408"},
    "one-byte writes": {"200", "429"},
    "new connections": set(),
    "live messages": {"101", "403", "429", "sent"},
    "headers without an end": {"400", "431"},
    "tiny chunks": {"201", "400", "411", "413", "429"},
    "catching up": {"101", "403", "429"},
    "events of a long table": {"200", "429"},
    "uploads": {"422", "429"},
}
"""What an attack may meet, beside connections that are cut; the first few are made by `make test`."""
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
Attacked = Callable[[str], Felt]


@contextmanager
def attacking(command: Sequence[str] = COMMAND) -> Iterator[Attacked]:
    """Yield a way to attack a server for a second, beside a few matches and a class."""
    with served(command=command) as server, asyncio.Runner() as runner:
        tally, place = Tally(), prepare(server, plies=20, listed=1)
        honest = Honest(server, place, runner.run(seat_all(server.port, 3, tally)), tally, 20.0, PATIENCE)

        def attack(name: str) -> Felt:
            least = getattr(ATTACKS[name], "abreast", ABREAST) + (0 if name.startswith("half") else 40)
            felt = runner.run(honest.felt(name, 1.0, least=least, back=0))
            assert tally.errors == []
            return felt

        yield attack
        runner.run(leave_all(honest.tables))


@pytest.fixture(scope="module")
def attack() -> Iterator[Attacked]:
    with attacking() as one:
        yield one


@pytest.mark.parametrize("name", first(6, MET))
def test_an_attack_keeps_nobody_from_an_answer(attack: Attacked, name: str) -> None:
    felt = attack(name)
    assert felt.broken(MOST_MIB) == []
    assert felt.met.keys() <= MET[name] | {"opened", "cut"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("fault", "name", "found"),
    [(KEPT_REFUSALS, "moves of nobody", "memory grew"), (SHARED_DESK, "room as JSON", "a desk was answered 429")],
    ids=["a refused request keeps its memory", "the desk shares the pupils' budget"],
)
def test_what_is_planted_is_found(fault: str, name: str, found: str) -> None:
    with attacking(changed(fault)) as attack:
        wrong = attack(name).broken(20.0)
    assert any(found in one for one in wrong), wrong


@pytest.fixture(scope="module")
def limited() -> Iterator[Server]:
    with served(command=changed(LIMITED)) as one:
        yield one


@pytest.mark.parametrize("name", ["no request", "a TLS hello", "length and chunks"])
def test_what_is_no_request_is_answered_400_and_the_connection_is_closed(limited: Server, name: str) -> None:
    sent, heard = BYTES[name], b""
    assert isinstance(sent, Bytes)
    with socket.create_connection(("127.0.0.1", limited.port), PATIENCE, (fresh_address(), 0)) as plain:
        plain.sendall(sent.first)
        while part := plain.recv(65536):
            heard += part
    assert heard.startswith(b"HTTP/1.1 400 ")
    assert heard.count(b"HTTP/1.1") == 1
    assert b"\r\nconnection: close\r\n" in heard.lower()


def _overspent(server: Server, name: str, cost: int, *, times: int = 1) -> bool:
    """Whether an attack was let in more often than its rate allows; each request that is let in costs so much."""
    place, before, began = Place(server.port, {"table": opened(server)[1]}, {}), let_in(server), time.monotonic()
    with attacked(name, place, least=times * BURST // cost + 2 * ABREAST):
        pass
    return (let_in(server) - before) * cost > BURST + RATE * (time.monotonic() - began)


@pytest.mark.parametrize(("name", "cost"), [("table", 3), ("home", 5), ("uploads", 60), ("live messages", 1)])
def test_an_attack_gets_no_more_than_its_rate(limited: Server, name: str, cost: int) -> None:
    assert not _overspent(limited, name, cost)


@pytest.mark.full
def test_an_attack_that_nothing_limits_is_noticed() -> None:
    with served(command=changed(UNLIMITED)) as server:
        assert _overspent(server, "home", 5, times=20)


def test_too_many_requests_are_told_so_and_how_long_to_wait() -> None:
    with served() as server:
        nobody, tried, began = Caller(server, "nobody"), 0, time.monotonic()
        while (reply := nobody.call("GET", "/join/" + "0" * 28)).status == HTTPStatus.NOT_FOUND:
            tried += 1
        burst, rate = limits.SECRETS
        assert burst <= tried <= burst + rate * (time.monotonic() - began)
        assert reply.code == "too-many"
        assert 1 <= int(reply.header("retry-after")) <= 1 / rate
        assert Caller(server, "another").call("GET", "/join/" + "0" * 28).status == HTTPStatus.NOT_FOUND


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
