"""Where a newcomer begins is chosen by what the solver finds, not by taste."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final

import pytest

from zerosum.coach.bundled_odds import winning_seat
from zerosum.coach.next_step import FIRST_GAME, FIRST_OPPONENT, FIRST_SEAT
from zerosum.players.odds import odds_from
from zerosum.players.policies import MovePolicy, chances
from zerosum.rules.describe import in_one_sentence
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move, Operation
from zerosum.rules.position import Position, start_position
from zerosum.solver import Verdict, solution_of

SEATS: Final = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND}
Key = Callable[[Move], tuple[bool, int]]


def _always(size: int, operation: Operation) -> Key:
    """Return by which order somebody chooses who always takes the largest (1) or the smallest (-1) number."""
    return lambda move: (move.operation is operation, size * move.number)


HABITS: Final = {
    f"{size:+} {operation.value}": _always(size, operation)
    for size, operation in product((1, -1), (Operation.ADD, Operation.SUBTRACT))
}


def _policy(key: Key) -> MovePolicy:
    def play(position: Position) -> list[float]:
        moves = list(position.legal_moves())
        return [float(move == max(moves, key=key)) for move in moves]

    return MovePolicy(play, mirrors=False)


@cache
def figures(game: str) -> dict[tuple[str, str], float]:
    """Return how often random play and each habit win in the winning seat, against those that matter."""
    seat = winner(game)
    asked = [("random", FIRST_OPPONENT), *product(HABITS, ("level:5", "perfect"))]
    pairings = [pairing if seat is Seat.FIRST else pairing[::-1] for pairing in asked]
    policies = {name: _policy(key) for name, key in HABITS.items()}
    found = odds_from(start_position(built_in(game)), pairings, policies=policies).first_wins
    return {
        one: found[pairing] if seat is Seat.FIRST else 1 - found[pairing]
        for one, pairing in zip(asked, pairings, strict=True)
    }


def winner(game: str) -> Seat:
    solution = solution_of(built_in(game))
    return SEATS[solution.value(solution.start).verdict]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAME_IDS)
def test_the_winning_seat_is_what_the_solver_says(game: str) -> None:
    assert winning_seat(built_in(game)) is winner(game)


def test_the_first_game_has_the_shortest_rules_and_the_newcomer_the_seat_that_wins() -> None:
    assert min(GAME_IDS, key=lambda game: len(in_one_sentence(built_in(game)))) == FIRST_GAME
    assert in_one_sentence(built_in(FIRST_GAME)).count(".") == 1
    assert winner(FIRST_GAME) is FIRST_SEAT


def test_a_plan_matters_in_the_first_game() -> None:
    found = figures(FIRST_GAME)
    assert 0.35 <= found["random", FIRST_OPPONENT] <= 0.65
    for habit in HABITS:
        assert found[habit, "level:5"] < 0.30, habit
        assert found[habit, "perfect"] == 0, habit
    assert {round(100 * one, 1) for one in found.values()} == {48.1, 6.2, 14.0, 0.0}


def test_the_game_that_was_first_before_needs_no_plan() -> None:
    """Whoever always takes the largest number in Zero Sum Duel beats perfect play, so the test above can fail."""
    assert figures("zero-sum-duel")["+1 subtract", "perfect"] == 1


def test_the_figures_are_those_of_plain_play() -> None:
    """The same chances, found by following every move of both players."""
    solution = solution_of(built_in(FIRST_GAME))

    @cache
    def wins(position: Position, habit: str, opponent: str) -> float:
        """Return how often the newcomer wins."""
        if position.outcome is not None:
            return float(position.outcome.winner is FIRST_SEAT)
        if position.seat is not FIRST_SEAT:
            replies = chances(opponent, position, solution)
            return sum(share * wins(position.play(move), habit, opponent) for move, share in replies.items() if share)
        moves = list(position.legal_moves())
        if habit in HABITS:
            moves = [max(moves, key=HABITS[habit])]
        return sum(wins(position.play(move), habit, opponent) for move in moves) / len(moves)

    for (habit, opponent), chance in figures(FIRST_GAME).items():
        assert wins(solution.start, habit, opponent) == pytest.approx(chance, abs=1e-12), (habit, opponent)
