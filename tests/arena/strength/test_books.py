"""Books, and how many pairs a question needs."""

from __future__ import annotations

from math import ceil

import pytest

from tests.players.test_odds import TINY, VARIANTS
from zerosum.arena.strength.named_policies import policy_of
from zerosum.arena.strength.pairs import (
    PairChance,
    between_book,
    chances_everywhere,
    even_book,
    hard_book,
    pair_chances,
    pairs_needed,
    question,
    start_book,
)
from zerosum.arena.strength.policy_report import scores_of
from zerosum.base.errors import BadValueError
from zerosum.coach.puzzles import puzzle_of
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.position import Position
from zerosum.solver import SolverError, Verdict, solution_of

SUM31 = load_game("sum31")


def real(position: Position) -> bool:
    if position.outcome is not None:
        return False
    return len({one.value.verdict for one in solution_of(position.rules).options(position)}) > 1


def after(position: Position) -> list[Position]:
    return [position.play(move) for move in position.legal_moves()]


@pytest.mark.parametrize("game", GAME_IDS)
def test_an_even_book_is_even(game: str) -> None:
    solution = solution_of(load_game(game))
    book = even_book(solution, 12, "seed")
    assert book == even_book(solution, 12, "seed")
    assert book != even_book(solution, 12, "other")
    assert len(set(book)) == len(book) == 12
    for won, lost in zip(book[::2], book[1::2], strict=True):
        assert solution.value(won).verdict is Verdict.WIN
        assert solution.value(lost).verdict is Verdict.LOSS
        assert len(won.pool) == len(lost.pool)
    for position in book:
        assert any(real(one) for one in after(position))
        assert real(position) or any(real(two) for one in after(position) for two in after(one))


def test_a_hard_book_begins_with_the_hardest() -> None:
    solution = solution_of(SUM31)
    book = hard_book(solution, 10, "seed")
    puzzles = [puzzle_of(position, solution) for position in book]
    difficulties = [puzzle.difficulty for puzzle in puzzles if puzzle is not None]
    assert len(difficulties) == len(set(book)) == 10
    assert difficulties == sorted(difficulties, reverse=True)
    assert book == hard_book(solution, 10, "seed")


def test_a_book_between_two_players_has_the_most_telling_positions() -> None:
    players = policy_of("level:3", SUM31), policy_of("level:2", SUM31)
    book = between_book(SUM31, players, 10, "seed")
    every = chances_everywhere(SUM31, *players)
    assert len(every) == solution_of(SUM31).count
    told = sorted((chance.information for _, chance in every), reverse=True)
    assert [one.information for one in pair_chances(book, *players)] == pytest.approx(told[:10])
    # Five pairs from such a position say as much as about forty from the start.
    assert pairs_needed(*question(pair_chances(start_book(solution_of(SUM31)), *players))) == 42
    assert pairs_needed(*question(pair_chances(book[:1], *players))) == 5


@pytest.mark.parametrize("name", ["swap", "ban", "sides, own"])
def test_chances_from_everywhere_are_those_from_each_position(name: str) -> None:
    rules = VARIANTS[name]
    six, card = policy_of("level:6", rules), policy_of("random" if rules.swap else "card", rules)
    every = chances_everywhere(rules, six, card)[::7]
    several = pair_chances([position for position, _ in every], six, card)
    for (position, chance), same in zip(every, several, strict=True):
        (score,) = scores_of(six, position, [card]).against
        assert (chance.as_first, chance.as_second) == pytest.approx((score.as_first, score.as_second), abs=1e-12)
        assert (same.as_first, same.as_second) == pytest.approx((score.as_first, score.as_second), abs=1e-12)


def test_sudden_death_has_pairs_but_no_list_of_everywhere() -> None:
    five, two = policy_of("level:5", TINY), policy_of("random", TINY)
    (chance,) = pair_chances(start_book(solution_of(TINY)), five, two)
    (score,) = scores_of(five, solution_of(TINY).start, ["random"]).against
    assert (chance.as_first, chance.as_second) == (score.as_first, score.as_second)
    with pytest.raises(SolverError, match="no end of positions"):
        between_book(TINY, (five, two), 3, "seed")


def test_the_chances_of_a_pair() -> None:
    chance = PairChance(0.9, 0.4)
    scores = [(a + b) / 2 for a in (0, 1) for b in (0, 1)]
    weights = [(0.9 if a else 0.1) * (0.4 if b else 0.6) for a in (0, 1) for b in (0, 1)]
    mean = sum(w * s for w, s in zip(weights, scores, strict=True))
    assert chance.mean == pytest.approx(mean)
    variance = sum(w * (s - mean) ** 2 for w, s in zip(weights, scores, strict=True))
    assert chance.variance == pytest.approx(variance)
    assert chance.information == pytest.approx((mean - 0.5) ** 2 / variance)
    other = PairChance(0.5, 0.5)
    both_mean, both_variance = question([chance, other])
    assert both_mean == pytest.approx((mean + 0.5) / 2)
    square = (variance + mean**2 + other.variance + 0.25) / 2
    assert both_variance == pytest.approx(square - both_mean**2)


def test_how_many_pairs_a_question_needs() -> None:
    assert pairs_needed(0.5, 0.1) is None
    assert pairs_needed(1.0, 0.0) == 1
    assert pairs_needed(0.6, 0.125) == ceil((1.6448536269514722 + 0.8416212335729143) ** 2 * 0.125 / 0.01)


def test_a_pair_has_two_players() -> None:
    five = policy_of("level:5", SUM31)
    with pytest.raises(BadValueError, match="two different players"):
        pair_chances([solution_of(SUM31).start], five, five)
