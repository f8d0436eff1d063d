"""What can be done in a room, and why not now: each decision looks at the room alone.

A decision is a draft of one event, a problem, or None if the room is so already: sending the same again changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, ClassVar, Final

from zerosum.base.errors import BadNameError
from zerosum.base.text import check_name, same_name
from zerosum.jobs.pairing import FreePupil
from zerosum.match.new_setup import new_setup
from zerosum.match.setup import setup_tags
from zerosum.players import HUMAN
from zerosum.rules.record import rules_tags
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables import limits
from zerosum.tables.classroom import COMPUTER, Classroom, ClassroomPhase, Pupil
from zerosum.tables.commands import date_text
from zerosum.tables.events import ClassroomEventKind
from zerosum.tables.fields import Schema, Whole
from zerosum.tables.new_table import GAME_NAME, VARIANT, ClockRequest, exactly_one_of, requested_rules
from zerosum.tables.problems import Problem

_OVER: Final = "This room has ended."
_FEW_CHOICES: Final = 5
"""Real choices below which nothing is known of how well a pupil plays."""
_FIRST_LEVEL, _LAST_LEVEL = 1, 8


@dataclass(frozen=True, slots=True)
class ClassroomRequest:
    """A room to be opened: a game or a variant (a rules file's text), and how it is played."""

    SCHEMA: ClassVar[Schema] = exactly_one_of(
        "game", "variant", examples=[{"game": "sum31", "minutes": 15, "help": True}]
    )

    game: Annotated[str, GAME_NAME] | None = None
    variant: Annotated[str, VARIANT] | None = None
    minutes: Annotated[int, Whole(1, limits.ROOM_MINUTES)] = 15
    help: bool = False
    lenient: bool = True
    clock: ClockRequest | None = None
    computers: bool = False

    def __post_init__(self) -> None:
        """Require one game."""
        if (self.game is None) == (self.variant is None):
            raise ValueError("give exactly one of game and variant")


@dataclass(frozen=True, slots=True)
class ClassroomDraft:
    """An event of a room that is not yet written."""

    kind: ClassroomEventKind
    data: dict[str, object]
    pupil: int = 0
    move_id: str = ""
    """An id that names what happened, if it can happen only once."""


ClassroomDecision = Callable[[Classroom, int], ClassroomDraft | None]
"""A decision about a room at a time."""


def opening(request: ClassroomRequest, code: str) -> ClassroomDraft:
    """Return the opening that a request asks for."""
    data: dict[str, object] = {
        "code": code,
        "tags": rules_tags(requested_rules(request.game, request.variant)),
        "minutes": request.minutes,
        "help": request.help,
        "lenient": request.lenient,
        "clock": asdict(request.clock) if request.clock else None,
        "computers": request.computers,
    }
    return ClassroomDraft(ClassroomEventKind.OPENED, data)


def join(room: Classroom, name: str, move_id: str = "") -> ClassroomDraft:
    """Let a pupil in; of two with one name the second gets a number.

    The id must name the key: two replicas may admit two keys under one name and one number at the same time, and only
    one of these events may be taken for the other sent again.
    """
    if room.phase is ClassroomPhase.ENDED:
        raise Problem("not-now", _OVER)
    if len(room.pupils) >= limits.ROOM_PUPILS or room.version >= limits.ROOM_EVENTS:
        raise Problem("not-now", f"This room is full: it has {limits.ROOM_PUPILS} pupils.")
    number = len(room.pupils) + 1
    return ClassroomDraft(ClassroomEventKind.JOINED, {"name": _free_name(room, name)}, number, move_id)


def _free_name(room: Classroom, name: str, own: int = 0) -> str:
    """Return a name that nobody else in the room has, with a number if need be."""
    try:
        name = check_name(name.strip(), limit=limits.ROOM_NAME_LENGTH)
    except BadNameError as error:
        raise Problem("bad-name", str(error)) from None
    taken = [one.name for one in room.present if one.number != own]
    made, n = name, 1
    while any(same_name(made, other) for other in taken):
        n += 1
        made = f"{name[: limits.ROOM_NAME_LENGTH - 1 - len(str(n))].strip()} {n}"
    return made


def rename(room: Classroom, pupil: int, name: str) -> ClassroomDraft | None:
    """Give a pupil another name."""
    known = _pupil(room, pupil)
    name = _free_name(room, name, pupil)
    return None if name == known.name else ClassroomDraft(ClassroomEventKind.RENAMED, {"name": name}, pupil)


def _pupil(room: Classroom, number: int) -> Pupil:
    known = room.pupils.get(number)
    if known is None or known.removed:
        raise Problem("not-now", "This pupil is not in the room.")
    return known


def remove(room: Classroom, pupil: int) -> ClassroomDraft | None:
    """Send a pupil away; the match that they play ends without a result."""
    known = room.pupils.get(pupil)
    return None if known is None or known.removed else ClassroomDraft(ClassroomEventKind.REMOVED, {}, pupil)


def start(room: Classroom) -> ClassroomDraft | None:
    """Start the lesson, or go on after a pause."""
    if room.phase is ClassroomPhase.ENDED:
        raise Problem("not-now", _OVER)
    kinds = {ClassroomPhase.LOBBY: ClassroomEventKind.STARTED, ClassroomPhase.PAUSED: ClassroomEventKind.RESUMED}
    return ClassroomDraft(kinds[room.phase], {}) if room.phase in kinds else None


def pause(room: Classroom) -> ClassroomDraft | None:
    """Stop all matches for a while."""
    if room.phase in (ClassroomPhase.LOBBY, ClassroomPhase.ENDED):
        raise Problem("not-now", _OVER if room.phase is ClassroomPhase.ENDED else "The room has not started.")
    if room.version >= limits.ROOM_EVENTS:
        raise Problem("not-now", "Too much has happened in this room to pause it.")
    return ClassroomDraft(ClassroomEventKind.PAUSED, {}) if room.phase is ClassroomPhase.PLAYING else None


def end(room: Classroom) -> ClassroomDraft | None:
    """End the lesson; matches under way may be finished."""
    return None if room.phase is ClassroomPhase.ENDED else ClassroomDraft(ClassroomEventKind.ENDED, {})


def end_in_time(room: Classroom, now: int) -> ClassroomDraft | None:
    """End the lesson if its time is up."""
    return (
        ClassroomDraft(ClassroomEventKind.ENDED, {})
        if room.phase is ClassroomPhase.PLAYING and now >= room.ends
        else None
    )


def ready(room: Classroom, pupil: int) -> ClassroomDraft | None:
    """Let a pupil wait for the next partner; None for one who waits, who has been paired, or for whom it is over."""
    known = _pupil(room, pupil)
    if known.table or known.waiting or room.phase is ClassroomPhase.ENDED:
        return None
    return ClassroomDraft(ClassroomEventKind.READY, {}, pupil)


def free_pupils(room: Classroom, now: int) -> list[Pupil]:
    """Return the pupils who can be paired now."""
    playing = room.phase is ClassroomPhase.PLAYING and now < room.ends and room.version < limits.ROOM_EVENTS
    return [one for one in room.pupils.values() if one.waiting] if playing else []


def as_free(room: Classroom, now: int, free: Iterable[Pupil]) -> list[FreePupil]:
    """Return pupils as the pairing takes them."""
    return [
        {
            "pupil": one.number,
            "waited": room.waited(one, now),
            "score": one.score,
            "firsts": one.firsts,
            "seconds": one.seconds,
            "last": one.last,
            "met": [list(known) for known in sorted(one.met.items())],
        }
        for one in free
    ]


def pair(
    room: Classroom, now: int, pairs: Iterable[tuple[int, int]], new_id: Callable[[], str]
) -> ClassroomDraft | None:
    """Seat pairs at new tables; who is not free any more since the pairs were made is left out with their partner."""
    free = {one.number for one in free_pupils(room, now)} | {COMPUTER}
    seated: list[tuple[str, int, int, str]] = []
    for one, two in pairs:
        if {one, two} <= free and one != two:
            person = room.pupils[one or two]
            seated.append((new_id(), one, two, _near(person) if COMPUTER in (one, two) else ""))
            free -= {one, two} - {COMPUTER}
    return ClassroomDraft(ClassroomEventKind.PAIRED, {"pairs": seated}) if seated else None


def _near(pupil: Pupil) -> str:
    """Return a computer about as strong as a pupil has played so far."""
    share = float(pupil.accuracy) if pupil.choices >= _FEW_CHOICES else 0.2
    level = min(_LAST_LEVEL, _FIRST_LEVEL + int(share * _LAST_LEVEL))
    return f"level:{level}"


def table_opening(room: Classroom, seated: Sequence[Any], seed: str, at: int) -> dict[str, object]:
    """Return what the first event of a table of a room says, opened at a time; its person 1 moves first."""
    _, one, two, computer = seated
    settings = room.settings
    who = (computer if one == COMPUTER else HUMAN, computer if two == COMPUTER else HUMAN)
    setup = new_setup(settings.rules, who=who, names=_names(room, seated), seed=seed, lenient=settings.lenient)
    clock = settings.clock
    return {
        "tags": setup_tags(replace(setup, date=date_text(at))),
        "online": not computer,
        "seated": [1, 2],
        "clock": {"minutes": clock.minutes, "increment": clock.increment} if clock else None,
        "room": room.id,
        "help": settings.help,
    }


def _names(room: Classroom, seated: Sequence[Any]) -> tuple[str, str]:
    _, one, two, computer = seated
    if COMPUTER not in (one, two):
        return room.pupils[one].name, room.pupils[two].name
    pupil = room.pupils[one or two].name
    title = f"Computer, {PLAYERS.find(computer).title}"
    title = f"{title} (computer)" if same_name(title, pupil) else title
    return (title, pupil) if one == COMPUTER else (pupil, title)


def result_id(table: str, match: int) -> str:
    """Return the id of a result; it names the table and the match, so that the result counts once."""
    return f"result:{table}:{match}"


def result(room: Classroom, table: str, winner: int, at: int) -> ClassroomDraft | None:
    """Count the result of a match that was over at a time; None if it is known, or came too late."""
    match = room.matches.get(table)
    until = room.counted_until()
    if match is None or not match.open or winner not in match.pupils or (until is not None and at > until):
        return None
    return ClassroomDraft(
        ClassroomEventKind.RESULT, {"table": table, "match": 1, "winner": winner}, move_id=result_id(table, 1)
    )


def review(room: Classroom, table: str, reviews: Sequence[object]) -> ClassroomDraft | None:
    """Add the exact truth about a match that has a result; None if it is there."""
    match = room.matches.get(table)
    if match is None or match.winner is None or match.reviews is not None:
        return None
    data: dict[str, object] = {"table": table, "reviews": list(reviews)}
    return ClassroomDraft(ClassroomEventKind.REVIEWED, data, move_id=f"review:{table}:1")


def void(room: Classroom, table: str) -> ClassroomDraft | None:
    """End a match without a result, as the teacher may at any time."""
    match = room.matches.get(table)
    return ClassroomDraft(ClassroomEventKind.VOIDED, {"table": table}) if match is not None and match.open else None


def leave_absent(room: Classroom, pupil: int, unseen: int) -> ClassroomDraft | None:
    """End the match of a pupil whose partner has been absent, so that they get a new partner."""
    known = _pupil(room, pupil)
    if not known.table:
        return None
    wait = limits.ROOM_ABSENT_SECONDS * 1000 - unseen
    if wait > 0 and room.matches[known.table].other(pupil) != COMPUTER:
        raise Problem("not-now", f"Your partner was here lately; wait {-(-wait // 1000)} more seconds.")
    return void(room, known.table)
