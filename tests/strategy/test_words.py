"""Cards are proved as worded: a reader who goes by the printed sentences alone plays the same moves, and wins.

The reader allows every move that no sentence excludes. Each planted fault of the words is one that it finds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from random import Random

import pytest

from tests.full import part
from tests.solver.random_tables import table
from tests.strategy.word_reader import WordReader
from zerosum.lab.perfect_play import simple_strategy
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules, Seat, Tie, rules_from_dict
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError, solve
from zerosum.strategy.card import Card, Rule, bundled_card, survivors
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_search import SearchLimit, search
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.vocabulary import VOCABULARY, RuleWord

QUICK = SearchLimit(seconds=None, tries=60, positions=1_000)
SMALL = 3_000


def every_rule(rules: Rules, dice: Random) -> Iterator[Rule]:
    """Yield each word of the vocabulary, with an argument that means something in a game."""
    for name, word in VOCABULARY.items():
        arguments = {"": None, "divisor": dice.randint(2, 5), "total": dice.choice((0, 3, rules.target))}
        number = dice.choice(rules.pool) if name != "pairs" else rules.pool[0] + rules.pool[-1]
        yield Rule(name, arguments.get(word.names, number), dice.choice((None, None, 3)))


def variants(dice: Random, *, most: int = 6) -> Iterator[Rules]:
    while True:
        rules = rules_from_dict(table(dice, most=most, sudden_death=dice.random() < 0.15) | {"swap": False})
        yield rules


def positions(rules: Rules, dice: Random) -> Iterator[Position]:
    """Yield the positions of a match of random moves."""
    position = start_position(rules)
    for _ in range(len(rules.pool) + 2):
        if position.outcome is not None:
            return
        yield position
        position = position.play(dice.choice(position.legal_moves()))


def read_wrong(count: int, seed: int = 5) -> Counter[str]:
    """Return how often a word was read otherwise than it was meant, in so many random variants."""
    dice, wrong = Random(seed), Counter[str]()
    for _, rules in zip(range(count), variants(dice), strict=False):
        sight = Sight(rules)
        rows = [(rule, WordReader([rule.words(rules)], start_position(rules))) for rule in every_rule(rules, dice)]
        for position in positions(rules, dice):
            for rule, reader in rows:
                meant = survivors(Card(None, (rule,)), position, sight)
                wrong[rule.name] += set(meant) != set(reader.left(position))
    return +wrong


def test_every_word_means_what_it_says() -> None:
    assert read_wrong(part(40, 600)) == Counter()


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_cards_of_the_games_win_by_their_words_alone(game: str) -> None:
    rules = built_in(game)
    found = bundled_card(rules)
    assert found is not None
    assert found.card.seat is not None
    reader = WordReader([rule.words(rules) for rule in found.card.rules], start_position(rules))
    assert next(reader.losing(found.card.seat, dict(found.card.exceptions)), None) is None


def searched(count: int, seed: int) -> Iterator[tuple[Rules, Card]]:
    """Yield cards that a search found for random variants, each proved for its seat."""
    dice = Random(seed)
    for rules in variants(dice, most=7):
        if rules.tie is Tie.SUDDEN_DEATH or len(rules.pool) < 3:
            continue
        try:
            solution = solve(rules)
        except SolverError:
            continue
        sight = Sight(rules)
        card = search(solution, sight, QUICK)
        if card.seat is not None and prove(card, rules, sight).proved:
            yield rules, card
            count -= 1
            if not count:
                return


def lost_by_words(count: int, seed: int = 8) -> list[tuple[Rules, list[str], str]]:
    """Return the proved cards of so many variants that lose if their words are followed."""
    found = []
    for rules, card in searched(count, seed):
        words = [rule.words(rules) for rule in card.rules]
        reader = WordReader(words, start_position(rules))
        lost = next(reader.losing(Seat(card.seat or 1), dict(card.exceptions)), None)
        if lost is not None:
            found.append((rules, words, str(lost)))
    return found


def test_the_cards_of_variants_win_by_their_words_alone() -> None:
    assert lost_by_words(part(15, 200)) == []


def audited(words: str) -> list[str]:
    """Return the sentences of the strategy that an audit names."""
    said = words.partition(" player: ")[2]
    return [] if said == "any move will do." else re.split(r" ?\d\. (?=[A-Z])", said)[1:]


def test_the_simple_strategies_of_audits_win_by_their_words_alone() -> None:
    dice, count = Random(9), part(12, 200)
    games: Iterator[Rules] = chain(map(built_in, GAME_IDS), variants(dice))
    while count:
        rules = next(games)
        try:
            found = list(simple_strategy(solve(rules)))
        except SolverError:
            continue
        for one in found if rules.tie is not Tie.SUDDEN_DEATH else ():
            winner = Seat.FIRST if "wins for the first player" in one.words else Seat.SECOND
            reader = WordReader(audited(one.words), start_position(rules))
            assert next(reader.losing(winner, {}), None) is None, (rules, one.words)
            count -= 1
            if not count:
                return


def _says(name: str) -> Callable[[RuleWord], RuleWord]:
    """Return the fault that a word has the sentence of another."""
    return lambda word: replace(word, words=VOCABULARY[name].words)


def _text(text: str) -> Callable[[RuleWord], RuleWord]:
    return lambda word: replace(word, words=lambda rules, _: text.format(target=rules.target))


def _next_number(word: RuleWord) -> RuleWord:
    return replace(word, words=lambda rules, n: word.words(rules, n + 1))


def _one_of_a_tie(word: RuleWord) -> RuleWord:
    """Return a word that keeps, of two totals equally near to the target, the smaller one."""

    def rank(sight: Sight, position: Position, move: Move, after: Position, n: int) -> int:
        return 2 * word.rank(sight, position, move, after, n) + (after.total(position.seat) < position.rules.target)

    return replace(word, rank=rank)


FAULTS: dict[str, tuple[str, Callable[[RuleWord], RuleWord]]] = {
    "reaching is dropped": ("make", _text("Make {target} if you can.")),
    "nearest says furthest": ("nearest", _says("away")),
    "furthest says nearest": ("away", _says("nearest")),
    "ties are ignored": ("nearest", _one_of_a_tie),
    "signs are ignored": ("largest", _text("Take the largest number.")),
    "safe means less": ("guard", _says("make")),
    "a safe reply is overlooked": ("squeeze", _says("shut")),
    "the wrong number is named": ("take", _next_number),
    "the wrong total is named": ("leave", _next_number),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_of_the_words_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, plant = FAULTS[fault]
    monkeypatch.setitem(VOCABULARY, name, plant(VOCABULARY[name]))
    assert set(read_wrong(part(40, 80))) == {name}
