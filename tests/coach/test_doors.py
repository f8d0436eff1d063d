"""Every sentence that some door prints about moves is read back: hints, what follows them, reviews, cards, audits.

What the coach says while a match is played, and what puzzles say, is read in `test_whole_matches`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest

from tests.coach.cause_pairs import drawn_pairs, plain_of
from tests.coach.cause_reader import CauseReader
from tests.coach.line_reader import Reader
from tests.coach.plain_features import Plain
from tests.coach.positions import VARIANTS
from tests.coach.spoken import exchanged, spoken
from tests.full import part
from tests.strategy.word_reader import WordReader
from zerosum.coach.causes import why as cause
from zerosum.coach.causes import words
from zerosum.coach.exercises import examples_of
from zerosum.coach.hints import and_then
from zerosum.coach.review import review
from zerosum.coach.review_words import lines, why
from zerosum.match.match import Match
from zerosum.match.match_words import name_of
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of
from zerosum.strategy.card import bundled_card
from zerosum.strategy.claims import NONE

pytestmark = pytest.mark.slow

EVERY = [*GAME_IDS, *VARIANTS]
M = r"((?:[+-]-?\d+)|swap)"
NAMES = ("Ann", "Bob")
PLIES = 30


@cache
def solved(game: str) -> Solution:
    return solution_of(built_in(game) if game in GAME_IDS else VARIANTS[game])


def followed(plain: Plain, position: Position, move: Move, reason: str, told: list[list[str]]) -> Iterator[str]:
    """Yield what is false of what follows a reason, by playing it; the last of it says that nothing more follows."""
    at = position.play(move)
    answer = re.match(rf"They answer {M}\.", reason)
    wins = plain.won(position, at) if at.outcome is not None else plain.lost(at)
    loser = "they" if wins else "you"
    at = at if answer is None else at.play(parse_move(answer[1], at.rules.operations))
    for first, *rest in told[:-1]:
        found = re.fullmatch(rf"(?:If {loser} play {M}, (?:they )?play|(?:You|They) play) {M}\.", first)
        if found is None:
            yield first
            return
        at = at if found[1] is None else at.play(parse_move(found[1], at.rules.operations))
        made = parse_move(found[2], at.rules.operations)
        text = " ".join(rest)
        # The reader calls the player who made the move `you`.
        if CauseReader(plain, at, made).false(text if wins else exchanged(text)):
            yield text
        at = at.play(made)
    over = at.outcome is not None
    end = "Then the match is over." if over else f"Whatever {loser} play then ends the match."
    if told[-1] != [end] or not (over or all(at.play(one).outcome for one in at.legal_moves())):
        yield " ".join(told[-1])


@pytest.mark.parametrize("game", EVERY)
def test_what_follows_a_reason_is_true(game: str) -> None:
    solution = solved(game)
    plain = plain_of(solution)
    for position, move in drawn_pairs(solution, part(15, 400), seed=31):
        found = cause(position, move, solution)
        told = list(and_then(position, move, solution))
        if found.verdict is Verdict.DRAW:
            assert told == [["Neither side can force an end, so nothing more can be said."]]
            continue
        wrong = list(followed(plain, position, move, " ".join(words(found)), told))
        assert wrong == [], (str(position), position.text_of(move), words(found), told)


def matches(game: str, count: int) -> Iterator[Match]:
    """Yield matches of two people who play at random, or as well as one can."""
    dice, rules = Random(f"doors of {game}"), solved(game).rules
    for _ in range(count):
        match = Match.begin(Setup(rules=rules, names=NAMES))
        while match.outcome is None and len(match.moves) < PLIES:
            options = solved(game).options(match.position)
            match = match.after((options[0] if dice.random() < 0.5 else dice.choice(options)).move)
        yield match


@pytest.mark.parametrize("game", EVERY)
def test_reasons_and_lines_of_a_review_are_true_with_names(game: str) -> None:
    solution = solved(game)
    plain = plain_of(solution)
    for match in matches(game, part(3, 60)):
        found = review(match, solution)
        for one in found.turning_points:
            names = name_of(match, one.person), name_of(match, one.person.other)
            *reason, better = why(found, one)
            told = spoken(" ".join(reason), *names)
            assert not CauseReader(plain, one.position, one.move).false(told), (str(one.position), reason)
            more = [spoken(text, *names) for text in lines(found, one)]
            assert Reader(one.position, one.move, solution).false(more) == [], (str(one.position), more)
            assert better in more


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_rule_of_a_card_has_an_example_that_is_true(game: str) -> None:
    solution = solved(game)
    plain, known = plain_of(solution), bundled_card(solution.rules)
    assert known is not None
    examples = examples_of(known.card, solution)
    sentences: list[str] = []
    for rule in known.card.rules:
        sentences.append(rule.words(solution.rules))
        one = examples.get(str(rule))
        if one is None:
            # Where nobody can ever win at once, a rule that says to do so has no example.
            reader = WordReader(sentences[-1:], solution.start)
            some = islice((position for position, _ in solution.everything()), 0, None, 7)
            assert all(len(reader.left(position)) == len(position.legal_moves()) for position in some)
            continue
        position = parse_position(one.position, solution.rules)
        moves = [parse_move(text, solution.rules.operations) for text in one.moves]
        assert set(moves) <= set(WordReader(sentences, solution.start).left(position))
        assert set(moves) <= set(plain.keeps(position))
        assert position.seat is known.card.seat
        assert not CauseReader(plain, position, moves[0]).false(one.words)


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_opening_has_a_reason(game: str) -> None:
    solution = solved(game)
    plain = plain_of(solution)
    for move in solution.start.legal_moves():
        found = cause(solution.start, move, solution)
        assert found.name != NONE
        assert not CauseReader(plain, solution.start, move).false(" ".join(words(found)))


NO_REASONS = re.compile(r"recipe|by the card|rule \d|rules? \d", re.IGNORECASE)


@pytest.mark.parametrize("game", GAME_IDS)
def test_no_reason_names_a_rule_of_a_card(game: str) -> None:
    solution = solved(game)
    for position, move in drawn_pairs(solution, part(40, 2_000), seed=32):
        assert not NO_REASONS.search(" ".join(words(cause(position, move, solution))))
