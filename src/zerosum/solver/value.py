"""What is true of a position."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.rules.enums import StrChoice
from zerosum.rules.errors import ZerosumError
from zerosum.rules.progress import Progress as Progress  # noqa: PLC0414 - rooms above the solver take it from here


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


def silent(progress: str) -> None:
    """Tell nobody."""


class SolverError(ZerosumError):
    """A game that is too large, or that cannot be solved exactly."""


class TooLargeError(SolverError):
    """A game that would need more memory than is allowed: `what` says so, the advice what to do at a terminal."""

    def __init__(self, what: str, advice: str) -> None:
        self.what = what
        super().__init__(f"{what} {advice}")
