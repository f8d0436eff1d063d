"""Which level keeps and scores as much: against a plain second computation, and against levels themselves."""

from __future__ import annotations

from functools import cache
from math import sqrt
from random import Random

import pytest

from tests.full import part
from zerosum.arena.strength.decisions import Decision, ScoredLevel, judge_of, place_of, tally_decisions
from zerosum.arena.strength.people import ScoredMatch, people_in, score_level
from zerosum.base.statistics import Interval
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players import choose
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Verdict, solution_of

RULES = built_in("sum31")
SOLUTION = solution_of(RULES)
GRID = 2_000
"""Steps of a level in the plain search."""


@cache
def shares(who: str, position: Position) -> dict[Move, float]:
    return chances(who, position, SOLUTION)


def plain_wilson(successes: int, trials: int) -> tuple[float, float]:
    """Return the shares p at which |successes/n - p| is 1.96 deviations of p: the definition, by the quadratic."""
    z2, n, share = 1.959963984540054**2, trials, successes / trials
    a, b, c = n + z2, -(2 * n * share + z2), n * share**2
    root = sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def plain_place(curve: list[float], figure: float) -> tuple[float, float]:
    """Return the first level of a fine grid that has at least a figure, and the last that has at most it."""
    levels = [n / GRID * 10 for n in range(GRID + 1)]
    at = [min(int(level), 9) for level in levels]
    values = [curve[n] * (n + 1 - level) + curve[n + 1] * (level - n) for n, level in zip(at, levels, strict=True)]
    first = next((level for level, value in zip(levels, values, strict=True) if value >= figure - 1e-9), 10.0)
    last = next((one for one, value in zip(levels[::-1], values[::-1], strict=True) if value <= figure + 1e-9), 0.0)
    return first, last


def agrees(found: tuple[float | None, ...], curve: list[float], successes: int, trials: int) -> None:
    low, high = plain_wilson(successes, trials)
    first, last = plain_place(curve, successes / trials)
    expected = ((first + last) / 2, min(plain_place(curve, low)[0], first), max(plain_place(curve, high)[1], last))
    assert found == pytest.approx(expected, abs=2 * 10 / GRID)


def played(first: str, second: str, seed: str) -> list[tuple[Position, Move]]:
    dice, position, made = Random(seed), SOLUTION.start, []
    while position.outcome is None:
        found = shares(first if position.seat is Seat.FIRST else second, position)
        move = dice.choices(list(found), list(found.values()))[0]
        made.append((position, move))
        position = position.play(move)
    return made


def decisions(who: str, count: int, seed: str) -> list[Decision]:
    judge = judge_of(SOLUTION)
    return [judge(*one) for n in range(count) for one in played(who, who, f"{seed} {n}")]


def best(position: Position) -> set[Move]:
    """Return the moves that keep the best verdict."""
    verdict = SOLUTION.value(position).verdict
    after = {move: position.play(move) for move in position.legal_moves()}
    worth = {
        move: (Verdict.WIN if one.outcome.winner is position.seat else Verdict.LOSS)
        if one.outcome
        else SOLUTION.value(one).verdict.opposite
        for move, one in after.items()
    }
    return {move for move, one in worth.items() if one is verdict}


@pytest.mark.parametrize("who", ["random", "level:2", "level:6", "perfect"])
def test_the_level_that_keeps_as_much_is_the_plain_one(who: str) -> None:
    moves = [one for n in range(20) for one in played(who, who, f"plain {n}")]
    real = [(at, move) for at, move in moves if len(best(at)) < len(at.legal_moves())]
    kept = sum(move in best(at) for at, move in real)
    curve = [sum(sum(shares(one, at)[m] for m in best(at)) for at, _ in real) / len(real) for one in STRENGTHS]
    judge = judge_of(SOLUTION)
    found = tally_decisions(judge(at, move) for at, move in moves).level()
    agrees((found.level, found.low, found.high), curve, kept, len(real))


def plain_chance(one: str, two: str) -> float:
    """Return how often seat 1 wins, move by move from the definition."""
    known: dict[PositionKey, float] = {}

    def chance(at: Position) -> float:
        if at.outcome is not None:
            return float(at.outcome.winner is Seat.FIRST)
        if at.key not in known:
            mover = one if at.seat is Seat.FIRST else two
            known[at.key] = sum(share * chance(at.play(move)) for move, share in shares(mover, at).items())
        return known[at.key]

    return chance(SOLUTION.start)


def test_the_level_that_scores_as_much_is_the_plain_one() -> None:
    """Against level 5 as first and level 3 as second player, in matches won and lost."""
    results = [(Seat.FIRST, "level:5", n < 4) for n in range(10)] + [(Seat.SECOND, "level:3", n < 9) for n in range(12)]
    found = score_level([ScoredMatch(SOLUTION.start, seat, who, won) for seat, who, won in results])
    curve = [(10 * plain_chance(one, "level:5") + 12 * (1 - plain_chance("level:3", one))) / 22 for one in STRENGTHS]
    agrees((found.level, found.low, found.high), curve, 13, 22)
    assert score_level([]) == ScoredLevel(None, None, None)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 5, 8])
def test_the_interval_covers_the_level_itself(n: int) -> None:
    """Of sets of 20 matches, in full 200, at least the stated share contains the true level, with three deviations."""
    sets = part(20, 200)
    found = [tally_decisions(decisions(f"level:{n}", 20, f"cover {one}")).level() for one in range(sets)]
    inside = sum(one.low is not None and one.high is not None and one.low <= n <= one.high for one in found)
    assert inside >= 0.95 * sets - 3 * sqrt(0.95 * 0.05 * sets)


def test_a_figure_that_all_levels_share_tells_nothing() -> None:
    assert place_of([0.5] * 11, 0.5, Interval(0.2, 0.8)) == (None, None, None)
    flat = [0.1, 0.2, 0.3, 0.3, 0.3, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0]
    assert place_of(flat, 0.3, Interval(0.25, 0.45))[:2] == (3.0, 1.5)
    assert place_of(flat, 0.05, Interval(0.0, 0.1)) == (0.0, 0.0, 0.0)


def test_a_player_who_keeps_every_win_slowly_is_strong() -> None:
    """Its moves are unlike those of any strong level, and so likelihood called it weak; what it keeps is perfect."""
    slow = Match.begin(Setup(rules=RULES, who=("level:5", "human"), names=("L", "Slow")))
    matches = []
    for n in range(8):
        match = slow
        while match.outcome is None:
            options = SOLUTION.options(match.position)
            good = [one.move for one in options if one.value.verdict is options[0].value.verdict]
            human = match.to_move is Person.TWO
            match = match.after(good[-1] if human else choose("level:5", match.position, f"{n} {len(match.moves)}"))
        matches.append(match)
    _, found = people_in(matches, lambda _: SOLUTION, likelihood=True)
    assert found.keeps.level == 10
    assert found.scores.level == 10
    assert found.fit is not None
    assert found.fit.level is not None
    assert found.fit.level < 8
    assert people_in(matches, lambda _: SOLUTION)[1].fit is None
