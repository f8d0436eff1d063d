"""Promise 20: told to stop under load, the server gives the answers under way and says goodbye; nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError, Live
from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import Table, open_table
from tests.server.running import Server
from zerosum.server import limits

STOP_SECONDS = limits.DRAIN_SECONDS + 2
GOODBYES = (1001, 1012)


def stop_under_load(server: Server, stops: int, *, say: Say = quietly, seed: int = 1) -> Report:
    """Stop a server again and again while clients play, look on, dawdle and idle."""
    report = Report("20", "SIGTERM under load")
    chance = Random(seed)
    tables = [open_table(server.url) for _ in range(4)]
    players = start_players(tables, [server.url], seed)
    slowest = 0.0
    try:
        for number in range(stops):
            say(f"{number} of {stops} stops")
            slowest = max(slowest, _stop(server, tables[0], players, report, chance))
            if number % 5 == 0:
                _stop_dawdlers(server, report)
    finally:
        if not server.running:
            server.start()
    finish(players)
    server.kill()
    server.start()
    report.broken += audit(players, server.url)
    report.figures = {
        "stops": stops,
        "moves acknowledged": sum(len(player.ledger) for player in players),
        "cut without an answer": sum(len(player.cuts) for player in players),
        "longest stop": f"{slowest:.1f} s",
        "lost, changed or doubled": len(report.broken),
    }
    return report


def _stop(server: Server, table: Table, players: Sequence[Player], report: Report, chance: Random) -> float:
    """Stop and start the server once; return how long it took to end."""
    so_far = sum(len(player.ledger) for player in players)
    wait_for(lambda: sum(len(player.ledger) for player in players) > so_far + 5, PATIENCE, "players play")
    watchers = [Live(server.url, table.id) for _ in range(3)]
    time.sleep(chance.random() * 0.1)
    taken = _ended(server, report)
    for watcher in watchers:
        code = _goodbye(watcher)
        report.check(code in GOODBYES, f"a live connection was closed with {code}")
    server.start()
    return taken


def _ended(server: Server, report: Report) -> float:
    """Stop the server; return how long it took to end."""
    began = time.monotonic()
    status = server.stop()
    taken = time.monotonic() - began
    report.check(status == 0, f"the exit status is {status}")
    report.check_time(taken, STOP_SECONDS, "to end it took")
    return taken


def _stop_dawdlers(server: Server, report: Report) -> None:
    """Stop the server while somebody has sent half a request, and somebody else nothing since the last."""
    dawdler, idler = Caller(server.url), Caller(server.url)
    dawdler.send(dawdler.request("POST", "/api/v1/tables", {"game": "sum31"})[:-5])
    idler.call("GET", "/healthz")
    _ended(server, report)
    for caller in (dawdler, idler):
        caller.close()
    server.start()


def _goodbye(watcher: Live) -> int | None:
    """Return the code with which a connection was closed."""
    try:
        while watcher.read() is not None:
            pass
    except CutError:
        return watcher.close_code
    return None
