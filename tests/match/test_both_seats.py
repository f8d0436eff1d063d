"""A series of two matches is even in any game: exchanging its players exchanges the chances of its scores."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import tables
from zerosum.match.match import Match
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import BOTH_SEATS, Person, Setup, next_in_series
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.model import Overshoot, Rules, rules_from_dict
from zerosum.solver import Solution, solve

Scores = dict[tuple[int, int], Fraction]


def wins_of_one(match: Match, solution: Solution) -> Fraction:
    """Return the chance that Player 1 wins a match from here on, by playing every move out."""
    if match.outcome is not None:
        return Fraction(match.person(match.outcome.winner) is Person.ONE)
    who = match.setup.who[match.to_move - 1]
    found = chances(who, match.position, solution)
    whole = sum(map(Fraction, found.values()))
    return sum(
        (Fraction(share) / whole * wins_of_one(match.after(move), solution) for move, share in found.items() if share),
        Fraction(),
    )


def final_scores(setup: Setup, solution: Solution, won: tuple[int, int] = (0, 0)) -> Scores:
    """Return the chance of each final score of a series."""
    assert setup.series is not None
    chance, scores = wins_of_one(Match.begin(setup), solution), defaultdict[tuple[int, int], Fraction](Fraction)
    for share, score in ((chance, (won[0] + 1, won[1])), (1 - chance, (won[0], won[1] + 1))):
        if not share:
            continue
        if setup.series.goes_on(score):
            for end, part in final_scores(next_in_series(setup), solution, score).items():
                scores[end] += share * part
        else:
            scores[score] += share
    return scores


def series(rules: Rules, solution: Solution, one: str, two: str, best_of: int = BOTH_SEATS) -> Scores:
    return final_scores(new_setup(rules, who=(one, two), best_of=best_of), solution)


def exchanged(scores: Scores) -> Scores:
    return {(two, one): share for (one, two), share in scores.items()}


@given(tables(max_pool=3, sudden_death=False), st.sampled_from(list(STRENGTHS)), st.sampled_from(list(STRENGTHS)))
def test_exchanging_the_players_exchanges_the_scores(table: dict[str, object], one: str, two: str) -> None:
    rules = rules_from_dict(table)
    solution = solve(rules)
    scores = series(rules, solution, one, two)
    assert scores == exchanged(series(rules, solution, two, one))
    assert set(scores) <= {(2, 0), (1, 1), (0, 2)}
    assert sum(scores.values()) == 1


def test_a_game_that_the_seat_decides_is_drawn_by_perfect_players() -> None:
    """The same player wins every other series of this game: only two matches make it even."""
    rules = Rules(id="v", name="v", pool=(1, 2, 3), target=3, overshoot=Overshoot.LOSES)
    solution = solve(rules)
    assert series(rules, solution, "perfect", "perfect") == {(1, 1): 1}
    assert [set(series(rules, solution, "perfect", "perfect", n)) for n in (1, 3)] == [{(1, 0)}, {(2, 1)}]
