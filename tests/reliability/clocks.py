"""Clocks and absence: time runs for who is to move, but not while the server or its store is away."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack

from tests.patience import PATIENCE
from tests.reliability.clients import CutError, Document, Live
from tests.reliability.report import Report
from tests.reliability.tables import Table, command, done, move, open_table
from tests.server.running import Server
from zerosum.server import limits

SLACK_SECONDS = 0.7
"""Between what a clock is charged and what is measured beside it."""
AWAY_SECONDS = 3.5
KNOWN_AFTER = 1.5 * limits.HEARTBEAT_SECONDS
"""Seconds without a heartbeat after which a server that is there counts as away."""


def _begun(url: str, minutes: int) -> tuple[Table, Document, float]:
    """Return a table whose first move was made, so that the clock of person 2 runs, and when that was sent."""
    table = open_table(url, clock={"minutes": minutes})
    caller = table.caller(url, 1)
    first = move(table.state(caller), "+1")
    sent = time.monotonic()
    return table, done(caller.call("POST", table.path("move"), first))["state"], sent


def _move_when_back(url: str, table: Table, person: int, sent: Document) -> Document:
    """Send a move until it is taken."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            reply = table.caller(url, person).call("POST", table.path("move"), sent)
            if reply.status != 503:
                state: Document = done(reply)["state"]
                return state
        except CutError:
            pass
        assert time.monotonic() < deadline
        time.sleep(0.02)


def be_away(server: Server, end: Callable[[Server], object], costs: float = 0.0) -> Report:
    """End a server in the middle of a turn and start it later; the absence is on nobody's clock."""
    report = Report("7", "clock: server away")
    table, state, began = _begun(server.url, minutes=60)
    before = state["clock"]["left_ms"][1]
    end(server)
    ended = time.monotonic()
    time.sleep(AWAY_SECONDS)
    # When it serves again is not known to the moment; from here on it may.
    back = time.monotonic()
    server.start()
    after = _move_when_back(server.url, table, 2, move(state, "+2"))
    served = (ended - began) + (time.monotonic() - back)
    charged = (before - after["clock"]["left_ms"][1]) / 1000
    report.figures = {"away": f"{back - ended:.1f} s", "served": f"{served:.1f} s", "charged": f"{charged:.1f} s"}
    report.check(charged <= served + costs + SLACK_SECONDS, f"{charged:.1f} s were charged for {served:.1f} s")
    return report


def be_without_store(url: str, trouble: AbstractContextManager[object]) -> Report:
    """Take the store away in the middle of a turn; who moves first when it is back pays only for time to play."""
    report = Report("7", "clock: store away")
    table, state, began = _begun(url, minutes=60)
    before = state["clock"]["left_ms"][1]
    with ExitStack() as stack:
        stack.enter_context(trouble)
        gone = time.monotonic()
        time.sleep(AWAY_SECONDS + KNOWN_AFTER)
    back = time.monotonic()
    after = _move_when_back(url, table, 2, move(state, "+2"))
    served = (gone - began) + (time.monotonic() - back)
    charged = (before - after["clock"]["left_ms"][1]) / 1000
    report.figures = {"away": f"{back - gone:.1f} s", "served": f"{served:.1f} s", "charged": f"{charged:.1f} s"}
    report.check(charged <= served + SLACK_SECONDS, f"{charged:.1f} s were charged for {served:.1f} s")
    return report


def lose_a_replica(servers: Sequence[Server]) -> Report:
    """Kill one replica of two: the other serves, so time runs on."""
    report = Report("7", "clock: one replica away")
    table, state, _ = _begun(servers[0].url, minutes=60)
    before = state["clock"]["left_ms"][1]
    began = time.monotonic()
    servers[0].kill()
    time.sleep(AWAY_SECONDS)
    servers[0].start()
    taken = time.monotonic() - began
    after = _move_when_back(servers[1].url, table, 2, move(state, "+2"))
    charged = (before - after["clock"]["left_ms"][1]) / 1000
    report.figures = {"turn": f"{taken:.1f} s", "charged": f"{charged:.1f} s"}
    # A replica that starts just before the other's heartbeat may take the time since the last for an absence.
    least = taken - 1.25 * limits.HEARTBEAT_SECONDS - SLACK_SECONDS
    report.check(charged >= least, f"{charged:.1f} s were charged for a turn of {taken:.1f} s")
    return report


def run_out(url: str, minute: float) -> Report:
    """Let a clock run out: both hear of it in time, though nobody does anything."""
    report = Report("7", "clock: time runs out")
    table, state, began = _begun(url, minutes=1)
    live = Live(url, table.id, table.tokens[0], since=state["version"])
    told = live.next("event")["state"]
    taken = time.monotonic() - began
    outcome = told["match"]["outcome"]
    right = outcome is not None and (outcome["winner"], outcome["reason"]) == (1, "time")
    report.check(right, f"the outcome is {outcome}")
    report.check(told["clock"]["left_ms"][1] == 0, f"time is left: {told['clock']}")
    report.check(taken >= minute, f"time ran out after {taken:.1f} s of {minute}")
    report.check_time(taken, minute + SLACK_SECONDS, "time ran out after")
    late = table.caller(url, 2).call("POST", table.path("move"), move(state, "+2"))
    report.check(late.code == "stale", f"a move after that was answered {late.body[:200]!r}")
    live.drop()
    report.figures = {"limit": f"{minute:.0f} s", "told after": f"{taken:.1f} s"}
    return report


def outlast(server: Server, minute: float) -> Report:
    """Be away for longer than a person has left: nobody loses by that."""
    report = Report("7", "clock: away longer than is left")
    table, state, _ = _begun(server.url, minutes=1)
    server.kill()
    time.sleep(minute + KNOWN_AFTER)
    server.start()
    after = _move_when_back(server.url, table, 2, move(state, "+2"))
    report.check(after["match"]["outcome"] is None, f"the outcome is {after['match']['outcome']}")
    report.figures = {"limit": f"{minute:.0f} s", "left": f"{after['clock']['left_ms'][1] / 1000:.1f} s"}
    return report


def claim(url: str, absent: float) -> Report:
    """Claim a match against somebody who is there, who has just gone, and who has long been gone."""
    report = Report("7", "claim against the absent")
    table = open_table(url)
    one, two = table.caller(url, 1), table.caller(url, 2)
    state = done(one.call("POST", table.path("move"), move(table.state(one), "+1")))["state"]
    live = Live(url, table.id, table.tokens[1], since=1)
    live.next("presence")
    time.sleep(absent + 0.5)
    reply = one.call("POST", table.path("claim"), command(state))
    report.check(reply.code == "not-now", f"a claim against somebody who is there was answered {reply.body[:200]!r}")
    mine = two.call("POST", table.path("claim"), command(state))
    report.check(mine.code == "not-now", f"who is to move claimed: {mine.body[:200]!r}")
    gone = time.monotonic()
    live.close()
    while (reply := one.call("POST", table.path("claim"), command(state))).code == "not-now":
        assert time.monotonic() < gone + PATIENCE, reply.body
        time.sleep(0.05)
    waited = time.monotonic() - gone
    outcome = done(reply)["state"]["match"]["outcome"]
    report.check((outcome["winner"], outcome["reason"]) == (1, "time"), f"the outcome is {outcome}")
    report.check(waited >= absent, f"the claim was taken after {waited:.1f} s; {absent} are stated")
    report.figures = {"stated": f"{absent:.0f} s", "taken after": f"{waited:.1f} s"}
    return report
