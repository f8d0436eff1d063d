"""The vocabulary of rules of thumb: each word is defined twice, and reads as a sentence."""

from __future__ import annotations

import random

import pytest

from tests import naive
from tests.strategy import plain
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.position import start_position
from zerosum.strategy.card import Card, CardError, Rule, survivors
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.vocabulary import VOCABULARY


def test_every_word_is_defined_a_second_time() -> None:
    assert set(plain.WORDS) == set(VOCABULARY)


@pytest.mark.parametrize("game", GAME_IDS)
def test_both_definitions_leave_the_same_moves(game: str) -> None:
    """In positions that matches of random moves come by, near the end more often."""
    rules, dice = built_in(game), random.Random(game)
    sight, table = Sight(rules), plain.Table(naive.GAMES[game], rules.target)
    arguments = {"number": (1, 2, 5), "total": (24, 0, -3), "divisor": (2, 3, 7), "": (None,)}
    for _ in range(6):
        position, state = start_position(rules), table.start
        for _ in range(dice.randint(2, len(rules.pool) - 1)):
            move = dice.choice(table.game.moves(state))
            if position.play(move).outcome is not None:
                break
            position, state = position.play(move), table.game.play(state, move)
        if len(state.pool) > 10:
            continue
        for name, word in VOCABULARY.items():
            for argument in arguments[word.names]:
                rule = Rule(name, argument)
                left = survivors(Card(None, (rule,)), position, sight)
                again = plain.survivors(table, [str(rule)], state)
                assert [position.text_of(move) for move in left] == again, (str(rule), str(position))


def test_a_rule_without_a_fit_keeps_everything() -> None:
    start = start_position(built_in("sum31"))
    assert survivors(Card(None, (Rule("make"),)), start, Sight(start.rules)) == start.legal_moves()


@pytest.mark.parametrize(
    "text", ["", "win", "open", "make:3", "multiple:0", "guard@", "Make", "open:1:2", "open:99999999"]
)
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(CardError):
        Rule.read(text)


@pytest.mark.parametrize("text", ["make", "open:-3", "squeeze-in-two@5", "take:2@4"])
def test_rules_round_trip_through_text(text: str) -> None:
    assert str(Rule.read(text)) == text


@pytest.mark.parametrize("game", GAME_IDS)
def test_words_are_sentences_of_at_most_36_words(game: str) -> None:
    for name, word in VOCABULARY.items():
        sentence = Rule(name, 3 if word.names else None, 5).words(built_in(game))
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 36, sentence
