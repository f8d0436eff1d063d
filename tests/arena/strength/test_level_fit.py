"""Level fit: levels are found by their own moves, and who is no level is not taken for one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import log, sqrt
from random import Random

import pytest

from tests.full import part
from zerosum.arena.strength.decisions import TOP, Decision, Judge, judge_of
from zerosum.arena.strength.level_fit import WITHIN, LevelFit, fit_level
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.game_files import load_game
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import solution_of, solve

Pick = Callable[[Position, Random], Move]


@cache
def judge(game: str) -> Judge:
    return judge_of(solution_of(load_game(game)))


@cache
def level(who: str, game: str) -> Pick:
    known: dict[PositionKey, tuple[list[Move], list[float]]] = {}

    def pick(position: Position, dice: Random) -> Move:
        if position.key not in known:
            found = chances(who, position, solution_of(load_game(game)))
            known[position.key] = list(found), list(found.values())
        moves, shares = known[position.key]
        return dice.choices(moves, shares)[0]

    return pick


def decisions(pick: Pick, game: str, count: int, seed: str) -> list[Decision]:
    """Return decisions of a player who plays itself."""
    dice = Random(seed)
    found: list[Decision] = []
    while len(found) < count:
        position = solution_of(load_game(game)).start
        while position.outcome is None:
            move = pick(position, dice)
            found.append(judge(game)(position, move))
            position = position.play_unchecked(move)
    return found[:count]


@pytest.mark.parametrize(("number", "who"), [*enumerate(STRENGTHS)])
def test_2_000_moves_of_a_level_are_found_to_be_its_own(number: int, who: str) -> None:
    found = fit_level(decisions(level(who, "sum31"), "sum31", 2_000, who))
    assert found.level is not None
    assert found.low is not None
    assert found.high is not None
    assert abs(found.level - number) <= 0.5, found
    assert found.low - 0.2 <= number <= found.high + 0.2, found
    assert found.high - found.low < 1.5
    assert found.fits is True


def test_levels_that_play_alike_are_spanned_by_the_interval() -> None:
    """In Sum to Zero nobody who takes a win at once has a choice that tells levels apart; so say the moves."""
    made = decisions(level("level:5", "sum-to-zero"), "sum-to-zero", 300, "alike")
    found = fit_level(made)
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 5 <= found.high
    rows = {one.by_strength for one in made}
    alike = [n for n in range(TOP + 1) if all(abs(row[n] - row[5]) < 1e-12 for row in rows)]
    assert len(alike) > 1
    assert found.low <= min(alike)
    assert found.high >= max(alike)


def test_the_fit_is_the_likeliest_mixture_and_the_interval_all_that_are_nearly_as_likely() -> None:
    """On a fine grid, by the definition."""
    made = decisions(level("level:6", "zero-sum-duel"), "zero-sum-duel", 60, "grid")

    def likelihood(at: float) -> float:
        low = min(int(at), TOP - 1)
        mix = at - low
        every = ((1 - mix) * one.by_strength[low] + mix * one.by_strength[low + 1] for one in made)
        return sum(log(chance) if chance > 0 else float("-inf") for chance in every)

    grid = [n / 500 for n in range(500 * TOP + 1)]
    heights = {at: likelihood(at) for at in grid}
    top = max(heights.values())
    inside = [at for at in grid if heights[at] >= top - WITHIN]
    found = fit_level(made)
    assert found.level is not None
    assert likelihood(found.level) >= top - 1e-9
    assert found.low == pytest.approx(min(inside), abs=0.003)
    assert found.high == pytest.approx(max(inside), abs=0.003)


def faultless(position: Position, dice: Random) -> Move:
    """Play any move that keeps the verdict: never a mistake, never in a hurry."""
    options = solution_of(load_game("sum31")).options(position)
    return dice.choice([one.move for one in options if one.value.verdict is options[0].value.verdict])


STRANGE: dict[str, Pick] = {
    "worst": lambda position, _: solution_of(load_game("sum31")).options(position)[-1].move,
    "first": lambda position, _: position.legal_moves()[0],
    "faultless": faultless,
}


@pytest.mark.parametrize("name", STRANGE)
def test_who_is_no_level_is_not_taken_for_one(name: str) -> None:
    found = fit_level(decisions(STRANGE[name], "sum31", 400, name))
    assert found.p_value is not None
    assert found.p_value == 0.001
    assert found.fits is False


@pytest.mark.slow
@pytest.mark.parametrize("who", ["level:1", "level:3", "level:5"])
def test_a_level_is_rejected_no_more_often_than_stated(who: str) -> None:
    """Sets of 25 matches, in full 300 of each level: at most the stated share is rejected, with three deviations."""
    sets = part(20, 300)
    p_values = [fit_level(decisions(level(who, "sum31"), "sum31", 160, f"p {n}")).p_value for n in range(sets)]
    for stated in (0.01, 0.05, 0.2):
        rejected = sum(p is not None and p < stated for p in p_values)
        assert rejected <= sets * stated + 3 * sqrt(sets * stated * (1 - stated)), (stated, p_values)
    assert len(set(p_values)) > sets // 4


def test_few_decisions_say_little() -> None:
    few = fit_level(decisions(level("level:5", "sum31"), "sum31", 5, "few"))
    assert few.low is not None
    assert few.high is not None
    assert few.high - few.low > 2
    assert few.fits is None
    assert fit_level([]) == LevelFit(None, None, None, 0, 0, None)


def test_only_moves_that_tell_levels_apart_count() -> None:
    """Whoever takes the last number has no choice."""
    solution = solve(Rules(id="v", name="v", pool=(1, 2), target=9))
    last = solution.start.play("+1")
    forced = judge_of(solution)(last, last.legal_moves()[0])
    assert fit_level([forced] * 3) == LevelFit(None, None, None, 3, 0, None)
    made = decisions(level("level:5", "sum31"), "sum31", 20, "some")
    alone, mixed = fit_level(made), fit_level([*made, forced])
    assert (mixed.level, mixed.low, mixed.high, mixed.telling) == (alone.level, alone.low, alone.high, alone.telling)
    assert mixed.decisions == alone.decisions + 1
