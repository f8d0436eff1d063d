"""A match as a value: its set-up and what was played. Everything else is derived from the two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from zerosum.base.errors import BadValueError, IllegalPositionError, RecordError
from zerosum.base.text import shorten
from zerosum.match.setup import OUTSIDE, Person, Setup, setup_from_tags, setup_tags
from zerosum.match.typed_moves import FIRST_OPERATION_WORDS, Chosen, Forbidden, read_number, read_operation
from zerosum.rules.model import Rules, Seat, Totals
from zerosum.rules.moves import SWAP, Move, format_move, parse_move, read_move
from zerosum.rules.outcome import Outcome, Reason, closer_seat
from zerosum.rules.position import Position, start_position
from zerosum.rules.record import POSITION, Ending, format_ending, format_record, parse_ending, parse_record

if TYPE_CHECKING:
    from zerosum.solver import Solution

_MEMORY: Final = 64 << 20
"""Bytes that solving may take here. A server waits for the answer, and every reader of a record must find the same."""


def winner_at_limit(position: Position) -> Seat:
    """Return the seat that wins at the limit: by the exact verdict, seat 2 if neither can force an end.

    If a game is too large to solve, the seat closer to the target wins, seat 2 if both are as close.
    """
    from zerosum.solver import Verdict  # noqa: PLC0415 - a list of matches begins without the solver

    solution = solution_at_limit(position.rules)
    try:
        verdict = solution.value(position).verdict if solution else None
    except IllegalPositionError:  # a match that begins elsewhere
        verdict = None
    if verdict is Verdict.WIN:
        return position.seat
    if verdict is Verdict.LOSS:
        return position.seat.other
    if verdict is Verdict.DRAW or position.rules.totals is Totals.SHARED:
        return Seat.SECOND
    return closer_seat(position.rules, position.totals) or Seat.SECOND


@lru_cache(maxsize=8)
def solution_at_limit(rules: Rules) -> Solution | None:
    """Return the solution of a game, None if it is too large: found once, and remembered either way."""
    from zerosum.solver import SolverError, solve  # noqa: PLC0415 - as above

    try:
        return solve(rules, _MEMORY)
    except SolverError:
        return None


@dataclass(frozen=True, slots=True)
class Undo:
    """An entry that takes back the last plies."""

    plies: int

    def __post_init__(self) -> None:
        """Refuse anything but a number; only a match knows how many plies it has."""
        if type(self.plies) is not int:
            raise BadValueError("An Undo takes back a number of plies.")


Entry = Move | Undo | Ending
_UNDO: Final = re.compile(r"undo:([0-9]{1,3})")
_PEOPLE = ("human", "human")


def format_entry(entry: Entry, match: Match) -> str:
    """Return an entry as text."""
    if isinstance(entry, Move):
        return format_move(entry, match.setup.rules.operations)
    return f"undo:{entry.plies}" if isinstance(entry, Undo) else format_ending(entry)


def parse_entry(text: str, match: Match) -> Entry:
    """Return the entry that a line of a journal holds."""
    undo = _UNDO.fullmatch(text)
    if undo is not None:
        return Undo(int(undo[1]))
    return parse_ending(text) or parse_move(text, match.setup.rules.operations)


class _Draft:
    """The slots of a match, which can still be written: see `Match._with`."""

    __slots__ = ("ending", "moves", "outcome", "positions", "setup", "start", "to_move")

    setup: Setup
    moves: tuple[Move, ...]
    ending: Ending | None
    start: Position | None
    positions: tuple[Position, ...]
    outcome: Outcome | None
    to_move: Person


@dataclass(frozen=True, slots=True)
class Match(_Draft):
    """One play of a game: `positions[n]` stands after `moves[:n]`.

    Moves and ending are checked as if they were played now. `start` is given if it is not the start of the game.
    """

    setup: Setup
    moves: tuple[Move, ...] = ()
    ending: Ending | None = None
    start: Position | None = None
    positions: tuple[Position, ...] = field(init=False, repr=False, compare=False)
    outcome: Outcome | None = field(init=False, repr=False, compare=False)
    """Who won and why, None while the match goes on. It is read so often that it is worked out once."""
    to_move: Person = field(init=False, repr=False, compare=False)
    """Who is to move; also worked out once."""

    def __post_init__(self) -> None:
        """Play it out."""
        if type(self.setup) is not Setup or type(self.moves) is not tuple:
            raise BadValueError("A match is made of a Setup and a tuple of moves.")
        start = start_position(self.setup.rules) if self.start is None else self.start
        if type(start) is not Position or start.rules != self.setup.rules:
            raise BadValueError("A match starts at a Position of the game that its Setup names.")
        played = self._with((start,), ())
        for entry in (*self.moves, *(() if self.ending is None else (self.ending,))):
            played = played.after(entry)
        if (played.moves, played.ending) != (self.moves, self.ending):
            raise BadValueError("The moves of a match are moves, and its ending is an Ending.")
        for name in ("positions", "outcome", "to_move"):
            object.__setattr__(self, name, getattr(played, name))

    def _with(self, positions: tuple[Position, ...], moves: tuple[Move, ...], ending: Ending | None = None) -> Match:
        """Return a match of the same set-up with what has been checked already; made as positions are."""
        draft = _Draft()
        draft.setup = self.setup
        draft.moves = moves
        draft.ending = ending
        draft.start = self.start
        draft.positions = positions
        draft.outcome = _outcome(self.setup, moves, ending, positions[-1])
        draft.to_move = _person(self.setup, moves, positions[-1].seat)
        draft.__class__ = Match
        return draft  # type: ignore[return-value]  # it is one since the line above

    @classmethod
    def begin(cls, setup: Setup) -> Match:
        """Return a match at its start."""
        return cls(setup)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def person(self, seat: Seat, ply: int | None = None) -> Person:
        """Return who sits in `seat` now, or sat there before the move `moves[ply]`."""
        return _person(self.setup, self.moves[:ply] if self.setup.rules.swap else (), seat)

    def seat(self, person: Person) -> Seat:
        """Return where a person sits now."""
        return Seat.FIRST if self.person(Seat.FIRST) is person else Seat.SECOND

    def mover(self, ply: int) -> Person:
        """Return who made the move `moves[ply]`."""
        return self.person(self.positions[ply].seat, ply)

    @property
    def seed(self) -> str:
        """The seed of the next move, for computer players: different in each match of a series, and at each ply."""
        number = self.setup.series.number if self.setup.series else 1
        return f"{self.setup.seed}/{number}/{len(self.moves)}"

    def after(self, entry: Entry | str) -> Match:
        """Return the match with one more entry, checked; a text is a move."""
        if self.outcome is not None:
            raise RecordError("The match is over; nothing can follow.")
        if isinstance(entry, Undo):
            if not 1 <= entry.plies <= len(self.moves):
                raise RecordError(f"{entry.plies} of {len(self.moves)} plies cannot be undone.")
            return self.at(len(self.moves) - entry.plies)
        if isinstance(entry, Ending):
            self._check_ending(entry)
            return self._with(self.positions, self.moves, entry)
        move = entry if isinstance(entry, Move) else read_move(entry, self.setup.rules.operations)
        # Added up: unpacking would go through a list, which takes longer the longer the match is.
        return self._with(self.positions + (self.position.play(move),), self.moves + (move,))  # noqa: RUF005

    def at(self, ply: int) -> Match:
        """Return the match as it stood after its first `ply` moves."""
        return self._with(self.positions[: ply + 1], self.moves[:ply])

    def undo_plies(self, asking: Person) -> int:
        """Return how many plies an undo by `asking` takes back: one between people, else to their own last turn."""
        if self.setup.who == _PEOPLE:
            return min(1, len(self.moves))
        own = [ply for ply in range(len(self.moves)) if self.mover(ply) is asking]
        return len(self.moves) - own[-1] if own else 0

    def _check_ending(self, ending: Ending) -> None:
        """Accept a forfeit only if its answer is a forfeit under these rules; a program forfeits by failing too."""
        if ending.reason is not Reason.FORFEIT or self.is_outside(ending.seat):
            return
        number_text, _, operation_text = ending.text.partition(" ")
        answer = read_number(self.position, number_text)
        if isinstance(answer, Chosen):
            answer = read_operation(self.position, answer.number, operation_text, FIRST_OPERATION_WORDS)
        if not self.setup.forfeits or ending.seat is not self.position.seat or not isinstance(answer, Forbidden):
            raise RecordError(f"The record says that the answer '{shorten(ending.text)}' forfeits, but it does not.")

    def is_outside(self, seat: Seat) -> bool:
        """Whether a program from outside plays in `seat`."""
        return self.setup.who[self.person(seat) - 1] in OUTSIDE

    def record(self) -> str:
        """Return the record of the match as text."""
        tags = setup_tags(self.setup)
        if self.start is not None:
            tags[POSITION] = str(self.start)
        outcome = self.outcome
        tags["Result"] = str(outcome.winner.value) if outcome else "*"
        if outcome is not None:
            tags["Reason"] = outcome.reason.value
            tags["Winner"] = self.setup.name(self.person(outcome.winner))
        return format_record(tags, self.setup.rules, self.moves, self.ending)


def _outcome(setup: Setup, moves: Sequence[Move], ending: Ending | None, position: Position) -> Outcome | None:
    if ending is not None:
        return ending.outcome
    if position.outcome is None and len(moves) >= setup.plies:
        return Outcome(winner_at_limit(position), Reason.PLY_LIMIT)
    return position.outcome


def _person(setup: Setup, moves: Sequence[Move], seat: Seat) -> Person:
    """Return who sits in a seat after some moves."""
    first = setup.first
    if setup.rules.swap and SWAP in moves:
        first = first.other
    return first if seat is Seat.FIRST else first.other


def read_match(text: str) -> Match:
    """Return the match that a record writes: its moves replayed, its result derived from them."""
    record = parse_record(text)
    match = Match(setup_from_tags(record.tags, record.rules), start=record.start)
    for move in record.moves:
        match = match.after(move)
    return match.after(record.ending) if record.ending is not None else match
