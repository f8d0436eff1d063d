"""Claims: what a reason says, as data. Each can be checked by playing it out.

A claim is about one move of one position: `you` makes that move, `they` answer it. After any move, a swap too, the
other person is to move, so whose move it is follows from how many were made. Claims are named tuples: a dozen
dataclasses would cost every command that loads them a few milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.solver import Verdict


class Side(Enum):
    """Who makes the move that the reason is about, and who answers it."""

    YOU = "you"
    THEY = "they"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.THEY if self is Side.YOU else Side.YOU


class Leads(NamedTuple):
    """The move wins or loses against best play, `plies` moves from now at the latest, itself counted; or it draws."""

    move: Move
    verdict: Verdict
    plies: int | None


class EndsAtOnce(NamedTuple):
    """The move ends the match at once."""

    move: Move
    winner: Side
    reason: Reason


class Settled(NamedTuple):
    """After the move you win however both play on; `reasons` are all the ways it can end."""

    reasons: tuple[Reason, ...]


class RepliesEnd(NamedTuple):
    """After the move these replies end the match at once, and you win; `every` says there are no others."""

    replies: tuple[Move, ...]
    reasons: tuple[Reason, ...]
    every: bool


class AnswersEnd(NamedTuple):
    """After the move and each of these replies, the answer ends the match at once, and you win."""

    answers: tuple[tuple[Move, Move], ...]
    reasons: tuple[Reason, ...]
    every: bool


class Answered(NamedTuple):
    """After the move and any of these replies, this answer keeps the win; `every` says there are no other replies."""

    replies: tuple[Move, ...]
    answer: Move
    every: bool


class BackTo(NamedTuple):
    """After the move and any of these replies, an answer that makes the shared total `total` keeps the win."""

    replies: tuple[Move, ...]
    total: int
    every: bool


class NoWinAmong(NamedTuple):
    """After the move none of these replies wins; of all replies, best play for them is the first of `example`.

    The second is an answer to it that keeps the win. `every` says there are no other replies.
    """

    replies: tuple[Move, ...]
    example: tuple[Move, Move]
    every: bool


class NoLossAfter(NamedTuple):
    """After the move none of their `replies` wins for them, and `holding` of them leave it undecided."""

    replies: int
    holding: int


class Refuted(NamedTuple):
    """After the move this line is best play: they win it as soon as they can. `more` moves follow it."""

    line: tuple[Move, ...]
    more: int
    reason: Reason | None


class Held(NamedTuple):
    """These are all the moves that would have kept the best verdict of the position, which the move let go."""

    moves: tuple[Move, ...]
    verdict: Verdict


class AllLose(NamedTuple):
    """All moves of the position lose, `moves` of them; `longest` says that none holds out longer than this one."""

    moves: int
    longest: bool


Claim = (
    Leads
    | EndsAtOnce
    | Settled
    | RepliesEnd
    | AnswersEnd
    | Answered
    | BackTo
    | NoWinAmong
    | NoLossAfter
    | Refuted
    | Held
    | AllLose
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """A claim and what it rests on."""

    claim: Claim
    because: tuple[Explanation, ...] = ()

    def claims(self) -> Iterator[Claim]:
        """Yield this claim and then all below it."""
        yield self.claim
        for one in self.because:
            yield from one.claims()
