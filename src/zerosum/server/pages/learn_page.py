"""Lessons: the course of a game, one step after the other. The address tells which answer is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from zerosum.coach.learner import CHECKS, Learner, rules_in
from zerosum.coach.lessons import ENOUGH, STEPS, course_ideas
from zerosum.jobs import teaching_jobs
from zerosum.jobs.teaching_jobs import JudgedDocument, LessonsDocument, TaughtDocument
from zerosum.rules.describe import idea
from zerosum.rules.game_files import GAME_IDS, built_in, is_built_in, write_rules
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.forms import (
    OWN,
    POSITION_LENGTH,
    RULES_LENGTH,
    Fields,
    course_name,
    course_progress,
    number_in,
    remember_progress,
)
from zerosum.screens.line_of_play import SEATS
from zerosum.server.http.context import Context, request_context
from zerosum.server.http.routing import QuickRouter
from zerosum.server.pages.adapter import RulesText, WholeNumber, fields_of, keep_cookies
from zerosum.server.pages.templates import render_page
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.commands import check_coaching
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.new_table import requested_rules, rules_at
from zerosum.tables.problems import Problem

router = QuickRouter(include_in_schema=False)

_TRIED: Final = 40
"""Answers that an address remembers."""

_EXAMPLE: Final = "example"
_EXERCISE: Final = "exercise"
_SHOW_LENGTH: Final = 8
_IDEA_LENGTH: Final = 80
_MATCHES: Final = 10_000
_NUMBERS: Final = 9_999
"""New numbers that an address may ask for."""


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """An answer that an address tells of: to which exercise of which step, in which numbers, and those before it."""

    step: int
    numbers: int
    position: str
    move: str
    tried: str

    @property
    def all_tried(self) -> list[str]:
        """The answers so far, each once."""
        return list(dict.fromkeys([*self.tried.split(), *([self.move] if self.move else [])]))[-_TRIED:]


def _answer(
    step: Annotated[WholeNumber, Query(ge=1, le=STEPS)] = 1,
    numbers: Annotated[WholeNumber, Query(ge=0, le=_NUMBERS)] = 0,
    position: Annotated[str, Query(max_length=POSITION_LENGTH)] = "",
    move: Annotated[str, Query(max_length=MOVE_LENGTH)] = "",
    tried: Annotated[str, Query(max_length=_TRIED * 10)] = "",
) -> ExerciseAnswer | None:
    return ExerciseAnswer(step - 1, numbers, position, move, tried) if position else None


@dataclass(frozen=True, slots=True)
class _Taken:
    """A course that somebody takes, the name by which the browser remembers it, and the progress so far."""

    rules: Rules
    text: str
    """The rules of a custom game, as text; nothing for a built-in one."""
    name: str
    course: LessonsDocument
    learner: Learner
    idea: str = ""
    """The idea that was asked for, whatever step the learner is at."""

    @property
    def path(self) -> str:
        return f"/learn/{OWN if self.text else self.rules.id}"

    @property
    def given(self) -> dict[str, object]:
        """What every address of this course has."""
        return {"rules": self.text} if self.text else {}

    def address(self, **more: object) -> str:
        query = urlencode(self.given | {name: value for name, value in more.items() if value != ""})
        return f"{self.path}?{query}" if query else self.path

    @property
    def step(self) -> TaughtDocument:
        """The step that the learner is at."""
        return self.course["steps"][self.learner.step]


@router.get("/learn")
async def choose(request: Request) -> HTMLResponse:
    """Show the courses, and how far this browser has got in each."""
    games = [
        (rules, idea(rules), course_progress(request.cookies, rules.id, *course_ideas(rules.id)))
        for rules in map(built_in, GAME_IDS)
    ]
    return render_page(request, "courses.html", here="Learn", games=games)


@router.get("/learn/{game}")
async def lesson(
    request: Request,
    game: str,
    *,
    answer: Annotated[ExerciseAnswer | None, Depends(_answer)],
    rules: RulesText = "",
    show: Annotated[str, Query(max_length=_SHOW_LENGTH)] = "",
    idea: Annotated[str, Query(max_length=_IDEA_LENGTH)] = "",
) -> Response:
    """Open a step with its example, ask the exercise that is due, or say what an answer is worth.

    `idea` names the step to open; without it, that is the one at which the learner is.
    """
    if game == OWN and not rules.strip():
        return RedirectResponse("/own", 303)
    taken = _at_idea(await _taken(request, game, rules), idea)
    shown: dict[str, Any] = {"exercise": None, "opened": None}
    if taken.course["steps"] and answer is not None:
        shown["exercise"] = await _answered(request, taken, answer)
    elif not taken.learner.done and (_opens(taken) or taken.idea or show == _EXAMPLE) and show != _EXERCISE:
        shown["opened"] = _opened(taken)
    elif not taken.learner.done:
        due = await request_context(request).questions.ask(
            teaching_jobs.exercise, rules_to_dict(taken.rules), taken.learner.numbers
        )
        asked = ExerciseAnswer(taken.learner.step, due["numbers"], due["position"], "", "")
        shown["exercise"] = _asked(taken, asked, due["words"]) | {"title": due["title"], "told": due["told"]}
    return render_page(request, "lesson.html", here="Learn", rules=taken.rules, **_course(taken), **shown)


def _at_idea(taken: _Taken, idea: str) -> _Taken:
    """Return a course at the step of an idea, if it has one: what is answered there counts if it is due."""
    step = next((n for n, one in enumerate(taken.course["steps"]) if one["idea"] == idea), taken.learner.step)
    if step == taken.learner.step:
        return taken if not idea or taken.learner.done else replace(taken, idea=taken.step["idea"])
    learner = replace(taken.learner, step=step, right=0, wrong=0, checking=False)
    return replace(taken, learner=learner, idea=idea)


@router.get("/tables/{table_id}/lesson")
async def of_match(
    table_id: str, context: Context, match: Annotated[WholeNumber, Query(ge=1, le=_MATCHES)] = 1
) -> Response:
    """Go to the lesson on the idea that cost the loser of a match most; else to the step that is due."""
    loaded = await context.table(table_id)
    if match == loaded.table.number:
        check_coaching(loaded.table)
    found = await context.questions.ask(teaching_jobs.costly, await context.record(loaded, match))
    rules = loaded.table.setup.rules
    query = ({} if is_built_in(rules) else {"rules": write_rules(rules)}) | ({"idea": found} if found else {})
    path = f"/learn/{rules.id if is_built_in(rules) else OWN}"
    return RedirectResponse(f"{path}?{urlencode(query)}" if query else path, 303)


def _opens(taken: _Taken) -> bool:
    """Whether the step that the learner is at has asked nothing yet."""
    return taken.learner.asked[taken.learner.step] == 0


@router.post("/learn/{game}")
async def respond(request: Request, game: str, context: Context) -> Response:
    """Take an answer, remember the progress, and show what the answer is worth; or restart a course."""
    fields = await fields_of(request)
    taken = await _taken(request, game, fields.get("rules", ""))
    if fields.get("do") in ("again", "read"):
        begun = RedirectResponse(taken.address(), 303)
        numbers = None
        if fields["do"] == "read":
            numbers = await context.questions.ask(
                teaching_jobs.read_step, rules_to_dict(taken.rules), taken.learner.numbers
            )
        keep_cookies(request, begun, remember_progress(request.cookies, taken.name, numbers))
        return begun
    step, numbers_worn = number_in(fields, "step"), number_in(fields, "numbers")
    position, move = fields.get("position", ""), fields.get("move", "").strip()
    judged = await context.questions.ask(
        teaching_jobs.judge,
        rules_to_dict(taken.rules),
        taken.learner.numbers,
        step - 1,
        numbers_worn,
        position[:POSITION_LENGTH],
        move[:MOVE_LENGTH],
    )
    tried = fields.get("tried", "")[: _TRIED * 10]
    to = taken.address(step=step, numbers=numbers_worn, position=position, move=move, tried=tried)
    redirect = RedirectResponse(to, 303)
    if _counts(taken, fields, step - 1):
        keep_cookies(request, redirect, remember_progress(request.cookies, taken.name, judged["after"]))
    return redirect


def _counts(taken: _Taken, fields: Fields, step: int) -> bool:
    """Whether an answer is the first to the exercise that is due: a form that was sent before counts only once."""
    learner = taken.learner
    return not learner.done and step == learner.step and fields.get("count") == str(sum(learner.asked))


async def _taken(request: Request, game: str, text: str) -> _Taken:
    own = game == OWN
    if own and len(text) > RULES_LENGTH:
        raise Problem("bad-field", f"The text of the rules may have at most {RULES_LENGTH:,} characters in a lesson.")
    rules = requested_rules(None, text) if own else rules_at(game)
    name = course_name(rules) if own else rules.id
    try:
        course = await request_context(request).questions.ask(teaching_jobs.lessons, rules_to_dict(rules))
    except Problem as problem:
        if not own or problem.code == "too-many":
            raise
        course = _without(problem.detail)
    ideas = [step["idea"] for step in course["steps"]]
    return _Taken(
        rules, text if own else "", name, course, course_progress(request.cookies, name, ideas, course["before"])
    )


def _without(why: str) -> LessonsDocument:
    """Return an empty course, for a custom game of which the server cannot make one."""
    nothing: list[Any] = []
    return {
        "seat": None,
        "steps": nothing,
        "book": nothing,
        "by_heart": False,
        "left_out": nothing,
        "before": nothing,
        "opponent": "",
        "expects": "",
        "why_not": why,
        "levels": nothing,
        "scores": nothing,
    }


def _course(taken: _Taken) -> dict[str, Any]:
    """Return what every page of a course shows."""
    course, learner = taken.course, taken.learner
    seat = Seat(course["seat"]) if course["seat"] else None
    levels = [PLAYERS.find(who).title for who in course["levels"]]
    order = [Seat.SECOND, Seat.FIRST] if seat is Seat.SECOND else list(Seat)
    return {
        "course": course,
        "learner": learner,
        "enough": ENOUGH,
        "checks": CHECKS,
        "seat": SEATS[seat] if seat else "either player",
        "first": {Seat.FIRST: "me", Seat.SECOND: "them", None: "best"}[seat],
        "opponent": PLAYERS.find(course["opponent"]) if course["opponent"] else None,
        "path": taken.path,
        "here_again": taken.address(),
        "exercise_at": taken.address(show=_EXERCISE, idea=taken.idea),
        "example_at": taken.address(show=_EXAMPLE, idea=taken.idea),
        "text": taken.text,
        "tables": [
            (SEATS[one], list(zip(levels, course["scores"][one.value - 1], strict=True))) for one in order if levels
        ],
    }


def _opened(taken: _Taken) -> dict[str, Any]:
    """Return a step as it is opened: the idea, why it holds, and its example on the board."""
    step, example = taken.step, taken.step["example"]
    scene = None
    if example is not None:
        position = parse_position(example["position"], taken.rules)
        line = [parse_move(move, taken.rules.operations) for move in example["line"]]
        scene = {
            "before": position_picture(position, ()),
            "after": position_picture(position, line),
        }
    safe = safe_words(step["words"])
    return {"step": taken.learner.step, "taught": step, "safe": safe, "scene": scene, "read": not step["exercises"]}


async def _answered(request: Request, taken: _Taken, answer: ExerciseAnswer) -> dict[str, Any]:
    judged = await request_context(request).questions.ask(
        teaching_jobs.judge,
        rules_to_dict(taken.rules),
        taken.learner.numbers,
        answer.step,
        answer.numbers,
        answer.position,
        answer.move,
    )
    return _asked(taken, answer, judged["idea"], judged)


def _asked(taken: _Taken, answer: ExerciseAnswer, words: str, judged: JudgedDocument | None = None) -> dict[str, Any]:
    """Return an exercise as the page shows it, and the comment on an answer to it."""
    step, learner = answer.step, taken.learner
    tried = answer.all_tried if judged else []
    position = parse_position(answer.position, rules_in(taken.rules, answer.numbers))
    right, needs = _dots(taken, step, judged)
    return {
        "step": step,
        "right": right,
        "needs": needs,
        "words": words,
        "over": judged is not None and (judged["right"] or not answer.move),
        "scene": position_picture(position, ()),
        "cells": [
            {
                "move": position.text_of(one),
                "said": spoken(one),
                "tried": position.text_of(one) in tried,
                "wins": judged is not None and position.text_of(one) in judged["solutions"],
            }
            for one in position.legal_moves()
        ],
        "fields": taken.given
        | {
            "step": step + 1,
            "numbers": answer.numbers,
            "position": answer.position,
            "tried": " ".join(tried),
            "count": "" if judged else sum(learner.asked),
        },
        "judged": judged,
        "move": answer.move,
        "news": _news(taken, step, judged),
    }


def _dots(taken: _Taken, step: int, judged: JudgedDocument | None) -> tuple[int, int]:
    """Return how many right answers there are and how many are needed; all of them if the last one was just given."""
    learner, enough = taken.learner, taken.course["steps"][step]["enough"]
    if learner.step != step:
        return (CHECKS, CHECKS) if learner.step > step else (0, enough)
    if judged is not None and judged["right"] and learner.checking and not learner.right and not learner.wrong:
        return enough, enough
    return learner.right, CHECKS if learner.checking else enough


def _news(taken: _Taken, step: int, judged: JudgedDocument | None) -> str:
    """Return what an answer has changed: new numbers, a step is learnt, or one goes back."""
    learner = taken.learner
    if judged is None or learner.right or learner.wrong:
        return ""
    if learner.step > step:
        return f"Step {step + 1} is learnt."
    if judged["right"]:
        return f"Now the same idea in new numbers: {CHECKS} right in a row." if learner.checking else ""
    if learner.step < step:
        return f"Two wrong in a row: back to step {learner.step + 1} for a while."
    return "Two wrong in a row: the count starts again."
