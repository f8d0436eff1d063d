"""Bots that behave badly: each loses with the true reason or plays on, leaves no process, and plays the next match."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.arena.entrants.processes import grown, with_word
from zerosum.arena.entrants.bot import Bot
from zerosum.arena.entrants.command_line import BOUNDS, BadCommandError
from zerosum.arena.entrants.entrant import Fault, IllegalMovePolicy, Turn, TurnResult, WithdrawnError, decide
from zerosum.rules.game_files import built_in
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position, start_position

SUM31 = built_in("sum31")
SCRIPT = Path(__file__).with_name("bad_bot.py")
PLAYS_ON = ""
SHORT = 0.3
"""Seconds for a move of a bot that will never make it."""
LONG = 60.0

RESULTS: dict[str, tuple[Fault | None, str]] = {
    "exits in mid-game": (Fault.CRASH, "it ended with exit status 3"),
    "exits right after a partial line": (Fault.CRASH, "it ended with exit status 0"),
    "killed by a signal": (Fault.CRASH, "SIGKILL"),  # in a cage, an exit status of 128 + SIGKILL
    "late": (Fault.TIME, "no move within 300 ms"),
    "answers after being declared late": (Fault.TIME, "no move within 300 ms"),
    "stops reading": (Fault.TIME, "no move within 300 ms"),
    "floods stdout": (Fault.UNREADABLE, "it wrote more than 1048576 bytes to its output"),
    "floods stderr": (None, PLAYS_ON),
    "no newline": (Fault.TIME, "no move within 300 ms"),
    "a 100 kB line": (Fault.UNREADABLE, "it wrote a line of more than 4096 bytes"),
    "NUL": (Fault.UNREADABLE, "it wrote a line with a NUL character"),
    "invalid UTF-8": (Fault.UNREADABLE, "it wrote a line that is not UTF-8"),
    "closes stdout": (Fault.CRASH, "it closed its output"),
    "a child keeps stdout open": (Fault.CRASH, "it ended with exit status 7"),
    "ignores SIGTERM": (Fault.TIME, "no move within 300 ms"),
    "forks a daemon": (None, PLAYS_ON),
    "illegal number": (Fault.ILLEGAL, "+77 is not allowed: that number is not available"),
    "not a move": (Fault.ILLEGAL, "'banana' is not a whole number"),
    "bestmove alone": (Fault.ILLEGAL, "'' is not a whole number"),
    "Unicode digits": (Fault.ILLEGAL, "'+\N{ARABIC-INDIC DIGIT THREE}' is not a whole number"),
    "two bestmoves": (None, PLAYS_ON),
    "a move before go": (None, PLAYS_ON),
    "claims victory": (None, PLAYS_ON),
    "eats memory": (Fault.CRASH, "it ended with exit status 1"),
    "busy after stop": (Fault.TIME, "no move within 300 ms"),
    "escapes in its name": (None, PLAYS_ON),
}


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    """Return the path by which a bad bot notes that it has been bad; afterwards no process knows it."""
    path = str(tmp_path / "mark")
    yield path
    assert with_word(path) == []


def command(kind: str, mark: str) -> str:
    return f"{sys.executable} -I -S {SCRIPT} '{kind}' {mark}"


def play(bot: Bot, seconds: float) -> tuple[Position, list[TurnResult]]:
    """Let a bot play both seats of a match; return where it ended and what was decided."""
    bot.begin(SUM31)
    start = position = start_position(SUM31)
    moves: tuple[Move, ...] = ()
    decisions = []
    while position.outcome is None:
        decisions.append(decide(bot, Turn(start, moves, position, seconds)))
        move = decisions[-1].move
        if move is None:
            bot.end(Outcome(position.seat.other, (decisions[-1].fault or Fault.CRASH).reason))
            return position, decisions
        moves, position = (*moves, move), position.play(move)
    bot.end(position.outcome)
    return position, decisions


@pytest.mark.parametrize("kind", RESULTS)
def test_a_bad_bot_gets_its_result_and_the_next_match_is_played(kind: str, mark: str) -> None:
    fault, detail = RESULTS[kind]
    bot = Bot(command(kind, mark), replace(BOUNDS, memory=256 << 20, margin=LONG if fault is not Fault.TIME else 0.05))
    try:
        position, decisions = play(bot, SHORT if fault is Fault.TIME else LONG)
        last = decisions[-1]
        said = last.replies[-1].detail
        assert (last.fault, said) == (fault, detail) or ("SIGKILL" in said and detail == "SIGKILL")
        assert (position.outcome is not None) == (fault is None)
        if fault is not None:
            ending = last.ending(Turn(position, (), position, 0))
            assert ending.reason is (Reason.TIME if fault is Fault.TIME else Reason.FORFEIT)
            assert ending.seat is position.seat
        assert "\x1b" not in bot.name
        bot._bounds = replace(BOUNDS, margin=LONG)
        position, decisions = play(bot, LONG)
        assert position.outcome is not None, decisions[-1]
        # It always takes the second smallest; an answer to an older question would be +1.
        assert [decision.replies[0].text for decision in decisions][:5] == ["+2", "+3", "+4", "+5", "+6"]
        if kind == "forks a daemon":
            assert grown(mark, 3), "the bot, its supervisor and the daemon: else nothing is tested"
    finally:
        bot.close()


class TestStarting:
    def test_one_that_ends_at_once(self, mark: str) -> None:
        bot = Bot(command("exits at once", mark))
        with pytest.raises(WithdrawnError, match="does not start: it ended with exit status 3"):
            bot.start()

    def test_one_that_ends_at_once_and_leaves_a_child(self, mark: str) -> None:
        with pytest.raises(WithdrawnError, match="does not start: it ended with exit status 1"):
            Bot(command("exits at once with a child", mark)).start()

    @pytest.mark.parametrize("kind", ["says nothing", "never reads"])
    def test_one_that_is_silent(self, kind: str, mark: str) -> None:
        bot = Bot(command(kind, mark), replace(BOUNDS, start=0.3))
        with pytest.raises(WithdrawnError, match=r"it did not say ugiok in 0\.3 seconds"):
            bot.start()

    def test_what_it_complained_of_is_told(self) -> None:
        bot = Bot(f"{sys.executable} -c 'import sys; sys.exit(\"no such\\tluck\")'")
        with pytest.raises(WithdrawnError, match=r"exit status 1\. It said: no such\\tluck$"):
            bot.start()

    def test_a_missing_script(self) -> None:
        with pytest.raises(WithdrawnError, match=r"exit status 2\. There is no file 'no-bot\.py' here\.$"):
            Bot(f"{sys.executable} no-bot.py").start()

    def test_a_missing_file(self) -> None:
        with pytest.raises(BadCommandError, match=r"There is no program '\./nowhere'") as error:
            Bot("./nowhere")
        assert error.value.exit_code == 2

    def test_a_file_that_is_not_executable(self, tmp_path: Path) -> None:
        path = tmp_path / "bot"
        path.write_text("echo")
        with pytest.raises(BadCommandError, match="not executable"):
            Bot(str(path))

    @pytest.mark.parametrize("text", ["", "  ", "'unclosed", "a\0b"])
    def test_what_is_no_command(self, text: str) -> None:
        with pytest.raises(BadCommandError):
            Bot(text)

    def test_a_program_of_another_machine(self, tmp_path: Path) -> None:
        path = tmp_path / "bot"
        path.write_bytes(b"\x7fELF nonsense")
        path.chmod(0o755)
        with pytest.raises(WithdrawnError, match=r"Exec format error"):
            Bot(str(path)).start()


class TestWithdrawing:
    def test_one_that_fails_again_and_again_is_started_three_times_more(self, tmp_path: Path) -> None:
        starts = tmp_path / "starts"
        script = tmp_path / "bot.sh"
        script.write_text(
            f"echo x >> {starts}\nwhile read line; do case $line in ugi) echo ugiok;; isready) echo readyok;; "
            "go*) exit 5;; esac; done\n"
        )
        bot = Bot(f"sh {script}")
        for _ in range(4):
            _, decisions = play(bot, LONG)
            assert decisions[-1].fault is Fault.CRASH
        with pytest.raises(WithdrawnError, match="failed 4 times in a row and is withdrawn"):
            bot.begin(SUM31)
        assert len(starts.read_text().split()) == 4
        bot.close()

    def test_a_match_in_between_counts_anew(self, mark: str) -> None:
        bot = Bot(command("exits in mid-game", mark), replace(BOUNDS, margin=LONG))
        for _ in range(6):
            Path(mark).unlink(missing_ok=True)
            assert play(bot, LONG)[1][-1].fault is Fault.CRASH
            assert play(bot, LONG)[1][-1].fault is None
        bot.close()


class TestPolicies:
    @pytest.mark.parametrize(
        ("game", "policy", "lenient", "asked"),
        [
            ("sum31", IllegalMovePolicy.RULES, False, 2),
            ("sum31", IllegalMovePolicy.FORFEIT, False, 1),
            ("zero-sum-duel", IllegalMovePolicy.RULES, False, 1),
            ("zero-sum-duel", IllegalMovePolicy.RULES, True, 2),
            ("zero-sum-duel", IllegalMovePolicy.FORFEIT, True, 1),
        ],
    )
    def test_how_often_it_is_asked(
        self, game: str, policy: IllegalMovePolicy, lenient: bool, asked: int, mark: str
    ) -> None:
        bot = Bot(command("illegal number", mark))
        start = start_position(built_in(game))
        decision = decide(bot, Turn(start, (), start, LONG), policy, lenient=lenient)
        assert (decision.move, decision.fault, decision.illegal, decision.instead) == (
            None,
            Fault.ILLEGAL,
            asked,
            False,
        )
        bot.close()

    def test_a_move_at_random_instead(self, mark: str) -> None:
        bot = Bot(command("illegal number", mark))
        start = start_position(SUM31)
        turn = Turn(start, (), start, LONG, seed="s")
        decision = decide(bot, turn, IllegalMovePolicy.RANDOM)
        assert decision.move in start.legal_moves()
        assert (decision.fault, decision.illegal, decision.instead) == (None, 1, True)
        os.unlink(mark)
        assert decide(bot, turn, IllegalMovePolicy.RANDOM).move == decision.move, "the same seed picks the same"
        bot.close()
