"""Features of a position, seen a few moves ahead: safe moves, dead ends, what is settled, what guarding wins.

Each is a fact about the side to move. After any move, a swap too, the other person is to move; so who wins follows from
whose move it is, never from the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict
from zerosum.strategy.lookahead import Sight

KEPT: Final = 200_000
"""Answers that are remembered; then all are forgotten, so that a long run does not grow without end."""
_STEPS: Final = 4_000
"""Positions whose moves are remembered: each holds a dozen others, and the garbage collector walks through them all."""
SUBPOOLS: Final = 512
"""The most pools that can be left of one, for play to be followed to its end: those of nine different numbers."""


Found = TypeVar("Found")


class MoveResult(NamedTuple):
    """A move, the position after it, and whether its player wins at once; None if play goes on."""

    move: Move
    after: Position
    won: bool | None


class Features:
    """The features of the positions of one game, remembered."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.sight = Sight(solution.rules)
        self._steps: dict[PositionKey, tuple[MoveResult, ...]] = {}
        self._safe: dict[PositionKey, tuple[MoveResult, ...]] = {}
        self._winning: dict[PositionKey, tuple[MoveResult, ...]] = {}
        self._told: dict[tuple[str, Hashable], Any] = {}

    def steps(self, position: Position) -> tuple[MoveResult, ...]:
        """Return every legal move and what it does."""
        key = position.key
        found = self._steps.get(key)
        if found is None:
            if len(self._steps) >= _STEPS:
                self._steps.clear()
                self._safe.clear()
                self._winning.clear()
            found = self._steps[key] = tuple(_step(position, move) for move in position.legal_moves())
        return found

    def once(self, what: str, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what `find` finds, remembered under a name and a key."""
        at = what, key
        if at not in self._told:
            if len(self._told) >= KEPT:
                self._told.clear()
            self._told[at] = find()
        found: Found = self._told[at]
        return found

    def wins(self, position: Position) -> tuple[MoveResult, ...]:
        """Return the moves that win at once."""
        return tuple(step for step in self.steps(position) if step.won)

    def winning(self, position: Position) -> tuple[MoveResult, ...]:
        """Return the moves that win but not at once; the solver knows them."""
        key = position.key
        found = self._winning.get(key)
        if found is None:
            steps = (step for step in self.steps(position) if step.won is None)
            value = self.solution.value
            found = self._winning[key] = tuple(step for step in steps if value(step.after).verdict is Verdict.LOSS)
        return found

    def safe(self, position: Position) -> tuple[MoveResult, ...]:
        """Return the moves that neither lose at once nor let the other side win at once."""
        key = position.key
        found = self._safe.get(key)
        if found is None:
            found = self._safe[key] = tuple(
                step for step in self.steps(position) if self.sight.is_safe(position, step.after)
            )
        return found

    def stuck(self, position: Position) -> bool:
        """Whether every move loses at once."""
        return all(step.won is False for step in self.steps(position))

    def settled(self, position: Position) -> frozenset[Reason] | None:
        """Return all the ways a match can still end if the side to move loses every play-out; else None."""
        return self._ends_for(position, mover=False) if small(position) else None

    def _ends_for(self, position: Position, *, mover: bool) -> frozenset[Reason] | None:
        """Return all ways to end if one side, the one to move or the other, wins every play-out without a refill."""
        # Mirrors are settled and guarded alike, in the same ways.
        return self.once("ends", (self.sight.key(position), mover), lambda: self._find_ends(position, mover=mover))

    def _find_ends(self, position: Position, *, mover: bool) -> frozenset[Reason] | None:
        steps = self.steps(position)
        if any(step.won is not None and step.won is not mover for step in steps):
            return None
        reasons: frozenset[Reason] = frozenset()
        for step in steps:
            if step.after.outcome is not None:
                reasons |= {step.after.outcome.reason}
                continue
            if refills(position, step):
                return None
            more = self._ends_for(step.after, mover=not mover)
            if more is None:
                return None
            reasons |= more
        return reasons

    def trapped(self, position: Position) -> bool:
        """Whether no move is safe."""
        # Most positions have a safe move: one is enough, and mirrors are alike.
        is_safe, play = self.sight.is_safe, position.play_unchecked
        return self.once(
            "trapped",
            self.sight.key(position),
            lambda: not any(is_safe(position, play(move)) for move in position.legal_moves()),
        )

    def guarding(self, position: Position) -> bool:
        """Whether the side not to move wins by any safe moves from here on, before the pool is filled again."""
        return small(position) and self._guarded_from(position, mover=False)

    def _guarded_from(self, position: Position, *, mover: bool) -> bool:
        """Whether the guarding side, the one to move or the other, wins whatever safe moves it makes."""
        key = self.sight.key(position), mover
        return self.once("guarded", key, lambda: self._find_guarded(position, mover=mover))

    def _find_guarded(self, position: Position, *, mover: bool) -> bool:
        steps = self.safe(position) if mover else self.steps(position)
        if mover and not steps:
            return False
        if any(step.won is not None and step.won is not mover for step in steps):
            return False
        going_on = [step for step in steps if step.won is None]
        if any(refills(position, step) for step in going_on):
            return False
        # The solver knows at once if some safe move gives the win away.
        if mover and any(self.solution.value(step.after).verdict is not Verdict.LOSS for step in going_on):
            return False
        return all(self._guarded_from(step.after, mover=not mover) for step in going_on)


def _step(position: Position, move: Move) -> MoveResult:
    after = position.play_unchecked(move)
    return MoveResult(move, after, None if after.outcome is None else after.outcome.winner is position.seat)


def refills(position: Position, step: MoveResult) -> bool:
    """Whether a move takes the last number and the pool is filled again."""
    return step.won is None and len(step.after.pool) > len(position.pool)


def small(position: Position) -> bool:
    """Whether few enough pools can be left for play to be followed to its end."""
    return _subpools(position.pool) <= SUBPOOLS


@lru_cache(maxsize=1 << 12)
def _subpools(pool: tuple[int, ...]) -> int:
    found = 1
    for number in dict.fromkeys(pool):
        found *= pool.count(number) + 1
    return found


@lru_cache(maxsize=8)
def features_of(solution: Solution) -> Features:
    """Return the features of a solved game, one object for each of the last few games."""
    return Features(solution)
