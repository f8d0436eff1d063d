"""Sudden-death variants: against naive searches that take far rounds as won by one seat, then by the other."""

from __future__ import annotations

import random

import pytest

from tests.full import part
from tests.solver.agreement import Forgetful, best_of, bracketed, plain
from tests.solver.random_tables import RulesDict, table
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.model import Seat, rules_from_dict
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, Value, Verdict, solve

DRAW = Value(Verdict.DRAW, None)
SUDDEN: RulesDict = {
    "format": 1,
    "id": "sudden",
    "name": "Sudden",
    "target": 0,
    "totals": "own",
    "exhausted": "closest",
    "tie": "sudden-death",
}
CHOSEN: list[RulesDict] = [
    {"pool": [1, 1], "start": [1, 1]},
    {"pool": [1, -1]},
    {"pool": [1, -1], "start": [2, -2], "swap": True},
    {"pool": [1, 1, -1, -1], "start": [3, 3]},
    {"pool": [1, -1, 2, -2], "ban": "mirror"},
    {"pool": [1, -1, 2, -2], "start": [5, -5], "ban": "mirror", "swap": True},
    {"pool": [1, 2], "operations": ["add", "subtract"], "start": 3},
    {"pool": [1, 1, 2], "operations": ["add", "subtract"], "start": [4, -4]},
    {"pool": [1, 2, 3], "start": [-6, 6]},
    {"pool": [3, -3, 6, -6], "target": 1},
    {"pool": [2, 2, -1, -1], "start": [4, 9], "reaching": "loses"},
    {"pool": [1, -2, 3, -1], "start": [-5, -5], "overshoot": "loses"},
    {"pool": [5, 4, -5, -4], "start": -5, "target": 1, "swap": True},
    {"pool": [7], "start": [-7, 0], "target": 3, "swap": True},
    {"pool": [5], "start": [20, 25], "swap": True},
]


def small(dice: random.Random) -> RulesDict:
    """Return a variant whose rounds a naive search can walk."""
    while True:
        keys = table(dice, most=5, sudden_death=True)
        if max(map(abs, keys["pool"])) < 7 and abs(keys["target"]) < 20:
            return keys


def compare(keys: RulesDict, solution: Solution) -> tuple[int, int, list[str]]:
    """Return how many positions are surely known, how many of them are draws, and everything that is wrong."""
    game = Forgetful(keys)
    width = sum(sorted(map(abs, game.pool), reverse=True)[: (len(game.pool) + 1) // 2])
    far = max(abs(start - game.target) for start in game.starts) + 2 * width
    one, two = (bracketed(game, game.target, far, winner=winner) for winner in (1, 2))
    assert one.keys() == two.keys()
    pairs = [(game.start(), solution.start)]
    seen = {game.start()}
    sure = draws = 0
    wrong: list[str] = []
    for state, position in pairs:  # It grows while it is gone through.
        ours = solution.value(position)
        if not ours == best_of(solution, position) == solution.options(position)[0].value:
            wrong.append(f"{position}: {ours} but its moves say {best_of(solution, position)}")
        if one[state] == two[state]:
            sure += 1
            draws += one[state] is None
            if plain(ours) != (one[state] or plain(DRAW)):
                wrong.append(f"{position}: {ours} but {one[state]}")
        for move in game.moves(state):
            after = game.play(state, move)
            if after in one and after not in seen:
                seen.add(after)
                pairs.append((after, position.play(move)))
    near = all(
        max(abs(total - game.target) for total in state.totals) <= far for state in one if state.pool == game.pool
    )
    if near and solution.count not in (None, len(one)):
        wrong.append(f"{solution.count} positions but {len(one)}")
    return sure, draws, wrong


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(part(1, 4)))
def test_random_variants(batch: int) -> None:
    """Where both brackets agree they are right; where neither decides it is a draw; all is the best of its moves."""
    dice = random.Random(batch)
    sure = draws = refused = 0
    for _ in range(part(50, 100)):
        keys = small(dice)
        try:
            solution = solve(rules_from_dict(keys), 1 << 23)
        except SolverError:
            refused += 1
            continue
        compared, drawn, wrong = compare(keys, solution)
        assert wrong == [], keys
        sure, draws = sure + compared, draws + drawn
    assert refused < 5
    assert sure > part(500, 5_000)
    assert draws > part(20, 200)


@pytest.mark.parametrize("keys", CHOSEN)
def test_chosen_variants(keys: RulesDict) -> None:
    _, _, wrong = compare(SUDDEN | keys, solve(rules_from_dict(SUDDEN | keys)))
    assert wrong == []


@pytest.fixture(scope="module")
def driven_apart() -> Solution:
    """Return the solution of the plainest draw: both only ever go further from the target."""
    return solve(rules_from_dict(SUDDEN | CHOSEN[0]))


def test_a_draw_has_no_plies_and_no_line(driven_apart: Solution) -> None:
    start = driven_apart.start
    assert driven_apart.value(start) == DRAW
    assert [option.value for option in driven_apart.options(start)] == [DRAW]
    assert driven_apart.line(start, 100) == []


def test_a_draw_is_a_draw_however_far_out(driven_apart: Solution) -> None:
    rules = driven_apart.rules
    for total in (1, 2, 10, 10**6, 10**12):
        assert driven_apart.value(Position(rules, (1, 1), (total, total), Seat.FIRST)) == DRAW
        assert driven_apart.value(Position(rules, (1,), (total + 1, total), Seat.SECOND)) == DRAW
    with pytest.raises(IllegalPositionError, match="cannot arise"):
        driven_apart.value(Position(rules, (1,), (10**6, 10**6 + 2), Seat.SECOND))


def test_a_draw_within_a_round_or_two_is_told_from_the_ends_around_it() -> None:
    """A walk through one game that has wins, losses and draws; each has a move that keeps it."""
    seen: set[Verdict] = set()
    for keys in CHOSEN:
        solution = solve(rules_from_dict(SUDDEN | keys))
        for position, value in solution.everything():
            seen.add(value.verdict)
            assert value == best_of(solution, position), position
    assert seen == set(Verdict)


@pytest.mark.parametrize("keys", [{"pool": [1, 2, -1, -2]}, {"pool": [1, 2, 3, -1, -2, -3], "ban": "mirror"}])
def test_far_rounds_are_the_best_of_their_moves(keys: RulesDict) -> None:
    rules = rules_from_dict(SUDDEN | keys | {"start": [3, -3]})
    solution = solve(rules)
    before = start_position(rules).play("+1").previous
    dice = random.Random(1)
    for far in (50, 5_000, 10**6, 10**11):
        for _ in range(20):
            total = far + dice.randint(0, 50)
            position = Position(rules, rules.pool, (-total, total), Seat.FIRST, before)
            for _ in range(12):
                assert solution.value(position) == best_of(solution, position), position
                position = position.play(dice.choice(position.legal_moves()))
                if position.outcome is not None:
                    break
