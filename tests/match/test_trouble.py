"""Promises 7 and 10: two terminals, full and read-only disks, and crashes between the steps."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import TIMEOUT, Zerosum, id_of
from zerosum.match.journal import BusyError
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Series, Setup
from zerosum.rules.game_files import load_game

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1


def read_until(process: subprocess.Popen[bytes], end: bytes) -> bytes:
    assert process.stdout is not None
    seen = b""
    while not seen.endswith(end):
        part = os.read(process.stdout.fileno(), 4096)
        assert part, seen
        seen += part
    return seen


def test_two_terminals_on_one_match(zerosum: Zerosum, home: Path) -> None:
    prompt = b"numbers: "
    with subprocess.Popen(
        [*zerosum.command, "play", "sum31"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        assert first.stdin is not None
        read_until(first, prompt)
        first.stdin.write(b"5\n")
        first.stdin.flush()
        read_until(first, prompt)
        match_id = zerosum.unfinished()[0]["id"]
        for args in (("resume",), ("resume", match_id), ("resume", "--forget", match_id)):
            second = zerosum(*args, stdin="6\n")
            assert (second.status, second.out) == (1, "")
            assert second.err == f"zerosum: Match {match_id}: it is being played in another terminal.\n"
        with pytest.raises(BusyError), SavedMatches(str(home)).opened(match_id):
            pytest.fail("It was opened.")
        out, _ = first.communicate(b"6\n9\n8\n3\n", timeout=TIMEOUT)
        assert out.endswith(b"Player 1 wins! The total is exactly 31.\n")
        assert first.returncode == 0
    assert "exactly 31" in zerosum("replay", match_id).ok().out


def limited(size: int) -> Callable[[], None]:
    """Return a step that lets no file of the process grow beyond `size` bytes, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
def test_a_full_disk_acknowledges_nothing_and_leaves_the_journal_whole(zerosum: Zerosum, home: Path) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5"))
    path = home / "matches" / "open" / match_id
    before = path.read_bytes()
    for room in (0, 1, 5, len("00000000 +6\n") - 1):
        ran = zerosum("resume", match_id, stdin="6\n9\n", before=limited(len(before) + room))
        assert ran.status == 1
        assert ran.out.endswith("numbers: 6\n")  # echoed, and nothing said of a new total
        assert ran.err == (
            "zerosum: The move could not be saved (File too large); it was not made.\n"
            f"The match is kept. To go on: zerosum resume {match_id}\n"
        )
        assert path.read_bytes() == before
    ran = zerosum("resume", match_id, stdin="6\n", before=limited(len(before) + len("00000000 +6\n")))
    assert "Total is now 11" in ran.out
    assert zerosum.unfinished()[0]["moves"] == ["+5", "+6"]


@pytest.mark.parametrize("answers", ["resign\n", "undo\n"])
def test_a_full_disk_refuses_every_kind_of_entry(zerosum: Zerosum, home: Path, answers: str) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5"))
    path = home / "matches" / "open" / match_id
    before = path.read_bytes()
    ran = zerosum("resume", match_id, stdin=answers, before=limited(len(before) + 3))
    assert (ran.status, ran.err.count("could not be saved")) == (1, 1)
    assert path.read_bytes() == before


def test_a_match_that_cannot_be_begun_leaves_nothing(zerosum: Zerosum, home: Path) -> None:
    for room in (0, 10, 200):
        ran = zerosum("play", "sum31", stdin="5\n", before=limited(room))
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert ran.err.startswith(f"zerosum: The match cannot be kept in {home}")
    assert os.listdir(home / "matches" / "open") == []


def without_rights_of_root() -> None:
    """Give up what lets root write where nobody may; to others this does nothing."""
    if os.geteuid() == 0:
        assert ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) == 0


def test_a_record_that_cannot_be_written_is_told_and_the_match_is_kept(zerosum: Zerosum, tmp_path: Path) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5"))
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o500)
    record = folder / "record.txt"
    ran = zerosum("resume", "--record", str(record), stdin="resign\n", before=without_rights_of_root)
    assert (ran.status, ran.err) == (1, f"zerosum: {record}: cannot be written (Permission denied).\n")
    assert list(folder.iterdir()) == []
    assert "resigns" in zerosum("replay", match_id).ok().out


def test_a_read_only_home(zerosum: Zerosum, home: Path) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5"))
    unfinished = home / "matches" / "open"
    (unfinished / match_id).chmod(0o400)
    unfinished.chmod(0o500)
    try:
        ran = zerosum("play", "sum31", stdin="5\n", before=without_rights_of_root)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == f"zerosum: The match cannot be kept in {unfinished}: Permission denied.\n"
        ran = zerosum("resume", match_id, stdin="6\n", before=without_rights_of_root)
        assert (ran.status, ran.out, ran.err) == (1, "", f"zerosum: Match {match_id}: Permission denied.\n")
        assert match_id in zerosum("resume", "--list", before=without_rights_of_root).ok().out
    finally:
        unfinished.chmod(0o700)


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_home_that_cannot_be_a_folder(zerosum: Zerosum, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    env = {"ZEROSUM_HOME": str(tmp_path / place)}
    ran = zerosum("play", "sum31", stdin="5\n", env=env)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert zerosum("resume", env=env).status == 1
    assert (tmp_path / "file").read_text() == "mine"


def finish_and_crash(store: SavedMatches, match_id: str) -> None:
    """Write a match's last entry, and nothing after it."""
    with store.opened(match_id) as journal:
        referee = Referee(journal.reading.match, journal.write)
        referee.resign(referee.match.to_move)


def test_a_crash_between_the_last_entry_and_putting_away(zerosum: Zerosum, home: Path) -> None:
    store = SavedMatches(str(home))
    match_id = store.create(Setup(rules=load_game("sum31")))
    finish_and_crash(store, match_id)
    assert os.listdir(home / "matches" / "open") == [match_id]
    assert zerosum.unfinished() == []
    assert os.listdir(home / "matches" / "open") == []
    assert os.listdir(home / "matches" / "done") == [match_id]
    assert "resigns" in zerosum("replay", match_id).ok().out


@pytest.mark.parametrize("following_exists", [False, True])
@pytest.mark.parametrize("way", ["list", "resume", "by id"])
def test_a_crash_in_a_series_leaves_the_next_match_exactly_once(
    zerosum: Zerosum, home: Path, *, following_exists: bool, way: str
) -> None:
    store = SavedMatches(str(home))
    setup = Setup(rules=load_game("sum31"), series=Series("abc", 3))
    first = store.create(setup)
    finish_and_crash(store, first)
    if following_exists:
        crash_before_putting_away(store, first)
    if way == "list":
        zerosum.unfinished()
    elif way == "resume" or not following_exists:
        assert "Match 2 of at most 3. Player 1 0, Player 2 1." in zerosum("resume", stdin="quit\n").ok().out
    else:
        ran = zerosum("resume", "abc-2", stdin="resign\nquit\n").ok()
        assert "Match 3 of at most 3. Player 1 1, Player 2 1." in ran.out
        assert [one["id"] for one in zerosum.unfinished()] == ["abc-3"]
        assert sorted(os.listdir(home / "matches" / "done")) == ["abc-1", "abc-2"]
        return
    assert [(one["id"], one["first"]) for one in zerosum.unfinished()] == [("abc-2", 2)]
    assert os.listdir(home / "matches" / "done") == ["abc-1"]


def crash_before_putting_away(store: SavedMatches, match_id: str) -> None:
    """Begin the next match of the series, and leave the finished one where it is."""

    class Crash(BaseException):
        pass

    def crash(*_: object) -> None:
        raise Crash

    real = os.replace
    with store.opened(match_id) as journal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda src, dst: crash() if "done" in str(dst) else real(src, dst))
        with pytest.raises(Crash):
            store.settle(match_id, journal.reading.match)


def test_the_next_match_is_not_begun_again_after_it_was_played(home: Path) -> None:
    """Whoever played it by its id, while the match before it still lay among the unfinished."""
    store = SavedMatches(str(home))
    first = store.create(Setup(rules=load_game("sum31"), series=Series("abc", 3)))
    finish_and_crash(store, first)
    crash_before_putting_away(store, first)
    finish_and_crash(store, "abc-2")
    with store.opened("abc-2") as journal:
        store.settle("abc-2", journal.reading.match)
    assert [one.id for one in store.unfinished()] == ["abc-3"]
    assert sorted(os.listdir(home / "matches" / "done")) == ["abc-1", "abc-2"]
