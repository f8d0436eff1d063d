"""Only the positions that play can reach, one by one: for games that cut most play short, and for large numbers.

Sum31 on 1..64 has 2^64 sets of used numbers, of which play reaches 2,035. They are found layer by layer, one layer for
each count of used numbers, and valued from the last layer back: the pool is never refilled, so every move leads to
the next layer.

A position is its code (`graph_codes.py`), to which a move adds a constant. Moves are sorted by amount, so those that
take a total to below, onto and above the target are three slices. If a slice ends the match, it is enough to know
whether any of its numbers is left. The graph lists every move instead, which takes longer if most moves end the match.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Reaching, Rules
from zerosum.rules.position import Position, can_make, start_position
from zerosum.solver.graph_codes import CodedMove, Codes, legal_steps
from zerosum.solver.graph_passes import END_WORTHS
from zerosum.solver.laws import Fact, Found, true_facts
from zerosum.solver.value import AT_ONCE, FAR, Value, before_move, value_of

_NO_MOVE: Final = -2 * FAR


class TooManyError(Exception):
    """Play reaches more than the limit."""


class ReachLimit(NamedTuple):
    """How much may be looked at before `TooManyError`."""

    positions: int
    moves: int


class _Reached:
    """A position: at first what its best move that ends the match is worth, once solved its own worth."""

    __slots__ = ("after", "worth")

    def __init__(self) -> None:
        self.worth = _NO_MOVE
        self.after: Sequence[_Reached] = ()


class ReachedPositions:
    """Every position that play can reach; with their values once `solve` was called."""

    def __init__(self, rules: Rules, limit: ReachLimit, progress: Progress = silent) -> None:
        start = start_position(rules)
        self._rules = rules
        self._table = Codes(rules, [start])
        self._steps = [sorted(steps, key=attrgetter("amount")) for steps in self._table.steps]
        self._amounts = [step.amount for step in self._steps[0]]
        self._ends = [[END_WORTHS[end] if end else None for end in ends] for ends in self._table.ends]
        self._moves_left = limit.moves
        self.count = 0
        self._layers = [{code: _Reached() for code in [self._table.code(start)] if code is not None}]
        self._find(limit, progress)

    # Finding positions

    def _find(self, limit: ReachLimit, progress: Progress) -> None:
        while self._layers[-1]:
            self.count += len(self._layers[-1])
            progress(f"{self.count} positions")
            if len(self._layers) == len(self._rules.pool):
                self._play_last()
                break
            self._layers.append(self._next_layer(limit.positions - self.count))

    def _next_layer(self, most: int) -> dict[int, _Reached]:
        """Return the positions that the moves of the last layer lead to."""
        layer: dict[int, _Reached] = {}
        keep, seat = self._table.keep, (len(self._layers) - 1) % 2
        going = self._going_allowed if self._table.bans else self._going
        for code, node in self._layers[-1].items():
            changes = going(node, code, seat)
            self._moves_left -= len(changes) + 1
            if not changes:
                continue
            base = code & keep
            node.after = after = []
            for change in changes:
                there = base + change
                found = layer.get(there)
                if found is None:
                    found = layer[there] = _Reached()
                after.append(found)
            if len(layer) > most or self._moves_left < 0:
                raise TooManyError
        return layer

    def _need(self, code: int, seat: int) -> int:
        """Return the amount that takes the mover's total onto the target."""
        table = self._table
        return table.middle - (code >> table.totals[seat] & table.total)

    def _going(self, node: _Reached, code: int, seat: int) -> list[int]:
        """Return the changes of the moves after which play goes on, and note what the others are worth."""
        amounts, need, used = self._amounts, self._need(code, seat), code & self._table.used
        low = bisect_left(amounts, need)
        high = bisect_right(amounts, need, low)
        going: list[int] = []
        steps, (below, on, above) = self._steps[seat], self._ends[seat]
        for end, begin, stop in ((below, 0, low), (on, low, high), (above, high, len(amounts))):
            if end is None:
                for _, _, copies, first, change in steps[begin:stop]:
                    if used & copies == first:
                        going.append(change)
            # Nothing is worse than to lose at once, so that matters only if play cannot go on.
            elif end > node.worth and not (going and end < 0) and _any_left(used, steps[begin:stop]):
                node.worth = end
        return going

    def _going_allowed(self, node: _Reached, code: int, seat: int) -> list[int]:
        """Return the same if a move may be banned."""
        need, ends = self._need(code, seat), self._ends[seat]
        going = []
        for step in legal_steps(self._table, code, seat):
            end = ends[(step.amount > need) - (step.amount < need) + 1]
            if end is None:
                going.append(step.change)
            else:
                node.worth = max(node.worth, end)
        return going

    def _play_last(self) -> None:
        """Note what the moves are worth that empty the pool."""
        table, seat = self._table, (len(self._layers) - 1) % 2
        for code, node in self._layers[-1].items():
            ends = (table.last_end((code & table.keep) + step.change) for step in legal_steps(table, code, seat))
            node.worth = max(END_WORTHS[end] for end in ends)

    # Values

    def solve(self) -> None:
        """Find the value of every position, those of the last layer first."""
        worth = attrgetter("worth")
        for layer in reversed(self._layers):
            for node in layer.values():
                if node.after:
                    # What is worst for the opponent is best for the player to move.
                    node.worth = max(node.worth, before_move(min(map(worth, node.after))))
                    node.after = ()

    def value(self, position: Position) -> Value | None:
        """Return the value of a position, None if play cannot reach it."""
        code = self._table.code(position)
        layer = len(self._rules.pool) - len(position.pool)
        node = self._layers[layer].get(code) if code is not None and layer < len(self._layers) else None
        return None if node is None else value_of(node.worth)

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position with its value."""
        for layer in self._layers:
            for code, node in layer.items():
                yield self._position(code), value_of(node.worth)

    def laws(self) -> Found:
        """Compare every law with every value; within a layer each fact holds everywhere or nowhere."""
        facts, makes = frozenset(Fact), False
        for used, layer in enumerate(self._layers):
            left = len(self._rules.pool) - used
            true: frozenset[Fact] | None = None
            for code, node in layer.items():
                true = true or true_facts(left, self._table.seat_of(code))
                if self._makes(code, node, left):
                    makes = True
                else:
                    facts = facts & true if node.worth > 0 else facts - true
                    if not facts:
                        return facts, makes
        return facts, makes

    def _makes(self, code: int, node: _Reached, left: int) -> bool:
        """Whether a move lands on the target and wins: to win at once is nothing else while numbers stay."""
        if left > 1:
            return node.worth == AT_ONCE and self._rules.reaching is Reaching.WINS
        return can_make(self._position(code))

    def _position(self, code: int) -> Position:
        banned = self._table.banned[self._table.amount_before(code)]
        # Any move of this amount stands for all of them: a ban looks at nothing else.
        before = next((move for move in self._rules.moves if banned is not None and move.amount == -banned), None)
        return self._table.position(code, before)


def _any_left(used: int, steps: Sequence[CodedMove]) -> bool:
    return any(used & step.copies == step.first for step in steps)
