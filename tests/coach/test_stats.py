"""History is worked out from matches alone."""

from __future__ import annotations

import pytest

from zerosum import Match, Setup, load_game
from zerosum.coach.review import review
from zerosum.coach.stats import history, tallies
from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.moves import Move
from zerosum.solver import solution_of


def _match(
    who: tuple[str, str], numbers: tuple[int, ...], first: Person = Person.ONE, date: str = "2026-01-01"
) -> Match:
    match = Match.begin(Setup(rules=load_game("sum31"), who=who, first=first, date=date))
    for number in numbers:
        match = match.after(Move(number))
    return match


WON_BY_FIRST = (5, 6, 9, 8, 3)


def test_wins_belong_to_persons_wherever_they_sit() -> None:
    matches = [
        _match(("human", "random"), WON_BY_FIRST),
        _match(("human", "random"), WON_BY_FIRST, Person.TWO),
        _match(("level:3", "human"), WON_BY_FIRST),
        _match(("human", "random"), (5, 6)),
        _match(("random", "perfect"), WON_BY_FIRST),
    ]
    played = history(matches, lambda match: solution_of(match.setup.rules))
    assert [(one.opponent, one.won) for one in played] == [("random", True), ("random", False), ("level:3", False)]
    by_opponent = {one.opponent: one for one in tallies(played)}
    assert (by_opponent["random"].matches, by_opponent["random"].won) == (2, 1)
    assert (by_opponent["level:3"].matches, by_opponent["level:3"].won) == (1, 0)


def test_a_match_of_two_people_counts_once_and_says_whose_sides_they_are() -> None:
    matches = [_match(("human", "human"), WON_BY_FIRST), _match(("human", "human"), WON_BY_FIRST, Person.TWO)]
    played = history([*matches, matches[0]], lambda match: solution_of(match.setup.rules))
    sides = [("Player 1", True), ("Player 2", False), ("Player 1", False), ("Player 2", True)]
    assert [(one.player, one.won) for one in played] == [*sides, *sides[:2]]
    (tally,) = tallies(played)
    assert (tally.players, tally.opponent) == (("Player 1", "Player 2"), "human")
    assert (tally.matches, tally.won, tally.lost()) == (3, 2, 1)


def test_accuracy_is_the_reviews() -> None:
    match = _match(("human", "random"), WON_BY_FIRST)
    (one,) = history([match], lambda match: solution_of(match.setup.rules))
    (tally,) = tallies([one])
    expected = review(match, solution_of(match.setup.rules)).accuracy(Person.ONE)
    assert tally.accuracy == pytest.approx(expected)


def test_a_game_that_cannot_be_solved_counts_without_accuracy() -> None:
    (one,) = history([_match(("human", "random"), WON_BY_FIRST)], lambda _: None)
    assert (one.won, one.choices) == (True, 0)
    assert tallies([one])[0].accuracy is None


def test_the_same_from_a_record() -> None:
    """Results are recomputed from the moves, so an edited result changes nothing."""
    match = _match(("human", "random"), WON_BY_FIRST)
    edited = read_match(match.record().replace('[Result "1"]', '[Result "2"]'))
    told = [history([one], lambda match: solution_of(match.setup.rules)) for one in (match, edited)]
    assert told[0] == told[1]
