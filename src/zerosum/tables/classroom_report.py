"""What a room learnt: scores, accuracy, and mistakes by the idea that would have avoided them.

The document is what the API answers, what the desk saves as a file, and what `zerosum room report` reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NotRequired, TypedDict

from zerosum.tables import classroom


class ClassroomPupilState(TypedDict):
    """A pupil as everybody in the room sees one; `accuracy` is None before the first real choice."""

    pupil: int
    place: int
    name: str
    score: int
    matches: int
    accuracy: float | None
    waiting: bool
    table: str | None


class ClassroomState(TypedDict):
    """A room as everybody in it sees it; `you` is the caller's number, 0 at the desk, None for others."""

    code: str
    version: int
    phase: str
    game: str
    minutes: int
    left_ms: int
    help: bool
    lenient: bool
    computers: bool
    pupils: list[ClassroomPupilState]
    matches: int
    you: int | None


class IdeaCount(TypedDict):
    """How many mistakes an idea would have avoided; an empty idea counts those that no short idea explains."""

    idea: str
    mistakes: int


class PupilReport(TypedDict):
    """A pupil's part of a report; `next_lesson` names the idea that would have helped most, if there is one."""

    pupil: int
    place: int
    name: str
    score: int
    matches: int
    choices: int
    kept: int
    accuracy: float | None
    mistakes: list[IdeaCount]
    next_lesson: str
    best: str


class MatchReport(TypedDict):
    """A match of a room: the two by name, the one who moved first first, and who won; no winner if it was ended."""

    table: str
    first: str
    second: str
    winner: str | None
    computer: bool


class TurningPoint(TypedDict):
    """The mistake that decided most: at which table, who made it, and why it was one."""

    table: str
    n: int
    name: str
    opponent: str
    move: str
    better: list[str]
    idea: str
    words: list[str]


class ClassroomReport(TypedDict):
    """The report of a class."""

    report: str
    game: str
    rules: str
    minutes: int
    played: int
    """Matches with a result between two pupils."""
    choices: int
    kept: int
    accuracy: float | None
    mistakes: list[IdeaCount]
    next_lesson: str
    pupils: list[PupilReport]
    matches: list[MatchReport]
    turning_point: NotRequired[TurningPoint]


def room_state(room: classroom.Classroom, now: int, you: int | None) -> ClassroomState:
    """Return a room as somebody in it sees it."""
    settings = room.settings
    return {
        "code": room.code,
        "version": room.version,
        "phase": room.phase.value,
        "game": settings.rules.id,
        "minutes": settings.minutes,
        "left_ms": room.left(now),
        "help": settings.help,
        "lenient": settings.lenient,
        "computers": settings.computers,
        "pupils": [_pupil(row) for row in classroom.standings(room)],
        "matches": sum(one.counts for one in room.matches.values()),
        "you": you,
    }


def _pupil(row: classroom.Standing) -> ClassroomPupilState:
    one = row.pupil
    return {
        "pupil": one.number,
        "place": row.place,
        "name": one.name,
        "score": one.score,
        "matches": one.matches,
        "accuracy": _share(one.kept, one.choices),
        "waiting": one.waiting,
        "table": one.table or None,
    }


def _share(kept: int, choices: int) -> float | None:
    return kept / choices if choices else None


def room_report(room: classroom.Classroom) -> ClassroomReport:
    """Return the report of a room; matches against a computer count for nobody."""
    rows = classroom.standings(room)
    everything = Counter(one.idea for _, one in mistakes_of(room))
    choices, kept = sum(row.pupil.choices for row in rows), sum(row.pupil.kept for row in rows)
    report: ClassroomReport = {
        "report": classroom.ROOM_REPORT,
        "game": room.settings.rules.id,
        "rules": room.settings.rules.name,
        "minutes": room.settings.minutes,
        "played": sum(one.counts for one in room.matches.values()),
        "choices": choices,
        "kept": kept,
        "accuracy": _share(kept, choices),
        "mistakes": _counted(everything),
        "next_lesson": _next_lesson(everything),
        "pupils": [pupil_report(room, row) for row in rows],
        "matches": [_match(room, one) for one in room.matches.values() if not one.open],
    }
    turning = turning_point(room)
    if turning is not None:
        report["turning_point"] = turning
    return report


def mistakes_of(room: classroom.Classroom, pupil: int | None = None) -> Iterator[tuple[int, classroom.PupilMistake]]:
    """Yield the mistakes of all pupils, or of one, in matches that count, each with its pupil."""
    for match in room.matches.values():
        if match.counts and match.reviews is not None:
            for number, review in zip(match.pupils, match.reviews, strict=True):
                if pupil in (None, number):
                    yield from ((number, one) for one in review.mistakes)


def _counted(ideas: Counter[str]) -> list[IdeaCount]:
    return [{"idea": idea, "mistakes": times} for idea, times in sorted(ideas.items(), key=_by_count)]


def _by_count(one: tuple[str, int]) -> tuple[bool, int, str]:
    return (not one[0], -one[1], one[0])


def _next_lesson(ideas: Counter[str]) -> str:
    return next((idea for idea, _ in sorted(ideas.items(), key=_by_count) if idea), "")


def pupil_report(room: classroom.Classroom, row: classroom.Standing) -> PupilReport:
    """Return one pupil's part of the report."""
    one = row.pupil
    ideas = Counter(mistake.idea for _, mistake in mistakes_of(room, one.number))
    return {
        "pupil": one.number,
        "place": row.place,
        "name": one.name,
        "score": one.score,
        "matches": one.matches,
        "choices": one.choices,
        "kept": one.kept,
        "accuracy": _share(one.kept, one.choices),
        "mistakes": _counted(ideas),
        "next_lesson": _next_lesson(ideas),
        "best": _best(room, one.number),
    }


def _best(room: classroom.Classroom, pupil: int) -> str:
    """Return the last best move of a pupil in words; nothing if there was no real choice."""
    words = ""
    for match in room.matches.values():
        if match.counts and match.reviews is not None and pupil in match.pupils:
            words = match.reviews[match.pupils.index(pupil)].best_words or words
    return words


def _name(room: classroom.Classroom, number: int, match: classroom.ClassroomMatch) -> str:
    return f"computer ({match.computer})" if number == classroom.COMPUTER else room.pupils[number].name


def _match(room: classroom.Classroom, match: classroom.ClassroomMatch) -> MatchReport:
    first, second = match.pupils
    return {
        "table": match.table,
        "first": _name(room, first, match),
        "second": _name(room, second, match),
        "winner": None if match.winner is None else _name(room, match.winner, match),
        "computer": classroom.COMPUTER in match.pupils,
    }


def turning_point(room: classroom.Classroom) -> TurningPoint | None:
    """Return the mistake that decided a match, of the match whose two stand highest; None if nobody made one."""
    places = {row.pupil.number: row.place for row in classroom.standings(room)}
    decisive = [
        (-last.swing, sum(places.get(one, len(places)) for one in match.pupils), -at, match, loser, last)
        for at, match, loser, last in _decisive(room.matches.values())
    ]
    if not decisive:
        return None
    *_, match, loser, last = min(decisive, key=lambda one: one[:3])
    return {
        "table": match.table,
        "n": last.n,
        "name": room.pupils[loser].name,
        "opponent": room.pupils[match.other(loser)].name,
        "move": last.move,
        "better": list(last.better),
        "idea": last.idea,
        "words": list(last.words),
    }


def _decisive(
    matches: Iterable[classroom.ClassroomMatch],
) -> Iterator[tuple[int, classroom.ClassroomMatch, int, classroom.PupilMistake]]:
    """Yield each match that a mistake of the loser decided: the last of both players' mistakes."""
    for match in matches:
        if not match.counts or match.reviews is None or match.winner is None:
            continue
        loser = match.other(match.winner)
        sides = zip(match.pupils, match.reviews, strict=True)
        made = [(one.n, number, one) for number, review in sides for one in review.mistakes]
        if made:
            _, number, last = max(made, key=lambda one: one[0])
            if number == loser:
                yield match.over or 0, match, loser, last


def idea_title(idea: str) -> str:
    """Return what a report calls an idea.

    >>> idea_title("shut-in-two"), idea_title("")
    ('Shut in two', 'No short idea')
    """
    return (idea or "no short idea").replace("-", " ").capitalize()


def is_final(room: classroom.Classroom, now: int) -> bool:
    """Whether a report will not change any more."""
    reviewed = all(one.reviews is not None for one in room.matches.values() if one.winner is not None)
    return room.phase is classroom.ClassroomPhase.ENDED and room.closed(now) and reviewed
