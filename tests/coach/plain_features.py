"""The words of the catalogue of causes, written again from their definitions: of the package only rules are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zerosum.rules.model import Tie
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, PositionKey

Verdict = Callable[[Position], str]
"""Whether the side to move wins, loses or draws."""


class Plain:
    """What holds in positions of one game, remembered."""

    def __init__(self, verdict: Verdict | None = None) -> None:
        """Take the verdicts of a game whose rounds have no end, or that is large; else all play is tried."""
        self.verdict: Verdict = verdict or self._tried
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
        return bool(self.once("guarded", position, lambda: self.followed(position, self.is_safe)))

    def answers(self, position: Position, leaves: Callable[[Position], bool]) -> Iterator[Move]:
        """Yield the moves that go on and leave something."""
        return (move for move, after in self.replies(position) if after.outcome is None and leaves(after))

    def lost(self, position: Position) -> bool:
        return self.verdict(position) == "loss"

    def _tried(self, position: Position) -> str:
        """Return the verdict by trying all play, in a game that ends."""
        assert position.rules.tie is not Tie.SUDDEN_DEATH
        return str(self.once("verdict", position, lambda: "win" if any(self.keeps(position)) else "loss"))

    def keeps(self, position: Position) -> Iterator[Move]:
        """Yield the moves that win, at once or later."""
        for move, after in self.replies(position):
            if self.won(position, after) if after.outcome is not None else self.lost(after):
                yield move

    def followed(self, lost: Position, allowed: Callable[[Position, Position], bool]) -> bool:
        """Whether whoever is not to move always has a move that is allowed, and wins by any such moves."""
        for _, after in self.replies(lost):
            if after.outcome is not None:
                if self.won(lost, after):
                    return False
                continue
            mine = [one for _, one in self.replies(after) if allowed(after, one)]
            if not mine or len(after.pool) > len(lost.pool):
                return False
            for one in mine:
                if one.outcome is not None:
                    if not self.won(after, one):
                        return False
                elif len(one.pool) > len(after.pool) or not self.followed(one, allowed):
                    return False
        return True
