"""The options of `play`, and what only a long match shows."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import GAMES, GOLDEN, Ran, Zerosum, id_of, variant
from tests.match.kills import long_line
from zerosum.base.limits import MATCH_PLIES
from zerosum.cli import dialogue_text
from zerosum.match.match import Match, read_match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat
from zerosum.rules.outcome import Outcome, Reason

PROMPTS = re.compile(r"(?:Select a number|Selection|numbers|sequence|want to use|Number): (\S+)$", re.MULTILINE)


def numbers(ran: Ran) -> list[str]:
    """Return the numbers that were typed, or shown as if typed."""
    return PROMPTS.findall(ran.out)


def test_sudden_death_between_people_has_no_limit_at_a_terminal(zerosum: Zerosum, tmp_path: Path) -> None:
    """Ruling 7: a match with a person goes on until the rules end it, and its record can be read."""
    line = long_line(MATCH_PLIES + 10)
    ran = zerosum.play("zero-sum-game", "--record", str(tmp_path / "long"), answers=" ".join([*line, "resign"])).ok()
    assert ran.out.count("Sudden Death!") == MATCH_PLIES // 10 + 1
    assert ran.out.endswith("Player 1 resigns. Player 2 wins!\n")
    assert (len(numbers(ran)), ran.err) == (len(line) + 1, "")
    record = (tmp_path / "long").read_text()
    assert '[Limit "10000"]' in record
    match = read_match(record)
    assert (len(match.moves), match.outcome) == (len(line), Outcome(Seat.SECOND, Reason.RESIGNED))


def test_the_limit_between_computers_is_told_before_the_match(zerosum: Zerosum) -> None:
    """Ruling 7; a person at a terminal has no limit, and the other games cannot come so far."""
    told = "The referee stops this match after 600 moves; then whoever would win with perfect play from there wins.\n"
    between = ("--p1", "random", "--p2", "random", "--seed", "1")
    assert zerosum("play", "zero-sum-game", *between).ok().err == told
    assert zerosum("play", "sum31", *between).ok().err == ""
    assert zerosum.play("zero-sum-game", "--vs", "random", answers="resign").ok().err == ""


def test_the_screen_announces_no_round_that_is_not_played() -> None:
    """Ruling 7: where the referee stops at an empty pool, the verdict follows the last move."""
    match = Match.begin(Setup(rules=load_game("zero-sum-game"), who=("random", "random")))
    for move in long_line(MATCH_PLIES):
        match = match.after(move)
    assert match.outcome is not None
    said = dialogue_text.moved(match) + dialogue_text.ended(match, match.outcome)
    winner = match.setup.name(match.person(match.outcome.winner))
    assert said.endswith(
        "Available Numbers: none\nThe referee stops the game after 600 selections.\n"
        f"{winner} wins by the exact verdict!\n"
    )
    assert "Sudden Death!" not in said
    assert "Sudden Death!" in dialogue_text.moved(match.at(MATCH_PLIES - 10))


@pytest.mark.parametrize("game", GAMES)
def test_two_computers_play_the_same_match_by_the_same_seed(zerosum: Zerosum, game: str) -> None:
    def played(seed: str) -> str:
        return zerosum("play", game, "--p1", "random", "--vs", "random", "--seed", seed).ok().out

    assert played("one") == played("one")
    assert len({played(seed) for seed in "abcd"}) > 1


def test_a_computers_move_appears_as_if_typed(zerosum: Zerosum) -> None:
    whole = zerosum("play", "zero-sum-duel", "--p1", "random", "--p2", "random", "--seed", "s").ok().out
    answers = re.findall(r"(?:want to use:|ubtract it\?) (\S+)$", whole, re.MULTILINE)
    assert zerosum.play("zero-sum-duel", answers=" ".join(answers)).ok().out == whole


def test_against_a_computer_the_seed_repeats_its_answers(zerosum: Zerosum) -> None:
    runs = [zerosum.play("sum31", "--vs", "random", "--seed", "7", answers="5") for _ in range(2)]
    assert numbers(runs[0]) == numbers(runs[1])
    assert len(numbers(runs[0])) == 2
    assert "Player 2's Turn:" in runs[0].out


def test_undo_against_a_computer_goes_back_to_ones_own_turn(zerosum: Zerosum) -> None:
    """Ruling 10."""
    ran = zerosum.play("sum31", "--vs", "random", "--seed", "7", answers="5 undo 4 quit").ok()
    assert "Moves so far: none\n" in ran.out
    assert zerosum.unfinished()[0]["moves"][0] == "+4"


def test_toss_is_decided_by_the_seed_and_by_nothing_else(zerosum: Zerosum) -> None:
    def first(seed: str) -> str:
        ran = zerosum.play("sum31", "--first", "toss", "--seed", seed, answers="quit").ok()
        return ran.out.split("'s Turn:")[0][-1]

    firsts = {seed: first(seed) for seed in "abcdefgh"}
    assert set(firsts.values()) == {"1", "2"}
    assert first("a") == firsts["a"]


def test_a_toss_is_announced(zerosum: Zerosum) -> None:
    """Ruling 11: on standard error, so that the dialogue stays the rulebook's."""
    ran = zerosum.play("sum31", "--first", "toss", "--seed", "a", "--names", "Ann", "Bob", answers="resign").ok()
    first = ran.out.split("'s Turn:")[0].splitlines()[-1]
    assert ran.err == f"The toss: {first} moves first.\n"


def test_first_2_lets_player_2_begin_and_keeps_player_1_listed_first(zerosum: Zerosum) -> None:
    """Ruling 1: names and lines belong to persons; seat 1 is whoever moves first."""
    ran = zerosum.play("zero-sum-game", "--first", "2", "--names", "Ann", "Bob", answers="-4 quit").ok()
    assert ran.out.startswith(
        "Available Numbers: -5 -4 -3 -2 -1 1 2 3 4 5\nAnn Running Total: 0\nBob Running Total: 0\n\nBob, select"
    )
    assert "Bob Running Total: 0 + (-4) = -4\n" in ran.out
    kept = zerosum.unfinished()[0]
    assert (kept["first"], kept["to_move"], kept["position"]) == (2, 2, "-5,-3,-2,-1,1,2,3,4,5 -4/0 2")


def test_a_series_of_three_is_kept_and_goes_on(zerosum: Zerosum) -> None:
    cut = zerosum.play("sum31", "--best-of", "3", answers="5 6 9 8 3 9")
    assert cut.status == 1
    assert id_of(cut).endswith("-2")
    rest = zerosum("resume", stdin="resign\n9\nresign\n").ok()
    assert rest.out == (
        "\nMatch 2 of at most 3. Player 1 1, Player 2 0.\n\n"
        "\nMoves so far: +9\nTotal: 9\nAvailable Numbers: [1, 2, 3, 4, 5, 6, 7, 8]\n\nPlayer 1's Turn:\n"
        "Enter a number from the available numbers: resign\nPlayer 1 resigns. Player 2 wins!\n"
        "\nMatch 3 of at most 3. Player 1 1, Player 2 1.\n\n--- Sum31 Game Start ---\nTotal: 0\n"
        "Available Numbers: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n\nPlayer 1's Turn:\n"
        "Enter a number from the available numbers: 9\n\nTotal is now 9\n"
        "Available Numbers: [1, 2, 3, 4, 5, 6, 7, 8]\n\nPlayer 2's Turn:\n"
        "Enter a number from the available numbers: resign\nPlayer 2 resigns. Player 1 wins!\n"
        "\nPlayer 1 wins the series, 2 to 1!\n"
    )


def test_one_match_from_each_seat_is_kept_and_can_be_drawn(zerosum: Zerosum) -> None:
    cut = zerosum.play("sum31", "--best-of", "2", "--names", "Ann", "Bob", "--first", "2", answers="5 resign 9")
    assert cut.status == 1
    assert cut.out.startswith("Match 1 of 2. Ann 0, Bob 0.\n\n--- Sum31 Game Start ---")
    assert cut.err.startswith("Each player moves first once: any game is even this way, and 1 to 1 is a draw.\n")
    assert id_of(cut).endswith("-2")
    rest = zerosum("resume", stdin="undo\n8\n9\nresign\n").ok()
    assert rest.out.startswith("\nMatch 2 of 2. Ann 0, Bob 1.\n\n\nMoves so far: +9\n")
    assert rest.out.endswith("Ann resigns. Bob wins!\n\nBob wins the series, 2 to 0!\n")
    drawn = zerosum.play("sum31", "--best-of", "2", answers="resign resign").ok()
    assert drawn.out.endswith("Player 2 resigns. Player 1 wins!\n\nThe series is a draw, 1 to 1.\n")
    assert zerosum.unfinished() == []


def test_a_series_killed_between_its_two_matches_goes_on(zerosum: Zerosum) -> None:
    """The process is killed while it waits for the first move of the second match."""
    command = (*zerosum.command, "play", "sum31", "--best-of", "2")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"5\nresign\n")
        process.stdin.flush()
        seen = b""
        while b"Match 2 of 2. Player 1 1, Player 2 0." not in seen:
            read = os.read(process.stdout.fileno(), 1000)
            assert read, seen
            seen += read
        process.kill()
    kept = zerosum.unfinished()
    assert [(one["first"], one["moves"]) for one in kept] == [(2, [])]
    rest = zerosum("resume", stdin="5\nresign\n").ok()
    assert rest.out.startswith("\nMatch 2 of 2. Player 1 1, Player 2 0.\n")
    assert rest.out.endswith("\nThe series is a draw, 1 to 1.\n")
    assert zerosum.unfinished() == []


def test_a_series_is_of_an_odd_number_of_matches_or_two(zerosum: Zerosum) -> None:
    for number in ("0", "4", "98", "100", "101", "-2", "x", "2.0", ""):
        ran = zerosum("play", "sum31", "--best-of", number)
        assert (ran.status, ran.out) == (2, ""), number
        assert "--best-of" in ran.err
        if number in ("0", "4", "98"):
            assert "A series is the best of 2, or of an odd number from 1 to 99, not of" in ran.err


def test_a_variant_wins_no_words_of_the_game_it_is_like(zerosum: Zerosum, tmp_path: Path) -> None:
    path = variant(tmp_path, like="sum31", target=30)
    ran = zerosum.play(path, answers="9 8 7 6").ok()
    assert ran.out.startswith("My Variant\nTarget: 30\nTotal: 0\nNumbers: 1, 2, 3, 4, 5, 6, 7, 8, 9\n\n")
    assert ran.out.endswith("Player 2: 24 + 6 = 30\nPlayer 2 wins!\n")


def test_a_built_in_id_wins_over_a_file_of_that_name(zerosum: Zerosum, tmp_path: Path) -> None:
    (tmp_path / "sum31").write_text("nonsense")
    stdin = (GOLDEN / "sum31.in").read_text()
    assert zerosum("play", "sum31", stdin=stdin, cwd=tmp_path).ok().out == (GOLDEN / "sum31.txt").read_text()


def test_the_forfeit_is_told_in_one_line_on_standard_error(zerosum: Zerosum) -> None:
    """Ruling 4: players are told."""
    told = "In Zero Sum Duel an invalid move forfeits the match; --lenient asks again instead.\n"
    assert zerosum.play("zero-sum-duel", answers="12").err == told
    assert zerosum.play("zero-sum-duel", "--lenient", answers="12 resign").err == ""
    assert zerosum.play("sum31", answers="resign").err == ""
