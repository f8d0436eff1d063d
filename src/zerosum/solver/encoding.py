"""A position as numbers: what an agent observes, and which actions are legal. Every environment has the same.

An action is the index of a move in `rules.moves`. An observation is a row of whole numbers, seen by one seat:

    for each different number of the pool, how many of it are left
    the seat: 1 or 2
    how far the total is from the target (target less total); if totals are own, the agent's, then the opponent's
    with a ban: what the move before added (0 at the start)
    with a swap: 2 before it, 1 if it is a move now, 0 afterwards

So equal observations are equal positions, and nothing is scaled or rounded.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, Final

from zerosum.base.extras import missing

try:
    import numpy as np
    from numpy.typing import NDArray
except ImportError as error:
    raise missing(__name__, error) from error

from zerosum.base import limits
from zerosum.rules.model import Ban, Rules, Seat, Tie, Totals
from zerosum.rules.position import Position, start_position
from zerosum.solver.graph_passes_numpy import Columns

_REMEMBERED: Final = 1 << 14


class Encoding:
    """How positions of one game become arrays. It never changes; `encoding_of` makes it once."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.moves = rules.moves
        self.action_of = {move: action for action, move in enumerate(self.moves)}
        self.numbers = tuple(dict.fromkeys(rules.pool))
        self._own = rules.totals is Totals.OWN
        self._ban = rules.ban is not Ban.NONE
        self._plain = not rules.remembers
        self._of_pool = lru_cache(maxsize=_REMEMBERED)(self._counts_and_mask)

    def __deepcopy__(self, memo: object) -> Encoding:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return encoding_of, (self.rules,)

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return len(self.moves)

    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the least and the greatest that each number of an observation can be."""
        rules = self.rules
        far = most_plies(rules) * max(map(abs, rules.pool))
        ways = [(0, rules.pool.count(number)) for number in self.numbers]
        ways.append((1, 2))
        gaps = [rules.target - start for start in rules.start]
        ways += [(min(gaps) - far, max(gaps) + far)] * len(gaps)
        if self._ban:
            most = max(map(abs, rules.pool))
            ways.append((-most, most))
        if rules.swap:
            ways.append((0, 2))
        low, high = np.array(ways, np.int32).T
        return low.copy(), high.copy()

    def names(self) -> list[str]:
        """Return what each number of an observation is.

        >>> from zerosum.rules.game_files import load_game
        >>> encoding_of(load_game("sum31")).names()[-3:]
        ['9 left', 'seat', 'to go']
        """
        found = [f"{number} left" for number in self.numbers]
        found += ["seat", *(["own to go", "other's to go"] if self._own else ["to go"])]
        return found + ["added before"] * self._ban + ["swap"] * self.rules.swap

    def observe(self, position: Position, seat: Seat) -> NDArray[np.int32]:
        """Return what `seat` sees of a position."""
        counts, _ = self._of_pool(position.pool)
        target, totals = self.rules.target, position.totals
        if not self._own:
            row = (*counts, seat, target - totals[0])
        elif seat == 1:
            row = (*counts, seat, target - totals[0], target - totals[1])
        else:
            row = (*counts, seat, target - totals[1], target - totals[0])
        return np.array(row if self._plain else (*row, *self._memory(position)), np.int32)

    def observe_all(self, columns: Columns) -> NDArray[Any]:
        """Return what the seat to move sees of many positions, as rows of the smallest type that holds them."""
        target = self.rules.target
        rows = [*columns.left.T, columns.seat, target - columns.mine]
        if self._own:
            rows.append(target - columns.other)
        if self._ban:
            rows.append(columns.before)
        if self.rules.swap:
            rows.append(2 - columns.phase.astype(np.int8))
        found = np.empty((len(columns.seat), len(rows)), self._seen)
        for at, row in enumerate(rows):
            found[:, at] = row
        return found

    @cached_property
    def _seen(self) -> type[np.signedinteger[Any]]:
        rules = self.rules
        if rules.tie is Tie.SUDDEN_DEATH:
            return np.int64
        most = sum(map(abs, rules.pool)) + max(abs(rules.target - start) for start in rules.start)
        return next(kind for kind in (np.int8, np.int16, np.int32) if most <= np.iinfo(kind).max)

    def _memory(self, position: Position) -> tuple[int, ...]:
        previous = position.previous
        banned = (previous.amount if previous else 0,) if self._ban else ()
        swap = (2 if previous is None else int(position.swap_open),) if self.rules.swap else ()
        return banned + swap

    def mask(self, position: Position) -> NDArray[np.int8]:
        """Return 1 for each legal action, 0 for the others: of a match that is over, only zeros."""
        if position.outcome is not None:
            return np.zeros(len(self.moves), np.int8)
        if self._plain:
            return self._of_pool(position.pool)[1].copy()
        found = np.zeros(len(self.moves), np.int8)
        found[self.legal(position)] = 1
        return found

    def legal(self, position: Position) -> list[int]:
        """Return the legal actions, ascending."""
        return [self.action_of[move] for move in position.legal_moves()]

    def _counts_and_mask(self, pool: tuple[int, ...]) -> tuple[tuple[int, ...], NDArray[np.int8]]:
        counts = tuple(map(pool.count, self.numbers))
        mask = np.zeros(len(self.moves), np.int8)
        mask[[at for move, at in self.action_of.items() if move.number in pool]] = 1
        return counts, mask


@lru_cache(maxsize=16)
def encoding_of(rules: Rules) -> Encoding:
    """Return how positions of a game become arrays."""
    return Encoding(rules)


def most_plies(rules: Rules) -> int:
    """Return the length of the longest match."""
    return limits.MATCH_PLIES if rules.tie is Tie.SUDDEN_DEATH else len(rules.pool) + rules.swap
