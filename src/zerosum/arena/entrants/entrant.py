"""What an entrant is: an outside program or model, or a built-in player, that is asked for moves in a match.

    entrant = open_entrant("bot:./my-bot")      arena/entrants/open_entrant.py
    entrant.begin(rules)                        before each match; raises WithdrawnError if it fails too often
    reply = entrant.choose(turn)                a move, or the fault by which it loses
    entrant.end(outcome)                        after each match
    entrant.close()

`decide` asks an entrant under a policy for illegal moves. `judge_text` says what a text from outside means at a
position: a legal move or a fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic
from typing import Final

from zerosum.arena.entrants import limits
from zerosum.base.errors import InvalidTextError, ZerosumError
from zerosum.base.text import shorten
from zerosum.match.typed_moves import NOTATION, Unreadable, read_whole_move
from zerosum.players import pick
from zerosum.rules.model import InvalidMove, Rules
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.outcome import Outcome, Reason
from zerosum.rules.position import Position
from zerosum.rules.record import Ending


class WithdrawnError(ZerosumError):
    """An entrant that failed too often in a row, or cannot be started: its other matches are void, not lost."""


class Fault(Enum):
    """Why an entrant has no legal move to show for a turn."""

    TIME = "time"
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
    seed: str = ""
    """The seed from which a built-in player draws its move."""
    forfeits: bool | None = None
    """Whether an illegal move loses the match; None if the rules decide."""


@dataclass(frozen=True, slots=True)
class EntrantReply:
    """The reply to a turn: a legal move, or a fault with its detail."""

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
    """If it crashed, the last line of its standard error. Records leave it out, since it may name the command."""


class Entrant:
    """A player that can be asked for moves. It plays one match at a time, and ignores what it does not define."""

    who: str
    """How records name it: `bot`, `model`, `command`, or the name of a built-in player."""
    name: str
    """How it is shown; never the command."""

    def begin(self, rules: Rules) -> None:
        """Get ready for a match; start again whatever has failed."""

    def choose(self, turn: Turn) -> EntrantReply:
        """Ask for a move. It never takes much longer than the turn allows."""
        raise NotImplementedError

    def refuse(self, text: str, why: str) -> None:
        """Tell it that its move was not legal."""

    def chances(self, position: Position) -> Mapping[Move, float] | None:
        """Return the chance of each move, None if the entrant cannot tell."""

    def end(self, outcome: Outcome) -> None:
        """Tell it how the match ended."""

    def close(self) -> None:
        """End it; nothing of it is left."""


class IllegalMovePolicy(Enum):
    """What an illegal move costs."""

    RULES = "rules"
    """What the rules file says: a forfeit, or asked once more and then a forfeit."""
    FORFEIT = "forfeit"
    """The match."""
    RANDOM = "random"
    """A move at random is played instead; it is noted as illegal and never counts as the entrant's choice."""

    @property
    def forfeits(self) -> bool | None:
        """Whether an illegal move loses the match; None if the rules decide."""
        return None if self is IllegalMovePolicy.RULES else self is IllegalMovePolicy.FORFEIT


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The result of a turn: a move to play, or an ending, with every reply."""

    move: Move | None
    replies: tuple[EntrantReply, ...]
    instead: bool = False
    """Whether the move was picked for the entrant, whose own was illegal."""

    @property
    def fault(self) -> Fault | None:
        """Why the match is lost; None if there is a move."""
        return self.replies[-1].fault if self.move is None else None

    @property
    def illegal(self) -> int:
        """How many of the replies were illegal moves."""
        return sum(reply.fault is Fault.ILLEGAL for reply in self.replies)

    def ending(self, turn: Turn) -> Ending:
        """Return how the match ends if there is no move."""
        last = self.replies[-1]
        reason = (last.fault or Fault.CRASH).reason
        return Ending(reason, turn.position.seat, last.detail if last.fault is not Fault.TIME else "")


def turn_result(
    replies: Sequence[EntrantReply], turn: Turn, policy: IllegalMovePolicy, *, lenient: bool = False
) -> TurnResult | None:
    """Return the result of the replies to one turn, None if the entrant is to be asked again."""
    if replies[-1].fault is not Fault.ILLEGAL:
        return TurnResult(replies[-1].move, tuple(replies))
    asks_again = lenient or turn.position.rules.invalid_move is InvalidMove.ASK_AGAIN
    if len(replies) < (limits.ASKED if policy is IllegalMovePolicy.RULES and asks_again else 1):
        return None
    if policy is IllegalMovePolicy.RANDOM:
        return TurnResult(pick(turn.position.legal_moves(), f"{turn.seed}/illegal"), tuple(replies), instead=True)
    return TurnResult(None, tuple(replies))


def decide(
    entrant: Entrant, turn: Turn, policy: IllegalMovePolicy = IllegalMovePolicy.RULES, *, lenient: bool = False
) -> TurnResult:
    """Ask an entrant for its move, again if the rules allow it, within the time of one turn."""
    deadline = monotonic() + turn.seconds
    replies: list[EntrantReply] = []
    while True:
        reply = entrant.choose(turn)
        replies.append(reply)
        decision = turn_result(replies, turn, policy, lenient=lenient)
        if reply.fault is Fault.ILLEGAL:
            entrant.refuse(reply.text, reply.detail)
        if decision is not None:
            return decision
        turn = replace(turn, seconds=max(deadline - monotonic(), 0.0))
        if turn.seconds == 0:
            return TurnResult(None, tuple(replies))


_SUM: Final = 1e-6
"""How far from 1 the chances of a policy may add up."""


def judge_text(text: str, position: Position, seconds: float, score: str | None = None) -> EntrantReply:
    """Return a reply with the move that a text writes, or with the fault that it is not legal."""
    answer = read_whole_move(position, text, NOTATION)
    if isinstance(answer, Move):
        return EntrantReply(answer, text, seconds, score=score)
    if isinstance(answer, Unreadable):
        detail = answer.message.rstrip(".")
    else:
        detail = f"{position.text_of(answer.move)} is not allowed: {answer.clause.value}"
    return EntrantReply(None, shorten(text), seconds, Fault.ILLEGAL, detail, score)


def chances_from_bot(said: Mapping[str, float], position: Position) -> Mapping[Move, float] | None:
    """Return the chances that a bot gives, scaled to add up to 1; None if they are no policy at this position."""
    legal = position.legal_moves()
    try:
        found = {parse_move(text, position.rules.operations): chance for text, chance in said.items()}
    except InvalidTextError:
        return None
    whole = sum(found.values())
    if not set(found) <= set(legal) or len(found) != len(said) or abs(whole - 1) > _SUM:
        return None
    return {move: found.get(move, 0.0) / whole for move in legal}
