"""Zero Sum Game, which need not end: near the target against a naive search, far out by what must be true there."""

from __future__ import annotations

import random

import pytest

from tests import naive
from tests.solver.agreement import best_of, bracketed, plain
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Seat
from zerosum.rules.position import Position
from zerosum.solver import Solution, Value, Verdict, solve

RULES = load_game("zero-sum-game")
FAR = 18


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(RULES)


def round_at(total: int) -> Position:
    """Return the beginning of a round with these totals."""
    return Position(RULES, RULES.pool, (total, -total), Seat.FIRST)


@pytest.mark.full
def test_near_the_target_the_naive_search_agrees(solution: Solution) -> None:
    """What is true whoever wins far out, is what the solver says; thousands of positions of several rounds."""
    game = naive.ZeroSumGame()
    one, two = (bracketed(game, 0, FAR, winner=winner) for winner in (1, 2))
    assert one.keys() == two.keys()
    sure = {state: value for state, value in one.items() if value is not None and value == two[state]}
    rounds = {abs(state.totals[0]) for state in sure if state.pool == RULES.pool}
    wrong = []
    for state, value in sure.items():
        ours = solution.value(Position(RULES, state.pool, state.totals, Seat(state.seat)))
        if plain(ours) != value:
            wrong.append((state, ours, value))
    assert wrong == []
    assert len(sure) > 10_000
    assert len(rounds) > 10


@pytest.mark.parametrize("far", [30, 300, 10_000, 1_000_000])
def test_far_from_the_target_a_value_is_the_best_of_its_moves(solution: Solution, far: int) -> None:
    dice = random.Random(far)
    compared = 0
    for _ in range(60):
        position = round_at(dice.choice((-1, 1)) * dice.randint(far // 2, far))
        for _ in range(dice.randint(0, 25)):
            assert solution.value(position) == best_of(solution, position), position
            assert solution.value(position) == solution.options(position)[0].value
            position = position.play(dice.choice(position.legal_moves()))
            compared += 1
            if position.outcome is not None:
                break
    assert compared > 300


def test_three_further_out_a_round_takes_ten_plies_more(solution: Solution) -> None:
    """All rounds are won by seat 1, and a match takes one round more for every three that it has to come back."""
    values = [solution.value(round_at(total)) for total in range(200)]
    assert {value.verdict for value in values} == {Verdict.WIN}
    for distance, value in enumerate(values[:-3]):
        further = values[distance + 3].plies
        if distance >= 7:
            assert value.plies is not None
            assert further == value.plies + 10, distance
        assert solution.value(round_at(-distance)) == value
    near, far = solution.value(round_at(100)).plies, solution.value(round_at(100 + 3 * 300_000)).plies
    assert near is not None
    assert far == near + 10 * 300_000


def test_a_far_round_can_be_played_to_its_end(solution: Solution) -> None:
    position = round_at(60)
    plies = solution.value(position).plies
    moves = solution.line(position, 10_000)
    for move in moves:
        position = position.play(move)
    assert len(moves) == plies
    assert position.outcome is not None
    assert position.outcome.winner is Seat.FIRST


def test_there_is_no_end_of_positions(solution: Solution) -> None:
    assert solution.count is None
    assert solution.value(solution.start) == Value(Verdict.WIN, 11)


@pytest.mark.parametrize(
    ("pool", "totals", "seat"),
    [
        (RULES.pool, (3, -2), 1),
        (RULES.pool, (3, 3), 1),
        (RULES.pool, (1_000_003, -2), 1),
        (RULES.pool, (10**9, 10**9), 1),
        (RULES.pool[1:], (0, 0), 2),
        (RULES.pool[1:], (-500, 0), 2),
        (RULES.pool[:1], (0, 5), 2),
        (RULES.pool[:1], (5, 0), 2),
    ],
)
def test_a_position_that_cannot_arise_has_no_value(
    solution: Solution, pool: tuple[int, ...], totals: tuple[int, int], seat: int
) -> None:
    with pytest.raises(IllegalPositionError, match=r"cannot arise|match is over"):
        solution.value(Position(RULES, pool, totals, Seat(seat)))


@pytest.mark.slow
def test_everything_near_the_target_is_the_best_of_its_moves(solution: Solution) -> None:
    dice = random.Random(5)
    near = dict(solution.everything())
    assert len(near) > 50_000
    for position in dice.sample(list(near), 1_000):
        assert near[position] == solution.value(position) == best_of(solution, position), position
