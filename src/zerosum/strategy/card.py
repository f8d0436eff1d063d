"""A strategy card: an ordered list of rules, as data, the moves that survive them, and the rules in a few words."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from zerosum.base.errors import ZerosumError
from zerosum.players.levels import Score
from zerosum.rules.game_files import GAMES_FOLDER, is_built_in
from zerosum.rules.model import Reaching, Rules, Seat
from zerosum.rules.moves import ADD_ONLY, Move
from zerosum.rules.position import Position
from zerosum.strategy.lookahead import Sight, moves_of
from zerosum.strategy.vocabulary import VOCABULARY, RuleWord

_RULE: Final = re.compile(r"([a-z]+(?:-[a-z]+)*)(?::(-?[0-9]{1,7}))?(?:@([0-9]{1,3}))?")


class CardError(ZerosumError):
    """A card that cannot be read, or a game for which none can be made."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A word of the vocabulary, its argument, and the count of numbers left from which on down it applies.

    Text writes them as `open:1` and `squeeze-in-two@5`.
    """

    name: str
    argument: int | None = None
    most_left: int | None = None

    def __post_init__(self) -> None:
        """Refuse words that do not exist, and arguments that are missing or too many."""
        if self.name not in VOCABULARY:
            raise CardError(f"There is no rule '{self.name}'; there are {', '.join(VOCABULARY)}.")
        if bool(self.word.names) is not (self.argument is not None):
            raise CardError(f"The rule '{self.name}' takes {f'a {self.word.names}' if self.word.names else 'nothing'}.")
        if self.word.names == "divisor" and not self.argument:
            raise CardError("Nothing is a multiple of 0.")

    @classmethod
    def read(cls, text: str) -> Rule:
        """Return the rule that `text` writes.

        >>> Rule.read("squeeze-in-two@5")
        Rule(name='squeeze-in-two', argument=None, most_left=5)
        """
        found = _RULE.fullmatch(text)
        if found is None:
            raise CardError(f"'{text}' is not a rule such as open:1 or squeeze-in-two@5.")
        name, argument, most_left = found.groups()
        return cls(name, None if argument is None else int(argument), None if most_left is None else int(most_left))

    def __str__(self) -> str:
        argument = "" if self.argument is None else f":{self.argument}"
        return f"{self.name}{argument}{'' if self.most_left is None else f'@{self.most_left}'}"

    @property
    def word(self) -> RuleWord:
        """The word of the vocabulary."""
        return VOCABULARY[self.name]

    @property
    def cost(self) -> int:
        """How many steps in the head it takes."""
        return self.word.cost

    def words(self, rules: Rules) -> str:
        """Return the rule as a sentence."""
        sentence = self.word.words(rules, self.argument or 0)
        if self.most_left is None:
            return sentence
        return f"With {self.most_left} numbers left or fewer, {sentence[0].lower()}{sentence[1:]}"

    def keep(self, sight: Sight, position: Position, moves: Moves) -> Moves:
        """Return, of the moves still in, those of the highest rank."""
        if len(moves) <= 1 or (self.most_left is not None and len(position.pool) > self.most_left):
            return moves
        rank, argument = self.word.rank, self.argument or 0
        ranks = [rank(sight, position, move, after, argument) for move, after in moves]
        best = max(ranks)
        return [one for one, its in zip(moves, ranks, strict=True) if its == best]


Moves = Sequence[tuple[Move, Position]]
"""Moves, each with the position it leads to."""


@dataclass(frozen=True, slots=True)
class Card:
    """Rules in order; each keeps, of the moves still in, those that fit it, if any do.

    What is left may be played freely. An exception is a position, as text, with the move to make there.
    """

    seat: Seat | None
    """The seat that is to win with it; None if it is for either."""
    rules: tuple[Rule, ...]
    exceptions: tuple[tuple[str, str], ...] = ()
    for_other: int | None = None
    """How many of the rules serve the other seat; None: all of them."""

    @property
    def cost(self) -> int:
        """How many steps in the head all rules take."""
        return sum(rule.cost for rule in self.rules) + 2 * len(self.exceptions)

    def mirrors(self, rules: Rules) -> bool:
        """Whether positions that are mirrors of each other are played alike, in a game.

        If numbers can be added and subtracted, a mirror turns totals alone; otherwise it turns numbers too.
        """
        turns_numbers = rules.operations == ADD_ONLY
        return not self.exceptions and not any(
            rule.word.names == "total" or (rule.word.names == "number" and turns_numbers) for rule in self.rules
        )

    def rules_for(self, seat: Seat) -> tuple[Rule, ...]:
        """Return the rules that a seat goes by."""
        return self.rules if self.for_other is None or seat is self.seat else self.rules[: self.for_other]

    def prefix(self, count: int) -> Card:
        """Return the card of the first rules alone, for either seat and without exceptions."""
        return Card(None, self.rules[:count])


def survivors(card: Card, position: Position, sight: Sight) -> tuple[Move, ...]:
    """Return the moves that a card leaves in an unfinished position."""
    for text, move in card.exceptions:
        if text == str(position):
            return tuple(one for one in position.legal_moves() if position.text_of(one) == move)
    moves: Moves = moves_of(position)
    for rule in card.rules_for(position.seat):
        moves = rule.keep(sight, position, moves)
    return tuple(move for move, _ in moves)


_SHORT: Final = {
    "make": "make {target}",
    "guard": "stay safe",
    "hold": "keep a safe answer",
    "squeeze": "squeeze",
    "shut": "shut the door",
    "squeeze-in-two": "squeeze in two",
    "shut-in-two": "shut the door in two",
    "fewest": "leave the fewest safe replies",
    "threat": "threaten",
    "quiet-threat": "make a quiet threat",
    "furthest-threat": "make the furthest threat",
    "in-reach": "stay in reach",
    "out-of-reach": "stay out of reach",
    "further": "be the further from {target}",
    "toward": "go toward {target}",
    "nearest": "stay nearest {target}",
    "away": "go furthest from {target}",
    "largest": "take the largest",
    "smallest": "take the smallest",
    "open": "open with {n}",
    "take": "take {n}",
    "leave": "leave {n}",
    "multiple": "leave a multiple of {n} to go",
    "pairs": "leave pairs that make {n}",
    "even-left": "leave an even sum",
}


def safe_words(text: str) -> str:
    """Return what *safe* means if the words of some rules use it without saying so; otherwise nothing."""
    for noun, making in (("number", "taking it"), ("move", "it")):
        if f"safe {noun}" in text:
            return f"A {noun} is safe if {making} neither loses at once nor lets the other win at once."
    return ""


def short(rule: Rule, rules: Rules) -> str:
    """Return a rule in a few words, without a full stop."""
    if rule.name == "make" and rules.reaching is not Reaching.WINS:
        return "win at once"
    late = "" if rule.most_left is None else f" once {rule.most_left} are left"
    return _SHORT[rule.name].format(target=rules.target, n=rule.argument) + late


# The cards that come with the games: a file holds the card, and the figures that take long to compute

CARDS_FOLDER: Final = os.path.join(GAMES_FOLDER, "cards")


@dataclass(frozen=True, slots=True)
class Kept:
    """Of all real choices, positions whose moves differ in verdict, those in which every survivor keeps the best."""

    good: int
    choices: int

    @property
    def share(self) -> float:
        """The share that is kept; 1 if there is no real choice at all."""
        return self.good / self.choices if self.choices else 1.0


@dataclass(frozen=True, slots=True)
class BundledCard:
    """A card that comes with a game, and its figures."""

    card: Card
    kept: Kept
    against: tuple[Score, ...]
    needed: tuple[str, ...]
    """The rules without which it is not proved; the others speed a win up, or keep more choices off its path."""


def bundled_card(rules: Rules) -> BundledCard | None:
    """Return the card that comes with a game; None for a game without one and for a variant, even of the same id."""
    return _read(rules.id) if is_built_in(rules) else None


@cache
def _read(game: str) -> BundledCard | None:
    path = os.path.join(CARDS_FOLDER, f"{game}.toml")
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return from_table(tomllib.load(file))


def from_table(table: dict[str, Any]) -> BundledCard:
    """Return the card that the table of a file holds."""
    try:
        card = Card(
            Seat(table["seat"]),
            tuple(map(Rule.read, table["rules"])),
            tuple((one["position"], one["move"]) for one in table.get("exceptions", ())),
            table.get("for-other"),
        )
        good, choices = table["figures"]["kept"]
        scores = tuple(Score(who, *both) for who, both in table["figures"]["against"].items())
        needed = tuple(table["figures"]["needed"])
    except (KeyError, TypeError, ValueError) as error:
        raise CardError(f"Not a card: {error}.") from None
    return BundledCard(card, Kept(good, choices), scores, needed)
