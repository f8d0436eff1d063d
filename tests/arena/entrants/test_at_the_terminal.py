"""Bots at the table: what people see, what is kept, and that a stuck bot holds nobody up."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.arena.entrants.processes import gone
from tests.cli.command import Zerosum, id_of
from tests.cli.pty_play import Person
from zerosum.match.match import read_match

ROOT = Path(__file__).resolve().parents[3]
BAD = Path(__file__).with_name("bad_bot.py")


@pytest.fixture
def mark(tmp_path: Path) -> str:
    return str(tmp_path / "mark")


def bot(kind: str, mark: str) -> str:
    return f"bot:{shlex.quote(sys.executable)} -I -S {BAD} '{kind}' {mark}"


def test_a_match_and_its_record(zerosum: Zerosum, mark: str, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    done = zerosum("play", "sum31", "--vs", bot("good", mark), "--record", str(record), stdin="9\n8\n7\n6\n").ok()
    text = record.read_text()
    match = read_match(text)
    assert (match.setup.who, match.setup.names) == (("human", "bot"), ("Player 1", "Bad bot"))
    assert [str(move.number) for move in match.moves][:4] == ["9", "2", "8", "3"]
    assert "bad_bot" not in text
    assert "bad_bot" not in done.out
    assert gone(mark)
    reviewed = zerosum("review", str(record)).ok().out
    assert "Bad bot" in reviewed
    zerosum("stats").ok()


def test_two_bots_and_a_series(zerosum: Zerosum, mark: str) -> None:
    one = bot("good", mark)
    done = zerosum("play", "sum31", "--p1", one, "--p2", one, "--best-of", "3", "--seed", "1").ok()
    assert "Bad bot 1" in done.out
    assert "wins the series, 2 to 0!" in done.out or "wins the series, 2 to 1!" in done.out
    assert gone(mark)


def test_a_bot_against_a_level(zerosum: Zerosum, mark: str) -> None:
    names = ("--names", "Me", "You")
    done = zerosum("play", "sum31", "--p1", "perfect", "--p2", bot("good", mark), *names, "--who-wins").ok()
    assert "Me wins!" in done.out or "You wins!" in done.out
    assert done.err == "With perfect play You, who moves second, wins.\n"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("exits in mid-game", "Bad bot forfeits: it ended with exit status 3. Player 1 wins!"),
        ("illegal number", "Bad bot forfeits: +77 is not allowed: that number is not available. Player 1 wins!"),
        ("floods stdout", "Bad bot forfeits: it wrote more than 1048576 bytes to its output. Player 1 wins!"),
    ],
)
def test_a_bot_that_fails_loses(kind: str, said: str, zerosum: Zerosum, mark: str, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    done = zerosum("play", "sum31", "--vs", bot(kind, mark), "--record", str(record), stdin="5\n").ok()
    assert done.out.endswith(f"{said}\n")
    # Its record is read back, and replayed.
    assert read_match(record.read_text()).outcome == read_match(record.read_text()).outcome
    assert zerosum("replay", str(record)).ok().out.endswith(f"{said}\n")
    assert gone(mark)


def test_only_a_program_forfeits_by_failing(zerosum: Zerosum, mark: str, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    zerosum("play", "sum31", "--vs", bot("exits in mid-game", mark), "--record", str(record), stdin="5\n").ok()
    forged = tmp_path / "forged.txt"
    forged.write_text(record.read_text().replace('[Who2 "bot"]', '[Who2 "human"]'))
    done = zerosum("replay", str(forged))
    assert (done.status, "forfeits, but it does not" in done.err) == (1, True), done


@pytest.mark.slow
def test_a_stuck_bot_runs_out_of_time(zerosum: Zerosum, mark: str) -> None:
    done = zerosum("play", "sum31", "--vs", bot("busy after stop", mark), stdin="5\n").ok()
    assert done.out.endswith("Bad bot has run out of time. Player 1 wins!\n")
    assert gone(mark)


def test_ctrl_c_while_a_bot_is_stuck(zerosum: Zerosum, mark: str) -> None:
    with Person(zerosum.command, "play", "sum31", "--vs", bot("ignores SIGTERM", mark)) as someone:
        someone.sees("Enter a number").types("5").sees("Bad bot (bot) is thinking ...").presses("\x03")
        someone.sees("zerosum resume ")
        assert someone.ends() == 130
    assert gone(mark)


class TestResuming:
    def test_it_needs_the_command_again(self, zerosum: Zerosum, mark: str) -> None:
        left = zerosum("play", "sum31", "--vs", bot("good", mark), stdin="5\n")
        match_id = id_of(left)
        assert left.last_notice == f"The match is kept. To go on: zerosum resume {match_id} --vs bot:COMMAND"
        done = zerosum("resume", match_id)
        assert done.status == 2
        advice = f"To go on with Bad bot: zerosum resume {match_id} --vs bot:COMMAND"
        assert done.err == f"zerosum: No match keeps the command of a bot. {advice}\n"
        assert zerosum("resume", match_id, "--vs", "level:3").status == 2
        assert zerosum(stdin="r\n").err == done.err
        done = zerosum("resume", match_id, "--vs", bot("good", mark), stdin="9\n8\n7\n6\n").ok()
        assert "Bad bot" in done.out
        assert gone(mark)

    def test_a_match_without_a_bot_needs_none(self, zerosum: Zerosum, mark: str) -> None:
        match_id = id_of(zerosum("play", "sum31", stdin="5\n"))
        done = zerosum("resume", match_id, "--vs", bot("good", mark))
        assert (done.status, done.err) == (2, f"zerosum: No bot plays in match {match_id}; leave out --vs.\n")


@pytest.mark.parametrize(
    ("who", "status", "message"),
    [
        ("bot:", 2, "A bot needs a command"),
        ("bot:./nowhere", 2, "There is no program './nowhere'."),
        (f"bot:{sys.executable} -c 'print(1)'", 1, "The bot does not start: it ended with exit status 0."),
        ("bots:x", 2, "There is no player 'bots:x'."),
    ],
)
def test_what_cannot_be_started_is_one_line(who: str, status: int, message: str, zerosum: Zerosum) -> None:
    done = zerosum("play", "sum31", "--vs", who, stdin="5\n")
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith(f"zerosum: {message}")
    assert done.err.count("\n") == 1
    assert zerosum.unfinished() == []


def test_the_servers_registry_has_no_bots() -> None:
    from zerosum.players import UnknownPlayerError, check_player  # noqa: PLC0415 - the registry of every other door

    with pytest.raises(UnknownPlayerError):
        check_player("bot:sh")
