"""Promise 2, PostgreSQL: its administrator turned synchronous commits off, it crashes, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import psycopg

from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import open_table
from tests.server.postgres import Cluster
from tests.server.running import COMMAND, served

TABLES = 8
SECONDS = 120


def crash_database(
    cluster: Cluster, crashes: int, *, moves: int = 60, command: Sequence[str] = COMMAND, say: Say = quietly
) -> Report:
    """Kill PostgreSQL and then the server while clients play; hold their ledgers against the database.

    The cluster must be the harness's own: its settings are changed.
    """
    report = Report("2", "PostgreSQL killed, asynchronous")
    url = cluster.database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {url.rpartition('/')[2]} SET synchronous_commit = off".encode())
        # What is not synced by the commit itself then waits long enough to be lost.
        connection.execute("ALTER SYSTEM SET wal_writer_delay = '10s'")
        connection.execute("SELECT pg_reload_conf()")
    acknowledged = 0
    with served(url, command=command) as server:
        for number in range(crashes):
            say(f"{number} of {crashes} crashes, {acknowledged} moves acknowledged")
            players = start_players([open_table(server.url) for _ in range(TABLES)], [server.url], seed=number)
            wait_for(partial(_acknowledged, players, moves), SECONDS, f"{moves} moves")
            cluster.kill()
            server.kill()  # what it has in memory must not come back
            cluster.start()
            server.start()
            finish(players)
            acknowledged += sum(len(one.ledger) for one in players)
            report.broken += audit(players, server.url)
    report.figures = {"crashes": crashes, "moves acknowledged": acknowledged, "lost or changed": len(report.broken)}
    return report


def _acknowledged(players: Sequence[Player], moves: int) -> bool:
    return sum(len(one.ledger) for one in players) >= moves
