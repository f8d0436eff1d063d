"""What a game is: the values of a rules file, checked for making sense together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from zerosum.rules.errors import RulesError
from zerosum.rules.moves import ADD_ONLY, Operations


class Seat(IntEnum):
    """A place at the table; seat 1 moves first."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST


class Totals(StrEnum):
    """One running total, or one per seat."""

    SHARED = "shared"
    OWN = "own"


class Reaching(StrEnum):
    """What happens to the seat whose move lands exactly on the target."""

    WINS = "wins"
    LOSES = "loses"


class Overshoot(StrEnum):
    """What happens to the seat whose move passes the target, seen from the start's side."""

    PLAY_ON = "play-on"
    LOSES = "loses"


class Exhausted(StrEnum):
    """Who wins when the pool is empty and nobody decided it."""

    LAST_MOVER = "last-mover"
    CLOSEST = "closest"


class Tie(StrEnum):
    """Who wins when both are equally close."""

    SECOND_MOVER = "second-mover"
    FIRST_MOVER = "first-mover"
    SUDDEN_DEATH = "sudden-death"


class InvalidMove(StrEnum):
    """What the referee does about an invalid move."""

    ASK_AGAIN = "ask-again"
    FORFEIT = "forfeit"


class Ban(StrEnum):
    """Moves that are not allowed."""

    NONE = "none"
    MIRROR = "mirror"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A game. Values that make no sense together are refused; pointless ones are not."""

    id: str
    name: str
    pool: tuple[int, ...]
    target: int
    operations: Operations = ADD_ONLY
    totals: Totals = Totals.SHARED
    start: tuple[int, ...] = (0,)
    reaching: Reaching = Reaching.WINS
    overshoot: Overshoot = Overshoot.PLAY_ON
    exhausted: Exhausted = Exhausted.LAST_MOVER
    tie: Tie | None = None
    invalid_move: InvalidMove = InvalidMove.ASK_AGAIN
    ban: Ban = Ban.NONE
    swap: bool = False

    def __post_init__(self) -> None:
        """Sort the pool and write one start for each total, then refuse what contradicts itself."""
        object.__setattr__(self, "pool", tuple(sorted(self.pool)))
        if self.totals is Totals.OWN and len(self.start) == 1:
            object.__setattr__(self, "start", self.start * 2)
        for clash in _CLASHES:
            clash(self)

    @property
    def remembers(self) -> bool:
        """Whether a position depends on the move before it."""
        return self.swap or self.ban is not Ban.NONE


def _start_fits_totals(rules: Rules) -> None:
    if rules.totals is Totals.SHARED and len(rules.start) != 1:
        raise RulesError('start: a pair needs totals = "own"; a shared total has one start.')


def _closest_needs_own_totals(rules: Rules) -> None:
    if rules.exhausted is Exhausted.CLOSEST and rules.totals is Totals.SHARED:
        raise RulesError('exhausted: "closest" needs totals = "own"; with a shared total use "last-mover".')


def _tie_goes_with_closest(rules: Rules) -> None:
    if rules.exhausted is Exhausted.CLOSEST and rules.tie is None:
        raise RulesError(f'tie: missing; exhausted = "closest" needs one of {", ".join(Tie)}.')
    if rules.exhausted is not Exhausted.CLOSEST and rules.tie is not None:
        raise RulesError('tie: only goes with exhausted = "closest".')


def _overshoot_needs_a_side(rules: Rules) -> None:
    if rules.overshoot is Overshoot.LOSES and rules.target in rules.start:
        raise RulesError('overshoot: "loses" needs a start that is not the target.')


_CLASHES = (_start_fits_totals, _closest_needs_own_totals, _tie_goes_with_closest, _overshoot_needs_a_side)
