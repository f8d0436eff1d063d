"""Promise 1: the server is killed at random moments under load, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError
from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import open_table
from tests.server.running import Server

READY_SECONDS = 3.0
"""Within which a server must serve again."""
TABLES = 8
ROUND = 10
"""Kills before the players go to new tables: nobody plays thousands of moves at one."""


@dataclass(frozen=True)
class Kill:
    """One kill: of which server, when, and how long it was until it answered again."""

    url: str
    began: float
    ended: float
    ready: float


def kill_under_load(
    servers: Sequence[Server], kills: int, *, moves: int = 0, say: Say = quietly, seed: int = 1
) -> Report:
    """Kill the servers in turn while clients play on them; hold the clients' ledgers against the store.

    Between two kills at least so many moves are acknowledged.
    """
    replicas = len(servers) > 1
    report = Report("1", "kill -9, two replicas, PostgreSQL" if replicas else "kill -9, SQLite")
    urls = [server.url for server in servers]
    players: list[Player] = []
    chance = random.Random(seed)
    done: list[Kill] = []
    unaudited: list[Player] = []
    try:
        while len(done) < kills:
            playing = start_players([open_table(urls[0]) for _ in range(TABLES)], urls, seed + len(done))
            players += playing
            for _ in range(min(ROUND, kills - len(done))):
                say(f"{len(done)} of {kills} kills, {_acknowledged(players)} moves acknowledged")
                due = _acknowledged(playing) + moves
                wait_for(partial(_have_played, playing, due), PATIENCE, f"{moves} moves")
                done.append(_kill(servers[len(done) % len(servers)], playing, chance))
            finish(playing)
            if len(done) % ROUND == 0:
                # All servers were killed since these were played: what they say now comes from the store alone.
                report.broken += _audited(unaudited, urls[-1])
                unaudited = []
            unaudited += playing
    finally:
        for server in servers:
            if not server.running:
                server.start()
    for server in servers:
        server.kill()
        server.start()
    report.broken += _audited(unaudited, urls[-1])
    _count(report, players, done)
    if replicas:
        _count_others(report, players, done)
    return report


def _audited(players: Sequence[Player], url: str) -> list[str]:
    """Hold ledgers against the store; then forget the words of the answers, of which there are many."""
    wrong = audit(players, url)
    for player in players:
        player.ledger = [replace(one, answer="") for one in player.ledger]
    return wrong


def _have_played(players: Sequence[Player], moves: int) -> bool:
    return _acknowledged(players) >= moves


def _acknowledged(players: Sequence[Player]) -> int:
    return sum(len(player.ledger) for player in players)


def _kill(server: Server, players: Sequence[Player], chance: random.Random) -> Kill:
    """Kill a server at a random moment, mostly a short one after a command was sent to it; start it again."""
    played = _played_on(server.url, players)
    wait_for(lambda: _played_on(server.url, players) > played + 5, PATIENCE, "nobody plays there")
    time.sleep(chance.random() * 0.3)
    if chance.random() < 0.8:
        wait_for(lambda: _under_way(server.url, players), PATIENCE, "nobody moves")
        time.sleep(chance.random() * 0.002)
    began = time.monotonic()
    server.kill()
    ended = time.monotonic()
    server.start()
    _first_answer(server.url)
    return Kill(server.url, began, ended, time.monotonic() - ended)


def _played_on(url: str, players: Sequence[Player]) -> int:
    return sum(one.url == url for player in players for one in player.ledger)


def _under_way(url: str, players: Sequence[Player]) -> bool:
    return any(player.under_way is not None and player.url == url for player in players)


def _first_answer(url: str) -> None:
    caller = Caller(url)
    while True:
        try:
            if caller.call("GET", "/readyz").status == 200:
                return
        except CutError:
            time.sleep(0.005)


def _count(report: Report, players: Sequence[Player], kills: Sequence[Kill]) -> None:
    cuts = [cut for player in players for cut in player.cuts]
    in_flight = sum(any(cut.url == kill.url and cut.sent <= kill.began <= cut.ended for cut in cuts) for kill in kills)
    resent = sum(one.resent for player in players for one in player.ledger)
    slowest = max(kill.ready for kill in kills)
    report.figures |= {
        "kills": len(kills),
        "with a move in flight": in_flight,
        "moves acknowledged": _acknowledged(players),
        "sent again": resent,
        "serving again after (median)": f"{statistics.median(kill.ready for kill in kills):.2f} s",
        "(longest)": f"{slowest:.2f} s",
        "lost, changed or doubled": len(report.broken),
    }
    report.check(4 * in_flight >= len(kills), f"only {in_flight} of {len(kills)} kills had a move in flight")
    report.check_time(slowest, READY_SECONDS, "until the server answered again it took")


def _count_others(report: Report, players: Sequence[Player], kills: Sequence[Kill]) -> None:
    """Count what the other replica acknowledged while one was down."""
    ledger = [one for player in players for one in player.ledger]
    meanwhile = [
        sum(one.url != kill.url and kill.ended < one.at < kill.ended + kill.ready for one in ledger) for kill in kills
    ]
    took = sum(map(bool, meanwhile))
    report.figures["the other replica took moves meanwhile"] = f"in {took} of {len(kills)}"
    # Some pauses are so short that nobody happens to move; a replica that waits for the other takes none in any.
    report.check(2 * took >= len(kills), f"the other replica took moves in only {took} of {len(kills)} pauses")
