"""What `zerosum learn --json` prints: a course as a document."""

from __future__ import annotations

from dataclasses import dataclass, field

from zerosum.base.documents import IF_SET
from zerosum.coach.lessons import Course, LessonStep
from zerosum.rules.model import Seat


@dataclass(frozen=True, slots=True)
class ExerciseDocument:
    """A position to try an idea on, and every move that wins there."""

    position: str
    solutions: list[str]


@dataclass(frozen=True, slots=True)
class WorkedDocument:
    """A worked example: a line that wins, why its first move does, and why another move does not."""

    position: str
    line: list[str]
    words: str
    mistake: str
    refutation: str


@dataclass(frozen=True, slots=True)
class StepDocument:
    """One step of a course; a step without exercises is read."""

    idea: str
    words: str
    why: str
    enough: int
    example: WorkedDocument | None
    exercises: list[ExerciseDocument]


@dataclass(frozen=True, slots=True)
class WorthDocument:
    """How often somebody beats a player from either seat, who knows the first so many steps."""

    steps: int
    book: bool
    who: str
    as_first: float
    as_second: float


@dataclass(frozen=True, slots=True)
class CourseDocument:
    """A course of lessons; if none can be made it has no steps, and says why."""

    game: str
    seat: Seat | None
    steps: list[StepDocument]
    book: list[str]
    left_out: list[str]
    opponent: str | None
    expects: str | None
    worth: list[WorthDocument]
    why_not: str | None = field(default=None, metadata=IF_SET)

    @classmethod
    def of(cls, course: Course) -> CourseDocument:
        """Return the document of a course."""
        rows = [(n, False, row) for n, row in enumerate(course.scores)]
        rows += [(course.taught, True, course.by_heart)] if course.by_heart else []
        return cls(
            game=course.rules.id,
            seat=course.card.seat,
            steps=list(map(_step_document, course.steps)),
            book=list(course.book),
            left_out=list(course.left_out),
            opponent=course.opponent if course.steps else None,
            expects=course.expects or None,
            worth=[
                WorthDocument(n, book, one.who, one.as_first, one.as_second) for n, book, row in rows for one in row
            ],
            why_not=course.why_not or None,
        )


def _step_document(step: LessonStep) -> StepDocument:
    one = step.example
    example = None
    if one is not None:
        written = one.position.text_of
        line = [written(move) for move in one.line]
        example = WorkedDocument(str(one.position), line, one.words, written(one.mistake), one.refutation)
    exercises = [
        ExerciseDocument(str(it.position), [it.position.text_of(move) for move in it.solutions])
        for it in step.exercises
    ]
    return StepDocument(step.idea, step.words, step.why, step.enough, example, exercises)
