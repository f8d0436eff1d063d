"""A match as a value: its set-up and what was played. Everything else is derived from the two."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from zerosum.match.policy import Chosen, Forbidden, read_number, read_operation
from zerosum.match.setup import Person, Setup, setup_from_tags, setup_tags
from zerosum.rules import limits
from zerosum.rules.errors import RecordError
from zerosum.rules.model import Seat
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.numbers import shorten
from zerosum.rules.outcome import Outcome, Reason, closer_seat
from zerosum.rules.position import Position, start_position
from zerosum.rules.record import Ending, format_record, parse_record


@dataclass(frozen=True, slots=True)
class Undo:
    """An entry that takes back the last plies."""

    plies: int


Entry = Move | Undo | Ending


@dataclass(frozen=True, slots=True)
class Match:
    """One play of a game: `positions[n]` stands after `moves[:n]`."""

    setup: Setup
    positions: tuple[Position, ...]
    moves: tuple[Move, ...] = ()
    ending: Ending | None = None
    outcome: Outcome | None = field(init=False)
    """Who won and why, None while the match goes on. It is asked for so often that it is worked out once."""

    def __post_init__(self) -> None:
        """Work the outcome out."""
        object.__setattr__(self, "outcome", self._outcome())

    @classmethod
    def begin(cls, setup: Setup) -> Match:
        """Return a match at its start."""
        return cls(setup, (start_position(setup.rules),))

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def _outcome(self) -> Outcome | None:
        if self.ending is not None:
            return self.ending.outcome
        if self.position.outcome is None and len(self.moves) >= limits.MATCH_PLIES:
            return Outcome(closer_seat(self.setup.rules, self.position.totals) or Seat.SECOND, Reason.PLY_LIMIT)
        return self.position.outcome

    def person(self, seat: Seat, ply: int | None = None) -> Person:
        """Return who sits in `seat` now, or sat there before the move `moves[ply]`."""
        swapped = self.setup.rules.swap and SWAP in self.moves[:ply]
        sits_first = self.setup.first.other if swapped else self.setup.first
        return sits_first if seat is Seat.FIRST else sits_first.other

    def seat(self, person: Person) -> Seat:
        """Return where a person sits now."""
        return Seat.FIRST if self.person(Seat.FIRST) is person else Seat.SECOND

    def mover(self, ply: int) -> Person:
        """Return who made the move `moves[ply]`."""
        return self.person(self.positions[ply].seat, ply)

    @property
    def to_move(self) -> Person:
        """Who is to move."""
        return self.person(self.position.seat)

    def after(self, entry: Entry) -> Match:
        """Return the match with one more entry, checked."""
        if self.outcome is not None:
            raise RecordError("The match is over; nothing can follow.")
        match entry:
            case Undo(plies):
                if not 1 <= plies <= len(self.moves):
                    raise RecordError(f"{plies} of {len(self.moves)} plies cannot be undone.")
                return replace(self, positions=self.positions[:-plies], moves=self.moves[:-plies])
            case Ending():
                self._check_ending(entry)
                return replace(self, ending=entry)
            case Move():
                after = self.position.play(entry)
                return Match(self.setup, (*self.positions, after), (*self.moves, entry))

    def undo_plies(self, asking: Person) -> int:
        """Return how many plies `asking` takes back: one between people, else to their own last turn."""
        if all(map(self.setup.is_human, Person)):
            return min(1, len(self.moves))
        own = [ply for ply in range(len(self.moves)) if self.mover(ply) is asking]
        return len(self.moves) - own[-1] if own else 0

    def _check_ending(self, ending: Ending) -> None:
        """Believe a forfeit only if the answer that caused it is a forfeit here."""
        if ending.reason is not Reason.FORFEIT:
            return
        number_text, _, operation_text = ending.text.partition(" ")
        answer = read_number(self.position, number_text)
        if isinstance(answer, Chosen):
            answer = read_operation(self.position, answer.number, operation_text)
        if not self.setup.forfeits or ending.seat is not self.position.seat or not isinstance(answer, Forbidden):
            raise RecordError(f"The answer that is said to forfeit, '{shorten(ending.text)}', does not.")

    def record(self) -> str:
        """Return the record of the match as text."""
        tags = setup_tags(self.setup)
        outcome = self.outcome
        tags["Result"] = str(outcome.winner.value) if outcome else "*"
        if outcome is not None:
            tags["Reason"] = outcome.reason.value
        return format_record(tags, self.setup.rules, self.moves, self.ending)


def read_match(text: str) -> Match:
    """Return the match that a record writes: moves replayed, result worked out anew."""
    record = parse_record(text)
    match = Match.begin(setup_from_tags(record.tags, record.rules))
    for move in record.moves:
        match = match.after(move)
    return match.after(record.ending) if record.ending is not None else match
