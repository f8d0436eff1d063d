"""Promise 2: the power is cut at any moment, and everything that anybody was told of is still there.

The installed server is run under a tracer while clients play. From its system calls follows what could be left on the
disk at every moment; each such disk is opened with SQLite and held against what clients had been told by then.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

from tests.patience import PATIENCE
from tests.reliability.clients import Caller
from tests.reliability.disk import Disk, Layout
from tests.reliability.players import Player, finish, start_players, wait_for
from tests.reliability.report import Report, Say, quietly
from tests.reliability.tables import Table, open_table
from tests.reliability.trace import calls, tracer
from tests.server.running import COMMAND, served

_TOLD = re.compile(rb'"table":"([0-9a-z]{12})","version":(\d+),')
Rows = dict[str, dict[int, str]]
"""The events of each table, as they are stored."""


@dataclass
class Played:
    """A run of the server: its calls, and the database as it was at the end."""

    root: Path
    database: Path
    trace: Path
    acknowledged: int


def play(folder: Path, moves: int, command: Sequence[str] = COMMAND) -> Played:
    """Run a traced server on a new disk, in folders that it must make, while clients play so many moves."""
    root = folder / "disk"
    root.mkdir()
    played = Played(root, root / "new" / "folder" / "tables.sqlite3", folder / "trace", 0)
    with served(f"sqlite:///{played.database}", command=(*tracer(played.trace), *command)) as server:
        players = start_players([open_table(server.url) for _ in range(2)], [server.url], seed=1)
        wait_for(lambda: _acknowledged(players) >= moves, PATIENCE, f"{moves} moves")
        finish(players)
        played.acknowledged = _acknowledged(players)
        # The tracer lets no signal through; what it traces ends it.
        for process in psutil.Process(server.pid).children():
            process.terminate()
        server.stop()
    return played


def _acknowledged(players: Sequence[Player]) -> int:
    return sum(len(player.ledger) for player in players)


@dataclass
class Power:
    """The check of every cut, with what was told so far."""

    played: Played
    scratch: Path
    final: Rows
    told: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    cuts: int = 0
    kept: list[tuple[Layout, dict[str, int]]] = field(default_factory=list)
    """Disks on which the server itself shall start again, with what had been told by then."""
    _known: dict[bytes, Rows | str] = field(default_factory=dict)

    def cut(self, layouts: Sequence[Layout], when: str) -> None:
        """Cut the power here."""
        self.cuts += 1
        for layout in layouts:
            mark = hashlib.sha256(repr(sorted(layout.items())).encode()).digest()
            if mark not in self._known:
                self._known[mark] = self._read(layout)
            wrong = self._compare(self._known[mark])
            if wrong:
                self.lost.append(f"power cut {self.cuts}, after a {when}: {wrong}")
                return

    def _compare(self, found: Rows | str) -> str:
        if isinstance(found, str):
            return found
        for table, version in self.told.items():
            here = found.get(table, {})
            for number in range(1, version + 1):
                if here.get(number) != self.final[table][number]:
                    return f"version {number} of table {table} is lost, and somebody was told of version {version}"
        return ""

    def _read(self, layout: Layout) -> Rows | str:
        """Lay a disk out and open its database, as the next start does; return its events, or what is wrong."""
        database = self.lay_out(layout)
        return read_events(database) if database.exists() else {}

    def lay_out(self, layout: Layout) -> Path:
        """Make a disk such as a power cut leaves it, and return where its database would be."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        for path, content in layout.items():
            if content is None:
                (self.scratch / path).mkdir()
            else:
                (self.scratch / path).write_bytes(content)
        return self.scratch / self.played.database.relative_to(self.played.root)

    def serve(self, layout: Layout, told: dict[str, int]) -> None:
        """Start the server on a disk after a power cut; over the API, too, everything told must be there."""
        with served(f"sqlite:///{self.lay_out(layout)}") as server:
            for table, version in told.items():
                found = Table(table, ("", "")).events(Caller(server.url))
                if len(found) < version:
                    self.lost.append(f"the server started, and of {version} events at {table} it has {len(found)}")

    @property
    def disks(self) -> int:
        """Return how many different disks were looked at."""
        return len(self._known)


def read_events(database: Path) -> Rows | str:
    """Return the events in a database, or what is wrong with it."""
    connection = sqlite3.connect(database, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
        if sound != "ok":
            return f"the database is damaged: {sound}"
        if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'").fetchone():
            return {}
        found: Rows = {}
        for row in connection.execute("SELECT table_id, version, kind, person, data, move_id, at FROM events"):
            found.setdefault(row[0], {})[row[1]] = json.dumps(row[2:])
    except sqlite3.Error as error:
        return f"the database cannot be read: {error}"
    else:
        return found
    finally:
        connection.close()


def cut_everywhere(
    moves: int,
    *,
    tries: int = 1,
    starts: int = 0,
    least: int = 1,
    command: Sequence[str] = COMMAND,
    say: Say = quietly,
    seed: int = 1,
) -> Report:
    """Play, then cut the power at every call that changed the disk or told anybody anything.

    Of each disk that could be left `tries` more are made by chance, and on some the server itself is started again.
    """
    report = Report("2", "power cut, SQLite")
    folder = Path(tempfile.mkdtemp(prefix="zerosum-power-"))
    memory = Path("/dev/shm")  # noqa: S108 - thousands of small disks are laid out there
    scratch = Path(tempfile.mkdtemp(prefix="zerosum-disk-", dir=memory if memory.is_dir() else None))
    try:
        played = play(folder, moves, command)
        final = read_events(played.database)
        assert not isinstance(final, str), final
        power = Power(played, scratch / "disk", final)
        _replay(power, tries, say, Random(seed))
        for layout, heard in Random(seed).sample(power.kept, min(starts, len(power.kept))):
            power.serve(layout, heard)
    finally:
        shutil.rmtree(folder)
        shutil.rmtree(scratch)
    report.broken = power.lost
    told = sum(power.told.values())
    report.check(told >= moves, f"the trace tells of {told} events only; {moves} moves were acknowledged")
    report.check(power.cuts >= least, f"there were {power.cuts} cuts only, {least} are asked for")
    report.figures = {
        "moves acknowledged": played.acknowledged,
        "cuts": power.cuts,
        "different disks": power.disks,
        "servers started on one": min(starts, len(power.kept)),
        "cuts that lost or spoiled something": len(power.lost),
    }
    return report


def _replay(power: Power, tries: int, say: Say, chance: Random) -> None:
    disk = Disk(str(power.played.root))
    for number, call in enumerate(calls(power.played.trace)):
        happened = _tell(power, call.strings) if call.sends else disk.take(call)
        if happened:
            layouts = list(disk.layouts(chance, tries))
            power.cut(layouts, happened)
            if happened == "word to a client":
                power.kept.append((chance.choice(layouts), dict(power.told)))
        if number % 500 == 0:
            say(f"{power.cuts} cuts, {power.disks} disks")


def _tell(power: Power, strings: Sequence[bytes]) -> str:
    """Note which versions of which tables somebody was told of."""
    happened = ""
    for table, version in _TOLD.findall(b"".join(strings)):
        name = table.decode()
        if int(version) > power.told.get(name, 0):
            power.told[name] = int(version)
            happened = "word to a client"
    return happened
