"""Large pools, a byte a position: for games where the set of used numbers is all there is to a position.

That is so with a shared total, add only and no ban. Number the pool's numbers; a position is then a *mask*, bit i
set where number i is used, and every move leads to a larger mask. So one pass from the highest mask down finds each
value from values already there. What is stored for a position is the *score* of the player who moved there:

    126 if that move won, 126 - d if they win d plies later, and the negative of the same where they lose.

The best move of a position is the one that leads to the largest score g, and its own score is -g, one nearer to zero.
No rule is written again: `judge` is asked below, on and above the target, and once for the empty pool.

Not every position can arise: some can only be reached through a match that was over. A pass from the lowest mask up
sets those, and the finished ones, to 0. It is left out where totals only move towards an end they cannot pass.

For verdicts alone one bit per position is enough; 64 positions make a word. The sixteen positions of a quarter of a
word follow from what larger masks say about them by one table lookup, unless one of them is on the target.

Memory is processed in tiles that fit into the L1 cache. Blocks of tiles whose upper bits have equally many ones do not
depend on each other, so threads share them. Equal numbers get a bit each, and only masks that use the first of them
first are counted. Pools that do not fill a tile are padded with numbers that count as used before the start.

Why Numba: with NumPy alone, the verdicts of all positions of 28 numbers took 28 to 43 times as long as 14 copies of
the table (0.9 to 1.4 s; positions with equally many used numbers at once, as nothing else is independent), with
Numba 1.3 to 4 times as long (0.04 to 0.1 s), on two busy cores. Its wheel contains LLVM, so no compiler is needed.
`python -m benchmarks.fast` measures it again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Reaching, Rules, Seat
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position, unchecked
from zerosum.solver.laws import Fact, Found
from zerosum.solver.loops import OVER, TILE, WORD, Bits, Game, fill_quarters, find_values, find_verdicts, keep_arising
from zerosum.solver.value import Value, Verdict


class Masks:
    """The positions of a game as masks."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # Small numbers go into words, so that few words are near the target.
        pool = sorted(rules.pool, key=lambda number: (abs(number), number))
        padding = max(0, WORD + TILE - len(pool))
        self.numbers = [0] * padding + pool
        self.start = (1 << padding) - 1
        self.size = 1 << len(self.numbers)
        self._places = {number: (self.numbers.index(number), pool.count(number)) for number in pool}

    def mask(self, position: Position) -> int | None:
        """Return the mask of a position, None if its pool is not part of the game's."""
        mask = self.size - 1
        for number in set(position.pool):
            place, copies = self._places.get(number, (0, 0))
            left = position.pool.count(number)
            if left > copies:
                return None
            mask ^= ((1 << left) - 1) << (place + copies - left)
        return mask

    def position(self, mask: int) -> Position:
        """Return the unfinished position of a mask."""
        left = tuple(sorted(number for i, number in enumerate(self.numbers) if not mask >> i & 1))
        used = len(self.rules.pool) - len(left)
        total = self.rules.start[0] + sum(self.rules.pool) - sum(left)
        return unchecked(self.rules, left, (total,), Seat.SECOND if used % 2 else Seat.FIRST)

    def game(self) -> Game:
        """Return what the compiled functions need to know."""
        rules, target = self.rules, self.rules.target
        # For the player who moved there; no rule distinguishes totals below the target, nor totals above it.
        ends = [self._end((1,), total) for total in (target - 1, target, target + 1)]
        word = _sums(self.numbers[:WORD])
        sums = sorted(set(word))
        wins, losses = ([0] * (2 * len(sums) + 1) for _ in range(2))
        for place in range(2 * len(sums) + 1):
            for position, total in enumerate(word):
                own = 2 * sums.index(total) + 1
                end = ends[(own > place) - (own < place) + 1]
                wins[place] |= (end > 0) << position
                losses[place] |= (end < 0) << position
        last = self._end((), rules.start[0] + sum(rules.pool))
        doubles = sum(1 << i for i in range(1, len(self.numbers)) if self.numbers[i] == self.numbers[i - 1] != 0)
        rising = min(rules.pool) > 0 and (rules.start[0] >= target or ends[2] != 0)
        falling = max(rules.pool) < 0 and (rules.start[0] <= target or ends[0] != 0)
        return Game(
            numbers=np.array(self.numbers, np.int64),
            need=target - rules.start[0],
            sums=np.array(sums, np.int64),
            wins=np.array(wins, np.uint64),
            losses=np.array(losses, np.uint64),
            tile=np.array(_sums(self.numbers[WORD : WORD + TILE]), np.int64),
            start=self.start,
            last_wins=last > 0,
            last_loses=last < 0,
            doubles=doubles,
            ahead=self.start == 0 and (rising or falling),
        )

    def _end(self, pool: tuple[int, ...], total: int) -> int:
        """Return 1 if a move that leads here wins, -1 if it loses, 0 if play goes on."""
        outcome = judge(self.rules, pool, (total,), Seat.FIRST)
        return 0 if outcome is None else 1 if outcome.winner is Seat.FIRST else -1

    def blocks(self) -> list[tuple[int, int]]:
        """Return the blocks of tiles, first and end: about 64, more where a block would take long."""
        free = len(self.numbers) - WORD - TILE
        tiles = min(max(free - 6, 0), 10)
        return [(block << tiles, (block + 1) << tiles) for block in range(1 << (free - tiles))]


def _sums(numbers: list[int]) -> list[int]:
    """Return the sum of each set of numbers, by its mask."""
    sums = [0]
    for number in numbers:
        sums += [total + number for total in sums]
    return sums


Block = Callable[[int, int], int | None]


def _shared(masks: Masks, step: int, what: Block, progress: Progress) -> int:
    """Call `what` for every block, in threads, from the highest down where `step` is -1; return the sum of its results.

    Blocks with equally many used numbers do not depend on each other.
    """
    blocks = masks.blocks()
    waves: dict[int, list[tuple[int, int]]] = {}
    for at, block in enumerate(blocks):
        waves.setdefault(at.bit_count(), []).append(block)
    done = result = 0
    with ThreadPoolExecutor(min(8, os.cpu_count() or 1)) as threads:
        for used in sorted(waves)[::step]:
            for found in threads.map(lambda block: what(*block), waves[used]):
                result += found or 0
                done += 1
                progress(f"{'values' if step < 0 else 'positions'}, {100 * done // len(blocks)} %")
    return result


def verdict_bits(rules: Rules, progress: Progress = silent) -> Bits:
    """Return verdicts alone: a bit for each mask, set where the player who moved there wins, at once or later."""
    masks = Masks(rules)
    game = masks.game()
    quarters = np.empty(1 << 16, np.uint16)
    fill_quarters(quarters)
    bits = np.zeros(masks.size >> WORD, np.uint64)
    _shared(masks, -1, lambda low, high: find_verdicts(bits, low, high, game, quarters), progress)
    return bits


class Values:
    """The value of every position that can arise."""

    def __init__(self, rules: Rules, progress: Progress = silent) -> None:
        self.masks = Masks(rules)
        game = self.masks.game()
        scores = self.scores = np.empty(self.masks.size, np.int8)
        _shared(self.masks, -1, lambda low, high: find_values(scores, low, high, game), progress)
        self.count = _shared(self.masks, 1, lambda low, high: keep_arising(scores, low, high, game), progress)
        self._doubles = game.doubles

    def look_up(self, position: Position) -> Value | None:
        """Return the value of an unfinished position, None if it cannot arise."""
        mask = self.masks.mask(position)
        score = 0 if mask is None else int(self.scores[mask])
        return _value(score) if score else None

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position that can arise, with its value."""
        part = 1 << (WORD + TILE)
        for low in range(0, self.masks.size, part):
            for at in np.flatnonzero(self.scores[low : low + part]):
                mask = low + int(at)
                if not mask & self._doubles & ~(mask << 1):
                    yield self.masks.position(mask), _value(int(self.scores[mask]))

    def laws(self) -> Found:
        """Compare every law with the value of every position that can arise."""
        rules, size = self.masks.rules, self.masks.size
        part = 1 << (WORD + TILE)
        odd_used = np.bitwise_count(np.arange(part, dtype=np.uint64)) % 2 == 1
        odd = len(rules.pool) % 2 == 1
        # Padding counts as used, and the seats alternate.
        padding = self.masks.start.bit_count() % 2
        one_left = {size - 1 - (1 << place) for place in range(len(self.masks.numbers))}
        last_makes = rules.start[0] + sum(rules.pool) == rules.target
        facts, makes = set(Fact), False
        for low in range(0, size, part):
            scores = self.scores[low : low + part]
            here = scores != 0
            now = scores == 1 - OVER
            if rules.reaching is not Reaching.WINS:
                now[:] = False
            elif not last_makes:
                now[[mask - low for mask in one_left if low <= mask < low + part]] = False
            makes = makes or bool((now & here).any())
            used_odd = odd_used ^ bool((low.bit_count() + padding) % 2)
            left_odd = ~used_odd if odd else used_odd
            where = {Fact.ODD: left_odd, Fact.EVEN: ~left_odd, Fact.FIRST: ~used_odd, Fact.SECOND: used_odd}
            wins = scores < 0
            facts = {fact for fact in facts if not ((now | where.get(fact, np.False_)) ^ wins)[here].any()}
            if not facts:
                break
        return frozenset(facts), makes


def _value(score: int) -> Value:
    """Return what the score of the player who moved there says of the seat to move."""
    return Value(Verdict.LOSS if score > 0 else Verdict.WIN, OVER - abs(score))
