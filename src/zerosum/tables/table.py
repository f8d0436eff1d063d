"""A table: two persons play one match after another. It is folded from its events and from nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, cast

from zerosum.match.match import Entry, Match, Undo, parse_entry, read_match
from zerosum.match.setup import Person, Setup, leader, setup_from_tags, setup_tags
from zerosum.rules.moves import Move
from zerosum.tables import limits
from zerosum.tables.events import Event, EventKind

BOTH: Final = frozenset(Person)


@dataclass(frozen=True, slots=True)
class Clock:
    """Time for each person: `minutes` for all moves of a match, and `increment` seconds more for each."""

    minutes: int
    increment: int = 0


class PlayedEntry(NamedTuple):
    """An entry of the current match and the match it makes: read once and played once."""

    entry: Entry
    match: Match


@dataclass(frozen=True, slots=True)
class Table:
    """A table after its event number `version`."""

    id: str
    opened: Event
    last: Event
    match: Match
    seated: frozenset[Person]
    online: bool
    """Whether the two persons sit at different devices; then neither does anything for the other."""
    clock: Clock | None = None
    room: str = ""
    """The room that the table belongs to, if it does to one; then it holds one match, and only the room sees it."""
    help: bool = False
    """Whether the coach may help while pupils of a room play each other."""
    entries: int = 0
    """Entries in the journal of the current match."""
    moves_text: str = ""
    """The moves of the current match, as the members of a list in JSON: every state has them all."""
    number: int = 1
    """Which match at this table is the current one."""
    won: tuple[int, int] = (0, 0)
    """How many of the matches before it each person has won: in the series, if there is one."""
    left: tuple[int, int] = (0, 0)
    """Milliseconds on each person's clock, when the turn began."""
    turn_began: int = 0
    undo_asked: Person | None = None
    rematch_asked: Person | None = None

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.last.version

    @property
    def setup(self) -> Setup:
        """The set-up of the current match."""
        return self.match.setup

    @property
    def waiting(self) -> bool:
        """Whether a person is still to take a seat."""
        return self.seated != BOTH

    @property
    def running(self) -> bool:
        """Whether a match is being played."""
        return not self.waiting and self.match.outcome is None

    @property
    def computer_to_move(self) -> bool:
        """Whether a move of a computer is due."""
        return self.running and not self.setup.is_human(self.match.to_move)

    @property
    def consents(self) -> bool:
        """Whether taking back and playing again need the other person's consent."""
        return self.online

    @property
    def coaching(self) -> bool:
        """Whether the coach may speak: not to one of two people who are playing each other online."""
        return self.help or self.match.outcome is not None or not (self.online or self.room)

    @property
    def solo(self) -> bool:
        """Whether one person plays against a computer; then what the coach says helps no other person."""
        alone = not self.online and sum(map(self.setup.is_human, Person)) == 1
        return alone and (self.help or not self.room)

    @property
    def absent_seconds(self) -> int:
        """Seconds after which a match can be claimed against an absent opponent."""
        return limits.ROOM_ABSENT_SECONDS if self.room else limits.ABSENT_SECONDS

    @property
    def score(self) -> tuple[int, int]:
        """How many matches each person has won: in the series, if there is one, else at this table."""
        outcome = self.match.outcome
        if outcome is None:
            return self.won
        one, two = self.won
        return (one + 1, two) if self.match.person(outcome.winner) is Person.ONE else (one, two + 1)

    @property
    def next_due(self) -> bool:
        """Whether another match of the series is to be played."""
        series = self.setup.series
        return series is not None and self.match.outcome is not None and series.goes_on(self.score)

    @property
    def drawn(self) -> bool:
        """Whether the series is over and nobody has won it."""
        over = self.setup.series is not None and self.match.outcome is not None and not self.next_due
        return over and leader(self.score) is None

    def left_of(self, person: Person, spent: int) -> int:
        """Return the milliseconds that somebody has left, when the turn has taken `spent` so far."""
        left = self.left[person - 1]
        return max(0, left - spent) if self.running and self.match.to_move is person else left

    def played(self, event: Event) -> PlayedEntry | None:
        """Return what an event plays in the current match, or None."""
        if event.kind is not EventKind.PLAYED:
            return None
        entry = parse_entry(str(event.data["entry"]), self.match)
        return PlayedEntry(entry, self.match.after(entry))

    def after(self, event: Event, played: PlayedEntry | None = None) -> Table:
        """Return the table with one more event; `played` saves reading its entry again."""
        if event.kind is EventKind.PLAYED:
            return _played(self, event, cast("PlayedEntry", played or self.played(event)))
        return _FOLDS[event.kind](self, event)


def open_table(table_id: str, event: Event) -> Table:
    """Return a table as its first event opens it."""
    data = cast("dict[str, Any]", event.data)
    match = read_match(data["record"]) if "record" in data else Match.begin(setup_from_tags(data["tags"]))
    clock = Clock(**data["clock"]) if data.get("clock") else None
    table = Table(
        id=table_id,
        opened=event,
        last=event,
        match=match,
        seated=frozenset(map(Person, data["seated"])),
        online=data["online"],
        clock=clock,
        room=data.get("room", ""),
        help=data.get("help", False),
        entries=len(match.moves),
        moves_text=",".join(f'"{match.position.text_of(move)}"' for move in match.moves),
    )
    return _clock_started(table, event.at)


def resume_table(table_id: str, opened: Event, began: Event) -> Table:
    """Return a table as the beginning of its latest match leaves it, without what came before.

    `began` says how the matches before it went, so that they need not be read. Both seats are taken by then.
    """
    data = cast("dict[str, Any]", began.data)
    table = open_table(table_id, opened)
    begun = replace(
        table,
        match=Match.begin(setup_from_tags(data["tags"])),
        entries=0,
        moves_text="",
        seated=BOTH,
        number=data["number"],
        won=tuple(data["won"]),
        last=began,
    )
    return _clock_started(begun, began.at)


def resumes(event: Event) -> bool:
    """Whether a table can be resumed at an event; the first releases did not write what is needed for it."""
    return event.kind is EventKind.BEGAN and "number" in event.data


def beginning(table: Table, setup: Setup) -> dict[str, object]:
    """Return what the event says by which the next match begins at a table, and who won the one before."""
    outcome = table.match.outcome
    return {
        "tags": setup_tags(setup),
        "number": table.number + 1,
        "won": list(_won_before(table, setup)),
        "winner": outcome and table.match.person(outcome.winner).value,
        "swapped": setup.first is not table.setup.first,
    }


def _won_before(table: Table, setup: Setup) -> tuple[int, int]:
    return table.score if _series_id(setup) == _series_id(table.setup) else (0, 0)


def fold(table_id: str, events: list[Event]) -> Table:
    """Return the table that its events make."""
    table = open_table(table_id, events[0])
    for event in events[1:]:
        table = table.after(event)
    return table


def _clock_started(table: Table, at: int) -> Table:
    if table.clock is None:
        return table
    full = table.clock.minutes * 60_000
    return replace(table, left=(full, full), turn_began=at)


def _joined(table: Table, event: Event) -> Table:
    person, match = cast("Person", event.person), table.match
    names = (str(event.data["name"]), match.setup.names[1]) if person is Person.ONE else None
    names = names or (match.setup.names[0], str(event.data["name"]))
    match = replace(match, setup=replace(match.setup, names=names))
    return replace(_clock_started(table, event.at), match=match, seated=table.seated | {person}, last=event)


def _played(table: Table, event: Event, played: PlayedEntry) -> Table:
    left = table.left
    if table.clock is not None:
        mover = table.match.to_move
        spent, gained = int(cast("int", event.data.get("spent", 0))), table.clock.increment * 1000
        rest = max(0, left[mover - 1] - spent) + (gained if isinstance(played.entry, Move) else 0)
        left = (rest, left[1]) if mover is Person.ONE else (left[0], rest)
    # By hand: most of what happens is played, and `replace` looks every field up by its name.
    return Table(
        table.id,
        table.opened,
        event,
        played.match,
        table.seated,
        table.online,
        table.clock,
        table.room,
        table.help,
        table.entries + 1,
        _moves_after(table, event, played.entry),
        table.number,
        table.won,
        left,
        event.at,
        None,
        table.rematch_asked,
    )


def _moves_after(table: Table, event: Event, entry: Entry) -> str:
    if isinstance(entry, Move):
        move = f'"{event.data["entry"]}"'
        return f"{table.moves_text},{move}" if table.moves_text else move
    return ",".join(table.moves_text.split(",")[: -entry.plies]) if isinstance(entry, Undo) else table.moves_text


def _began(table: Table, event: Event) -> Table:
    if table.match.outcome is None:
        raise ValueError("a match began before the last was over")
    setup = setup_from_tags(cast("dict[str, str]", event.data["tags"]))
    begun = replace(
        table,
        match=Match.begin(setup),
        entries=0,
        moves_text="",
        number=table.number + 1,
        won=_won_before(table, setup),
        turn_began=0,
        undo_asked=None,
        rematch_asked=None,
        last=event,
    )
    return _clock_started(begun, event.at)


def _series_id(setup: Setup) -> str:
    return setup.series.id if setup.series else ""


_FOLDS: Final[dict[EventKind, Callable[[Table, Event], Table]]] = {
    EventKind.JOINED: _joined,
    EventKind.UNDO_ASKED: lambda table, event: replace(table, undo_asked=event.person, last=event),
    EventKind.UNDO_REFUSED: lambda table, event: replace(table, undo_asked=None, last=event),
    EventKind.REMATCH_ASKED: lambda table, event: replace(table, rematch_asked=event.person, last=event),
    EventKind.REMATCH_REFUSED: lambda table, event: replace(table, rematch_asked=None, last=event),
    EventKind.BEGAN: _began,
}
