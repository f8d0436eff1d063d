"""Questions about what can be learnt: cards, courses of lessons, the coach while a match is played."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from zerosum.base.documents import Document, to_json
from zerosum.coach.commentary import CommentHistory, lets_go, on_own_move, on_their_move, threat
from zerosum.coach.course_builder import course_of
from zerosum.coach.exercises import exercise_at
from zerosum.coach.hints import best_trap
from zerosum.coach.learner import Learner, answer_words, next_exercise, right_answer_words, wrong_answer_words
from zerosum.coach.lessons import Course, for_seat
from zerosum.match.match import read_match
from zerosum.rules.model import Rules
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.rules_dict import RulesDict, rules_from_dict
from zerosum.server.worker.jobs import JobError, job, solved
from zerosum.server.worker.messages import CommentDocument, JudgedDocument, LessonsDocument
from zerosum.solver import Verdict
from zerosum.strategy.card import short
from zerosum.strategy.card_report import CardDocument, report_of
from zerosum.strategy.lookahead import Sight

_STRETCH: Final = 40
"""In an endless match a sentence may come again after this many moves: so no answer has to go through all of them."""
_COURSES: Final = 9
"""Courses that are remembered; there are eight games."""

_on_own_move = lru_cache(maxsize=1 << 10)(on_own_move)
_on_their_move = lru_cache(maxsize=1 << 10)(on_their_move)
"""Every look at a table goes through its match from the start; what was said of a move is remembered."""


@job(remembered=False)
def comment(record: str) -> CommentDocument:
    """Return what the coach says, while a match is played, of its last moves."""
    match = read_match(record)
    solution = solved(match.setup.rules)
    said = CommentHistory()
    remark: CommentDocument = {"own": [], "their": [], "need": None, "trap": "", "let_go": False}
    last = len(match.moves)
    for ply in range(max(0, last - last % _STRETCH - _STRETCH), last):
        position, move, after = match.positions[ply], match.moves[ply], match.positions[ply + 1]
        if match.setup.is_human(match.mover(ply)):
            own, said = _on_own_move(position, move, solution, said, "")
            remark = {"own": own, "their": [], "need": None, "trap": "", "let_go": lets_go(position, move, solution)}
        elif after.outcome is None and not (remark["let_go"] and remark["own"]):
            # An offer to take a move back comes alone: two sentences are enough.
            their, said = _on_their_move(after, solution, said)
            remark = {**remark, "their": their, "need": None, "trap": ""}
            if their and solution.value(after).verdict is Verdict.LOSS:
                trap = after.text_of(best_trap(after, solution, solution.options(after)).move)
                remark["trap"] = trap if any(trap in one for one in their) else ""
            elif their:
                remark["need"] = threat(after)
    return remark


@job(cost=0)
def card(rules: RulesDict) -> Document:
    """Return what `zerosum card --json` prints, without its schema."""
    return dict(to_json(CardDocument.of(report_of(solved(rules_from_dict(rules))))))


@lru_cache(maxsize=_COURSES)
def _course(rules: Rules) -> Course:
    return course_of(rules, solved)


@lru_cache(maxsize=_COURSES)
def _sight(rules: Rules) -> Sight:
    return Sight(rules)


@job(free_again=True)
def lessons(rules: RulesDict) -> LessonsDocument:
    """Return the course of a game; for a variant its card is searched first."""
    course = _course(rules_from_dict(rules))
    game, seat = course.rules, course.card.seat
    counts = (0, *(step.count for step in course.steps))
    rows = [[for_seat(one, seat) for one in course.scores[count]] for count in counts if course.scores]
    return {
        "seat": None if seat is None else seat.value,
        "steps": [{"idea": short(one.rule, game), "words": one.words} for one in course.steps],
        "untaught": [rule.words(game) for rule in course.untaught],
        "opponent": course.opponent,
        "why_not": course.why_not,
        "levels": [one.who for one in course.scores.get(0, ())],
        "scores": list(map(list, zip(*rows, strict=True))),
    }


@job(cost=0)
def exercise(rules: RulesDict, learner: list[int]) -> str:
    """Return the position of the exercise that is due: `learner` is the step, then as `Learner` has it."""
    course = _course(rules_from_dict(rules))
    return str(next_exercise(course, _learner(learner), solved).position)


@job(remembered=False)
def judge(rules: RulesDict, learner: list[int], step: int, position: str, move: str) -> JudgedDocument:
    """Judge an answer to an exercise of a step; no move at all asks for the answer, which counts as a wrong one."""
    course = _course(rules_from_dict(rules))
    solution, at = solved(course.rules), parse_position(position, course.rules)
    found = exercise_at(course.card, at, solution, _sight(course.rules)) if at.outcome is None else None
    if not 0 <= step < len(course.steps) or found is None or found[0] != course.steps[step].count:
        raise JobError("bad-position", "This is no exercise of this step.")
    asked = found[1]
    solutions = [at.text_of(one) for one in asked.solutions]
    right, words = False, answer_words(asked)
    if move:
        made = parse_move(move, course.rules.operations)
        at.play(made)
        right = made in asked.solutions
        words = (
            right_answer_words(asked, made)
            if right
            else wrong_answer_words(asked, made, solution, course.steps[step].words)
        )
    after = _learner(learner)
    after = after if after.done(course) else after.after(course, right=right)
    return {
        "right": right,
        "words": words,
        "solutions": solutions,
        "after": [after.step, after.right, after.wrong, *after.asked],
    }


def _learner(numbers: list[int]) -> Learner:
    step, right, wrong, *asked = numbers
    return Learner(step, right, wrong, tuple(asked))
