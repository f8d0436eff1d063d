"""An attempt at a puzzle: tries, hints that do not give it away, points, and what an answer leads to."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from zerosum import GAME_IDS, load_game
from zerosum.coach.lines import LINE
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt, played_out, puzzle_hints
from zerosum.coach.puzzles import Puzzle, puzzles_at_random
from zerosum.rules.moves import Move
from zerosum.solver import Solution, Verdict, solution_of

RIGHT, *WRONG = map(Move, (1, 2, 3, 4, 5))


def some(game: str) -> tuple[Solution, list[Puzzle]]:
    solution = solution_of(load_game(game))
    return solution, list(islice(puzzles_at_random(solution, Random(8)), 12))


def test_three_tries_and_what_they_score() -> None:
    attempt = Attempt()
    for left, points in ((3, 3), (2, 2), (1, 1)):
        assert (attempt.left, attempt.over, attempt.points) == (left, False, 0)
        solved = attempt.answer(RIGHT, [RIGHT])
        assert (solved.over, solved.solved, solved.points) == (True, True, points)
        attempt = attempt.answer(WRONG[left], [RIGHT])
    assert (attempt.left, attempt.over, attempt.solved, attempt.points) == (0, True, False, 0)
    assert len(attempt.wrong) == TRIES


def test_the_same_wrong_answer_counts_once() -> None:
    once = Attempt().answer(WRONG[0], [RIGHT])
    assert once.answer(WRONG[0], [RIGHT]) == once
    assert once.left == 2


def test_hints_cost_a_point_each_but_a_solution_scores() -> None:
    assert Attempt(hints=1).answer(RIGHT, [RIGHT]).points == 2
    assert Attempt(hints=9).answer(RIGHT, [RIGHT]).points == 1
    assert Attempt(hints=9).hints_seen == HINTS


def test_all_hints_come_before_the_last_try() -> None:
    attempt = Attempt()
    assert attempt.hints_seen == 0
    attempt = attempt.answer(WRONG[0], [RIGHT])
    assert attempt.hints_seen == 0
    attempt = attempt.answer(WRONG[1], [RIGHT])
    assert (attempt.hints_seen, attempt.hints) == (HINTS, 0)
    assert attempt.answer(RIGHT, [RIGHT]).points == 1


def test_who_asks_for_the_answer_scores_nothing() -> None:
    shown = Attempt(shown=True)
    assert (shown.over, shown.solved, shown.points) == (True, False, 0)
    assert shown.answer(RIGHT, [RIGHT]).points == 0


def test_what_an_attempt_is_still_worth() -> None:
    begun = Attempt(hints=1).answer(WRONG[0], [RIGHT])
    assert (Attempt().worth, begun.worth, Attempt(shown=True).worth) == (3, 1, 0)
    assert begun.answer(RIGHT, [RIGHT]).worth == begun.worth


@pytest.mark.parametrize("game", GAME_IDS)
def test_hints_are_true_and_do_not_name_the_answer(game: str) -> None:
    solution, puzzles = some(game)
    for puzzle in puzzles:
        how_many, idea = puzzle_hints(puzzle.position, solution)
        assert how_many.startswith(f"{len(puzzle.solutions)} of your {len(puzzle.position.legal_moves())} moves win")
        assert ("at once" in how_many) == (puzzle.plies == 1)
        assert idea.startswith("Look for a move ")
        best = puzzle.position.text_of(solution.options(puzzle.position)[0].move)
        assert not idea.startswith(f"Look for a move after which this is true: {best}")
        assert len(puzzle_hints(puzzle.position, solution)) == HINTS


@pytest.mark.parametrize("game", GAME_IDS)
def test_an_answer_is_played_out_without_the_answer(game: str) -> None:
    """The line is legal and ends as the verdict says; no sentence names what would have won."""
    solution, puzzles = some(game)
    for puzzle in puzzles:
        for option in solution.options(puzzle.position):
            why, line = played_out(puzzle.position, option.move, solution)
            assert why
            assert not any("would have won" in sentence for sentence in why)
            assert line[0] == option.move
            end = puzzle.position
            for move in line:
                end = end.play(move)
            assert end.outcome is not None or len(line) >= LINE
            if end.outcome is not None:
                assert (end.outcome.winner is puzzle.position.seat) == (option.value.verdict is Verdict.WIN)
