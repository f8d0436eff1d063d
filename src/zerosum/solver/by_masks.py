"""Large pools, a byte a position: for games in which the set of used numbers is all there is to a position.

That is so with a shared total, add only and no ban. A position is then a *mask*, bit i set if number i is used, and
every move leads to a larger mask. A byte holds what the move that led there is worth, its *score*, as `value.py` codes
it, but with 127 for `FAR`. So the best move of a position leads to the largest score.

Positions that have used equally many numbers do not depend on each other; NumPy finds them together. To keep memory in
order, a mask is split: its upper bits choose a *row* and its lower bits a place in it. Rows that use equally many
numbers form a *class*, sorted by the sum of their numbers, so that the rows that a place takes to below, onto and above
the target are slices. The best of the moves that use an upper number is found for many rows at once; then the places
are gone through from the last, each for all these rows.

Not every position can arise: some can only be reached through a match that was over. A pass from the first class on
sets those, and the finished ones, to 0. It is left out if totals only move towards an end that they cannot pass.

Equal numbers have a bit each, and only masks that use the first of them first are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Reaching, Rules, Seat
from zerosum.rules.position import Position, start_position, unchecked
from zerosum.solver.graph_codes import Codes
from zerosum.solver.laws import Fact, Found
from zerosum.solver.value import Value, Verdict

Bytes = NDArray[np.int8]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

OVER: Final = 126
"""The score of a move that wins at once."""
_LEAST: Final = -128
_PLACE_BITS: Final = 8
_ROWS_AT_ONCE: Final = 1 << 13


class _RowClass(NamedTuple):
    """The rows that use equally many of the upper numbers, by their sums, with a score for each place."""

    masks: Ints
    sums: Ints
    scores: Bytes


class MaskValues:
    """The value of every position that can arise."""

    def __init__(self, rules: Rules, progress: Progress = silent) -> None:
        self._rules = rules
        codes = Codes(rules, [start_position(rules)])
        # What a move to below, onto and above the target scores while numbers are left; 0 if play goes on.
        self._ends = [_score_of_end(end) for end in codes.ends[0]]
        last = rules.start[0] + sum(rules.pool)
        self._last = _score_of_end(codes.end_of_pool(last, last, second=True))
        self._low = min(_PLACE_BITS, len(rules.pool) // 2)
        self._places = 1 << self._low
        self._place_sums = _sums(rules.pool[: self._low])
        self._upper = len(rules.pool) - self._low
        self._row = np.zeros(1 << self._upper, np.int64)
        """The place of each row in its class."""
        self._classes = self._lay_out()
        self._find_scores(progress)
        self.count = self._keep_arising(progress)

    def _lay_out(self) -> list[_RowClass]:
        sums = _sums(self._rules.pool[self._low :])
        used = np.bitwise_count(np.arange(len(sums)))
        found = []
        for count in range(self._upper + 1):
            masks = np.flatnonzero(used == count)
            masks = masks[np.argsort(sums[masks], kind="stable")]
            self._row[masks] = np.arange(len(masks))
            found.append(_RowClass(masks, sums[masks], np.empty((len(masks), self._places), np.int8)))
        return found

    def _blocks(self, rows: _RowClass) -> Iterator[slice]:
        return (slice(low, low + _ROWS_AT_ONCE) for low in range(0, len(rows.masks), _ROWS_AT_ONCE))

    def _neighbours(self, masks: Ints, *, used: bool) -> Iterator[Ints]:
        """Yield, one of each row at a time, the rows with one number more; or with one less, for each that is used."""
        bits = 1 << np.arange(self._upper)
        changed = ((masks[:, None] & bits) != 0) == used
        columns = np.nonzero(changed)[1].reshape(len(masks), -1)
        return (self._row[masks ^ bits[column]] for column in columns.T)

    def _over(self, rows: _RowClass, block: slice) -> Iterator[tuple[int, slice, int]]:
        """Yield the rows of a block in which a place is over: the place, the rows, and the score."""
        need = self._rules.target - self._rules.start[0] - self._place_sums
        sums = rows.sums[block]
        low, high = np.searchsorted(sums, need), np.searchsorted(sums, need, side="right")
        for score, begins, ends in zip(
            self._ends, (np.zeros_like(low), low, high), (low, high, np.full_like(low, len(sums))), strict=True
        ):
            if score:
                for place in np.flatnonzero(begins < ends).tolist():
                    yield place, slice(int(begins[place]), int(ends[place])), score

    # From the last class back: scores

    def _find_scores(self, progress: Progress) -> None:
        following = self._classes[-1].scores
        for left, rows in enumerate(reversed(self._classes)):
            progress(f"values, {100 * left // len(self._classes)} %")
            for block in self._blocks(rows):
                rows.scores[block] = self._scores(rows, block, following)
            following = rows.scores

    def _scores(self, rows: _RowClass, block: slice, following: Bytes) -> Bytes:
        masks = rows.masks[block]
        best = np.full((len(masks), self._places), _LEAST, np.int8)
        for after in self._neighbours(masks, used=False):
            np.maximum(best, following[after], out=best)
        over: list[list[tuple[slice, int]]] = [[] for _ in range(self._places)]
        for place, where, score in self._over(rows, block):
            # The start is never over, whatever its total.
            if place or masks[0]:
                over[place].append((where, score))
        by_place = np.ascontiguousarray(best.T)
        for place in range(self._places - 1, -1, -1):
            here = by_place[place]
            for bit in range(self._low):
                if not place >> bit & 1:
                    np.maximum(here, by_place[place | 1 << bit], out=here)
            # The worth of a move that leads here, as `before_move` says.
            np.subtract(np.sign(here), here, out=here)
            for where, score in over[place]:
                here[where] = score
            if masks[0] + 1 == len(self._row) and place + 1 == self._places:
                here[0] = self._last
        return by_place.T

    # From the first class on: what can arise

    def _keep_arising(self, progress: Progress) -> int:
        """Set a 0 wherever play cannot be, and return how many positions are left."""
        count = 0
        before = self._classes[0].scores
        all_arise = self._all_arise()
        for done, rows in enumerate(self._classes):
            progress(f"positions, {100 * done // len(self._classes)} %")
            for block in self._blocks(rows):
                scores = rows.scores[block]
                over = np.abs(scores) == OVER
                if not all_arise:
                    over |= ~self._led_to(rows.masks[block], scores, over, before)
                scores[over] = 0
                count += self._count(rows.masks[block], scores)
            before = rows.scores
        return count

    def _all_arise(self) -> bool:
        """Whether every position that is not over can arise: totals only move towards an end they cannot pass."""
        pool, start, target = self._rules.pool, self._rules.start[0], self._rules.target
        below, _, above = self._ends
        rising = min(pool) > 0 and (start >= target or above != 0)
        return rising or (max(pool) < 0 and (start <= target or below != 0))

    def _led_to(self, masks: Ints, scores: Bytes, over: Flags, before: Bytes) -> Flags:
        led = np.zeros(scores.shape, np.bool_)
        for rows in self._neighbours(masks, used=True):
            led |= before[rows] != 0
        by_place, ended = np.ascontiguousarray(led.T), np.ascontiguousarray(over.T)
        if masks[0] == 0:
            by_place[0, 0] = True
        for place in range(self._places):
            here = by_place[place]
            for bit in range(self._low):
                if place >> bit & 1:
                    here |= by_place[place ^ 1 << bit]
            here &= ~ended[place]
        return by_place.T

    def _count(self, masks: Ints, scores: Bytes) -> int:
        """Return how many positions there are, those that differ only in which copy of a number is used once."""
        if len(set(self._rules.pool)) == len(self._rules.pool):
            return int(np.count_nonzero(scores))
        return int(np.count_nonzero(self._counted(masks, scores)))

    def _counted(self, masks: Ints, scores: Bytes) -> Flags:
        pool = self._rules.pool
        doubles = sum(1 << at for at in range(1, len(pool)) if pool[at] == pool[at - 1])
        every = (masks << self._low)[:, None] | np.arange(self._places)
        counted: Flags = (scores != 0) & (every & doubles & ~(every << 1) == 0)
        return counted

    # What can be asked

    def _score(self, mask: int) -> int:
        row, place = mask >> self._low, mask & self._places - 1
        return int(self._classes[row.bit_count()].scores[self._row[row], place])

    def look_up(self, position: Position) -> Value | None:
        """Return the value of an unfinished position, None if it cannot arise."""
        pool, mask = self._rules.pool, (1 << len(self._rules.pool)) - 1
        for number in set(position.pool):
            copies, left = pool.count(number), position.pool.count(number)
            if left > copies:
                return None
            mask ^= ((1 << left) - 1) << (pool.index(number) + copies - left)
        score = self._score(mask)
        return _value(score) if score else None

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position that can arise, with its value."""
        for rows in self._classes:
            for block in self._blocks(rows):
                masks, scores = rows.masks[block], rows.scores[block]
                for at, place in np.argwhere(self._counted(masks, scores)).tolist():
                    yield self._position(int(masks[at]) << self._low | place), _value(int(scores[at, place]))

    def _position(self, mask: int) -> Position:
        rules = self._rules
        left = tuple(number for at, number in enumerate(rules.pool) if not mask >> at & 1)
        total = rules.start[0] + sum(rules.pool) - sum(left)
        return unchecked(rules, left, (total,), Seat.SECOND if mask.bit_count() % 2 else Seat.FIRST)

    def laws(self) -> Found:
        """Compare every law with the value of every position that can arise."""
        rules = self._rules
        used_in_place = np.bitwise_count(np.arange(self._places))
        last_makes = rules.start[0] + sum(rules.pool) == rules.target
        facts, makes = set(Fact), False
        for used_above, rows in enumerate(self._classes):
            used = used_in_place + used_above
            odd_used = used % 2 == 1
            odd_left = odd_used if len(rules.pool) % 2 == 0 else ~odd_used
            where = {Fact.ODD: odd_left, Fact.EVEN: ~odd_left, Fact.FIRST: ~odd_used, Fact.SECOND: odd_used}
            for block in self._blocks(rows):
                scores = rows.scores[block]
                here, wins = scores != 0, scores < 0
                now = (scores == 1 - OVER) & (rules.reaching is Reaching.WINS)
                if not last_makes:
                    # A law does not count a win by taking the last number.
                    now &= used < len(rules.pool) - 1
                makes = makes or bool((now & here).any())
                facts = {fact for fact in facts if not ((now | where.get(fact, np.False_)) ^ wins)[here].any()}
                if not facts:
                    return frozenset(), makes
        return frozenset(facts), makes


def _sums(numbers: tuple[int, ...]) -> Ints:
    """Return the sums of the numbers by their set."""
    sums = np.zeros(1, np.int64)
    for number in numbers:
        sums = np.concatenate([sums, sums + number])
    return sums


def _score_of_end(end: int) -> int:
    return 0 if end == 0 else OVER if end % 2 else -OVER


def _value(score: int) -> Value:
    """Return the value of a position for the seat to move, given the score of the move that led there."""
    return Value(Verdict.LOSS if score > 0 else Verdict.WIN, OVER - abs(score))
