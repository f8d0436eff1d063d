"""What can be seen a few plies ahead, from the rules alone and without the solver.

A reply is *safe* if it neither loses at once nor lets the other side win at once.
Positions that mirrors turn into each other look alike, so each answer is found once for all of them and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from zerosum.rules.model import Reaching, Rules, Totals
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, can_make

_Answers = dict[Hashable, bool]


class Sight:
    """The answers about the positions of one game, remembered."""

    def __init__(self, rules: Rules) -> None:
        from zerosum.solver.mirrors import canon_of, plain  # noqa: PLC0415 - lessons begin without the solver
        from zerosum.solver.supports import MOVE_CODES, unknown_key  # noqa: PLC0415 - as above

        self.rules = rules
        self._known = unknown_key(MOVE_CODES, rules) is None
        canon = canon_of(rules) if self._known else plain
        self.key: Callable[[Position], Hashable] = lambda position: (canon(position), position.seat)
        self._safe: dict[Hashable, int] = {}
        self._held: _Answers = {}
        self._shut: _Answers = {}
        self._shut_in_two: _Answers = {}
        self._squeezed_in_two: _Answers = {}

    def wins(self, position: Position) -> bool:
        """Whether the player to move can win at once."""
        if self._known and len(position.pool) > 1:
            # By the rules that the table of codes knows, only landing on the target wins while numbers are left.
            return can_make(position)
        return any(won(position, after) for _, after in moves_of(position))

    def is_safe(self, position: Position, after: Position) -> bool:
        """Whether a move that leads from one position to another is safe."""
        return won(position, after) if after.outcome is not None else not self.wins(after)

    def safe_replies(self, position: Position) -> Iterator[Position]:
        """Yield the positions after each safe move."""
        return (after for _, after in moves_of(position) if self.is_safe(position, after))

    def safe(self, position: Position) -> int:
        """Return how many moves are safe."""
        key = self.key(position)
        if key not in self._safe:
            self._safe[key] = sum(1 for _ in self.safe_replies(position))
        return self._safe[key]

    def squeezed(self, position: Position) -> bool:
        """Whether the player to move can neither win at once nor reply safely."""
        return not self.wins(position) and self.safe(position) == 0

    def held(self, position: Position) -> bool:
        """Whether the player to move cannot win at once, and after every safe reply the other side has a safe move."""
        key = self.key(position)
        if key not in self._held:
            self._held[key] = not self.wins(position) and all(map(self.safe, self.safe_replies(position)))
        return self._held[key]

    def shut(self, position: Position) -> bool:
        """Whether every move loses at once."""
        key = self.key(position)
        if key not in self._shut:
            self._shut[key] = all(
                after.outcome is not None and not won(position, after) for _, after in moves_of(position)
            )
        return self._shut[key]

    def squeezed_in_two(self, position: Position) -> bool:
        """Whether the player to move cannot win at once, and can be squeezed after every safe reply."""
        return self._in_two(position, self.squeezed, self._squeezed_in_two)

    def shut_in_two(self, position: Position) -> bool:
        """Whether the player to move cannot win at once, and can be shut in after every safe reply."""
        return self._in_two(position, self.shut, self._shut_in_two)

    def _in_two(self, position: Position, closed: Callable[[Position], bool], known: _Answers) -> bool:
        key = self.key(position)
        if key not in known:
            known[key] = not self.wins(position) and all(
                any(closed(answer) for _, answer in moves_of(reply) if answer.outcome is None)
                for reply in self.safe_replies(position)
            )
        return known[key]


def moves_of(position: Position) -> list[tuple[Move, Position]]:
    """Return the legal moves, each with the position it leads to."""
    return [(move, position.play_unchecked(move)) for move in position.legal_moves()]


def won(position: Position, after: Position) -> bool:
    """Whether a move that leads from one position to another has won at once."""
    return after.outcome is not None and after.outcome.winner is position.seat


def threat(position: Position) -> int | None:
    """Return the number with which the side not to move could make the target, if it were their turn."""
    rules = position.rules
    if rules.totals is not Totals.OWN or rules.reaching is not Reaching.WINS or rules.remembers:
        return None
    need = rules.target - position.total(position.seat.other)
    amounts = {Move(number, operation).amount: number for number in position.pool for operation in rules.operations}
    return amounts.get(need)
