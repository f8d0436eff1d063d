"""What it costs to start: whole processes, against `python -c pass`."""

from __future__ import annotations

import os
import tempfile

from sqlalchemy import insert

from benchmarks.measure import PYTHON, at_most, process
from tests.security.calling import Caller
from tests.server.postgres import cluster
from tests.server.running import Server, served
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.moves import Move
from zerosum.server.db.engine import open_database, read_url
from zerosum.server.db.schema import events, tables
from zerosum.server.domain.events import data_text, new_id
from zerosum.server.domain.new_table import TableRequest, open_request
from zerosum.server.settings import FILE_NAME, sqlite_url

ZEROSUM = (PYTHON, "-m", "zerosum")
_STORED, _UNFINISHED = 10_000, 20
_TABLES = 100_000
_ANSWER = 1.0
"""Seconds of processor time until a server answers."""
_AS_USERS = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0"}
"""With bytecode, and not forked by a process that has loaded the server, as tests start theirs."""
_QUESTION = 0.3
"""Seconds until a course asks its first question."""


def main() -> None:
    """Print the ratios."""
    nothing = process((PYTHON, "-c", "pass"))
    than = "python -c pass"
    at_most("zerosum --version", process((*ZEROSUM, "--version")) / nothing, 4, than)
    at_most("zerosum games --json", process((*ZEROSUM, "games", "--json")) / nothing, 5, than)
    at_most("zerosum analyze sum31 --json", process((*ZEROSUM, "analyze", "sum31", "--json")) / nothing, 6, than)
    _serving()
    _lessons()
    _listing()


def _serving() -> None:
    """Start a server on few and on many tables, until its first answer; the first start makes its bytecode."""
    with cluster() as postgres:
        for kind, url in (("SQLite", ""), ("PostgreSQL", postgres.database())):
            with served(url or None, env=_AS_USERS) as server:
                server.stop()
                for count in (10, _TABLES):
                    _fill(url or sqlite_url(str(server.home / FILE_NAME)), count)
                    seconds = min(_first_answer(server) for _ in range(5))
                    what = f"zerosum serve on {kind} with {count:,} tables ({seconds:.2f} s of processor time)"
                    at_most(what, seconds / _ANSWER, 1, f"{_ANSWER:g} s")


def _first_answer(server: Server) -> float:
    """Return the processor time of a server from its start to its first answer."""
    server.start()
    Caller(server, "the first").call("GET", "/api/v1/games")
    seconds = sum(sum(one.cpu_times()[:2]) for one in server.processes())
    server.stop()
    return float(seconds)


def _fill(url: str, count: int) -> None:
    """Write tables into a database as the server keeps them."""
    data = data_text(open_request(TableRequest(game="sum31", opponent="here")).data)
    rows = [
        {"table_id": new_id(), "version": 1, "at": 1, "kind": "opened", "person": 1, "data": data, "move_id": "auto:1"}
        for _ in range(count)
    ]
    engine = open_database(read_url(url))
    with engine.begin() as connection:
        connection.execute(insert(tables), [{"id": row["table_id"], "created_at": 1} for row in rows])
        connection.execute(insert(events), rows)
    engine.dispose()


def _lessons() -> None:
    """Ask the first question of every course: no game is solved for it."""
    with tempfile.TemporaryDirectory() as home:
        for game in GAME_IDS:
            learn = ("sh", "-c", f"echo quit | {PYTHON} -m zerosum learn {game}")
            seconds = process(learn, os.environ | {"ZEROSUM_HOME": home}, times=7)
            at_most(f"zerosum learn {game} ({seconds:.3f} s)", seconds / _QUESTION, 1, f"{_QUESTION} s")


def _listing() -> None:
    """Ten thousand stored matches, a few of them unfinished."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        store = SavedMatches(full)
        setup = Setup(rules=load_game("sum31"), date="2026-01-01 00:00:00")
        for n in range(_STORED):
            match_id = store.create(setup)
            if n >= _UNFINISHED:
                with store.opened(match_id) as journal:
                    match = journal.reading.match
                    for move in map(Move, (5, 6, 9, 8, 3)):
                        journal.write(move)
                        match = match.after(move)
                    store.settle(match_id, match)
        costs = [
            process((*ZEROSUM, "resume", "--list"), os.environ | {"ZEROSUM_HOME": home}, times=7)
            for home in (empty, full)
        ]
    at_most(
        f"zerosum resume --list, {_STORED:,} stored ({costs[1]:.3f} s)",
        costs[1] / max(costs[0] * 10, 0.5),
        1,
        "the larger of 10 times an empty store and 0.5 s",
    )


if __name__ == "__main__":
    main()
