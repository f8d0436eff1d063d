"""What is true of a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.base.enums import StrChoice
from zerosum.base.errors import ZerosumError


class Verdict(StrChoice):
    """How a position ends when both sides play perfectly, for the seat to move."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"

    @property
    def opposite(self) -> Verdict:
        """The verdict for the other side."""
        return _OPPOSITE[self]


_OPPOSITE = {Verdict.WIN: Verdict.LOSS, Verdict.LOSS: Verdict.WIN, Verdict.DRAW: Verdict.DRAW}
_RANK = {Verdict.WIN: 2, Verdict.DRAW: 1, Verdict.LOSS: 0}


@dataclass(frozen=True, slots=True)
class Value:
    """A verdict and the plies until the end; a draw, which never ends, has none."""

    verdict: Verdict
    plies: int | None

    @property
    def rank(self) -> tuple[int, int]:
        """Higher is better for the seat to move: wins before draws before losses, quick wins, slow losses."""
        plies = self.plies or 0
        return _RANK[self.verdict], -plies if self.verdict is Verdict.WIN else plies

    def before_move(self) -> Value:
        """Return the value of the move that leads to a position of this value, for whoever makes it."""
        return Value(self.verdict.opposite, None if self.plies is None else self.plies + 1)


DRAW = Value(Verdict.DRAW, None)
WIN_AT_ONCE = Value(Verdict.WIN, 1)
LOSS_AT_ONCE = Value(Verdict.LOSS, 1)


class SolverError(ZerosumError):
    """A game that is too large, or that cannot be solved exactly."""


class TooLargeError(SolverError):
    """A game that would need more memory than is allowed: `what` says so, `advice` what helps.

    The solver knows no commands; a command that has an option which helps adds it with `advising`.
    """

    def __init__(self, what: str, advice: Sequence[str] = ("use a smaller pool or smaller numbers",)) -> None:
        self.what = what
        self.advice = tuple(advice)
        *others, last = self.advice
        words = f"{', '.join(others)}, or {last}" if others else last
        super().__init__(f"{what} {words[0].upper()}{words[1:]}.")

    def advising(self, advice: str) -> TooLargeError:
        """Return the same error with one more piece of advice."""
        return TooLargeError(self.what, (*self.advice, advice))
