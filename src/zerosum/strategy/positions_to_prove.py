"""The positions that a search for a card works on, with the rank of every move by every word, as bits.

Positions are numbered. The moves of a position are bits of a mask: `every` those that survive the rules with which all
lists begin, `good` those that keep the best verdict. A *proof core* holds the positions in which the winning seat is to
move, as long as it keeps its win by such moves; `after` has, for each move, the positions that replies lead to. In
sudden death a move counts as bad if some reply to it leads further than `_ROUNDS` times the largest number away from
the target, so that the core has an end. In a *sample*, for games that are too large for that or that nobody wins, moves
lead nowhere, and only the share of positions counts in which every survivor is good.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from zerosum.rules.model import Seat, Tie
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Moves, Rule
from zerosum.strategy.lookahead import Sight, moves_of, won

MOST: Final = 20_000
"""Positions of a proof core."""
SAMPLE: Final = 1_500
_ROUNDS: Final = 2
_PLAYOUTS: Final = 4_000

Check = Callable[[], None]
"""Called now and then in long work; it raises `OutOfTimeError` when the time is up."""


class OutOfTimeError(Exception):
    """The time is up."""


Masks = tuple[int, ...]
"""The moves still in, for each position."""


@dataclass(frozen=True, slots=True)
class Core:
    """Positions, which of their moves are good, and where the good ones lead."""

    positions: tuple[Position, ...]
    good: Masks
    every: Masks
    after: tuple[tuple[tuple[int, ...], ...], ...]
    """For each position and each move, where replies lead; nothing for bad moves and in a sample."""
    starts: tuple[int, ...]
    """The positions that a match can begin with, nothing in a sample."""
    sight: Sight
    check: Check
    _levels: dict[Rule, list[tuple[int, ...]]] = field(default_factory=dict)

    def levels(self, rule: Rule) -> list[tuple[int, ...]]:
        """Return, for each position, the moves of each rank, the highest first."""
        if rule not in self._levels:
            ranked = []
            for position in self.positions:
                self.check()
                ranked.append(self._ranked(rule, position))
            self._levels[rule] = ranked
        return self._levels[rule]

    def _ranked(self, rule: Rule, position: Position) -> tuple[int, ...]:
        if rule.most_left is not None and len(position.pool) > rule.most_left:
            return ()
        rank, argument = rule.word.rank, rule.argument or 0
        by_rank: dict[int, int] = {}
        for at, (move, after) in enumerate(moves_of(position)):
            its = int(rank(self.sight, position, move, after, argument))
            by_rank[its] = by_rank.get(its, 0) | 1 << at
        return tuple(by_rank[its] for its in sorted(by_rank, reverse=True))

    def keep(self, masks: Masks, rule: Rule) -> Masks:
        """Return the moves still in after a rule."""
        return tuple(
            next((mask & level for level in levels if mask & level), mask)
            for mask, levels in zip(masks, self.levels(rule), strict=True)
        )

    def can_force(self, masks: Masks) -> bool:
        """Whether the winning seat can still force the win with the moves still in; rules only remove moves.

        Where positions come back this only asks whether it can stay in won positions, which is needed as well.
        """
        holds = [mask & good != 0 for mask, good in zip(masks, self.good, strict=True)]
        changed = True
        while changed:
            changed = False
            # Later positions were found later, so that one pass is enough where nothing comes back.
            for at in range(len(holds) - 1, -1, -1):
                if holds[at] and not self._held(at, masks[at] & self.good[at], holds):
                    holds[at] = False
                    changed = True
        return all(holds[at] for at in self.starts)

    def _held(self, at: int, mask: int, holds: Sequence[bool]) -> bool:
        return any(mask >> n & 1 and all(holds[to] for to in replies) for n, replies in enumerate(self.after[at]))

    def wrong(self, masks: Masks) -> list[int]:
        """Return the positions that can arise by the moves still in where one of these is not good."""
        seen = set(self.starts)
        waiting = list(self.starts)
        wrong = []
        while waiting:
            at = waiting.pop()
            if masks[at] & ~self.good[at]:
                wrong.append(at)
            for n, replies in enumerate(self.after[at]):
                if masks[at] >> n & 1:
                    waiting += [to for to in replies if to not in seen]
                    seen.update(replies)
        return wrong

    def share(self, masks: Masks) -> float:
        """Return the share of positions, of those with a choice, in which every move still in is good."""
        real = [(mask, good) for mask, good, every in zip(masks, self.good, self.every, strict=True) if every & ~good]
        return sum(not mask & ~good for mask, good in real) / len(real) if real else 1.0


def core_of(  # noqa: PLR0917 - a core has as many parts
    solution: Solution, sight: Sight, seat: Seat | None, always: Sequence[Rule], most: int, check: Check
) -> Core:
    """Return the proof core of the winning seat; a sample if there is none, or if it is too large."""
    found = _Found(solution, sight, seat, always, check).core(most) if seat is not None else None
    return found or _sample(solution, sight, always, check)


class _Found:
    """The positions of a proof core, as they are found."""

    def __init__(self, solution: Solution, sight: Sight, seat: Seat, always: Sequence[Rule], check: Check) -> None:
        self._solution, self._sight, self._always, self._check = solution, sight, always, check
        rules, start = solution.rules, solution.start
        # A mirror that turns numbers too would spoil words that name them.
        self._key: Callable[[Position], Hashable] = (lambda p: p.key) if rules.operations == ADD_ONLY else sight.key
        self._numbers: dict[Hashable, int] = {}
        self._positions: list[Position] = []
        self._furthest = _ROUNDS * max(map(abs, rules.pool)) if rules.tie is Tie.SUDDEN_DEATH else None
        first = [start] if start.seat is seat else [after for _, after in moves_of(start) if after.outcome is None]
        self._starts = tuple(map(self._number, first))

    def _number(self, position: Position) -> int:
        at = self._key(position)
        if at not in self._numbers:
            self._numbers[at] = len(self._positions)
            self._positions.append(position)
        return self._numbers[at]

    def core(self, most: int) -> Core | None:
        """Find all positions; None if they are too many."""
        good, every, after = [], [], []
        for position in self._positions:
            self._check()
            if len(self._positions) > most:
                return None
            moves = moves_of(position)
            mask = surviving(self._always, self._sight, position)
            replies: list[tuple[int, ...]] = []
            keeps = 0
            for at, (_, there) in enumerate(moves):
                following = self._replies(position, there) if mask >> at & 1 else None
                keeps |= (following is not None) << at
                replies.append(following or ())
            good.append(keeps)
            every.append(mask)
            after.append(tuple(replies))
        places = tuple(self._positions)
        return Core(places, tuple(good), tuple(every), tuple(after), self._starts, self._sight, self._check)

    def _replies(self, position: Position, after: Position) -> tuple[int, ...] | None:
        """Return where replies to a move lead; None where the move is bad."""
        if not _keeps(self._solution, position, after):
            return None
        replies = [reply for _, reply in moves_of(after) if reply.outcome is None]
        if self._furthest is not None and any(self._too_far(reply) for reply in replies):
            return None
        return tuple(map(self._number, replies))

    def _too_far(self, position: Position) -> bool:
        target = position.rules.target
        return self._furthest is not None and any(abs(total - target) > self._furthest for total in position.totals)


def surviving(rules: Sequence[Rule], sight: Sight, position: Position) -> int:
    """Return the mask of the moves that survive some rules."""
    every: Moves = moves_of(position)
    left = every
    for rule in rules:
        left = rule.keep(sight, position, left)
    kept = {move for move, _ in left}
    return sum(1 << at for at, (move, _) in enumerate(every) if move in kept)


def _keeps(solution: Solution, position: Position, after: Position) -> bool:
    """Whether a move wins, at once or later."""
    return won(position, after) if after.outcome is not None else solution.value(after).verdict is Verdict.LOSS


def _sample(solution: Solution, sight: Sight, always: Sequence[Rule], check: Check) -> Core:
    """Return real choices that matches of random moves come by, the same ones every time."""
    dice = random.Random("a sample of real choices")
    found: dict[Hashable, tuple[Position, int, int]] = {}
    for _ in range(_PLAYOUTS):
        position = solution.start
        for _ in range(2 * len(position.pool)):
            if position.outcome is not None or len(found) >= SAMPLE:
                break
            check()
            if position.key not in found:
                worth = {option.move: option.value.verdict for option in solution.options(position)}
                best = solution.value(position).verdict
                if len(set(worth.values())) > 1:
                    moves = position.legal_moves()
                    good = sum(1 << n for n, move in enumerate(moves) if worth[move] is best)
                    found[position.key] = position, good, surviving(always, sight, position)
            position = position.play_unchecked(dice.choice(position.legal_moves()))
    places = tuple(found.values())
    return Core(
        tuple(position for position, _, _ in places),
        tuple(good for _, good, _ in places),
        tuple(every for _, _, every in places),
        ((),) * len(places),
        (),
        sight,
        check,
    )
