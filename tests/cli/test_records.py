"""Records: written by play, shown by replay, and never believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum, id_of, variant

LEAST = '[Game "sum31"]\n\n1. +5 +6 2. +9 +8 3. +3\n'


@pytest.mark.parametrize("game", GAMES)
def test_a_record_replays_the_very_dialogue(zerosum: Zerosum, tmp_path: Path, game: str) -> None:
    path = tmp_path / "record.txt"
    zerosum("play", game, "--record", str(path), stdin=(GOLDEN / f"{game}.in").read_text()).ok()
    golden = (GOLDEN / f"{game}.txt").read_text()
    assert zerosum("replay", str(path)).ok().out == golden
    assert zerosum("replay", "-", stdin=path.read_text()).ok().out == golden
    text = path.read_text()
    for tag in ("Game", "Pool", "Player1", "Player2", "First", "Date", "Result", "Reason"):
        assert f'[{tag} "' in text
    assert list(tmp_path.glob("*.new")) == []


@pytest.mark.parametrize(
    ("game", "answers", "end"),
    [
        ("sum31", "5 resign", "Player 2 resigns. Player 1 wins!\n"),
        ("zero-sum-duel", "5 x", "Invalid move: 5 x.\nPlayer 1 forfeits the game.\nPlayer 2 wins!\n"),
        ("zero-sum-duel", "5 _", "Invalid move: 5 (no operation).\nPlayer 1 forfeits the game.\nPlayer 2 wins!\n"),
        ("zero-sum-duel", "+5 5", "Invalid move: 5.\nPlayer 2 forfeits the game.\nPlayer 1 wins!\n"),
    ],
)
def test_ends_that_no_move_makes_replay_too(
    zerosum: Zerosum, tmp_path: Path, game: str, answers: str, end: str
) -> None:
    path = str(tmp_path / "record.txt")
    zerosum.play(game, "--record", path, answers=answers).ok()
    assert zerosum("replay", path).ok().out.endswith(end)


def test_the_least_that_must_be_read(zerosum: Zerosum) -> None:
    ran = zerosum("replay", "-", stdin=LEAST).ok()
    assert (ran.out, ran.err) == ((GOLDEN / "sum31.txt").read_text(), "")


def test_an_id_a_path_and_an_unfinished_match(zerosum: Zerosum) -> None:
    match_id = id_of(zerosum.play("sum31", answers="5 6"))
    assert zerosum("replay", match_id).ok().out.endswith("\nThe match is unfinished; Player 1 is to move.\n")
    zerosum("resume", stdin="9\n8\n3\n").ok()
    assert zerosum("replay", match_id).ok().out == (GOLDEN / "sum31.txt").read_text()


def test_an_edited_result_is_noticed_and_worked_out_anew(zerosum: Zerosum) -> None:
    for claimed in ("2", "*", "\x1b[31m"):
        ran = zerosum("replay", "-", stdin=f'[Result "{claimed}"]\n{LEAST}').ok()
        assert ran.out == (GOLDEN / "sum31.txt").read_text()
        assert ran.err.startswith("The record claims the result ")
        assert "\x1b" not in ran.err
    assert zerosum("replay", "-", stdin=f'[Result "1"]\n{LEAST}').ok().err == ""


BAD: dict[str, str] = {
    "empty": "",
    "no game": "1. +5\n",
    "unknown game": '[Game "chess"]\n\n1. +5\n',
    "illegal move": '[Game "sum31"]\n\n1. +5 +5\n',
    "move after the end": LEAST + "+4\n",
    "no move": '[Game "sum31"]\n\n1. five\n',
    "bare number in a signed game": '[Game "zero-sum-duel"]\n\n1. 5\n',
    "wrong number of a move": '[Game "sum31"]\n\n2. +5\n',
    "tag twice": '[Game "sum31"]\n[Game "sum31"]\n\n1. +5\n',
    "broken tag": "[Game sum31]\n\n1. +5\n",
    "a name that acts": '[Game "sum31"]\n[Player1 "\x1b[31m"]\n\n1. +5\n',
    "a forfeit where none is": '[Game "sum31"]\n\n1. +5 forfeit:2:"5"\n',
    "a forfeit that was a move": '[Game "zero-sum-duel"]\n\n1. +5 forfeit:2:"4 +"\n',
    "a forfeit out of turn": '[Game "zero-sum-duel"]\n\n1. +5 forfeit:1:"5"\n',
    "two ends": '[Game "sum31"]\n\n1. +5 resign:1 resign:2\n',
    "a pool that is none": '[Game "x"]\n[Format "1"]\n[Name "X"]\n[Pool "0,1"]\n[Target "1"]\n\n1. +1\n',
    "too large": LEAST + " " * 270_000,
    "an escape in a move": '[Game "sum31"]\n\n1. +5\x1b]0;x\x07\n',
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_records_are_refused(zerosum: Zerosum, tmp_path: Path, name: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(BAD[name])
    for ran, source in (
        (zerosum("replay", str(path)), str(path)),
        (zerosum("replay", "-", stdin=BAD[name]), "standard"),
    ):
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert ran.err.startswith(f"zerosum: {source}")
        assert all(c.isprintable() for c in ran.err[:-1])
    assert path.read_text() == BAD[name]


def test_a_record_that_is_no_text_no_file_or_not_there(zerosum: Zerosum, tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    assert zerosum("replay", "-", stdin=b"\xff\xfe").status == 1
    for path in (str(tmp_path), str(fifo), str(tmp_path / "none"), "nowhere", "", "\x1b", "/dev/zero"):
        ran = zerosum("replay", path)
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert "\x1b" not in ran.err


def test_record_refuses_to_overwrite_before_a_move_is_made(zerosum: Zerosum, tmp_path: Path) -> None:
    path, link = tmp_path / "taken.txt", tmp_path / "link.txt"
    path.write_text("mine")
    link.symlink_to(tmp_path / "elsewhere.txt")
    for target in (path, link, tmp_path, tmp_path / "no" / "folder.txt"):
        ran = zerosum.play("sum31", "--record", str(target), answers="5 6 9 8 3")
        assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert path.read_text() == "mine"
    assert not (tmp_path / "elsewhere.txt").exists()
    assert zerosum.unfinished() == []


def test_a_file_that_appears_during_the_match_is_not_overwritten_and_the_match_is_kept(
    zerosum: Zerosum, tmp_path: Path
) -> None:
    path = tmp_path / "late.txt"
    match_id = id_of(zerosum.play("sum31", "--record", str(path), answers="5"))
    path.write_text("mine")
    assert zerosum("resume", "--record", str(path), stdin="resign\n").status == 1
    assert path.read_text() == "mine"
    assert zerosum("resume", match_id, stdin="resign\n").status == 0
    assert "resigns" in zerosum("replay", match_id).ok().out


def test_each_match_of_a_series_has_its_record(zerosum: Zerosum, tmp_path: Path) -> None:
    path = tmp_path / "series.txt"
    zerosum.play("sum31", "--best-of", "3", "--record", str(path), answers="5 6 9 8 3 resign").ok()
    assert sorted(one.name for one in tmp_path.glob("series*")) == ["series-1.txt", "series-2.txt"]
    assert '[First "2"]' in (tmp_path / "series-2.txt").read_text()
    again = zerosum.play("sum31", "--best-of", "3", "--record", str(path), answers="5")
    assert (again.status, again.out) == (1, "")


def test_a_changed_or_moved_variant_does_not_alter_an_old_match(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, like="sum31", target=20)
    record = str(tmp_path / "record.txt")
    played = zerosum.play(path, "--record", record, answers="9 8 3").ok()
    os.unlink(path)
    assert zerosum("replay", record).ok().out == played.out
