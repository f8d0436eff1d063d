"""The words of the catalogue of causes, written again from their definitions: nothing of the coach is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, Verdict


class Plain:
    """What holds in positions of one game, remembered."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self.rules = solution.rules
        self.known: dict[tuple[str, PositionKey], Any] = {}

    def once(self, what: str, position: Position, find: Callable[[], Any]) -> Any:
        key = what, position.key
        if key not in self.known:
            self.known[key] = find()
        return self.known[key]

    def replies(self, position: Position) -> list[tuple[Move, Position]]:
        return list(
            self.once("replies", position, lambda: [(move, position.play(move)) for move in position.legal_moves()])
        )

    @staticmethod
    def won(position: Position, after: Position) -> bool:
        """Whether whoever moved from `position` has won by it."""
        return after.outcome is not None and after.outcome.winner is position.seat

    def can_win_now(self, position: Position) -> bool:
        return bool(
            self.once("now", position, lambda: any(self.won(position, after) for _, after in self.replies(position)))
        )

    def is_safe(self, position: Position, after: Position) -> bool:
        return self.won(position, after) if after.outcome is not None else not self.can_win_now(after)

    def safe(self, position: Position) -> list[tuple[Move, Position]]:
        return [(move, after) for move, after in self.replies(position) if self.is_safe(position, after)]

    def no_safe(self, position: Position) -> bool:
        return not self.safe(position)

    def stuck(self, position: Position) -> bool:
        return all(after.outcome is not None and not self.won(position, after) for _, after in self.replies(position))

    def ends(self, position: Position) -> frozenset[tuple[bool, str]] | None:
        """Return how all play-outs end: whether the side to move here wins, and why; None if one is refilled."""
        return self.once("ends", position, lambda: self._ends(position))  # type: ignore[no-any-return]  # `once` keeps any

    def _ends(self, position: Position) -> frozenset[tuple[bool, str]] | None:
        found: set[tuple[bool, str]] = set()
        for _, after in self.replies(position):
            if after.outcome is not None:
                found.add((self.won(position, after), after.outcome.reason.value))
            elif len(after.pool) > len(position.pool):
                return None
            else:
                more = self.ends(after)
                if more is None:
                    return None
                found |= {(not won, why) for won, why in more}
        return frozenset(found)

    def settled(self, position: Position) -> bool:
        ends = self.ends(position)
        return ends is not None and not any(won for won, _ in ends)

    def guarded(self, position: Position) -> bool:
        """Whether whoever is not to move wins by any safe play, within this round."""
        return bool(self.once("guarded", position, lambda: self._guarded(position)))

    def _guarded(self, position: Position) -> bool:
        for _, after in self.replies(position):
            if after.outcome is not None:
                if self.won(position, after):
                    return False
                continue
            mine = self.safe(after)
            if not mine or len(after.pool) > len(position.pool):
                return False
            for _, following in mine:
                if following.outcome is None and (len(following.pool) > len(after.pool) or not self.guarded(following)):
                    return False
        return True

    def answers(self, position: Position, leaves: Callable[[Position], bool]) -> Iterator[Move]:
        """Yield the moves that go on and leave something."""
        return (move for move, after in self.replies(position) if after.outcome is None and leaves(after))

    def verdict(self, position: Position) -> Verdict:
        return self.solution.value(position).verdict
