"""What it costs to start: whole processes, against `python -c pass`."""

from __future__ import annotations

import os
import pty
import signal
import tempfile
import time

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
from zerosum.server.settings import FILE_NAME, sqlite_url
from zerosum.tables.events import data_text, new_id
from zerosum.tables.new_table import TableRequest, open_request

ZEROSUM = (PYTHON, "-m", "zerosum")
_STORED, _UNFINISHED = 10_000, 20
_TABLES = 100_000
_ANSWER = 1.0
"""Seconds of processor time until a server answers."""
_AS_USERS = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0"}
"""With bytecode, and not forked by a process that has loaded the server, as tests start theirs."""
_QUESTION = 0.3
"""Seconds until a course asks its first question."""
_PLAYED = 100
"""Matches in the record of a user who returns: as many as the home looks at."""
_PROMPT_RATIO = 8
_TIMES = 15


def main() -> None:
    """Print the ratios."""
    nothing = process((PYTHON, "-c", "pass"))
    than = "python -c pass"
    at_most("zerosum --version", process((*ZEROSUM, "--version")) / nothing, 4, than)
    at_most("zerosum games --json", process((*ZEROSUM, "games", "--json")) / nothing, 5, than)
    at_most("zerosum analyze sum31 --json", process((*ZEROSUM, "analyze", "sum31", "--json")) / nothing, 6, than)
    _first_prompts()
    _serving()
    _lessons()
    _listing()


def _first_prompts() -> None:
    """Start `zerosum` at a pseudo-terminal until it asks: for a newcomer, and for somebody with a record.

    Each round starts all of them, one after the other, so that a busy machine slows all alike.
    """
    with tempfile.TemporaryDirectory() as new, tempfile.TemporaryDirectory() as known:
        _played_before(SavedMatches(known), _PLAYED, unfinished=1)
        alone = (PYTHON, "-m", "zerosum")
        cases = {
            "nothing": ((PYTHON, "-c", "pass"), new, ""),
            "zerosum to its first prompt, first time": (alone, new, "q to quit: "),
            f"zerosum to its first prompt, {_PLAYED} matches and an unfinished one": (alone, known, "What next? [1] "),
        }
        shortest = dict.fromkeys(cases, float("inf"))
        for _ in range(_TIMES):
            for name, case in cases.items():
                shortest[name] = min(shortest[name], _until_asked(*case))
    nothing = shortest.pop("nothing")
    for name, seconds in shortest.items():
        at_most(f"{name} ({seconds:.3f} s)", seconds / nothing, _PROMPT_RATIO, "python -c pass")


def _until_asked(arguments: tuple[str, ...], home: str, prompt: str) -> float:
    """Return the seconds from the start of a command at a pseudo-terminal to its prompt; to its end if that is ""."""
    settings = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    settings |= {"ZEROSUM_HOME": home, "TERM": "xterm"}
    began = time.perf_counter()
    child, terminal = pty.fork()
    if not child:
        os.execve(arguments[0], arguments, settings)  # noqa: S606 - a shell would be measured too
    shown = b""
    try:
        while not prompt or prompt.encode() not in shown:
            try:
                shown += os.read(terminal, 1 << 16)
            except OSError:  # Linux says so when the command has ended
                if prompt:
                    raise
                break
        return time.perf_counter() - began
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


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
    """List the unfinished ones of ten thousand stored matches."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryDirectory() as full:
        _played_before(SavedMatches(full), _STORED - _UNFINISHED, _UNFINISHED)
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


def _played_before(store: SavedMatches, finished: int, unfinished: int) -> None:
    """Save matches against a level, the last of them unfinished."""
    setup = Setup(rules=load_game("sum31"), who=("human", "level:1"), date="2026-01-01 00:00:00")
    for n in range(finished + unfinished):
        match_id = store.create(setup)
        if n < finished:
            with store.opened(match_id) as journal:
                match = journal.reading.match
                for move in map(Move, (5, 6, 9, 8, 3)):
                    journal.write(move)
                    match = match.after(move)
                store.settle(match_id, match)


if __name__ == "__main__":
    main()
