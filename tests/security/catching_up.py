"""Attacks on what a long table costs: coming back to it, and reading its events, at the rate that is permitted."""

from __future__ import annotations

import time
from http import HTTPStatus

from tests.match.kills import long_line
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import done, move, open_table
from tests.security.flooding import ON_A_LONG_TABLE
from tests.security.slowing import SLOWER, slowed
from tests.server.running import Server

PLIES = 590


def long_table(server: Server, plies: int = PLIES, *, say: Say = quietly) -> str:
    """Play a match of Zero Sum Game that nobody ends; return the table and its version, as floods take it."""
    table = open_table(server.url)
    persons = [table.caller(server.url, 1), table.caller(server.url, 2)]
    state = table.state(persons[0])
    for number, text in enumerate(long_line(plies)):
        if number % 50 == 0:
            say(f"{number} of {plies} plies")
        person = persons[state["match"]["to_move"] - 1]
        sent = move(state, text)
        while (reply := person.call("POST", table.path("move"), sent)).status == HTTPStatus.TOO_MANY_REQUESTS:
            time.sleep(1)
        state = done(reply)["state"]
    return f"{table.id}:{state['version']}"


def attack(server: Server, kind: str, table: str) -> Report:
    """Attack a long table, while two people play at another."""
    assert kind in ON_A_LONG_TABLE
    report = Report("19", f"{kind}, a table of {PLIES} plies")
    seen = slowed(server, kind, table)
    report.check(seen.factor <= SLOWER, f"honest players waited {seen.factor:.1f} times as long")
    report.figures = {
        "honest moves, p50 before": f"{seen.p50(seen.calm):.1f} ms",
        "during": f"{seen.p50(seen.flooded):.1f} ms",
        "slower by": f"{seen.factor:.2f} times",
        "in the attack": ", ".join(f"{count} {what}" for what, count in sorted(seen.met.items()) if what != "bytes"),
    }
    return report
