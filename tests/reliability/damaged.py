"""Promise 8: a file that is damaged, foreign or newer is refused in one line, and left as it was, byte for byte."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.patience import PATIENCE
from tests.reliability.players import finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import open_table
from tests.server.leash import release, signal_group, spawn
from tests.server.running import COMMAND, served


def make_database(path: Path, moves: int = 40) -> None:
    """Make a database by playing."""
    with served(f"sqlite:///{path}") as server:
        players = start_players([open_table(server.url) for _ in range(2)], [server.url], seed=2)
        wait_for(lambda: sum(len(player.ledger) for player in players) >= moves, PATIENCE, f"{moves} moves")
        finish(players)


def _newer(path: Path) -> None:
    _write(path, "UPDATE alembic_version SET version_num = '9999'")


def _foreign(path: Path) -> None:
    path.unlink()
    _write(path, "CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('pancakes')")


def _foreign_with_log(path: Path) -> None:
    path.unlink()
    _write(path, "PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name TEXT)")


def _write(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def _text(path: Path) -> None:
    path.write_text("Dear diary,\n" * 400)


def _short_text(path: Path) -> None:
    path.write_text("{}")


def _cut(share: float) -> Callable[[Path], None]:
    def cut(path: Path) -> None:
        data = path.read_bytes()
        path.write_bytes(data[: int(len(data) * share)])

    return cut


def _spoil(start: float, size: int) -> Callable[[Path], None]:
    """Return how to overwrite some bytes, from a share of the file on."""

    def spoil(path: Path) -> None:
        data = bytearray(path.read_bytes())
        at = int(len(data) * start)
        data[at : at + size] = b"\xa5" * size
        path.write_bytes(bytes(data))

    return spoil


def _last_page(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-4096])


def _first_bytes(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:100])


DAMAGES: dict[str, Callable[[Path], None]] = {
    "newer": _newer,
    "foreign": _foreign,
    "foreign, with a write-ahead log": _foreign_with_log,
    "text": _text,
    "two bytes of text": _short_text,
    "half of it": _cut(0.5),
    "all but the last page": _last_page,
    "the first 100 bytes": _first_bytes,
    "its head spoiled": _spoil(0.0, 100),
    "its first page spoiled": _spoil(0.0001, 3000),
    "its middle spoiled": _spoil(0.5, 8192),
    "its end spoiled": _spoil(0.8, 8192),
}


def refuse(sample: Path, names: Sequence[str], command: Sequence[str] = COMMAND, *, say: Say = quietly) -> Report:
    """Start a server on damaged copies of a database."""
    report = Report("8", "damaged, foreign, newer files")
    slowest = 0.0
    for name in names:
        say(name)
        folder = Path(tempfile.mkdtemp(prefix="zerosum-damaged-"))
        try:
            path = folder / "tables.sqlite3"
            shutil.copyfile(sample, path)
            DAMAGES[name](path)
            slowest = max(slowest, _refuse(report, name, path, command))
        finally:
            shutil.rmtree(folder)
    report.figures = {"files": len(names), "slowest refusal": f"{slowest:.1f} s", "broken": len(report.broken)}
    return report


def _refuse(report: Report, name: str, path: Path, command: Sequence[str]) -> float:
    before = _files(path.parent)
    began = time.monotonic()
    process = spawn(
        [*command, "--port", "0", "--database", f"sqlite:///{path}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    # It ends, or it says that it serves.
    serving = process.stdout.readline()
    if serving:
        signal_group(process, signal.SIGKILL)
    status = release(process, PATIENCE)
    taken = time.monotonic() - began
    words = process.stderr.read().decode()
    process.stdout.close()
    process.stderr.close()
    report.check(not serving, f"{name}: it is served")
    report.check(status == 1, f"{name}: exit status {status}: {words[:300]}")
    one_line = words.count("\n") == 1 and words.startswith("zerosum: ") and path.name in words
    report.check(one_line, f"{name}: it said {words}")
    report.check(_files(path.parent) == before, f"{name}: the file, or what is beside it, was changed")
    return taken


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
