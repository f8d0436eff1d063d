"""Who won, and why: the one place where a match is judged by its rules."""

from dataclasses import dataclass

from zerosum.base.enums import StrChoice
from zerosum.base.errors import BadValueError
from zerosum.rules.model import Exhausted, Overshoot, Reaching, Rules, Seat, Tie, Totals

# Looking a member up in its class costs as much as the rest of judging a move.
_SHARED, _FIRST, _LOSES = Totals.SHARED, Seat.FIRST, Overshoot.LOSES


class Reason(StrChoice):
    """Why a match is over."""

    REACHED_TARGET = "reached-target"
    OVERSHOT = "overshot"
    LAST_MOVER = "last-mover"
    CLOSER = "closer"
    TIE_RULE = "tie-rule"
    FORFEIT = "forfeit"
    RESIGNED = "resigned"
    TIME = "time"
    PLY_LIMIT = "ply-limit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The seat that won, and why."""

    winner: Seat
    reason: Reason

    def __post_init__(self) -> None:
        """Refuse anything but a seat and a reason."""
        if type(self.winner) is not Seat or type(self.reason) is not Reason:
            raise BadValueError("An outcome is a Seat and a Reason, such as Outcome(Seat.FIRST, Reason.OVERSHOT).")


def closer_seat(rules: Rules, totals: tuple[int, ...]) -> Seat | None:
    """Return the seat whose own total is closer to the target, or None if both are equally far."""
    first, second = (abs(total - rules.target) for total in totals)
    if first == second:
        return None
    return Seat.FIRST if first < second else Seat.SECOND


def judge(rules: Rules, pool: tuple[int, ...], totals: tuple[int, ...], mover: Seat) -> Outcome | None:
    """Return the outcome after a move by `mover` left this pool and these totals, None if play goes on.

    An empty pool without an outcome means sudden death: the pool is to be refilled.
    """
    side = 0 if rules.totals is _SHARED or mover is _FIRST else 1
    total, target = totals[side], rules.target
    if total == target:
        return Outcome(mover if rules.reaching is Reaching.WINS else mover.other, Reason.REACHED_TARGET)
    if rules.overshoot is _LOSES and (total > target) != (rules.start[side] > target):
        return Outcome(mover.other, Reason.OVERSHOT)
    if pool:
        return None
    if rules.exhausted is Exhausted.LAST_MOVER:
        return Outcome(mover, Reason.LAST_MOVER)
    closer = closer_seat(rules, totals)
    if closer is not None:
        return Outcome(closer, Reason.CLOSER)
    if rules.tie is Tie.SUDDEN_DEATH:
        return None
    return Outcome(Seat.FIRST if rules.tie is Tie.FIRST_MOVER else Seat.SECOND, Reason.TIE_RULE)
