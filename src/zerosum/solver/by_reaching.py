"""Only the positions that play can reach, one by one: for games that cut most play short, and for large numbers.

Sum31 on 1..64 has 2^64 sets of used numbers, of which play reaches 2,035. They are found layer by layer, one layer for
each count of used numbers, and valued from the last layer back: the pool is never refilled, so every move leads to
the next layer.

A position is one integer, its *key*. The low bits are the used copies of the pool's numbers, of equal numbers the first
copies first; the digits above them are its totals and, where a ban remembers it, the amount of the move before. So a
move adds a constant, as on a board, but only what play reaches takes memory.

While numbers are left, a move ends the match or not by where it takes the mover's total: below, onto or above the
target. `judge` is asked once for each of the three. Moves are sorted by amount, so each of the three is a slice of
them, and where a slice ends the match, it is enough to know whether any of its numbers is left.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Ban, Reaching, Rules, Seat, Totals
from zerosum.rules.moves import Move
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position, unchecked
from zerosum.solver.laws import Fact, Found, can_make, true_facts
from zerosum.solver.value import Value, Verdict

_WON: Final = 1 << 20
"""The score of a player who has won; a win in n plies scores n less, and a loss in n plies the negative of that win."""
_NO_MOVE: Final = -2 * _WON
_NOT_EMPTY: Final = (1,)  # `judge` only asks whether the pool is empty.


class TooManyError(Exception):
    """Play reaches more than the limit."""


class Limit(NamedTuple):
    """How much may be looked at before `TooManyError`."""

    positions: int
    moves: int


class Node:
    """A position. Its score is at first that of its best move that ends the match, and once solved, its own."""

    __slots__ = ("after", "before", "score", "totals")

    def __init__(self, totals: tuple[int, ...], before: int) -> None:
        self.totals = totals
        self.before = before
        """The amount of the move before where a ban remembers it, 0 elsewhere and at the start."""
        self.score = _NO_MOVE
        self.after: Sequence[Node] = ()


class Step(NamedTuple):
    """A move that uses one copy of a number; legal where of `copies` only `first` is used."""

    amount: int
    copies: int
    """The copy, and the one that must be used before it."""
    first: int
    """The one that must be used before it, if any."""
    change: int
    """What the move adds to a key."""


class Mover(NamedTuple):
    """What playing for one seat needs."""

    seat: Seat
    at: int
    """Which total is the seat's."""
    steps: list[Step]
    ends: list[int | None]
    """The scores of moves to below, onto and above the target; None where play goes on."""


class Reached:
    """Every position that play can reach; with their values once `solve` was called."""

    def __init__(self, rules: Rules, limit: Limit, progress: Progress = silent) -> None:
        self._rules = rules
        self._bans = rules.ban is Ban.MIRROR
        self._width = 2 * sum(map(abs, rules.pool)) + 1
        self._used = (1 << len(rules.pool)) - 1
        self._movers = [self._mover(seat) for seat in Seat]
        self._amounts = [step.amount for step in self._movers[0].steps]
        self._moves_left = limit.moves
        self.count = 0
        self._layers = [{self._key(0, rules.start, 0): Node(rules.start, 0)}]
        self._find(limit, progress)

    def _mover(self, seat: Seat) -> Mover:
        rules, target = self._rules, self._rules.target
        at = seat - 1 if rules.totals is Totals.OWN else 0
        digit = self._width**at + (self._width ** len(rules.start) if self._bans else 0)
        steps = []
        for place, number in enumerate(rules.pool):
            copy = 1 << place
            first = copy >> 1 if place and rules.pool[place - 1] == number else 0
            for operation in rules.operations:
                amount = Move(number, operation).amount
                steps.append(Step(amount, copy | first, first, copy + (amount * digit << len(rules.pool))))
        ends = [self._end(_NOT_EMPTY, (total,) * len(rules.start), seat) for total in (target - 1, target, target + 1)]
        return Mover(seat, at, sorted(steps), ends)

    def _end(self, pool: tuple[int, ...], totals: tuple[int, ...], mover: Seat) -> int | None:
        """Return the score of a move that leads here, None if play goes on."""
        outcome = judge(self._rules, pool, totals, mover)
        return None if outcome is None else _WON if outcome.winner is mover else -_WON

    def _key(self, used: int, totals: tuple[int, ...], before: int) -> int:
        digits = before
        for total in reversed(totals):
            digits = digits * self._width + total
        return used + (digits << len(self._rules.pool))

    # Finding positions

    def _find(self, limit: Limit, progress: Progress) -> None:
        while self._layers[-1]:
            self.count += len(self._layers[-1])
            progress(f"{self.count} positions")
            mover = self._movers[(len(self._layers) - 1) % 2]
            if len(self._layers) == len(self._rules.pool):
                self._play_last(mover)
                break
            self._layers.append(self._next_layer(mover, limit.positions - self.count))

    def _next_layer(self, mover: Mover, most: int) -> dict[int, Node]:
        """Return the positions that the moves of the last layer lead to."""
        layer: dict[int, Node] = {}
        going = self._going_allowed if self._bans else self._going
        remembered = self._width ** len(self._rules.start) << len(self._rules.pool)
        for key, node in self._layers[-1].items():
            steps = going(node, key & self._used, mover)
            self._moves_left -= len(steps) + 1
            if not steps:
                continue
            base = key - node.before * remembered
            node.after = after = []
            for amount, change in steps:
                there = base + change
                found = layer.get(there)
                if found is None:
                    found = layer[there] = Node(_moved(node, mover, amount), amount if self._bans else 0)
                after.append(found)
            if len(layer) > most or self._moves_left < 0:
                raise TooManyError
        return layer

    def _going(self, node: Node, used: int, mover: Mover) -> list[tuple[int, int]]:
        """Return amount and change of the moves after which play goes on, and score the others."""
        amounts, need = self._amounts, self._rules.target - node.totals[mover.at]
        low = bisect_left(amounts, need)
        high = bisect_right(amounts, need, low)
        going: list[tuple[int, int]] = []
        below, on, above = mover.ends
        for end, begin, stop in ((below, 0, low), (on, low, high), (above, high, len(amounts))):
            if end is None:
                for amount, copies, first, change in mover.steps[begin:stop]:
                    if used & copies == first:
                        going.append((amount, change))
            # Nothing is worse than to lose at once, so that matters only where play cannot go on.
            elif end > node.score and not (going and end < 0) and _any_left(used, mover.steps[begin:stop]):
                node.score = end
        return going

    def _going_allowed(self, node: Node, used: int, mover: Mover) -> list[tuple[int, int]]:
        """Return the same where a move may be banned."""
        need = self._rules.target - node.totals[mover.at]
        going = []
        for step in _allowed(node, used, mover):
            end = mover.ends[(step.amount > need) - (step.amount < need) + 1]
            if end is None:
                going.append((step.amount, step.change))
            else:
                node.score = max(node.score, end)
        return going

    def _play_last(self, mover: Mover) -> None:
        """Score the moves that empty the pool."""
        for key, node in self._layers[-1].items():
            for step in _allowed(node, key & self._used, mover):
                end = self._end((), _moved(node, mover, step.amount), mover.seat)
                if end is not None:
                    node.score = max(node.score, end)

    # Values

    def solve(self) -> None:
        """Find the value of every position, those of the last layer first."""
        score = attrgetter("score")
        for layer in reversed(self._layers):
            for node in layer.values():
                best = node.score
                if node.after:
                    best = max(best, -min(map(score, node.after)))
                    node.after = ()
                node.score = best - 1 if best > 0 else best + 1

    def value(self, position: Position) -> Value | None:
        """Return the value of a position, None if play cannot reach it."""
        used = self._used_in(position)
        if used is None:
            return None
        layer = used.bit_count()
        before = position.previous.amount if self._bans and position.previous else 0
        node = self._layers[layer].get(self._key(used, position.totals, before)) if layer < len(self._layers) else None
        # Totals out of all bounds can make the key of another position.
        if node is None or node.totals != position.totals or position.seat is not self._movers[layer % 2].seat:
            return None
        return _value(node)

    def _used_in(self, position: Position) -> int | None:
        """Return the copies used in a position, None if its pool is not part of the game's."""
        pool, used = self._rules.pool, self._used
        for number, left in Counter(position.pool).items():
            copies = pool.count(number)
            if left > copies:
                return None
            used ^= ((1 << left) - 1) << (pool.index(number) + copies - left)
        return used

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position with its value."""
        for layer in self._layers:
            for key, node in layer.items():
                yield self._position(key & self._used, node), _value(node)

    def laws(self) -> Found:
        """Compare every law with every value; within a layer each fact holds everywhere or nowhere."""
        facts, makes = frozenset(Fact), False
        for used, layer in enumerate(self._layers):
            left = len(self._rules.pool) - used
            true = true_facts(left, self._movers[used % 2].seat)
            for key, node in layer.items():
                if self._makes(key, node, left):
                    makes = True
                else:
                    facts = facts & true if node.score > 0 else facts - true
                    if not facts:
                        return facts, makes
        return facts, makes

    def _makes(self, key: int, node: Node, left: int) -> bool:
        """Whether a move lands on the target and wins: to win at once is nothing else while numbers stay."""
        if left > 1:
            return node.score == _WON - 1 and self._rules.reaching is Reaching.WINS
        return can_make(self._position(key & self._used, node))

    def _position(self, used: int, node: Node) -> Position:
        left = tuple(number for place, number in enumerate(self._rules.pool) if not used >> place & 1)
        before = None
        if node.before:
            # Any move of this amount stands for all of them: a ban looks at nothing else.
            moves = (Move(number, how) for number in self._rules.pool for how in self._rules.operations)
            before = next(move for move in moves if move.amount == node.before)
        return unchecked(self._rules, left, node.totals, self._movers[used.bit_count() % 2].seat, before)


def _any_left(used: int, steps: Sequence[Step]) -> bool:
    return any(used & step.copies == step.first for step in steps)


def _allowed(node: Node, used: int, mover: Mover) -> list[Step]:
    """Return the legal moves: a mirrored move only where there is no other."""
    legal = [step for step in mover.steps if used & step.copies == step.first]
    return [step for step in legal if not node.before or step.amount != -node.before] or legal


def _moved(node: Node, mover: Mover, amount: int) -> tuple[int, ...]:
    """Return the totals after a move."""
    totals = node.totals
    if len(totals) == 1:
        return (totals[0] + amount,)
    return (totals[0] + amount, totals[1]) if mover.at == 0 else (totals[0], totals[1] + amount)


def _value(node: Node) -> Value:
    return Value(Verdict.WIN if node.score > 0 else Verdict.LOSS, _WON - abs(node.score))
