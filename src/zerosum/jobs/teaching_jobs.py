"""Questions about what can be learnt: cards, courses of lessons, the coach while a match is played."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypedDict

from zerosum.base.documents import Document, to_json
from zerosum.coach.commentary import CommentHistory, lets_go, on_last_move, past_words
from zerosum.coach.contrast import best_trap
from zerosum.coach.course_builder import course_of
from zerosum.coach.exercises import choice_at, decided, examples_of
from zerosum.coach.ideas import costly_idea
from zerosum.coach.learner import AskedExercise, Learner, answer_words, next_exercise, reason, reskin
from zerosum.coach.lessons import Course, LessonStep, for_seat, step_title
from zerosum.jobs.game_jobs import solved
from zerosum.jobs.job_table import JobError, job
from zerosum.match.match import read_match
from zerosum.rules.model import Rules, RulesDict, Seat, rules_from_dict
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card_report import CardDocument, report_of
from zerosum.strategy.lookahead import Sight, threat

_STRETCH: Final = 40
"""In an endless match a sentence may come again after this many moves: so no answer has to go through all of them."""
_COURSES: Final = 9
"""Courses that are remembered; there are eight games."""


class CommentDocument(TypedDict):
    """What the coach says during a match: about the reader's last move, and about the opponent's reply."""

    own: list[str]
    their: list[str]
    need: int | None
    """The number with which the opponent threatens to win, if the comment mentions it."""
    trap: str
    """The move that sets the best trap in a lost position, if the comment mentions it."""
    let_go: bool
    """Whether the own move let a better result go."""


class ShownExampleDocument(TypedDict):
    """A worked example as the page shows it: its position, its line as moves and as sentences, and the two reasons."""

    position: str
    line: list[str]
    told: list[str]
    words: str
    mistake: str
    refutation: str


class TaughtDocument(TypedDict):
    """A step of a course as the page shows it; without exercises it is read."""

    idea: str
    title: str
    words: str
    why: str
    enough: int
    exercises: int
    example: ShownExampleDocument | None


class LessonsDocument(TypedDict):
    """A course as the page shows it; if no course can be made, it has no steps and says why."""

    seat: int | None
    steps: list[TaughtDocument]
    book: list[str]
    by_heart: bool
    """Whether the scores have a column for the book."""
    left_out: list[str]
    before: list[str]
    opponent: str
    expects: str
    why_not: str
    levels: list[str]
    scores: list[list[list[float]]]
    """For either seat and each of the levels the share of matches won: before the first step, after each, by heart."""


class DueDocument(TypedDict):
    """An exercise that is due: its position, in which numbers, what these change, and the idea in these numbers."""

    position: str
    numbers: int
    told: str
    title: str
    words: str


class JudgedDocument(TypedDict):
    """An answer to an exercise: whether it is right and why, all right answers, and where the learner stands then."""

    right: bool
    words: str
    idea: str
    """The idea of the step, in the numbers of the exercise."""
    solutions: list[str]
    after: list[int]


@job(remembered=False)
def comment(record: str) -> CommentDocument:
    """Return what the coach says, while a match is played, of its last moves; after a reply, what is still true."""
    match = read_match(record)
    solution = solved(match.setup.rules)
    said, told = CommentHistory(), list[str]()
    last = len(match.moves)
    for ply in range(max(0, last - last % _STRETCH - _STRETCH), last + 1):
        told, said = on_last_move(match.at(ply), solution, said, "")
    if last and match.setup.is_human(match.mover(last - 1)):
        let_go = lets_go(match.positions[-2], match.moves[-1], solution)
        return {"own": told, "their": [], "need": None, "trap": "", "let_go": let_go}
    own, let_go = "", False
    if last > 1:
        made = match.positions[-3], match.moves[-2]
        own, let_go = past_words(*made, solution), lets_go(*made, solution)
        if let_go and lets_go(match.positions[-2], match.moves[-1], solution):
            own, let_go = "", False  # They missed it: there is nothing to take back.
    # An offer to take a move back comes alone: two sentences are enough.
    their = [] if let_go else told
    return {
        "own": [own] if own else [],
        "their": their,
        "need": threat(match.position) if any("threaten" in one for one in their) else None,
        "trap": _trap_in(their, match.position, solution),
        "let_go": let_go,
    }


@job(by_length=True)
def costly(record: str) -> str:
    """Return the idea that would have kept most of the wins that the loser of a match let go; nothing if none would."""
    match = read_match(record)
    solution = solved(match.setup.rules)
    loser = match.person(match.outcome.winner).other if match.outcome else None
    plies = [ply for ply in range(len(match.moves)) if match.mover(ply) is loser]
    let_go = [match.positions[ply] for ply in plies if lets_go(match.positions[ply], match.moves[ply], solution)]
    return costly_idea(_course(match.setup.rules), let_go, solution).idea


def _trap_in(sentences: list[str], position: Position, solution: Solution) -> str:
    """Return the trap that a comment names, if it names one."""
    if not sentences or solution.value(position).verdict is not Verdict.LOSS:
        return ""
    trap = position.text_of(best_trap(position, solution, solution.options(position)).move)
    return trap if any(one.startswith(f"{trap} ") for one in sentences) else ""


@job(cost=0)
def card(rules: RulesDict) -> Document:
    """Return what `zerosum card --json` prints, without its schema."""
    solution = solved(rules_from_dict(rules))
    report = report_of(solution)
    return dict(to_json(CardDocument.of(report, examples_of(report.card, solution))))


@lru_cache(maxsize=_COURSES)
def _course(rules: Rules) -> Course:
    return course_of(rules, solved)


_sight: Final = lru_cache(maxsize=_COURSES)(Sight)


@job(free_again=True)
def lessons(rules: RulesDict) -> LessonsDocument:
    """Return the course of a game; for a variant its card is searched first."""
    course = _course(rules_from_dict(rules))
    rows = [*course.scores, *([course.by_heart] if course.by_heart else [])]
    levels = [one.who for one in course.scores[0]] if course.scores else []
    return {
        "seat": None if course.card.seat is None else course.card.seat.value,
        "steps": [_taught(step, course) for step in course.steps],
        "book": list(course.book),
        "by_heart": bool(course.by_heart),
        "left_out": list(course.left_out),
        "before": list(course.before),
        "opponent": course.opponent,
        "expects": course.expects,
        "why_not": course.why_not,
        "levels": levels,
        "scores": [[[for_seat(row[n], seat) for row in rows] for n in range(len(levels))] for seat in Seat],
    }


def _taught(step: LessonStep, course: Course) -> TaughtDocument:
    shown: ShownExampleDocument | None = None
    if step.example is not None:
        one, written = step.example, step.example.position.text_of
        shown = {
            "position": str(one.position),
            "line": [written(move) for move in one.line],
            "told": one.told,
            "words": one.words,
            "mistake": written(one.mistake),
            "refutation": one.refutation,
        }
    return {
        "idea": step.idea,
        "title": step_title(step.rule, course.rules),
        "words": step.words,
        "why": step.why,
        "enough": step.enough,
        "exercises": len(step.exercises),
        "example": shown,
    }


@job(cost=0)
def exercise(rules: RulesDict, learner: list[int]) -> DueDocument:
    """Return the exercise that is due: `learner` is a learner as numbers."""
    course, at = _course(rules_from_dict(rules)), Learner.read(learner)
    asked, rule = next_exercise(course, at), course.steps[at.step].rule
    worn = asked.reskin
    return {
        "position": str(asked.shown.position),
        "numbers": asked.numbers,
        "told": worn.told,
        "title": step_title(None if rule is None else worn.rule(rule), worn.rules),
        "words": _words(course, at.step, asked),
    }


def _words(course: Course, step: int, asked: AskedExercise) -> str:
    """Return the idea of a step in the numbers of an exercise."""
    rule = course.steps[step].rule
    return course.steps[step].words if rule is None else asked.reskin.words(rule)


@job(cost=0)
def read_step(rules: RulesDict, learner: list[int]) -> list[int]:
    """Return the learner after a step that is read; nothing changes in a step that has exercises."""
    course, at = _course(rules_from_dict(rules)), Learner.read(learner)
    return (at if at.done or course.steps[at.step].exercises else at.after(course, right=True)).numbers


@job(remembered=False)
def judge(  # noqa: PLR0917 - jobs are asked by position
    rules: RulesDict, learner: list[int], step: int, numbers: int, position: str, move: str
) -> JudgedDocument:
    """Judge an answer to an exercise of a step; no move at all asks for the answer, which counts as a wrong one."""
    course = _course(rules_from_dict(rules))
    asked = _asked(course, step, numbers, position)
    shown, solution = asked.shown, solved(course.rules)
    at = shown.position
    right, words = False, answer_words(shown)
    if move:
        made = parse_move(move, course.rules.operations)
        at.play(made)
        right = made in shown.solutions
        words = reason(asked, made, solution)
    after = Learner.read(learner)
    return {
        "right": right,
        "words": words,
        "idea": _words(course, step, asked),
        "solutions": [at.text_of(one) for one in shown.solutions],
        "after": (after if after.done else after.after(course, right=right)).numbers,
    }


def _asked(course: Course, step: int, numbers: int, position: str) -> AskedExercise:
    """Return the exercise that an address tells of, in the numbers it says; refuse what is none of that step."""
    if 0 <= step < len(course.steps):
        worn = reskin(course, numbers)
        at = worn.origin(parse_position(position, worn.rules), course.rules)
        choice = choice_at(at, solved(course.rules)) if at.outcome is None else None
        found = None if choice is None else decided(course.card, choice, _sight(course.rules))
        if found is not None and found.count == step + 1 and found.exercise is not None:
            return AskedExercise(numbers, worn, found.exercise)
    raise JobError("bad-position", "This is no exercise of this step.")
