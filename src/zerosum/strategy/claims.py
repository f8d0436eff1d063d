"""Claims: what a reason says, as frozen values. The same value is evaluated, proved and printed.

A claim is about a position that the side to move loses: the *loser* is to move there, the *winner* is the other side.
It holds only if its words hold, read as widely as they can be: "anything" means every legal reply, and a player
who follows the words wins by any move that they do not exclude. A move is *safe* if it neither loses at once nor lets
the other side win at once.

Rules of cards are claims too: each word of `vocabulary` ranks moves by exactly what it prints.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from zerosum.rules.moves import Move
from zerosum.rules.outcome import Reason
from zerosum.solver import Law
from zerosum.strategy.answer_tables import MORE, AnswerTable


class EndsMatch(NamedTuple):
    """The move ends the match; `won` says whether the player who makes it wins."""

    won: bool
    reason: Reason


class Leaves(NamedTuple):
    """After the losing move each of these replies wins at once."""

    replies: tuple[Move, ...]


class Stuck(NamedTuple):
    """Every move of the loser loses at once, in these ways."""

    reasons: tuple[Reason, ...]


class Settled(NamedTuple):
    """The winner wins however both play on, before any refill; `reasons` are all the ways it can end."""

    reasons: tuple[Reason, ...]


class ByLaw(NamedTuple):
    """The law of the game says so."""

    law: Law


class NoSafeReply(NamedTuple):
    """Every move of the loser either loses at once or has an answer that wins at once."""

    lost: tuple[Move, ...]
    answered: tuple[tuple[Move, Move], ...]


class Guarding(NamedTuple):
    """Any safe moves of the winner win from here, before any refill."""


class Forced(NamedTuple):
    """The loser's only safe moves take one number; after each, `then` holds of the position that `answer` leaves."""

    number: int
    answer: Move
    then: Stuck | Settled | ByLaw | NoSafeReply | Guarding


class NextNoSafeReply(NamedTuple):
    """After each safe move of the loser some answer leaves them without a safe move, or lost in every play-out.

    With a table, its answers do: whatever they are given to, the match is over or the loser has no safe move.
    """

    table: AnswerTable | None
    settled: tuple[bool, ...]
    """Which of the two it is after each safe move; False if the loser has no safe move."""
    over: bool = False
    """Whether some answer of the table wins at once."""


class Answers(NamedTuple):
    """A table of answers meets every reply: each answer wins at once or leaves a position that is lost again."""

    table: AnswerTable


class NextForced(NamedTuple):
    """After each safe move of the loser but a few, some answer leaves them safe moves that all take one number.

    After these, some answer has one of the causes before. `threat`: the winner threatens to make the target with it.
    """

    but: tuple[Move, ...]
    threat: bool


class InTwo(NamedTuple):
    """After each safe move of the loser some answer leads to this: after each more, some answer leaves no safe move."""


class NoCause(NamedTuple):
    """No claim of the catalogue holds, or neither side can force an end; `replies` have been checked."""

    replies: int


Simple = Stuck | Settled | ByLaw | NoSafeReply | Guarding
Claim = EndsMatch | Leaves | Simple | Forced | NextNoSafeReply | Answers | NextForced | InTwo | NoCause
_NAMES: Final[dict[type[Claim], str]] = {
    EndsMatch: "ends",
    Leaves: "leaves",
    Stuck: "stuck",
    Settled: "settled",
    ByLaw: "law",
    NoSafeReply: "no-safe-reply",
    Guarding: "guarding",
    Forced: "forced",
    NextNoSafeReply: "next-no-safe-reply",
    NextForced: "next-forced",
    InTwo: "next-forced",
    NoCause: "none",
}
NAMES: Final = (*list(_NAMES.values())[:-3], "answers", "replies", "next-forced", "none")
"""The names of the catalogue, in order."""
NONE: Final = NAMES[-1]


def name_of(claim: Claim) -> str:
    """Return the name of a claim in the catalogue."""
    if isinstance(claim, Answers):
        return "replies" if claim.table.form in MORE else "answers"
    return _NAMES[type(claim)]
