"""Recipes and cards: rules of the vocabulary that win from a position, whichever surviving moves are made.

A *recipe* is: make the target, guard, and at most two more rules. All recipes are followed at once, one bit each: in a
position those stay that win against every reply, and where it is the winner's turn, by every move that survives them.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from zerosum.coach.looks import KEPT, Looks, Step, looks_of, refills, small
from zerosum.rules.files import GAMES_FOLDER
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, Moves, Rule, survivors
from zerosum.strategy.shelf import shelved
from zerosum.strategy.sight import Sight, moves_of
from zerosum.strategy.vocabulary import VOCABULARY

Recipe = tuple[str, ...]
"""The rules of a recipe after make and guard."""
_MOST_COST: Final = 3
"""Rules that look further ahead than at replies are no part of a recipe: the causes before it look as far."""
PLAIN: Final = ("make", "guard")
WORDS: Final = tuple(
    name for name, word in VOCABULARY.items() if name not in PLAIN and not word.names and word.cost <= _MOST_COST
)
RECIPES: Final[tuple[Recipe, ...]] = (
    (),
    *sorted(((one,) for one in WORDS), key=lambda recipe: VOCABULARY[recipe[0]].cost),
    *sorted(
        ((one, two) for one in WORDS for two in WORDS if one != two),
        key=lambda recipe: sum(VOCABULARY[name].cost for name in recipe),
    ),
)
"""All recipes, the simplest first."""
_STAGES: Final = (
    1,
    (1 << 1 + len(WORDS)) - 1,
    (1 << len(RECIPES)) - 1,
)


class Plans:
    """The recipes and the card of one game, and where they win."""

    def __init__(self, solution: Solution) -> None:
        self.looks: Looks = looks_of(solution)
        self.solution = solution
        self.sight = Sight(solution.rules)
        self.cards = cards_of(solution.rules)
        self._known: dict[PositionKey, tuple[int, int]] = {}
        self._by_card: dict[tuple[PositionKey, int, bool], bool] = {}

    def recipe(self, lost: Position) -> Recipe | None:
        """Return the simplest recipe that wins for the side not to move; None if there is none."""
        if not small(lost):
            return None
        if len(self._known) > KEPT:
            self._known.clear()
            self._by_card.clear()
        for stage in _STAGES:
            won = self._after_replies(lost, stage)
            if won:
                return RECIPES[(won & -won).bit_length() - 1]
        return None

    def _after_replies(self, position: Position, asked: int) -> int:
        """Return which of the recipes asked for win whatever the side to move replies."""
        for step in self.looks.steps(position):
            if step.won is None:
                asked = 0 if refills(position, step) else self._followed(step.after, asked)
            elif step.won:
                return 0
            if not asked:
                return 0
        return asked

    def _followed(self, position: Position, asked: int) -> int:
        """Return which of the recipes asked for win when the side to move goes by them."""
        key = position.key
        seen, won = self._known.get(key, (0, 0))
        new = asked & ~seen
        if new:
            won |= self._find(position, new)
            self._known[key] = seen | new, won
        return asked & won

    def _find(self, position: Position, asked: int) -> int:
        if self.looks.wins(position):
            return asked
        steps = self.looks.safe(position)
        # Words speak of seats, which a swap would change.
        if not steps or position.swap_open or any(refills(position, step) for step in steps):
            return 0
        bad = sum(1 << at for at, step in enumerate(steps) if not self._loses(step.after))
        kept = self._kept(position, steps, asked)
        asked = sum(1 << recipe for recipe, moves in kept.items() if not moves & bad)
        for at, step in enumerate(steps):
            by = asked & sum(1 << recipe for recipe, moves in kept.items() if moves >> at & 1)
            if by:
                asked &= ~by | self._after_replies(step.after, by)
        return asked

    def _loses(self, position: Position) -> bool:
        return self.solution.value(position).verdict is Verdict.LOSS

    def _kept(self, position: Position, steps: Sequence[Step], asked: int) -> dict[int, int]:
        """Return the moves that survive each recipe asked for, as bits."""
        ranks: dict[str, list[int]] = {}
        every = (1 << len(steps)) - 1
        kept = {}
        for at, recipe in enumerate(RECIPES):
            if asked >> at & 1:
                moves = every
                for name in recipe:
                    if moves & moves - 1:
                        if name not in ranks:
                            rank = VOCABULARY[name].rank
                            ranks[name] = [rank(self.sight, position, step.move, step.after, 0) for step in steps]
                        moves = _best(moves, ranks[name])
                kept[at] = moves
        return kept

    def card(self, lost: Position) -> Card | None:
        """Return the first card by which the side not to move wins, whichever surviving moves it makes."""
        if not small(lost):
            return None
        return next((card for at, card in enumerate(self.cards) if self._card_after(lost, at)), None)

    def rule(self, card: Card, position: Position, move: Move) -> int | None:
        """Return the last rule of a card that put a move away and left this one; None if the card leaves another."""
        if card.exceptions:
            return None
        moves: Moves = moves_of(position)
        chose = None
        for at, rule in enumerate(card.rules_for(position.seat)):
            left = rule.keep(self.sight, position, moves)
            chose = at if len(left) < len(moves) else chose
            moves = left
        return chose if any(one == move for one, _ in moves) else None

    def _card_after(self, position: Position, at: int) -> bool:
        key = position.key, at, False
        if key not in self._by_card:
            self._by_card[key] = all(
                step.won is False
                or (step.won is None and not refills(position, step) and self._card_followed(step.after, at))
                for step in self.looks.steps(position)
            )
        return self._by_card[key]

    def _card_followed(self, position: Position, at: int) -> bool:
        key = position.key, at, True
        if key not in self._by_card:
            moves = survivors(self.cards[at], position, self.sight)
            after = [step for step in self.looks.steps(position) if step.move in moves]
            # The solver knows at once where some surviving move gives the win away.
            self._by_card[key] = all(
                step.won or (step.won is None and self._loses(step.after)) for step in after
            ) and all(step.won or (not refills(position, step) and self._card_after(step.after, at)) for step in after)
        return self._by_card[key]


def _best(moves: int, ranks: Sequence[int]) -> int:
    """Return, of some moves, those of the highest rank."""
    best = max(rank for at, rank in enumerate(ranks) if moves >> at & 1)
    return sum(1 << at for at, rank in enumerate(ranks) if moves >> at & 1 and rank == best)


def cards_of(rules: Rules) -> tuple[Card, ...]:
    """Return the card that comes with a game, and after it the longer recipes that do; nothing for a variant."""
    found = shelved(rules)
    if found is None:
        return ()
    path = os.path.join(GAMES_FOLDER, "recipes", f"{rules.id}.toml")
    if not os.path.exists(path):
        return (found.card,)
    with open(path, "rb") as file:
        recipes = tomllib.load(file)["recipes"]
    return found.card, *(Card(None, tuple(map(Rule.read, one))) for one in recipes)


@lru_cache(maxsize=8)
def plans_of(solution: Solution) -> Plans:
    """Return the recipes and the card of a solved game, remembered as long as a few other games are."""
    return Plans(solution)
