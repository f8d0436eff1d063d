"""Promise 7: the disk is full, read-only or locked, or the database is away; nothing is acknowledged, and it passes."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from tests.patience import PATIENCE
from tests.reliability.clients import Caller, CutError, Document, Live, Reply
from tests.reliability.players import Player, audit, finish, start_players, wait_for
from tests.reliability.report import Report
from tests.reliability.tables import Table, command, move, open_table
from tests.server.postgres import Cluster
from tests.server.running import Server

TOLD_SECONDS = 10
"""Within which a move is refused, and /readyz says so."""
RECOVERED_SECONDS = 10
"""Within which moves are taken again once the trouble is over; /readyz too."""

Trouble = AbstractContextManager[object]


def endure(server: Server, name: str, trouble: Trouble, within: float = PATIENCE) -> Report:
    """Play while there is trouble with the store, and after it; nothing acknowledged may be lost."""
    report = Report("7", name)
    players = start_players([open_table(server.url) for _ in range(2)], [server.url], seed=5)
    probe = Probe(server.url, report)
    wait_for(lambda: all(player.ledger for player in players), PATIENCE, "a move each")
    with trouble:
        probe.expect_refusal()
        meanwhile = [len(player.ledger) for player in players]
        probe.expect_refusal()
        acknowledged = sum(len(player.ledger) for player in players) - sum(meanwhile)
        report.check(acknowledged == 0, f"{acknowledged} moves were acknowledged during the trouble")
    recovered = probe.expect_recovery(within)
    report.check_time(recovered, RECOVERED_SECONDS, "to recover it took")
    report.figures["recovered after"] = f"{recovered:.1f} s"
    if not _play_on(players, within):
        report.broken.append(f"{within} s after the trouble not everybody can play")
        for player in players:
            player.abandon()
        return report
    finish(players)
    # What is held against the ledgers comes from the store alone.
    server.kill()
    server.start()
    report.broken += audit(players, server.url) + probe.audit()
    report.figures |= {"refusals": probe.refusals, "moves acknowledged": sum(len(player.ledger) for player in players)}
    report.check("Traceback" not in server.log, "the log has a traceback")
    return report


def _play_on(players: list[Player], within: float) -> bool:
    """Whether everybody makes a move after the trouble."""
    so_far = {player: len(player.ledger) for player in players}
    deadline = time.monotonic() + within
    while not all(len(one.ledger) > so_far[one] for one in players):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class Probe:
    """One more person, who looks closely at each answer."""

    def __init__(self, url: str, report: Report) -> None:
        self._url, self._report = url, report
        self._table: Table = open_table(url, opponent="here")
        self._taken: list[Document] = []
        self._name, self._sent = "move", move(self._table.state(self._table.caller(url, 1)), "+1")
        self.refusals = 0

    def _try(self) -> Reply:
        """Send what is to be sent next, each from a new address: a move, then its taking back, and so on."""
        reply = self._table.caller(self._url, 1).call("POST", self._table.path(self._name), self._sent)
        if reply.status == 200:
            state = reply.document["state"]
            self._taken.append(state["last"])
            if self._name == "move":
                self._name, self._sent = "ask-undo", command(state)
            else:
                self._name, self._sent = "move", move(state, "+1")
        return reply

    def expect_refusal(self) -> None:
        """Send a move until it is refused, as it must be: by what is asked for, in time, through both doors."""
        deadline = time.monotonic() + PATIENCE
        asked = time.monotonic()
        while (reply := self._try()).status == 200:
            assert time.monotonic() < deadline, "the trouble is none"
            asked = time.monotonic()
        self._report.check_time(time.monotonic() - asked, TOLD_SECONDS, "a refusal took")
        self.refusals += 1
        told = (reply.status, reply.headers.get("content-type"), reply.code)
        right = (503, "application/problem+json", "unavailable")
        self._report.check(told == right, f"a move was answered {told}: {reply.body[:200]!r}")
        self._report.check(reply.headers.get("retry-after", "").isdigit(), "the refusal has no Retry-After")
        self._expect_live_refusal()
        began = time.monotonic()
        ready = Caller(self._url)
        while (reply := ready.call("GET", "/readyz")).status == 200 and time.monotonic() < began + PATIENCE:
            time.sleep(0.1)
        self._report.check_time(time.monotonic() - began, TOLD_SECONDS, "until /readyz told of it, it took")
        self._report.check(reply.status == 503, f"/readyz answers {reply.status}")
        self._report.check(reply.headers.get("retry-after", "").isdigit(), "/readyz has no Retry-After")
        self._report.check(Caller(self._url).call("GET", "/healthz").status == 200, "/healthz does not answer 200")

    def _expect_live_refusal(self) -> None:
        """Where a table can still be looked at, a move on a live connection is refused too."""
        with suppress(CutError):
            live = Live(self._url, self._table.id, self._table.tokens[0], since=1)
            live.send({"type": self._name, **self._sent})
            told = live.next("answer", "problem")
            code = told.get("problem", {}).get("code")
            self._report.check(code == "unavailable", f"a move on a live connection was answered {told}")
            live.drop()

    def expect_recovery(self, within: float) -> float:
        """Send the move that was refused until it is taken; return how long that was."""
        began = time.monotonic()
        ready = Caller(self._url)
        while self._try().status != 200 or ready.call("GET", "/readyz").status != 200:
            if time.monotonic() > began + within:
                self._report.broken.append(f"no move is taken {within} s after the trouble")
                break
            time.sleep(0.05)
        return time.monotonic() - began

    def audit(self) -> list[str]:
        """Hold what this person was told against the store."""
        found = self._table.events(Caller(self._url))[1:]
        return [] if found == self._taken else [f"of {len(self._taken)} acknowledged commands {len(found)} are there"]


@contextmanager
def small_disk(kibibytes: int = 2048) -> Iterator[Path | None]:
    """Make a disk that is soon full; None where that is not allowed, as it seldom is but to root."""
    folder = Path(tempfile.mkdtemp(prefix="zerosum-small-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", str(folder)]
    made = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield folder if made else None
    finally:
        if made:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()


@contextmanager
def filled(folder: Path) -> Iterator[None]:
    """Fill a disk to the last byte."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(1024))
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def no_growth(server: Server, database: Path) -> Iterator[None]:
    """Let no file of a server grow beyond what it holds, as if its user had no more room."""
    sizes = [path.stat().st_size for path in database.parent.glob(f"{database.name}*")]
    hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)[1]
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (min(sizes), hard))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))


@contextmanager
def read_only(database: Path) -> Iterator[None]:
    """Let nobody write to a database and its folder; whoever runs the server must not be above such rules."""
    paths = [*database.parent.glob(f"{database.name}*"), database.parent]
    modes = [path.stat().st_mode for path in paths]
    for path in paths:
        os.chmod(path, 0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in zip(reversed(paths), reversed(modes), strict=True):
            path.chmod(mode)


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Hold a database, as another program may that has it open."""
    connection = sqlite3.connect(database, isolation_level=None, timeout=PATIENCE)
    connection.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


@contextmanager
def away(cluster: Cluster, *, crashed: bool = False) -> Iterator[None]:
    """Let PostgreSQL be away for a while."""
    if crashed:
        cluster.kill()
    else:
        cluster.stop()
    try:
        yield
    finally:
        cluster.start()
