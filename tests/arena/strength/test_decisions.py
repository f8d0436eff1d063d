"""Decisions against the truth: the same as a review says, and what is added up from them."""

from __future__ import annotations

from random import Random

import pytest

from tests.players.test_odds import VARIANTS
from zerosum import Match, Setup, load_game
from zerosum.arena.strength.decisions import decisions_in, judge_of, tally_decisions
from zerosum.arena.strength.people import humans_by_game, people_in
from zerosum.coach.review import review
from zerosum.match.setup import Person
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import chances
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.solver import Solution, solution_of

GAMES: dict[str, Rules] = {
    **{name: load_game(name) for name in ("sum31", "zero-sum-duel", "sequence-zero", "zero-sum-game")},
    **{name: VARIANTS[name] for name in ("swap", "ban and swap", "misere")},
}


def solved(match: Match) -> Solution:
    return solution_of(match.setup.rules)


def random_match(rules: Rules, seed: str, names: tuple[str, str] = ("Ann", "Bob")) -> Match:
    dice = Random(seed)
    match = Match.begin(Setup(rules=rules, names=names, first=dice.choice([Person.ONE, Person.TWO])))
    while match.outcome is None:
        match = match.after(dice.choice(match.position.legal_moves()))
    return match


@pytest.mark.parametrize("name", GAMES)
def test_the_share_kept_is_the_accuracy_of_the_review(name: str) -> None:
    rules = GAMES[name]
    judge = judge_of(solution_of(rules))
    some = 0
    for n in range(12):
        match = random_match(rules, f"{name} {n}")
        reviewed = review(match, solution_of(rules))
        for person in Person:
            found = tally_decisions(decisions_in(match, person, judge))
            assert (found.choices, found.kept) == reviewed.choices(person)
            assert found.share == reviewed.accuracy(person)
            assert found.regret == found.choices - found.kept
            assert found.turned == sum(one.blunder for one in reviewed.moves if one.person is person)
            some += found.choices
    assert some


def test_chances_are_those_of_the_levels() -> None:
    rules = load_game("zero-sum-duel")
    solution = solution_of(rules)
    judge = judge_of(solution)
    match = random_match(rules, "levels")
    for position, move in zip(match.positions, match.moves, strict=False):
        one = judge(position, move)
        for n, who in enumerate(STRENGTHS):
            assert one.by_strength[n] == chances(who, position, solution)[move]
        assert one.finding[-1] == pytest.approx(1)
        assert one.found == (one.by_strength[-1] > 0)
        kept = [judge(position, other).kept for other in position.legal_moves()]
        assert one.keeping == sum(kept) / len(kept)
        assert one.real == (not all(kept))


def test_plies_lost_by_hand() -> None:
    """At 28 the 3 wins at once; of losing moves, one that loses later loses nothing."""
    sum31 = load_game("sum31")
    solution = solution_of(sum31)
    position = parse_position("1,2,3,4,7 28 1", sum31)
    judge = judge_of(solution)
    options = {option.move: option.value for option in solution.options(position)}
    best = solution.value(position)
    assert best.plies == 1
    for move, value in options.items():
        one = judge(position, move)
        if value.verdict is best.verdict:
            assert one.plies_lost == (value.plies or 0) - 1
        else:
            assert (one.plies_lost, one.regret) == (0, 1)


def test_skill_is_0_for_what_chance_keeps_and_1_for_everything() -> None:
    sum31 = load_game("sum31")
    judge = judge_of(solution_of(sum31))
    made = [one for n in range(30) for one in decisions_in(random_match(sum31, f"{n}"), Person.ONE, judge) if one.real]
    kept = tally_decisions(one for one in made if one.kept)
    assert (kept.share, kept.skill) == (1, 1)
    found = tally_decisions(made)
    assert found.chance == pytest.approx(sum(one.keeping for one in made) / len(made))
    assert found.share is not None
    assert found.chance is not None
    assert found.skill == pytest.approx((found.share - found.chance) / (1 - found.chance))
    nothing = tally_decisions([])
    assert (nothing.share, nothing.chance, nothing.skill, nothing.interval()) == (None, None, None, (0, 1))


def test_a_name_counts_together_whatever_the_seat_and_the_game() -> None:
    matches = [
        random_match(load_game("sum31"), "1"),
        random_match(load_game("zero-sum-duel"), "2", ("Cid", "Ann")),
        random_match(GAMES["swap"], "3", ("Ann", "Cid")),
    ]
    people = people_in(matches, solved)
    assert [(one.name, one.matches) for one in people] == [("Ann", 3), ("Bob", 1), ("Cid", 2)]
    assert sum(one.tally.decisions for one in people) == sum(len(match.moves) for match in matches)
    assert people_in(matches, lambda _: None) == []
    by_game = humans_by_game(matches, solved)
    assert {game: len(made) for game, (made, _) in by_game.items()} == {
        match.setup.rules.id: len(match.moves) for match in matches
    }
