"""What is true of a position: a verdict and its plies, and the whole number that stands for both.

What a position is *worth* is a whole number, greater is better for the person who moves: a win in p plies is `FAR`
less p, a loss the negative of that, a draw 0. So quick wins are worth more than slow ones, and slow losses more than
quick ones. Sets of positions, which have a bit for each position, hold values as `bits_of` instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from zerosum.base.english import count
from zerosum.base.enums import StrChoice
from zerosum.base.errors import ZerosumError
from zerosum.rules.moves import Move


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
FAR: Final = (1 << 30) + 1
AT_ONCE: Final = FAR - 1
"""The worth of a move that wins at once; the worth of one that loses at once is the negative."""


@dataclass(frozen=True, slots=True)
class Value:
    """A verdict and the plies until the end; a draw, which never ends, has none."""

    verdict: Verdict
    plies: int | None

    @property
    def rank(self) -> tuple[int, int]:
        """Higher is better for the seat to move: wins before draws before losses, quick wins, slow losses."""
        worth = worth_of(self)
        return 1 + (worth > 0) - (worth < 0), worth

    def before_move(self) -> Value:
        """Return the value of the move that leads to a position of this value, for the person who makes it."""
        return Value(self.verdict.opposite, None if self.plies is None else self.plies + 1)

    def words(self) -> str:
        """Return the value as a predicate.

        >>> Value(Verdict.WIN, 1).words(), Value(Verdict.LOSS, 6).words()
        ('wins in 1 ply', 'loses in 6 plies')
        """
        if self.verdict is Verdict.DRAW or self.plies is None:
            return "draws"
        verb = "wins" if self.verdict is Verdict.WIN else "loses"
        return f"{verb} in {count(self.plies, 'ply', 'plies')}"


@dataclass(frozen=True, slots=True)
class Option:
    """A legal move and its value for the person who makes it; the plies count the move itself."""

    move: Move
    value: Value


DRAW = Value(Verdict.DRAW, None)
WIN_AT_ONCE = Value(Verdict.WIN, 1)
LOSS_AT_ONCE = Value(Verdict.LOSS, 1)


def worth_of(value: Value) -> int:
    """Return what a position, or a move, of this value is worth."""
    if value.verdict is Verdict.DRAW or value.plies is None:
        return 0
    return FAR - value.plies if value.verdict is Verdict.WIN else value.plies - FAR


def value_of(worth: int) -> Value:
    """Return the value that a worth stands for."""
    if worth == 0:
        return DRAW
    return Value(Verdict.WIN if worth > 0 else Verdict.LOSS, FAR - abs(worth))


def before_move(worth: int) -> int:
    """Return the worth of a move that leads to a position of this worth for the opponent, one ply further away."""
    if worth == 0:
        return 0
    return 1 - worth if worth > 0 else -1 - worth


def bits_of(value: Value) -> int:
    """Return a value as bits, the lowest for a loss and the others for the plies; 0 is a draw."""
    return 2 * (value.plies or 0) + (value.verdict is Verdict.LOSS)


def value_of_bits(bits: int) -> Value:
    """Return the value that some bits stand for."""
    return Value(Verdict.LOSS if bits & 1 else Verdict.WIN, bits >> 1) if bits else DRAW


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
