"""Recipes and cards: rules of the vocabulary that win from a position, whichever surviving moves are made.

A *recipe* is: make the target, guard, and at most two more rules. All recipes are followed at once, one bit each: in a
position those stay that win against every reply, and where it is the winner's turn, by every move that survives them.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Final

from zerosum.coach.features import KEPT, Features, MoveResult, features_of, refills, small
from zerosum.rules.game_files import GAMES_FOLDER
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, Moves, Rule, survivors
from zerosum.strategy.card_files import bundled_card
from zerosum.strategy.lookahead import Sight, moves_of
from zerosum.strategy.vocabulary import VOCABULARY

Recipe = tuple[str, ...]
"""The rules of a recipe after make and guard."""
_MOST_COST: Final = 3
"""Rules that look further ahead than at replies are no part of a recipe: the causes before it look as far."""
PLAIN: Final = ("make", "guard")
WORDS: Final = tuple(
    name for name, word in VOCABULARY.items() if name not in PLAIN and not word.names and word.cost <= _MOST_COST
)
_PAIRS: Final = tuple((one, two) for one in WORDS for two in WORDS if one != two)
RECIPES: Final[tuple[Recipe, ...]] = ((), *((one,) for one in WORDS), *_PAIRS)
"""All recipes, by their first rule."""
_STAGES: Final = (1, (1 << 1 + len(WORDS)) - 1, (1 << len(RECIPES)) - 1)
_SECOND: Final = {
    one: [(at, recipe[1]) for at, recipe in enumerate(RECIPES) if len(recipe) > 1 and recipe[0] == one] for one in WORDS
}
_BLOCKS: Final = {one: sum(1 << at for at, _ in seconds) for one, seconds in _SECOND.items()}


def _simplest(won: int) -> Recipe:
    """Return, of recipes given as bits, the one that takes the fewest steps in the head."""
    recipes = (recipe for at, recipe in enumerate(RECIPES) if won >> at & 1)
    return min(recipes, key=lambda recipe: sum(VOCABULARY[name].cost for name in recipe))


class Plans:
    """The recipes and the card of one game, and where they win."""

    def __init__(self, solution: Solution) -> None:
        self.looks: Features = features_of(solution)
        self.solution = solution
        self.sight: Sight = self.looks.sight
        found = bundled_card(solution.rules)
        self._card = found.card if found else None
        self._longer = _longer(self.sight) if found else {}
        # Mirrors are played alike by all that is asked here: what names a total or turned numbers is no part of it.
        alike = self._card is None or self._card.mirrors(solution.rules)
        self._key: Callable[[Position], Hashable] = self.sight.key if alike else lambda position: position.key
        self._known: dict[Hashable, tuple[int, int]] = {}
        self._by_card: dict[tuple[Hashable, Card], bool] = {}

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
                return _simplest(won)
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
        key = self._key(position)
        seen, won = self._known.get(key, (0, 0))
        new = asked & ~seen
        if new:
            won |= self._find(position, new)
            self._known[key] = seen | new, won
        return asked & won

    def _find(self, position: Position, asked: int) -> int:
        if self.sight.wins(position):
            return asked
        steps = self.looks.safe(position)
        # Words speak of seats, which a swap would change.
        if not steps or position.swap_open or any(refills(position, step) for step in steps):
            return 0
        bad = sum([1 << at for at, step in enumerate(steps) if not self._loses(step.after)])
        kept = self._kept(position, steps, asked, bad)
        asked = sum([1 << recipe for recipe in kept])
        for at, step in enumerate(steps):
            by = asked & sum([1 << recipe for recipe, moves in kept.items() if moves >> at & 1])
            if by:
                asked &= ~by | self._after_replies(step.after, by)
        return asked

    def _loses(self, position: Position) -> bool:
        return self.solution.value(position).verdict is Verdict.LOSS

    def _kept(self, position: Position, steps: Sequence[MoveResult], asked: int, bad: int) -> dict[int, int]:
        """Return the moves that survive each recipe asked for, as bits; not of recipes that let a bad move survive."""
        every = (1 << len(steps)) - 1
        if every == bad:
            return {}
        ranks: dict[str, list[int]] = {}

        def keep(moves: int, name: str) -> int:
            if not moves & moves - 1:
                return moves
            if name not in ranks:
                rank = VOCABULARY[name].rank
                ranks[name] = [rank(self.sight, position, step.move, step.after, 0) for step in steps]
            return _best(moves, ranks[name])

        kept = {0: every} if asked & 1 else {}
        for at, name in enumerate(WORDS, 1):
            pairs = asked & _BLOCKS[name]
            if not pairs and not asked >> at & 1:
                continue
            first = keep(every, name)
            kept[at] = first
            if pairs and first & ~bad:
                # A rule only removes moves: if none that is left is good, no second rule helps.
                kept |= {n: keep(first, second) for n, second in _SECOND[name] if pairs >> n & 1}
        return {recipe: moves for recipe, moves in kept.items() if not moves & bad and asked >> recipe & 1}

    def card(self, lost: Position) -> Card | None:
        """Return the card, or the longer recipe, by which the side not to move wins with any surviving moves.

        A card is for one seat, and is asked for that seat alone.
        """
        if self._card is None or not small(lost):
            return None
        own = self._card if self._card.seat is lost.seat.other else None
        cards = (own, self._longer.get(self.sight.key(lost)))
        return next((card for card in cards if card is not None and self._card_after(lost, card)), None)

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

    def _card_after(self, position: Position, card: Card) -> bool:
        return all(
            step.won is False
            or (step.won is None and not refills(position, step) and self._card_followed(step.after, card))
            for step in self.looks.steps(position)
        )

    def _card_followed(self, position: Position, card: Card) -> bool:
        key = self._key(position), card
        if key not in self._by_card:
            steps = self.looks.steps(position)
            moves = survivors(card, position, self.sight, [(step.move, step.after) for step in steps])
            after = [step for step in steps if step.move in moves]
            # The solver knows at once if some surviving move gives the win away.
            self._by_card[key] = all(
                step.won or (step.won is None and self._loses(step.after)) for step in after
            ) and all(
                step.won or (not refills(position, step) and self._card_after(step.after, card)) for step in after
            )
        return self._by_card[key]


def _best(moves: int, ranks: Sequence[int]) -> int:
    """Return, of some moves, those of the highest rank."""
    best = max(rank for at, rank in enumerate(ranks) if moves >> at & 1)
    return sum(1 << at for at, rank in enumerate(ranks) if moves >> at & 1 and rank == best)


def _longer(sight: Sight) -> dict[Hashable, Card]:
    """Return the longer recipes that come with a game, each by the position that it is for."""
    path = os.path.join(GAMES_FOLDER, "recipes", f"{sight.rules.id}.toml")
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as file:
        found = tomllib.load(file)["recipes"]
    return {
        sight.key(parse_position(one["position"], sight.rules)): Card(None, tuple(map(Rule.read, one["rules"])))
        for one in found
    }


@lru_cache(maxsize=8)
def plans_of(solution: Solution) -> Plans:
    """Return the recipes and the card of a solved game, remembered as long as a few other games are."""
    return Plans(solution)
