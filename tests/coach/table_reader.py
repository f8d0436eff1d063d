"""Reads a printed table of answers back and follows it against every reply; of the package it uses the rules alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.coach.cause_forms import M
from tests.coach.plain_features import Plain
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.position import Position

MOVE = M.replace("(", "(?:", 1)
WIN = r"(?:(?:you|they) )?win at once if (?:you|they) can; otherwise "
TABLE = re.compile(rf"(?P<win>{WIN})?(?P<who>(?:you |they )?answer) (?P<what>.+)")
IF = re.compile(
    rf"; if (?P<who>you|they) take (?P<number>-?\d+), (?:with (?P<answer>{MOVE})|(?P<wins>{MOVE}) wins at once)$"
)
MOVES = rf"anything else|anything|{MOVE}(?:(?:, | or ){MOVE})*"
PART = re.compile(rf"(?P<replies>{MOVES}) with (?P<answer>{MOVE})(?:[,;] |$)")


@dataclass
class Told:
    """What a table says, as far as words were read."""

    win_first: bool
    usual: str = ""
    cases: dict[str, str] = field(default_factory=dict)
    """Replies, as text, with their answers."""
    number: int | None = None
    """Replies that take this number have the answer `taken`, which wins at once if `wins` says so."""
    taken: str = ""
    wins: bool = False


class TableReader:
    """Follows a table from a position in which the loser is to move."""

    def __init__(self, plain: Plain, lost: Position, winner: str, loser: str) -> None:
        self.plain, self.lost, self.winner, self.loser = plain, lost, winner, loser

    def read(self, text: str) -> Told | None:
        """Return what a table says; None if that is no table, or one for somebody else."""
        found = TABLE.fullmatch(text[0].lower() + text[1:])
        # To somebody else it is told by name: "you answer", where a name stands for "you".
        who = ("", "you ") if self.winner == "you" else ("they ",)
        if found is None or found["who"] not in [f"{one}answer" for one in who]:
            return None
        if found["win"] not in (None, *(f"{one}win at once if {self.winner} can; otherwise " for one in who)):
            return None
        told, what = Told(bool(found["win"])), found["what"]
        condition = IF.search(what)
        if condition is not None:
            if condition["who"] != self.loser:
                return None
            told.number, told.taken = int(condition["number"]), condition["answer"] or condition["wins"]
            told.wins, what = condition["wins"] is not None, what[: condition.start()]
        return self._parts(told, what)

    @staticmethod
    def _parts(told: Told, what: str) -> Told | None:
        """Read what answers what; None if something is left over."""
        if what.startswith("with ") and told.win_first:
            what = f"anything {what}"
        for part in PART.finditer(what):
            if part["replies"].startswith("anything"):
                told.usual = part["answer"]
            else:
                told.cases |= dict.fromkeys(re.split(r", | or ", part["replies"]), part["answer"])
        return told if told.usual and not PART.sub("", what) else None

    def answers(self, text: str) -> int:
        """Return how many different answers a table names."""
        told = self.read(text)
        return 0 if told is None else len({told.usual, *told.cases.values(), *([told.taken] if told.taken else [])})

    def meets(self, text: str, leaves: Callable[[Position], bool], *, ends: bool = True) -> bool:
        """Whether every answer wins at once, or leaves what it should; `ends`: whether winning at once is expected."""
        told = self.read(text)
        if told is None:
            return False
        legal = {self.lost.text_of(move) for move in self.lost.legal_moves()}
        return set(told.cases) <= legal and all(
            self._met(told, move, after, leaves, ends=ends) for move, after in self.plain.replies(self.lost)
        )

    def _met(self, told: Told, reply: Move, after: Position, leaves: Callable[[Position], bool], *, ends: bool) -> bool:
        if after.outcome is not None:
            return not self.plain.won(self.lost, after)
        if told.win_first and self.plain.can_win_now(after):
            return True
        takes = told.number is not None and reply.operation != "swap" and reply.number == told.number
        text = self.lost.text_of(reply)
        answer = told.cases.get(text, told.taken if takes else told.usual)
        move = parse_move(answer, self.lost.rules.operations)
        if move not in after.legal_moves():
            return False
        left = after.play(move)
        if left.outcome is not None:
            return ends and self.plain.won(after, left)
        return leaves(left) and not (takes and told.wins and text not in told.cases)
