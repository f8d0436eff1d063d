"""Promises 14 and 15: a match that two players never end has an end, and a game too large to solve is refused."""

from __future__ import annotations

import itertools
import time

import psutil

from tests.match.kills import long_line
from tests.patience import PATIENCE
from tests.reliability.clients import Caller, Live
from tests.reliability.players import audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import API, command, done, move, new_key, open_table
from tests.server.running import Server
from zerosum.base import limits as rule_limits

GROWTH = 32 * 1024 * 1024
"""Bytes by which the server may grow with one endless match and its spectator."""
REFUSED_SECONDS = 2.0
SILENCE_SECONDS = 1.0
"""The longest in which none of the others, who hardly think, is answered a move."""
HUGE = f"""format = 1
id = "huge"
name = "Huge"
pool = {list(range(1, 41))}
operations = ["add", "subtract"]
totals = "shared"
start = 0
target = 0
exhausted = "last-mover"
"""
"""Forty numbers: more than 2^40 positions."""


def play_endlessly(server: Server, plies: int = rule_limits.MATCH_PLIES, *, say: Say = quietly) -> Report:
    """Avoid zero in sudden death until the referee ends the match, after so many plies."""
    report = Report("15", "endless match")
    url = server.url
    table = open_table(url)
    live = Live(url, table.id, since=1)
    before = psutil.Process(server.pid).memory_info().rss
    state = table.state(table.caller(url, 1))
    for number, text in enumerate(long_line(plies)):
        if number % 50 == 0:
            say(f"{number} of {plies} plies")
        report.check(state["match"]["outcome"] is None, f"it ended after {number} plies")
        # Each move from a new address: one would be told to move more slowly.
        person = table.caller(url, state["match"]["to_move"])
        state = done(person.call("POST", table.path("move"), move(state, text)))["state"]
    outcome = state["match"]["outcome"]
    growth = psutil.Process(server.pid).memory_info().rss - before
    if outcome is None:
        report.broken.append(f"it goes on after {plies} plies")
        return report
    report.check(growth <= GROWTH, f"the server has grown by {growth / 2**20:.0f} MiB")
    late = table.caller(url, 1).call("POST", table.path("move"), move(state, "+1"))
    report.check(late.code == "not-now", f"a move after the end was answered {late.body[:200]!r}")
    for number in (1, 2):
        state = done(table.caller(url, number).call("POST", table.path("rematch"), command(state)))["state"]
    told = 1
    while told < state["version"]:
        found = live.next("event")["version"]
        report.check(found == told + 1, f"a spectator heard of {found} after {told}")
        told = found
    live.drop()
    report.figures = {
        "plies": plies,
        "outcome": outcome["reason"],
        "the server grew by": f"{growth / 2**20:.1f} MiB",
    }
    return report


def ask_too_much(url: str, asks: int = 12, *, say: Say = quietly) -> Report:
    """Ask for a game too large to solve, by every way to it, while others play."""
    report = Report("14", "game too large to solve")
    players = start_players([open_table(url) for _ in range(2)], [url], seed=9)
    wait_for(lambda: all(player.ledger for player in players), PATIENCE, "a move each")
    began = time.monotonic()
    caller = Caller(url, new_key(url))
    ways = itertools.cycle(
        (
            ("POST", f"{API}/tables", {"variant": HUGE, "opponent": "level:9"}),
            ("POST", f"{API}/tables", {"variant": HUGE, "opponent": "perfect"}),
            ("POST", f"{API}/analyze", {"variant": HUGE}),
        )
    )
    slowest = 0.0
    for number, (method, path, document) in enumerate(itertools.islice(ways, asks)):
        say(f"{number} of {asks} questions")
        asked = time.monotonic()
        reply = caller.call(method, path, document)
        slowest = max(slowest, time.monotonic() - asked)
        report.check(reply.code == "too-large", f"{path} was answered {reply.status} {reply.body[:200]!r}")
    here = open_table(url, variant=HUGE, opponent="here")
    reply = here.caller(url, 1).call("GET", here.path("values"))
    report.check(reply.code == "too-large", f"values were answered {reply.status} {reply.body[:200]!r}")
    finish(players)
    answered = sorted(one.at for player in players for one in player.ledger if one.at > began)
    silence = max((after - before for before, after in itertools.pairwise([began, *answered])), default=0.0)
    report.broken += audit(players, url)
    report.check_time(slowest, REFUSED_SECONDS, "a refusal took")
    report.check(answered, "all other matches stood still")
    report.check_time(silence, SILENCE_SECONDS, "all other matches waited")
    report.figures = {
        "refusals": asks + 1,
        "slowest": f"{slowest:.2f} s",
        "moves of others meanwhile": len(answered),
        "longest without one": f"{silence:.2f} s",
    }
    return report
