"""A turn under a policy for illegal moves: what the referee does with an entrant's replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic

from zerosum.arena.entrants import limits
from zerosum.arena.entrants.entrant import Entrant, Fault, Reply, Turn
from zerosum.players import pick
from zerosum.rules.model import InvalidMove, Rules
from zerosum.rules.moves import Move
from zerosum.rules.record import Ending


class Illegal(Enum):
    """What an illegal move costs."""

    RULES = "rules"
    """What the rules file says: a forfeit, or asked once more and then a forfeit."""
    FORFEIT = "forfeit"
    """The match."""
    RANDOM = "random"
    """A move at random is played instead; it is noted as illegal and never counts as the entrant's choice."""

    @property
    def forfeits(self) -> bool | None:
        """Whether an illegal move loses the match; None where the rules say so."""
        return None if self is Illegal.RULES else self is Illegal.FORFEIT


@dataclass(frozen=True, slots=True)
class Decision:
    """What comes of a turn: a move to play, or an ending. Every reply that was given is kept."""

    move: Move | None
    replies: tuple[Reply, ...]
    instead: bool = False
    """Whether the move was picked for the entrant, whose own was illegal."""

    @property
    def fault(self) -> Fault | None:
        """Why the match is lost; None where there is a move."""
        return self.replies[-1].fault if self.move is None else None

    @property
    def illegal(self) -> int:
        """How many of the replies were illegal moves."""
        return sum(reply.fault is Fault.ILLEGAL for reply in self.replies)

    def ending(self, turn: Turn) -> Ending:
        """Return how the match ends where there is no move."""
        last = self.replies[-1]
        reason = (last.fault or Fault.CRASH).reason
        return Ending(reason, turn.position.seat, last.detail if last.fault is not Fault.TIME else "")


def times_asked(policy: Illegal, rules: Rules, *, lenient: bool = False) -> int:
    """Return how often an entrant is asked in one turn before an illegal move counts."""
    asks_again = lenient or rules.invalid_move is InvalidMove.ASK_AGAIN
    return limits.ASKED if policy is Illegal.RULES and asks_again else 1


def decided(replies: Sequence[Reply], turn: Turn, policy: Illegal, *, lenient: bool = False) -> Decision | None:
    """Return what comes of the replies to one turn, None where the entrant is to be asked again."""
    if replies[-1].fault is not Fault.ILLEGAL:
        return Decision(replies[-1].move, tuple(replies))
    if len(replies) < times_asked(policy, turn.position.rules, lenient=lenient):
        return None
    if policy is Illegal.RANDOM:
        return Decision(pick(turn.position.legal_moves(), f"{turn.seed}/illegal"), tuple(replies), instead=True)
    return Decision(None, tuple(replies))


def decide(entrant: Entrant, turn: Turn, policy: Illegal = Illegal.RULES, *, lenient: bool = False) -> Decision:
    """Ask an entrant for its move, again where the rules do, within the time of one turn."""
    deadline = monotonic() + turn.seconds
    replies: list[Reply] = []
    while True:
        reply = entrant.choose(turn)
        replies.append(reply)
        decision = decided(replies, turn, policy, lenient=lenient)
        if reply.fault is Fault.ILLEGAL:
            entrant.refuse(reply.text, reply.detail)
        if decision is not None:
            return decision
        turn = replace(turn, seconds=max(deadline - monotonic(), 0.0))
        if turn.seconds == 0:
            return Decision(None, tuple(replies))
