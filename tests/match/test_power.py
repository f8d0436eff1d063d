"""Promise 2: an entry is synced before it is acknowledged, and a power cut at any point loses nothing of it."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.match.power import Disk, LostError, watched
from zerosum.cli.root_command import app
from zerosum.match.journal import Journal, _line, head
from zerosum.match.match import Entry, format_entry
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Series, Setup
from zerosum.rules.game_files import load_game

MOVES = ("+5", "+6", "+9", "+8", "+3")
Play = Callable[[Disk, Path], None]


def play_by_referee(disk: Disk, home: Path) -> None:
    """Play a match and begin the next of its series, as the terminal does."""
    store = SavedMatches(str(home))
    match_id = store.create(Setup(rules=load_game("sum31"), series=Series("abc", 3)))
    with store.opened(match_id) as journal:
        referee = Referee(journal.reading.match, journal.write)
        for move in MOVES:
            referee.take_number(move)
            disk.acknowledge(move)
        following = store.settle(match_id, referee.match)
    assert following == "abc-2"
    with store.opened(following) as journal:
        referee = Referee(journal.reading.match, journal.write)
        for move in ("+9", "+8"):
            referee.take_number(move)
            disk.acknowledge(move)


class Printed(io.StringIO):
    """Standard output on which every confirmation is an acknowledgement, even before it is flushed."""

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        self.disk = disk

    def write(self, text: str) -> int:
        written = super().write(text)
        moves = [*MOVES, "+9", "+8"]
        for move in moves[len(self.disk.acknowledged) : len(re.findall("Total is now [0-9]+\n", self.getvalue()))]:
            self.disk.acknowledge(move)
        return written


def play_by_terminal(disk: Disk, home: Path) -> None:
    """Play through the command itself, in this process, so that its prints and its syncs are in one order."""
    assert os.environ["ZEROSUM_HOME"] == str(home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO("5\n6\n9\n8\n3\n9\n8\nquit\n"))
        patch.setattr(sys, "stdout", Printed(disk))
        assert app.main(["play", "sum31", "--best-of", "3"], prog_name="zerosum", standalone_mode=False) == 0


PLAYS = pytest.mark.parametrize("play", [play_by_referee, play_by_terminal])


@pytest.fixture
def disk(tmp_path: Path, home: Path) -> Iterator[Disk]:
    """Watch the folder above the home, which is made by the first match."""
    root = tmp_path / "disk"
    root.mkdir()
    with pytest.MonkeyPatch.context() as patch, watched(root, tmp_path / "scratch") as watching:
        patch.setenv("ZEROSUM_HOME", str(root / home.name))
        yield watching


@PLAYS
def test_nothing_acknowledged_is_lost_at_any_point(disk: Disk, play: Play) -> None:
    play(disk, disk.root / "home")
    assert disk.acknowledged == [*MOVES, "+9", "+8"]
    assert disk.cuts > 40


def test_the_order_of_creating_and_writing(disk: Disk) -> None:
    """Draft, sync, rename, sync of the folder; then every entry is synced before it is acknowledged."""
    play_by_referee(disk, disk.root / "home")
    trace = [step.replace("home/matches/", "") for step in disk.trace]
    first = trace.index("sync open/abc-1.new")
    assert trace[first : first + 3] == ["sync open/abc-1.new", "rename open/abc-1.new to open/abc-1", "sync open"]
    entries = trace[first + 3 : first + 13]
    assert entries == [step for move in MOVES for step in ("sync open/abc-1", f"acknowledge {move}")]
    assert trace[first + 13 : first + 19] == [
        "sync open/abc-2.new",
        "rename open/abc-2.new to open/abc-2",
        "sync open",
        "rename open/abc-1 to done/abc-1",
        "sync done",
        "sync open",
    ]


def write_without_sync(journal: Journal, entry: Entry) -> None:
    line, journal._checksum = _line(format_entry(entry, journal._match), journal._checksum)
    os.write(journal._file, line)


def write_later(journal: Journal, entry: Entry) -> None:
    """Acknowledge first: an entry is only written when the next one comes."""
    waiting: list[Entry] = journal.__dict__.setdefault("waiting", [])
    waiting.append(entry)
    if len(waiting) > 1:
        REAL_WRITE(journal, waiting.pop(0))


def create_in_place(store: SavedMatches, setup: Setup) -> str:
    assert setup.series is not None
    match_id = f"{setup.series.id}-{setup.series.number}"
    for folder in (store._open, store._done):
        os.makedirs(folder, exist_ok=True)
    with open(os.path.join(store._open, match_id), "wb") as file:
        file.write(head(setup))
        file.flush()
        os.fsync(file.fileno())
    return match_id


def create_without_sync(store: SavedMatches, setup: Setup) -> str:
    """Rename a draft that was not synced."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        return REAL_CREATE(store, setup)


REAL_WRITE, REAL_CREATE = Journal.write, SavedMatches.create
PLANTED: list[tuple[type, str, object]] = [
    (Journal, "write", write_without_sync),
    (Journal, "write", write_later),
    (SavedMatches, "create", create_in_place),
    (SavedMatches, "create", create_without_sync),
]


@PLAYS
@pytest.mark.parametrize(("owner", "name", "bug"), PLANTED, ids=lambda value: getattr(value, "__name__", str(value)))
def test_the_harness_finds_planted_bugs(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, *, play: Play, owner: type, name: str, bug: object
) -> None:
    monkeypatch.setattr(owner, name, bug)
    with pytest.raises(LostError):
        play(disk, disk.root / "home")


FOLDERS: dict[str, Callable[[str], None]] = {
    "base.files.sync_folder": lambda _: None,
    "match.saved.make_folder": lambda folder: os.makedirs(folder, exist_ok=True),
}


@PLAYS
@pytest.mark.parametrize("function", FOLDERS)
def test_the_harness_finds_folders_that_are_not_synced(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, play: Play, function: str
) -> None:
    """Syncing a file does not keep its name, nor does syncing a new folder keep the folder's."""
    monkeypatch.setattr(f"zerosum.{function}", FOLDERS[function])
    with pytest.raises(LostError):
        play(disk, disk.root / "home")
