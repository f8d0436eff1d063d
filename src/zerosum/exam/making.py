"""How a set of items is drawn. Whoever knows the salt can draw it again; whoever does not cannot foresee it.

Every choice follows from its own seed, HMAC(salt, label). With a secret salt, publish the SHA-256 of the set, then
results, then the salt: everybody can then check that the set was not chosen to suit the results.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Final

from zerosum.exam import limits
from zerosum.exam.items import Item, ItemsError, ItemSet, Options, Source
from zerosum.exam.practical import is_near_enough, practical
from zerosum.exam.skins import draw_dresses
from zerosum.exam.variants import fresh_variant
from zerosum.measure.decisions import DIFFICULTIES, difficulty
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.rules.progress import Progress, silent
from zerosum.solver import Solution, Verdict, solution_of

LOST: Final = "lost"
"""The kind of a position in which every move loses, but some are better against an opponent who errs."""
_ONE_IN: Final = 7
"""One position in so many is lost. It is a prime, so that a game and its variants all get some."""
_TELLING: Final = 0.1
"""What the worst move of a lost position gives away in practice, at least."""
_MATCHES: Final = 200
"""Random matches in which a position of the wanted kind is looked for."""
_POOLS: Final = 2


def make_items(options: Options, salt: str, progress: Progress = silent) -> ItemSet:
    """Draw a set of items; the same options and salt always give the same bytes."""
    _check(options, salt)

    def seed(*label: object) -> str:
        return hmac.new(salt.encode(), "/".join(map(str, label)).encode(), sha256).hexdigest()

    origins: list[Rules] = []
    items: list[Item] = []
    for rules in options.games:
        progress(rules.name)
        needed = -(-options.count // (options.fresh + 1))
        family = [rules]
        for place in range(1, options.fresh + 1):
            label = seed(rules.id, "variant", place)
            family.append(fresh_variant(rules, place, needed, label, [*options.games, *family]))
        origins += family
        items += _items_of(rules.id, family, options, seed)
    return ItemSet(options, tuple(origins), tuple(items))


def _check(options: Options, salt: str) -> None:
    """Raise where options go beyond a limit or contradict themselves."""
    if options.seed is not None and options.seed != salt:
        raise ItemsError("A public seed is the salt itself.")
    if options.total > limits.ITEMS:
        raise ItemsError(f"That would be {options.total:,} items; a set has at most {limits.ITEMS:,}.")
    counts = {
        "games": (len(options.games), 1, limits.GAMES),
        "positions": (options.count, 1, limits.COUNT),
        "fresh variants": (options.fresh, 0, limits.FRESH),
        "reskins": (options.reskin, 0, limits.RESKINS),
    }
    for noun, (count, least, most) in counts.items():
        if not least <= count <= most:
            raise ItemsError(f"A set has from {least} to {most:,} {noun}, not {count:,}.")
    if len({rules.id for rules in options.games}) < len(options.games):
        raise ItemsError("Two of the games have the same id.")


def _items_of(game: str, family: list[Rules], options: Options, seed: Callable[..., str]) -> list[Item]:
    dresses = [draw_dresses(one, options.reskin, seed(game, "skins", place)) for place, one in enumerate(family)]
    drawers = [_Drawer(one) for one in family]
    items = []
    for number in range(options.count):
        place, turn = number % len(family), number // len(family)
        kind = LOST if number % _ONE_IN == _ONE_IN - 1 else [*DIFFICULTIES][turn % len(DIFFICULTIES)]
        moves = drawers[place].draw(kind, seed(game, "item", number), options.count)
        source = Source.FRESH if place else Source.GAME
        items += [Item(game, number + 1, source, family[place], moves, dress) for dress in (None, *dresses[place])]
    return items


class _Drawer:
    """Draws different positions of one game."""

    def __init__(self, rules: Rules) -> None:
        self._solution: Solution = solution_of(rules)
        self._used: set[PositionKey] = set()
        self._kinds: dict[PositionKey, str | None] = {}

    def draw(self, wanted: str, seed: str, count: int) -> tuple[Move, ...]:
        """Return the moves to a position of the wanted kind, or of another where there seems to be none."""
        dice = Random(seed)
        spare: tuple[Move, ...] | None = None
        for _ in range(_MATCHES):
            found = []
            for moves, position in self._match(dice):
                kind = self._kind(position, lost=wanted == LOST)
                if kind == wanted:
                    found.append((moves, position.key))
                elif kind is not None and kind != LOST and spare is None:
                    spare, spared = moves, position.key
            if found:
                moves, key = dice.choice(found)
                self._used.add(key)
                return moves
        if spare is None:
            name = self._solution.rules.name
            raise ItemsError(f"{name} has too few different choices for --count {count}; ask for fewer positions.")
        self._used.add(spared)
        return spare

    def _match(self, dice: Random) -> list[tuple[tuple[Move, ...], Position]]:
        """Return the positions of a random match that are not used yet, with the moves to each."""
        found = []
        moves: tuple[Move, ...] = ()
        position = self._solution.start
        while position.outcome is None and len(moves) < _POOLS * len(position.rules.pool):
            if position.key not in self._used:
                found.append((moves, position))
            move = dice.choice(position.legal_moves())
            moves, position = (*moves, move), position.play_unchecked(move)
        return found

    def _kind(self, position: Position, *, lost: bool) -> str | None:
        """Return a difficulty where there is a real choice, `LOST` where every move loses and some are better."""
        if position.key in self._kinds:
            kind = self._kinds[position.key]
        else:
            verdicts = [option.value.verdict for option in self._solution.options(position)]
            kind = difficulty(verdicts.count(verdicts[0]) / len(verdicts))
            if len(set(verdicts)) == 1:
                kind = LOST if verdicts[0] is Verdict.LOSS else None
            self._kinds[position.key] = kind
        if kind != LOST or not lost:
            return kind if kind != LOST else None
        regrets = (practical(position, move) or 0.0 for move in position.legal_moves())
        return LOST if is_near_enough(position) and max(regrets) >= _TELLING else None
