"""Promise 8 and 16: what is damaged, foreign, newer or forged is refused and left untouched."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Zerosum
from zerosum.match.journal import JournalError, _line, head, read
from zerosum.match.referee import Referee
from zerosum.match.saved import SavedMatches
from zerosum.match.setup import Setup
from zerosum.rules.game_files import load_game

MOVES = ("+5", "-6", "+9")


@pytest.fixture
def match_id(home: Path) -> str:
    """Return the id of a match of three moves, one undone and one made again."""
    store = SavedMatches(str(home))
    match_id = store.create(Setup(rules=load_game("zero-sum-duel"), names=("Zoë", 'B "\\'), seed="s"))
    with store.opened(match_id) as journal:
        referee = Referee(journal.reading.match, journal.write)
        for move in MOVES:
            referee.take_number(move)
        referee.undo(referee.match.to_move)
        referee.take_number(MOVES[-1])
    return match_id


@pytest.fixture
def path(home: Path, match_id: str) -> Path:
    return home / "matches" / "open" / match_id


def test_cut_at_every_byte(home: Path, match_id: str, path: Path) -> None:
    """Only an unfinished last line is dropped; a cut head is refused; nothing else is lost."""
    store = SavedMatches(str(home))
    data = path.read_bytes()
    begun = data.index(b" begin\n") + len(b" begin\n")
    for length in range(len(data)):
        path.write_bytes(data[:length])
        if length < begun:
            for use in (store.match, _open_and_close(store)):
                with pytest.raises(JournalError, match=match_id):
                    use(match_id)
            assert path.read_bytes() == data[:length]
            continue
        whole = data[:length].rfind(b"\n") + 1
        with store.opened(match_id) as journal:
            assert journal.reading.dropped == length - whole
            assert journal.reading.entries == data[begun:whole].count(b"\n")
        assert path.read_bytes() == data[:whole]


def _open_and_close(store: SavedMatches) -> Callable[[str], None]:
    def use(match_id: str) -> None:
        with store.opened(match_id):
            pytest.fail("It was opened.")

    return use


def test_every_flipped_bit_is_refused(path: Path) -> None:
    data = path.read_bytes()
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            with pytest.raises(JournalError):
                read(bytes(changed))


@pytest.mark.parametrize("byte", [b"\n", b"\r", b"\0", b" ", b"0"])
def test_every_replaced_and_every_inserted_byte_is_refused(path: Path, byte: bytes) -> None:
    data = path.read_bytes()
    for at in range(len(data)):
        for changed in (data[:at] + byte + data[at + 1 :], data[:at] + byte + data[at:]):
            if changed != data:
                with pytest.raises(JournalError):
                    read(changed)


def test_a_flipped_byte_leaves_the_file_as_it_is(home: Path, match_id: str, path: Path, zerosum: Zerosum) -> None:
    data = path.read_bytes()
    for at in (0, len(data) // 2, len(data) - 3, len(data) - 1):
        changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        path.write_bytes(changed)
        with pytest.raises(JournalError):
            _open_and_close(SavedMatches(str(home)))(match_id)
        assert path.read_bytes() == changed
    ran = zerosum("resume", match_id, stdin="+1\n")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"zerosum: Match {match_id}: damaged: ")
    assert path.read_bytes() == changed


def test_lines_moved_dropped_or_doubled_are_refused(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.endswith(b" begin\n"))
    for n in range(first, len(lines) - 1):
        for changed in (
            [*lines[:n], *lines[n + 1 :]],
            [*lines[:n], lines[n], *lines[n:]],
            [*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]],
        ):
            with pytest.raises(JournalError):
                read(b"".join(changed))


def forged(*entries: str) -> bytes:
    """Return a journal of these entries with right checksums."""
    data = head(Setup(rules=load_game("zero-sum-duel")))
    checksum = int(data[-len("00000000 begin\n") :][:8], 16)
    for entry in entries:
        line, checksum = _line(entry, checksum)
        data += line
    return data


@pytest.mark.parametrize(
    "entries",
    [
        ["+5", "+5"],
        ["+12"],
        ["5"],
        ["swap"],
        ["undo:1"],
        ["+5", "undo:2"],
        ["+5", "undo:0"],
        ["+5", "-5"],
        ["resign:1", "+5"],
        ['forfeit:1:"5 +"'],
        ['forfeit:2:"12"'],
        ["+5", 'forfeit:1:"5"'],
        ["begin"],
        [""],
        ["nonsense\x1b[31m"],
    ],
)
def test_right_checksums_do_not_make_a_move_legal(entries: list[str]) -> None:
    """Every entry is checked as if it were played now."""
    assert read(forged("+5", "-3")).entries == 2
    with pytest.raises(JournalError):
        read(forged(*entries))


def newer() -> bytes:
    data = forged("+5").replace(b"zerosum journal 1", b"zerosum journal 2", 1)
    assert zlib.crc32(data) != zlib.crc32(forged("+5"))
    return data


FOREIGN: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "not a journal"),
    "foreign": (lambda path: path.write_bytes(b"#!/bin/sh\nexit 0\n"), "not a journal"),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 40), "not a journal"),
    "gzip": (lambda path: path.write_bytes(b"\x1f\x8b\x08" + b"\0" * 5000), "not a journal"),
    "newer": (lambda path: path.write_bytes(newer()), "written by another zerosum (format 2, this one reads 1)"),
    "too large": (lambda path: path.write_bytes(forged() + b" " * 5_000_000), "not a journal"),
    "edited": (lambda path: path.write_bytes(forged("+5", "-3").replace(b" +5\n", b" +9\n")), "checksum"),
    "forged": (lambda path: path.write_bytes(forged("+5", "+5")), "not allowed"),
    "folder": (lambda path: path.mkdir(), "Is a directory"),
    "pipe": (os.mkfifo, ""),
    "link": (lambda path: path.symlink_to("good"), "symbolic links"),
    "dangling link": (lambda path: path.symlink_to("nowhere"), "symbolic links"),
}


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_what_is_no_journal_of_ours_is_told_and_left_alone(
    zerosum: Zerosum, home: Path, match_id: str, path: Path, name: str
) -> None:
    put, said = FOREIGN[name]
    path.rename(path.with_name("good"))
    bad = path.with_name("bad")
    put(bad)
    before = bad.read_bytes() if bad.is_file() else b""
    good = path.with_name("good").read_bytes()
    ran = zerosum("resume", "bad", stdin="+1\n")
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.startswith("zerosum: Match bad: ")
    assert said in ran.err
    listed = {one["id"]: one for one in zerosum.unfinished()}
    assert set(listed) == {"bad", "good"}
    assert listed["bad"]["damage"].startswith("Match bad: ")
    assert listed["good"]["moves"] == list(MOVES)
    assert zerosum("replay", "bad").status == 1
    # The one match that can be read is the only one: it goes on, with a notice of the other.
    on = zerosum("resume", stdin="quit\n").ok()
    assert "Match bad: " in on.err
    assert (bad.read_bytes() if bad.is_file() else b"") == before
    assert path.with_name("good").read_bytes() == good
    assert sorted(os.listdir(home / "matches" / "open")) == ["bad", "good"]
    assert match_id not in listed


@pytest.mark.parametrize("name", ["foreign", "edited", "newer", "empty"])
def test_a_damaged_match_can_be_forgotten(zerosum: Zerosum, path: Path, match_id: str, name: str) -> None:
    path.unlink()
    FOREIGN[name][0](path)
    assert zerosum("resume", "--forget", match_id).ok().out == f"Match {match_id} is forgotten.\n"
    assert not path.exists()


@pytest.mark.parametrize("wrong", ["../../secret", "..", "open/../../../secret", "/secret", "secret\0"])
def test_an_id_is_never_a_path(home: Path, match_id: str, wrong: str) -> None:
    secret = home / "secret"
    secret.write_text("mine")
    store = SavedMatches(str(home))
    for use in (store.match, store.forget, _open_and_close(store)):
        with pytest.raises(JournalError, match="There is no match"):
            use(wrong)
    assert secret.read_text() == "mine"
    assert store.match(match_id).moves


def test_an_unfinished_last_line_is_dropped_with_a_notice(zerosum: Zerosum, match_id: str, path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])
    listed = zerosum.unfinished()[0]["moves"]
    assert listed == list(MOVES[:2])
    ran = zerosum("resume", match_id, stdin="+2\nquit\n").ok()
    assert f"Match {match_id}: an unfinished last line was dropped; it had not been acknowledged.\n" in ran.err
    assert zerosum.unfinished()[0]["moves"] == [*MOVES[:2], "+2"]
