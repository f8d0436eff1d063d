"""What a move is worth, as a page shows it: a mark, a word and a colour, never a colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base.english import count
from zerosum.rules.model import Seat
from zerosum.server.pages.line_of_play import SEATS, capital

MARKS: Final = {"win": "\N{CHECK MARK}", "loss": "\N{MULTIPLICATION X}", "draw": "="}
_VERBS: Final = {"win": "wins", "loss": "loses", "draw": "draws"}


@dataclass(frozen=True, slots=True)
class MoveWorth:
    """A move, its verdict and length for the player who makes it, and where its link leads."""

    move: str
    verdict: str
    plies: int | None
    href: str = ""

    @property
    def mark(self) -> str:
        """The sign of the verdict."""
        return MARKS[self.verdict]

    @property
    def verb(self) -> str:
        """The verdict as a word."""
        return _VERBS[self.verdict]

    @property
    def short(self) -> str:
        """The verdict in few words: `wins in 3`."""
        if self.plies is None:
            return self.verb
        return f"{self.verb} at once" if self.plies == 1 else f"{self.verb} in {self.plies}"

    @property
    def words(self) -> str:
        """The verdict in full: `wins in 3 moves`."""
        return f"{self.short} moves" if self.plies not in (None, 1) else self.short


def move_worth(value: Mapping[str, Any], href: str = "") -> MoveWorth:
    """Return one of the values that the worker gives."""
    return MoveWorth(value["move"], value["verdict"], value["plies"], href)


def position_words(seat: Seat, options: Sequence[MoveWorth]) -> str:
    """Return how a position stands for the seat to move, whose moves are given, the best first."""
    best = options[0]
    who = capital(SEATS[seat])
    if best.verdict == "draw":
        return f"{who} is to move. Neither side can force an end."
    plies = best.plies or 0
    if best.verdict == "loss":
        return f"{who} is to move and is lost: every move loses, in {count(plies, 'move')} at the latest."
    good = sum(one.verdict == "win" for one in options)
    share = f"{good} of {count(len(options), 'move')} {'wins' if good == 1 else 'win'}"
    how_many = "every move wins" if good == len(options) else share
    how_soon = "at once" if plies == 1 else f"in {plies} moves"
    return f"{who} is to move and can win {how_soon}: {how_many}."
