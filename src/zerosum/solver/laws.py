"""Laws: the whole truth about a game in one sentence, if there is one.

A law says: the player to move wins if they can make the target now, or if a *fact* holds; otherwise they lose. The
facts are a closed list: an odd or an even count of numbers is left, or the player to move is the first or the second;
or none. Each law is compared with the value of every position that can arise, and counts only if there is no
exception; a draw is one. No law is looked for if seats can be swapped, as seats are then not players.

"Can make the target" is meant literally: a legal move lands exactly on it, and that wins. To win at once by
taking the last number does not count.

If totals grow without end, the positions compared are those of the rounds that the solver laid out. That is enough:
each of the others is the copy of one of them, with the same seat, pool and verdict, in a round in which nobody can
reach the target (`solver/endless.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from zerosum.base.documents import OMITTED, member
from zerosum.base.enums import StrChoice
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, can_make
from zerosum.solver.value import Value, Verdict


class Fact(StrChoice):
    """What makes the player to move win, apart from making the target now."""

    ODD = "odd"
    EVEN = "even"
    FIRST = "first"
    SECOND = "second"
    NONE = "none"


def true_facts(left: int, seat: Seat) -> frozenset[Fact]:
    """Return the facts that hold if a seat is to move and some count of numbers is left."""
    return _TRUE[left % 2, seat]


_TRUE: Final = {
    (parity, seat): frozenset({_of_parity, _of_seat})
    for parity, _of_parity in ((0, Fact.EVEN), (1, Fact.ODD))
    for seat, _of_seat in ((Seat.FIRST, Fact.FIRST), (Seat.SECOND, Fact.SECOND))
}
_COUNTS: Final = (Fact.ODD, Fact.EVEN)
_SEATS: Final = (Fact.FIRST, Fact.SECOND)
_WORDS: Final = {
    Fact.ODD: "if an odd number of numbers is left",
    Fact.EVEN: "if an even number of numbers is left",
    Fact.FIRST: "if they are the first player",
    Fact.SECOND: "if they are the second player",
}


@dataclass(frozen=True, slots=True)
class Law:
    """A law without exceptions; `makes`: whether the target can be made at once in any position at all."""

    target: int = field(metadata=OMITTED)
    fact: Fact = field(metadata=OMITTED)
    makes: bool = field(metadata=OMITTED)

    @property
    @member
    def id(self) -> str:
        """The name of the law: `make-or-odd`, for one."""
        parts = [*(["make"] if self.makes else []), *([] if self.fact is Fact.NONE else [self.fact.value])]
        return "-or-".join(parts) or "never"

    @property
    @member
    def words(self) -> str:
        """The law as a sentence."""
        ifs = [f"if they can make {self.target} now"] if self.makes else []
        if self.fact is not Fact.NONE:
            ifs.append(_WORDS[self.fact])
        if not ifs:
            return "The player to move always loses."
        return f"The player to move wins {', or '.join(ifs)}; otherwise they lose."

    def verdict(self, position: Position) -> Verdict:
        """Return what the law says of an unfinished position."""
        return Verdict.WIN if can_make(position) or self.holds(position) else Verdict.LOSS

    def holds(self, position: Position) -> bool:
        """Whether the law's fact, the part after "or", holds in a position."""
        return self.fact in true_facts(len(position.pool), position.seat)


Found = tuple[frozenset[Fact], bool]
"""The facts whose laws have no exception, and whether the target can be made at once anywhere."""


def law_of(rules: Rules, found: Found) -> Law | None:
    """Return the law of a game, given what was found; if a count and a seat say the same, the more natural one.

    Without refills the seat follows from the count, which is what players see; rounds change the count, never the seat.
    """
    facts, makes = found
    seats_first = rules.tie is Tie.SUDDEN_DEATH
    order = (*_SEATS, *_COUNTS) if seats_first else (*_COUNTS, *_SEATS)
    return next((Law(rules.target, fact, makes) for fact in (*order, Fact.NONE) if fact in facts), None)


def by_positions(everything: Iterable[tuple[Position, Value]]) -> Found:
    """Compare position by position, and stop as soon as every law has an exception."""
    facts, makes = frozenset(Fact), False
    for position, value in everything:
        if value.verdict is Verdict.DRAW:
            return frozenset(), makes
        if can_make(position):
            makes = True
            continue
        true = true_facts(len(position.pool), position.seat)
        facts = facts & true if value.verdict is Verdict.WIN else facts - true
        if not facts:
            break
    return facts, makes
