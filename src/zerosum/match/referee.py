"""The referee: the only writer of a journal. It knows nothing about terminals, pages or bots."""

from __future__ import annotations

import re
from collections.abc import Callable

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.text import shorten
from zerosum.match.match import Entry, Match, Undo
from zerosum.match.setup import Person
from zerosum.match.typed_moves import TYPED, Answer, Chosen, Forbidden, Unreadable, read_number, read_operation
from zerosum.rules.moves import Move, Operation
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Clause
from zerosum.rules.record import Ending


def why_not(match: Match, answer: Forbidden, names: tuple[str, str] | None = None) -> str:
    """Say why the answer is not a move; `names` replaces the names of the two persons."""
    if answer.clause is Clause.NUMBER:
        return _why_no_number(match, answer.number, names or match.setup.names)
    if answer.clause is Clause.OPERATION:
        return f"Say whether to add or subtract {answer.number}: + or -."
    verb = answer.operation or Operation.ADD
    return f"You cannot {verb.value} {answer.number} now: {answer.clause.value}."


def _why_no_number(match: Match, number: int, names: tuple[str, str]) -> str:
    if number not in match.setup.rules.pool:
        return f"{number} is not one of the numbers of this game."
    taken = [ply for ply, move in enumerate(match.moves) if move.number == number]
    ply = taken[-1]
    return f"{number} was taken by {names[match.mover(ply) - 1]} on move {ply + 1}."


_LEADING_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


class NothingToUndoError(ZerosumError):
    """There is no ply to take back."""


class Refusal(str):
    """Why an answer was not taken; the same person is asked again."""

    __slots__ = ()


class NotAvailable(Refusal):
    """The refusal of a number, or of a whole move, that the rules forbid now."""

    __slots__ = ()


class NoOperation(Refusal):
    """The refusal of an answer that is no operation."""

    __slots__ = ()


def no_undo(match: Match, entries: int, asking: Person) -> str:
    """Return why `asking` cannot undo in a match whose journal has this many entries; empty if they can."""
    if match.undo_plies(asking) == 0:
        return "There is nothing to undo."
    return "" if entries < limits.JOURNAL_ENTRIES else "This match has been undone too often; it can only go on."


class Referee:
    """Holds a match to its rules; every entry is written before the match moves on.

    `write` puts an entry where it cannot be lost, and only then returns. `names` is what refusals call the two persons.
    """

    def __init__(
        self, match: Match, write: Callable[[Entry], None], entries: int = 0, names: tuple[str, str] | None = None
    ) -> None:
        self.match = match
        self._names = names
        self._write = write
        self._entries = entries

    def take_number(self, text: str, whole: Move | None = None) -> Entry | Chosen | Refusal:
        """Take the answer at the number prompt: an entry was made, or an operation is due, or ask again.

        `whole` is the move that the text writes, if it has been read already.
        """
        text = TYPED.plain(text)
        answer = read_number(self.match.position, text, whole)
        # Leading zeros say nothing, and the answer that forfeits must stay readable when it is shortened.
        return self._take(answer, text if isinstance(answer, Move) else _LEADING_ZEROS.sub("", text))

    def take_operation(self, chosen: Chosen, text: str) -> Entry | Chosen | Refusal:
        """Take the answer at the operation prompt."""
        answer = read_operation(self.match.position, chosen.number, text)
        return self._take(answer, f"{chosen.number} {text}")

    def play(self, move: Move) -> None:
        """Play a legal move."""
        self._append(move)

    def resign(self, person: Person) -> Ending:
        """End the match: `person` gives up."""
        ending = Ending(Reason.RESIGNED, self.match.seat(person))
        self._append(ending)
        return ending

    def end(self, ending: Ending) -> None:
        """End the match as a program's failure does: it forfeits, or its time has run out."""
        self._append(ending)

    def undo(self, asking: Person) -> Undo:
        """Take back one ply between people, or back to the asking person's own last turn."""
        if refusal := no_undo(self.match, self._entries, asking):
            raise NothingToUndoError(refusal)
        undo = Undo(self.match.undo_plies(asking))
        self._append(undo)
        return undo

    def _take(self, answer: Answer, text: str) -> Entry | Chosen | Refusal:
        match answer:
            case Move():
                self._append(answer)
                return answer
            case Chosen():
                return answer
            case Unreadable(message):
                return Refusal(message)
            case Forbidden() if self.match.setup.forfeits:
                ending = Ending(Reason.FORFEIT, self.match.position.seat, shorten(text))
                self._append(ending)
                return ending
            case Forbidden():
                kind = NoOperation if answer.clause is Clause.OPERATION else NotAvailable
                return kind(why_not(self.match, answer, self._names))

    def _append(self, entry: Entry) -> None:
        after = self.match.after(entry)
        self._write(entry)
        self.match = after
        self._entries += 1
