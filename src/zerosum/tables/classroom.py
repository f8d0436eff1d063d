"""A room: pupils meet each other in one match after another. It is folded from its events and from nothing else.

The pairs are in the events, so replaying them never pairs anew. Matches are played at tables; the room keeps who sits
at which, and each result once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, cast

from zerosum.rules.model import Rules
from zerosum.rules.record import rules_from_tags
from zerosum.tables import limits
from zerosum.tables.events import ClassroomEvent, ClassroomEventKind
from zerosum.tables.table import Clock

ROOM_REPORT: Final = "zerosum room report 1"
"""What the file of the report of a room says it is."""
COMPUTER: Final = 0
"""The number of a computer among the pupils of a match."""
DESK: Final = 0
"""The number that stands for the teacher among the pupils of a room."""
_PODIUM: Final = 3
"""Places on the podium."""


class ClassroomPhase(StrEnum):
    """How far a room is."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class ClassroomSettings:
    """What a room plays, and how: `help` allows hints, `computers` lets computers step in."""

    rules: Rules
    minutes: int
    help: bool = False
    lenient: bool = False
    clock: Clock | None = None
    computers: bool = False


@dataclass(frozen=True, slots=True)
class PupilMistake:
    """A move of a pupil that let a better result go; `idea` names what would have kept it, if anything short does."""

    n: int
    move: str
    better: tuple[str, ...]
    idea: str
    words: tuple[str, ...]
    swing: int
    """By how many verdicts it fell: 2 from a win to a loss, 1 from or to a draw."""


@dataclass(frozen=True, slots=True)
class PupilReview:
    """What the exact review of a match says of one of its two: real choices, those kept, the best move, mistakes."""

    choices: int
    kept: int
    best: str = ""
    best_words: str = ""
    mistakes: tuple[PupilMistake, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassroomMatch:
    """A match of a room: who sits at which table, the one who moves first first."""

    table: str
    pupils: tuple[int, int]
    at: int
    computer: str = ""
    """Who the computer is, if one of the two is one."""
    winner: int | None = None
    """The pupil who won; None while it goes on, and if it was ended without a result."""
    over: int | None = None
    voided: bool = False
    reviews: tuple[PupilReview, PupilReview] | None = None

    @property
    def open(self) -> bool:
        """Whether it is being played."""
        return self.over is None

    @property
    def counts(self) -> bool:
        """Whether it has a result between two pupils."""
        return self.winner is not None and COMPUTER not in self.pupils

    def other(self, pupil: int) -> int:
        """Return whom a pupil plays."""
        one, two = self.pupils
        return two if pupil == one else one


@dataclass(frozen=True, slots=True)
class Pupil:
    """A pupil of a room: what pairing and the standings need to know."""

    number: int
    name: str
    joined: int
    since: int | None = None
    """Since when the pupil has waited for a partner; None if they do not."""
    table: str = ""
    """Where the pupil plays."""
    removed: bool = False
    score: int = 0
    matches: int = 0
    firsts: int = 0
    seconds: int = 0
    last: int = 0
    """The partner of the last match, 0 if there was none."""
    met: Mapping[int, int] = field(default_factory=dict)
    choices: int = 0
    kept: int = 0

    @property
    def accuracy(self) -> Fraction:
        """The share of real choices that kept the best result; 0 if there was none."""
        return Fraction(self.kept, self.choices) if self.choices else Fraction(0)

    @property
    def waiting(self) -> bool:
        """Whether the pupil waits for a partner."""
        return self.since is not None


@dataclass(frozen=True, slots=True)
class Classroom:
    """A room after its event number `version`."""

    id: str
    code: str
    settings: ClassroomSettings
    opened: ClassroomEvent
    last: ClassroomEvent
    phase: ClassroomPhase = ClassroomPhase.LOBBY
    pupils: Mapping[int, Pupil] = field(default_factory=dict)
    matches: Mapping[str, ClassroomMatch] = field(default_factory=dict)
    """Every match by its table, in the order in which they began."""
    open_tables: frozenset[str] = frozenset()
    started: int | None = None
    ends: int = 0
    """When it ends by itself, once it has started; a pause puts it off."""
    ended: int | None = None
    pauses: tuple[tuple[int, int], ...] = ()
    paused: int | None = None

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.last.version

    @property
    def present(self) -> list[Pupil]:
        """The pupils who were not removed."""
        return [one for one in self.pupils.values() if not one.removed]

    def pupil(self, number: int) -> Pupil:
        """Return a pupil."""
        return self.pupils[number]

    def left(self, now: int) -> int:
        """Return the milliseconds until it ends by itself."""
        if self.started is None:
            return self.settings.minutes * 60_000
        if self.phase is ClassroomPhase.ENDED:
            return 0
        return max(0, self.ends - (now if self.paused is None else self.paused))

    def waited(self, pupil: Pupil, now: int) -> int:
        """Return for how many milliseconds a pupil could have been paired and was not."""
        resumed = self.pauses[-1][1] if self.pauses else 0
        return 0 if pupil.since is None else max(0, now - max(pupil.since, self.started or now, resumed))

    def counted_until(self) -> int | None:
        """Return until when a match may be finished; None while the room goes on."""
        return None if self.ended is None else self.ended + limits.ROOM_FINISH_SECONDS * 1000

    def closed(self, now: int) -> bool:
        """Whether the last result is in, or would come too late."""
        until = self.counted_until()
        return until is not None and (not self.open_tables or now > until)

    def paused_between(self, since: int, now: int) -> int:
        """Return for how many milliseconds the room was paused in that time."""
        pauses = [*self.pauses, *([(self.paused, now)] if self.paused is not None else [])]
        return sum(max(0, min(ended, now) - max(began, since)) for began, ended in pauses)

    def after(self, event: ClassroomEvent) -> Classroom:
        """Return the room with one more event."""
        return replace(_FOLDS[event.kind](self, event), last=event)


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the standings; those who are level share a place."""

    place: int
    pupil: Pupil


def standings(room: Classroom) -> list[Standing]:
    """Return all pupils by score; ties are broken by accuracy, then by fewer matches."""

    def key(one: Pupil) -> tuple[int, Fraction, int]:
        return (-one.score, -one.accuracy, one.matches)

    rows: list[Standing] = []
    for n, one in enumerate(sorted(room.present, key=lambda one: (key(one), one.number)), 1):
        level = bool(rows) and key(rows[-1].pupil) == key(one)
        rows.append(Standing(rows[-1].place if level else n, one))
    return rows


def place_of(room: Classroom, pupil: int) -> dict[str, object]:
    """Return where a pupil is: in the lobby, waiting, at a table, resting after a match, or at the end."""
    known = room.pupils.get(pupil)
    if known is None or known.removed:
        return {"place": "removed", "phase": room.phase.value}
    if known.table:
        return {"place": "table", "phase": room.phase.value, "table": known.table}
    if room.phase is ClassroomPhase.ENDED:
        return {"place": "podium", "phase": room.phase.value}
    return {"place": "waiting" if known.waiting else "resting", "phase": room.phase.value}


def podium(rows: Sequence[Standing]) -> list[Standing]:
    """Return who stands on the podium: the first three places, with all who share one; nobody who has not played."""
    return [row for row in rows if row.place <= _PODIUM and row.pupil.matches]


def open_room(room_id: str, event: ClassroomEvent) -> Classroom:
    """Return a room as its first event opens it."""
    data = cast("dict[str, Any]", event.data)
    clock = Clock(**data["clock"]) if data.get("clock") else None
    settings = ClassroomSettings(
        rules_from_tags(data["tags"]), data["minutes"], data["help"], data["lenient"], clock, data["computers"]
    )
    return Classroom(room_id, data["code"], settings, event, event)


def fold_room(room_id: str, events: Iterable[ClassroomEvent]) -> Classroom:
    """Return the room that its events make."""
    first, *rest = events
    room = open_room(room_id, first)
    for event in rest:
        room = room.after(event)
    return room


def _with(room: Classroom, *pupils: Pupil) -> Classroom:
    return replace(room, pupils={**room.pupils, **{one.number: one for one in pupils}})


def _removed(room: Classroom, event: ClassroomEvent) -> Classroom:
    pupil = room.pupils[event.pupil]
    room = _ended_match(room, pupil.table, event.at) if pupil.table else room
    return _with(room, replace(room.pupils[event.pupil], removed=True, since=None))


def _started(room: Classroom, event: ClassroomEvent) -> Classroom:
    ends = event.at + room.settings.minutes * 60_000
    return replace(room, phase=ClassroomPhase.PLAYING, started=event.at, ends=ends)


def _resumed(room: Classroom, event: ClassroomEvent) -> Classroom:
    began = event.at if room.paused is None else room.paused
    pauses = (*room.pauses, (began, event.at))
    ends = room.ends + event.at - began
    return replace(room, phase=ClassroomPhase.PLAYING, paused=None, pauses=pauses, ends=ends)


def _finished(room: Classroom, event: ClassroomEvent) -> Classroom:
    pauses = room.pauses if room.paused is None else (*room.pauses, (room.paused, event.at))
    return replace(room, phase=ClassroomPhase.ENDED, ended=event.at, paused=None, pauses=pauses)


def _paired(room: Classroom, event: ClassroomEvent) -> Classroom:
    matches, seated = dict(room.matches), dict(room.pupils)
    for table, one, two, computer in cast("list[tuple[str, int, int, str]]", event.data["pairs"]):
        matches[table] = ClassroomMatch(table, (one, two), event.at, computer)
        for number, partner in ((one, two), (two, one)):
            if number != COMPUTER:
                last = seated[number].last if partner == COMPUTER else partner
                seated[number] = replace(seated[number], table=table, since=None, last=last)
    opened = frozenset(one[0] for one in cast("list[tuple[str, int, int, str]]", event.data["pairs"]))
    return replace(room, matches=matches, pupils=seated, open_tables=room.open_tables | opened)


def _result(room: Classroom, event: ClassroomEvent) -> Classroom:
    match = room.matches[str(event.data["table"])]
    winner = cast("int", event.data["winner"])
    room = _closed_match(room, replace(match, winner=winner, over=event.at))
    if COMPUTER in match.pupils:
        return room
    first, second = (room.pupils[number] for number in match.pupils)
    return _with(
        room,
        _scored(replace(first, firsts=first.firsts + 1), second, won=winner == first.number),
        _scored(replace(second, seconds=second.seconds + 1), first, won=winner == second.number),
    )


def _scored(pupil: Pupil, partner: Pupil, *, won: bool) -> Pupil:
    return replace(
        pupil,
        matches=pupil.matches + 1,
        score=pupil.score + won,
        met={**pupil.met, partner.number: pupil.met.get(partner.number, 0) + 1},
    )


def _closed_match(room: Classroom, match: ClassroomMatch) -> Classroom:
    """Return a room in which a match is over; its two are free, and say when they want to go on."""
    free = [replace(room.pupils[one], table="") for one in match.pupils if one != COMPUTER]
    closed = replace(room, matches={**room.matches, match.table: match}, open_tables=room.open_tables - {match.table})
    return _with(closed, *free)


def _ended_match(room: Classroom, table: str, at: int) -> Classroom:
    return _closed_match(room, replace(room.matches[table], over=at, voided=True))


def _reviewed(room: Classroom, event: ClassroomEvent) -> Classroom:
    match = room.matches[str(event.data["table"])]
    given = cast("list[dict[str, Any]]", event.data["reviews"])
    one, two = (_review(review) for review in given)
    room = replace(room, matches={**room.matches, match.table: replace(match, reviews=(one, two))})
    if not match.counts:
        return room
    judged = zip(match.pupils, (one, two), strict=True)
    return _with(room, *(_judged(room.pupils[number], review) for number, review in judged))


def _judged(pupil: Pupil, review: PupilReview) -> Pupil:
    return replace(pupil, choices=pupil.choices + review.choices, kept=pupil.kept + review.kept)


def _review(given: dict[str, Any]) -> PupilReview:
    mistakes = (
        PupilMistake(**{**one, "better": tuple(one["better"]), "words": tuple(one["words"])})
        for one in given["mistakes"]
    )
    return PupilReview(**{**given, "mistakes": tuple(mistakes)})


_FOLDS: Final[dict[ClassroomEventKind, Callable[[Classroom, ClassroomEvent], Classroom]]] = {
    ClassroomEventKind.JOINED: lambda room, event: _with(
        room, Pupil(event.pupil, str(event.data["name"]), event.at, since=event.at)
    ),
    ClassroomEventKind.RENAMED: lambda room, event: _with(
        room, replace(room.pupils[event.pupil], name=str(event.data["name"]))
    ),
    ClassroomEventKind.REMOVED: _removed,
    ClassroomEventKind.READY: lambda room, event: _with(room, replace(room.pupils[event.pupil], since=event.at)),
    ClassroomEventKind.STARTED: _started,
    ClassroomEventKind.PAUSED: lambda room, event: replace(room, phase=ClassroomPhase.PAUSED, paused=event.at),
    ClassroomEventKind.RESUMED: _resumed,
    ClassroomEventKind.PAIRED: _paired,
    ClassroomEventKind.RESULT: _result,
    ClassroomEventKind.REVIEWED: _reviewed,
    ClassroomEventKind.VOIDED: lambda room, event: _ended_match(room, str(event.data["table"]), event.at),
    ClassroomEventKind.ENDED: _finished,
}
