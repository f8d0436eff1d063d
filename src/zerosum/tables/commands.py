"""What a person can do at a table, and why not now: the same by API, by live connection and by form.

A command is decided by looking at the table alone. The result is a draft of one event, or a problem; nothing is
changed. The referee is the terminal's own, on a match that is a value; what it would write becomes the draft.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Annotated, Final, NamedTuple

from zerosum.base.errors import InvalidTextError
from zerosum.base.text import parse_number
from zerosum.match import referee
from zerosum.match.match import Entry, format_entry
from zerosum.match.referee import Referee, Refusal
from zerosum.match.setup import Person, Setup, next_in_series
from zerosum.match.typed_moves import Chosen
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.outcome import Reason
from zerosum.rules.position import Position
from zerosum.rules.record import Ending
from zerosum.tables import limits
from zerosum.tables.events import EventKind
from zerosum.tables.fields import Schema, Text, Whole
from zerosum.tables.problems import Problem
from zerosum.tables.table import PlayedEntry, Table, beginning


class Moment(NamedTuple):
    """When a command arrives, how long the turn has taken, how long the person to move was unseen: milliseconds."""

    now: int
    spent: int = 0
    unseen: int = 0
    seed: str = "0" * 16
    """Chance for a match that begins at this moment, as hexadecimal digits; drawn when the one before is over."""


Phase = Callable[[Table], str]
"""Says why a table is not in the phase of play that a command belongs to."""
Refuse = Callable[[Table, Person, Moment], str]


def time_is_up(table: Table, moment: Moment) -> bool:
    """Whether the person to move has no time left."""
    return table.clock is not None and table.running and table.left_of(table.match.to_move, moment.spent) == 0


def not_playing(table: Table) -> str:
    """Require a match that is going on."""
    if table.waiting:
        return "The other person has not joined yet."
    return "" if table.match.outcome is None else "The match is over."


def not_over(table: Table) -> str:
    """Require a match that is over, and room for another at this table."""
    if table.match.outcome is None:
        return "The match is not over."
    if table.room:
        return "In a room the next partner comes by itself."
    return "" if table.version < limits.TABLE_EVENTS else "Too much has happened at this table; open a new one."


def never_refused(_table: Table, _person: Person, _moment: Moment) -> str:
    """Refuse nothing."""
    return ""


def no_undo(table: Table, person: Person, _moment: Moment) -> str:
    """Require a move to take back that this person has not asked for already."""
    if table.undo_asked is person:
        return _asked_already(table, person)
    return _nothing_to_undo(table, person)


def no_undo_to_refuse(table: Table, person: Person, _moment: Moment) -> str:
    """Require that the other person has asked to take a move back."""
    return "" if table.undo_asked is person.other else "Nobody has asked to take a move back."


def no_undo_to_accept(table: Table, person: Person, moment: Moment) -> str:
    """Require that the other person has asked to take a move back, and that it can be."""
    return no_undo_to_refuse(table, person, moment) or _nothing_to_undo(table, person.other)


def _nothing_to_undo(table: Table, person: Person) -> str:
    if table.version >= limits.TABLE_EVENTS:
        return "Too much has happened at this table to take anything back."
    return referee.no_undo(table.match, table.entries, person)


def no_rematch(table: Table, person: Person, _moment: Moment) -> str:
    """Require that the series is over and that this person has not asked already."""
    if table.next_due:
        return "The series is not decided; the next match is due."
    return _asked_already(table, person) if table.rematch_asked is person else ""


def no_rematch_to_refuse(table: Table, person: Person, _moment: Moment) -> str:
    """Require that the other person has asked to play again."""
    return "" if table.rematch_asked is person.other else "Nobody has asked to play again."


def no_next(table: Table, _person: Person, _moment: Moment) -> str:
    """Require that another match of the series is due."""
    return "" if table.next_due else "No further match is due; play again instead."


def claim_wait(table: Table, person: Person, moment: Moment) -> int | None:
    """Return in how many milliseconds somebody can claim a match if nothing happens; None if never."""
    if not table.online or table.match.to_move is person:
        return None
    if time_is_up(table, moment):
        return 0
    return max(0, table.absent_seconds * 1000 - min(moment.spent, moment.unseen))


def no_claim(table: Table, person: Person, moment: Moment) -> str:
    """Require an opponent who is to move, and who is out of time or has long been absent."""
    wait = claim_wait(table, person, moment)
    if wait is None:
        return "Only an opponent whose turn it is can be claimed against."
    if wait == 0:
        return ""
    name = table.setup.name(person.other)
    return f"{name} was here lately; the match can be claimed after {-(-wait // 1000)} more seconds."


def _asked_already(table: Table, person: Person) -> str:
    return f"You have asked already; {table.setup.name(person.other)} has not answered."


# The pattern is for the description alone: text that is no move is the problem `unreadable-move`.
_MOVE: Final[Schema] = {"pattern": "^(swap|[-+\N{MINUS SIGN}]{0,2}[0-9]+)$", "examples": ["+5", "-3", "swap"]}
MOVE_TEXT: Final = Text(limits.MOVE_LENGTH, schema=_MOVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What every command carries: the version its sender saw, and an id that makes it safe to send again."""

    version: Annotated[int, Whole(1, 2**31 - 1)]
    move_id: Annotated[str, Text(pattern=rf"^[A-Za-z0-9_-]{{1,{limits.MOVE_ID_LENGTH}}}$")]
    person: Annotated[int, Whole(1, 2)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCommand(Command):
    """A move, written with its sign: `+5`, `-3`, `swap`."""

    move: Annotated[str, replace(MOVE_TEXT, least=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchCommand(Command):
    """Another match; against a computer or at one screen `swap` false keeps the seats, between two people they swap."""

    swap: bool = True


class UnconfirmedForfeit(Problem):
    """A move that would forfeit the match and was not confirmed; nothing has happened."""

    def __init__(self) -> None:
        super().__init__("illegal-move", "This move is not allowed now. Playing it forfeits the match.")


class EventDraft(NamedTuple):
    """An event that is not yet written; `played` is what it plays, so that its entry is read and played only once."""

    kind: EventKind
    data: Mapping[str, object]
    played: PlayedEntry | None = None

    @property
    def forfeits(self) -> bool:
        """Whether it ends the match by an invalid move."""
        entry = self.played.entry if self.played else None
        return isinstance(entry, Ending) and entry.reason is Reason.FORFEIT


Make = Callable[[Table, Person, Command, Moment], EventDraft]


def check_coaching(table: Table) -> None:
    """Refuse to help one of two people who play each other online."""
    if not table.coaching:
        raise Problem("no-coaching", "Two people are playing; the coach is there again when the match is over.")


def coached_position(table: Table) -> Position:
    """Return the position of a table, if the coach may speak about it."""
    check_coaching(table)
    if table.match.outcome is not None:
        raise Problem("not-now", "The match is over; look at its review.")
    return table.match.position


def sender_of(table: Table, held: frozenset[Person], command: Command) -> Person:
    """Return which of the persons whose seats are held sends a command."""
    if command.person is not None and Person(command.person) not in held:
        raise Problem("not-your-seat", f"You do not hold the seat of person {command.person}.")
    if not held:
        raise Problem("not-your-seat", "You are a spectator at this table.")
    if command.person is not None:
        return Person(command.person)
    return table.match.to_move if table.match.to_move in held else min(held)


def time_draft(table: Table, moment: Moment) -> EventDraft:
    """Return that the person to move ran out of time."""
    return _played(table, Ending(Reason.TIME, table.match.position.seat), moment)


def computer_draft(table: Table, move: str, moment: Moment) -> EventDraft:
    """Return the move of a computer."""
    return _played(table, parse_move(move, table.setup.rules.operations), moment)


def _move(table: Table, person: Person, command: Command, moment: Moment) -> EventDraft:
    if table.match.to_move is not person:
        raise Problem("not-your-turn", f"{table.setup.name(table.match.to_move)} is to move.")
    if not isinstance(command, MoveCommand):
        raise TypeError("a move has a move")
    position = table.match.position
    if command.move in (legal := position.legal_move_texts()):
        return _played(table, position.legal_moves()[legal.index(command.move)], moment)
    whole = _readable(table, command.move)
    if position.objection(whole) is None:
        return _played(table, whole, moment)
    referee, written = _referee(table)
    taken = referee.take_number(command.move, whole)
    if isinstance(taken, Chosen):
        # A signed number that is there but may not be applied so now.
        taken = referee.take_operation(taken, command.move[0])
    if not written:
        raise Problem("illegal-move", str(taken) if isinstance(taken, Refusal) else "")
    return _draft(table, PlayedEntry(written[0], referee.match), moment)


def _referee(table: Table) -> tuple[Referee, list[Entry]]:
    """Return a referee of the current match, and the list that it writes to."""
    written: list[Entry] = []
    return Referee(table.match, written.append, table.entries), written


def _readable(table: Table, text: str) -> Move:
    """Return a move as it is written; text that is no whole move is refused here, and so never forfeits."""
    try:
        return parse_move(text, table.setup.rules.operations)
    except InvalidTextError as error:
        try:
            parse_number(text)
        except InvalidTextError:
            raise Problem("unreadable-move", str(error)) from None
        raise Problem("operation-missing", str(error)) from None


def _resign(table: Table, person: Person, _command: Command, moment: Moment) -> EventDraft:
    referee, _ = _referee(table)
    return _draft(table, PlayedEntry(referee.resign(person), referee.match), moment)


def _ask_undo(table: Table, person: Person, command: Command, moment: Moment) -> EventDraft:
    if table.undo_asked is person.other:
        return _accept_undo(table, person, command, moment)
    return EventDraft(EventKind.UNDO_ASKED, {}) if table.consents else _undo(table, person, moment)


def _accept_undo(table: Table, person: Person, _command: Command, moment: Moment) -> EventDraft:
    return _undo(table, person.other, moment)


def _undo(table: Table, person: Person, moment: Moment) -> EventDraft:
    referee, _ = _referee(table)
    return _draft(table, PlayedEntry(referee.undo(person), referee.match), moment)


def _rematch(table: Table, person: Person, command: Command, moment: Moment) -> EventDraft:
    if table.consents and table.rematch_asked is not person.other:
        return EventDraft(EventKind.REMATCH_ASKED, {})
    series = table.setup.series
    renewed = replace(series, id=moment.seed[8:], number=1) if series else None
    keeps = isinstance(command, RematchCommand) and not command.swap and not table.consents
    first = table.setup.first if keeps else table.setup.first.other
    return _begin(table, replace(table.setup, first=first, series=renewed), moment)


def _next(table: Table, _person: Person, _command: Command, moment: Moment) -> EventDraft:
    return _begin(table, next_in_series(table.setup), moment)


def _begin(table: Table, setup: Setup, moment: Moment) -> EventDraft:
    """Return that a match begins."""
    date = date_text(moment.now)
    fresh = replace(setup, seed=moment.seed[:8], date=date)
    return EventDraft(EventKind.BEGAN, beginning(table, fresh))


def date_text(at: int) -> str:
    """Return a time as records write it."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"


def _claim(table: Table, _person: Person, _command: Command, moment: Moment) -> EventDraft:
    return time_draft(table, moment)


def _played(table: Table, entry: Entry, moment: Moment) -> EventDraft:
    return _draft(table, PlayedEntry(entry, table.match.after(entry)), moment)


def _draft(table: Table, played: PlayedEntry, moment: Moment) -> EventDraft:
    data: dict[str, object] = {"entry": format_entry(played.entry, table.match)}
    if table.clock is not None:
        data["spent"] = moment.spent
    return EventDraft(EventKind.PLAYED, data, played)


@dataclass(frozen=True, slots=True)
class CommandHandler:
    """A command: what it carries, in which phase of play and why else it may be refused, and what it makes."""

    model: type[Command]
    phase: Phase
    refusal: Refuse
    draft: Make
    says: str

    def decide(self, table: Table, person: Person, command: Command, moment: Moment) -> EventDraft:
        """Return what the command makes, or raise why it cannot be carried out."""
        if refusal := self.phase(table) or self.refusal(table, person, moment):
            raise Problem("not-now", refusal)
        return self.draft(table, person, command, moment)


_PLAYING: Final[Phase] = not_playing
_OVER: Final[Phase] = not_over
COMMANDS: Final[dict[str, CommandHandler]] = {
    "move": CommandHandler(MoveCommand, _PLAYING, never_refused, _move, "Make a move."),
    "resign": CommandHandler(Command, _PLAYING, never_refused, _resign, "Give the match up."),
    "ask-undo": CommandHandler(
        Command, _PLAYING, no_undo, _ask_undo, "Take the last move back, or ask the other person for it."
    ),
    "accept-undo": CommandHandler(
        Command, _PLAYING, no_undo_to_accept, _accept_undo, "Let the other person take the last move back."
    ),
    "refuse-undo": CommandHandler(
        Command,
        _PLAYING,
        no_undo_to_refuse,
        lambda *_: EventDraft(EventKind.UNDO_REFUSED, {}),
        "Do not let the other person take the last move back.",
    ),
    "rematch": CommandHandler(
        RematchCommand,
        _OVER,
        no_rematch,
        _rematch,
        "Play again with seats swapped (without a person to ask, `swap` false keeps them), or ask for it.",
    ),
    "refuse-rematch": CommandHandler(
        Command, _OVER, no_rematch_to_refuse, lambda *_: EventDraft(EventKind.REMATCH_REFUSED, {}), "Do not play again."
    ),
    "next": CommandHandler(Command, _OVER, no_next, _next, "Begin the next match of the series."),
    "claim": CommandHandler(
        Command, _PLAYING, no_claim, _claim, "Claim the match against an opponent who is absent or out of time."
    ),
}

# Whether a claim comes early depends on the time, not on the table.
_LATE: Final = Moment(0, spent=limits.ABSENT_SECONDS * 1000, unseen=limits.ABSENT_SECONDS * 1000)
_BY_PHASE: Final = {
    phase: [(name, one.refusal) for name, one in COMMANDS.items() if one.phase is phase and name != "move"]
    for phase in (_PLAYING, _OVER)
}


def allowed_commands(table: Table, held: frozenset[Person]) -> list[str]:
    """Return the commands that would be accepted now from the holder of these seats."""
    phase = _PLAYING if table.match.outcome is None else _OVER
    if not held or phase(table):
        return []
    able = ["move"] if phase is _PLAYING and table.match.to_move in held else []
    if len(held) == 1:  # as nearly always
        (who,) = held
        return able + [name for name, refusal in _BY_PHASE[phase] if not refusal(table, who, _LATE)]
    return able + [name for name, refusal in _BY_PHASE[phase] if not all(refusal(table, who, _LATE) for who in held)]
