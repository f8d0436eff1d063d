"""What an entrant is: somebody from outside, or a player of ours, who is asked for moves in a match.

    entrant = open_entrant("bot:./my-bot")      arena/arena/arena/arena/arena/entrants/opening.py
    entrant.begin(rules)                        before each match; raises WithdrawnError where it fails too often
    reply = entrant.choose(turn)                a move, or the fault by which it loses
    entrant.end(outcome)                        after each match
    entrant.close()

`decide` (decision.py) asks an entrant under a policy for illegal moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from zerosum.base.errors import ZerosumError
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position


class WithdrawnError(ZerosumError):
    """An entrant that failed too often in a row, or cannot be started: its other matches are void, not lost."""


class Fault(Enum):
    """Why an entrant has no legal move to show for a turn."""

    TIME = "time"
    """It was late."""
    CRASH = "crash"
    """It ended, was killed, or closed its output."""
    UNREADABLE = "unreadable"
    """What it wrote is not the protocol: a flood, a line too long, not text; or a reply without a clear move."""
    ILLEGAL = "illegal"
    """It named a move that is not legal, or that is no move at all."""

    @property
    def reason(self) -> Reason:
        """How a match that is lost by it ends."""
        return Reason.TIME if self is Fault.TIME else Reason.FORFEIT


@dataclass(frozen=True, slots=True)
class Turn:
    """What an entrant is asked: to move at `position`, which `moves` led to from `start`."""

    start: Position
    moves: tuple[Move, ...]
    position: Position
    seconds: float
    """How long it may take."""
    seed: str = ""
    """What the choice of a player of ours follows from."""
    forfeits: bool | None = None
    """Whether an illegal move loses the match, where that is not as the rules say."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a turn: a legal move, or a fault with its detail."""

    move: Move | None
    text: str = ""
    """The move as it was written, cleaned to be shown."""
    seconds: float = 0.0
    fault: Fault | None = None
    detail: str = ""
    """What went wrong, in words that complete "the bot loses: ..."."""
    score: str | None = None
    """What it last said of the position: `win 3`, `loss 2` or `unknown`; never believed."""
    wrote: str = ""
    """Where it crashed: the last line of its standard error. No record keeps it, since it may name its command."""


class Entrant(Protocol):
    """Somebody who can be asked for moves. It plays one match at a time."""

    @property
    def who(self) -> str:
        """What records keep: `bot`, `model`, `command`, or the name of a player of ours."""

    @property
    def name(self) -> str:
        """How it is shown; never the command."""

    def begin(self, rules: Rules) -> None:
        """Get ready for a match; start again whatever has failed."""

    def choose(self, turn: Turn) -> Reply:
        """Ask for a move. It never takes much longer than the turn allows."""

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Return the chance of each move where the entrant can say so, else None."""

    def end(self, outcome: Outcome) -> None:
        """Tell it how the match ended."""

    def close(self) -> None:
        """End it; nothing of it is left."""
