"""Promise 20: a database of an older release becomes one of this release whole, or stays whole as it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.patience import PATIENCE
from tests.reliability.old import Sample, make_old, read_rows, release_of
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import done, move
from tests.reliability.trouble import locked
from tests.reliability.wrapped import planted
from tests.server.leash import release, signal_group, spawn
from tests.server.running import COMMAND, ServerError, served
from zerosum.server.db.upgrade import _LOCK
from zerosum.server.settings import sqlite_file

Point = tuple[str, int]
"""The n-th of some system call."""
KILL, FULL = "signal=SIGKILL", "error=ENOSPC"


def go_on(database: str, sample: Sample, report: Report) -> None:
    """Serve an old database: it is new then, everything is there, and the matches go on."""
    with served(database) as server:
        for table in sample.tables:
            caller = table.caller(server.url, 1)
            state = table.state(caller)
            report.check(len(table.events(caller)) == state["version"], "events are missing")
            if state["match"]["outcome"] is None:
                person = table.caller(server.url, state["match"]["to_move"])
                sent = move(state, state["match"]["legal_moves"][0])
                done(person.call("POST", table.path("move"), sent))
    report.check(release_of(database) == "new", f"after serving it is {release_of(database)}")
    events = {row[:2]: row for row in read_rows(database)["events"]}
    report.check(all(events.get(row[:2]) == row for row in sample.rows["events"]), "events were changed")
    for name in ("tables", "seats", "invitations"):
        report.check(read_rows(database)[name] == sample.rows[name], f"{name} were changed")


def interrupt(
    sample: Sample, how: str, points: Sequence[Point], command: Sequence[str] = COMMAND, *, say: Say = quietly
) -> Report:
    """Let the n-th call that writes or syncs kill the server, or fail, while it upgrades a file."""
    what = "killed" if how == KILL else "disk full"
    report = Report("20", f"upgrade, {what} at the n-th write")
    found: dict[str, int] = {}
    for call, number in points:
        where = f"{what} at {call} {number}"
        say(where)
        folder = Path(tempfile.mkdtemp(prefix="zerosum-upgrade-"))
        try:
            database = f"sqlite:///{folder}/tables.sqlite3"
            make_old(database, sample)
            _serve_interrupted(report, database, (call, f"{call}:{how}:when={number}"), command)
            state = release_of(database)
            found[state] = found.get(state, 0) + 1
            report.check(state in ("old", "new"), f"{where}: it is {state}")
            report.check(read_rows(database) == sample.rows, f"{where}: rows were changed")
        finally:
            shutil.rmtree(folder)
    report.figures = {"points": len(points), **{f"left whole {name}": count for name, count in sorted(found.items())}}
    return report


def _serve_interrupted(report: Report, database: str, meddling: tuple[str, str], command: Sequence[str]) -> None:
    """Run a server whose calls are meddled with, until it ends by itself or serves."""
    call, inject = meddling
    tracer = ("strace", "-f", "-qq", "-e", f"trace={call}", "-e", f"inject={inject}", "-o", os.devnull)
    process = spawn(
        [*tracer, *command, "--port", "0", "--database", database],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    # It ends, or it says that it serves: then all was done before that point, and it is ended.
    serving = process.stdout.readline()
    if serving:
        signal_group(process, signal.SIGKILL)
    status = release(process, PATIENCE)
    words = process.stderr.read().decode()
    process.stdout.close()
    process.stderr.close()
    if FULL in inject and not serving:
        plain = words.startswith("zerosum: ") and words.count("\n") == 1
        report.check(status == 1 and plain, f"{inject}: it ended with {status} and said {words[-300:]}")


def die(database: str, sample: Sample, bug: str = "dying") -> Report:
    """Kill the server in the middle of a migration, between two statements; then serve."""
    report = Report("20", f"upgrade, killed, {'PostgreSQL' if database.startswith('postgresql') else 'SQLite'}")
    make_old(database, sample)
    process = subprocess.run(
        [*planted(bug), "--port", "0", "--database", database], capture_output=True, timeout=PATIENCE, check=False
    )
    report.check(process.returncode == -signal.SIGKILL, f"it was not killed: {process.stderr[:300]!r}")
    report.check(release_of(database) == "old", f"it is {release_of(database)}")
    report.figures = {"left": release_of(database)}
    if not report.broken:
        go_on(database, sample, report)
    return report


def take_long(database: str, sample: Sample, bug: str = "slow") -> Report:
    """Upgrade with a statement that takes longer than a request may."""
    report = Report("20", f"upgrade, slow, {'PostgreSQL' if database.startswith('postgresql') else 'SQLite'}")
    make_old(database, sample)
    try:
        with served(database, command=planted(bug)):
            pass
    except ServerError as error:
        report.broken.append(f"it did not start: {error}")
    report.check(release_of(database) == "new", f"it is {release_of(database)}")
    report.figures = {"left": release_of(database)}
    return report


def wait_for_another(database: str, sample: Sample, *, held: float, command: Sequence[str] = COMMAND) -> Report:
    """Start a server while another holds the upgrade lock; it waits for it and starts."""
    report = Report("20", f"upgrade, locked, {'PostgreSQL' if database.startswith('postgresql') else 'SQLite'}")
    make_old(database, sample)
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool, upgrade_lock(database):
        starting = pool.submit(_start_and_stop, database, command)
        try:
            starting.result(held)
            report.broken.append("it did not wait for the lock")
        except TimeoutError:
            if database.startswith("postgresql"):  # a locked file cannot be read either
                report.check(release_of(database) == "old", "it upgraded without the lock")
        except ServerError as error:
            report.broken.append(f"it did not wait: {error}")
        waited = time.monotonic() - began
    if not report.broken:
        starting.result(PATIENCE)
        go_on(database, sample, report)
    report.figures = {"lock held": f"{waited:.0f} s", "left": release_of(database)}
    return report


def _start_and_stop(database: str, command: Sequence[str]) -> None:
    with served(database, command=command):
        pass


@contextmanager
def upgrade_lock(database: str) -> Iterator[None]:
    """Hold the lock of a server that upgrades a database."""
    path = sqlite_file(database)
    if path is not None:
        with locked(Path(path)):
            yield
        return
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        yield


def upgrade_whole(database: str, sample: Sample, make: Callable[[str, Sample], None] = make_old) -> Report:
    """Serve an old database."""
    report = Report("20", f"upgrade, {'PostgreSQL' if database.startswith('postgresql') else 'SQLite'}")
    make(database, sample)
    report.check(release_of(database) == "old", f"it was to be old and is {release_of(database)}")
    go_on(database, sample, report)
    report.figures = {"events": len(sample.rows["events"]), "left": release_of(database)}
    return report
