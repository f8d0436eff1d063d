"""Lessons: the course of a game, one exercise after the other. The address tells which answer is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from zerosum.coach.learner import ENOUGH, Learner
from zerosum.coach.lessons import STEPS
from zerosum.rules.describe import idea
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.server.domain.new_table import requested_rules
from zerosum.server.domain.problems import Problem
from zerosum.server.http.context import Context, request_context
from zerosum.server.limits import MOVE_LENGTH
from zerosum.server.pages.board_pieces import spoken
from zerosum.server.pages.forms import (
    Fields,
    WholeNumber,
    all_progress,
    course_name,
    course_progress,
    fields_of,
    learner_numbers,
    number_in,
    remember_progress,
)
from zerosum.server.pages.game_pages import rules_at
from zerosum.server.pages.line_of_play import SEATS
from zerosum.server.pages.puzzle_pages import POSITION, position_picture
from zerosum.server.pages.templates import render_page
from zerosum.server.worker import teaching_jobs
from zerosum.server.worker.messages import JudgedDocument, LessonsDocument
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_player import PLAYERS

router = APIRouter(include_in_schema=False)

OWN: Final = "own"
"""What an address says instead of a game's id for the course of a custom game; its rules are in the address too."""
_RULES: Final = 4_000
"""Characters of the rules of a custom game in an address."""
_TRIED: Final = 40
"""Answers that an address remembers."""

RulesText = Annotated[str, Query(max_length=_RULES)]


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """An answer that an address tells of: to which exercise of which step, and those tried before it."""

    step: int
    position: str
    move: str
    tried: str

    @property
    def all_tried(self) -> list[str]:
        """The answers so far, each once."""
        return list(dict.fromkeys([*self.tried.split(), *([self.move] if self.move else [])]))[-_TRIED:]


def _answer(
    step: Annotated[WholeNumber, Query(ge=1, le=STEPS)] = 1,
    position: Annotated[str, Query(max_length=POSITION)] = "",
    move: Annotated[str, Query(max_length=MOVE_LENGTH)] = "",
    tried: Annotated[str, Query(max_length=_TRIED * 10)] = "",
) -> ExerciseAnswer | None:
    return ExerciseAnswer(step - 1, position, move, tried) if position else None


@dataclass(frozen=True, slots=True)
class _Taken:
    """A course that somebody takes, the name by which the browser remembers it, and the progress so far."""

    rules: Rules
    text: str
    """The rules of a custom game, as text; nothing for a built-in one."""
    name: str
    course: LessonsDocument
    learner: Learner

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
    def done(self) -> bool:
        return self.learner.step >= len(self.course["steps"])


def own_lessons(text: str) -> str:
    """Return the address of the lessons of a custom game; nothing if its rules are too long for an address."""
    return f"/learn/{OWN}?{urlencode({'rules': text})}" if len(text) <= _RULES else ""


@router.get("/learn")
async def choose(request: Request) -> HTMLResponse:
    """Show the courses, and how far this browser has got in each."""
    known = all_progress(request)
    games = [(rules, idea(rules), known.get(rules.id, Learner())) for rules in map(built_in, GAME_IDS)]
    return render_page(request, "courses.html", here="", games=games)


@router.get("/learn/{game}")
async def lesson(
    request: Request, game: str, answer: Annotated[ExerciseAnswer | None, Depends(_answer)], rules: RulesText = ""
) -> Response:
    """Ask the exercise that is due, or say what an answer is worth."""
    if game == OWN and not rules.strip():
        return RedirectResponse("/own", 303)
    taken = await _taken(request, game, rules)
    shown: dict[str, Any] = {"exercise": None}
    if taken.course["steps"] and answer is not None:
        shown = await _answered(request, taken, answer)
    elif taken.course["steps"] and not taken.done:
        due = await request_context(request).questions.ask(
            teaching_jobs.exercise, rules_to_dict(taken.rules), learner_numbers(taken.learner)
        )
        shown = _asked(taken, parse_position(due, taken.rules), taken.learner.step)
    return render_page(request, "lesson.html", here="", rules=taken.rules, **_course(taken), **shown)


@router.post("/learn/{game}")
async def respond(request: Request, game: str, context: Context) -> Response:
    """Take an answer, remember the progress, and show what the answer is worth; or restart a course."""
    fields = await fields_of(request)
    taken = await _taken(request, game, fields.get("rules", ""))
    if fields.get("do") == "again":
        begun = RedirectResponse(taken.address(), 303)
        remember_progress(request, begun, taken.name, None)
        return begun
    step, position, move = number_in(fields, "step"), fields.get("position", ""), fields.get("move", "").strip()
    judged = await context.questions.ask(
        teaching_jobs.judge,
        rules_to_dict(taken.rules),
        learner_numbers(taken.learner),
        step - 1,
        position[:POSITION],
        move[:MOVE_LENGTH],
    )
    to = taken.address(step=step, position=position, move=move, tried=fields.get("tried", "")[: _TRIED * 10])
    told = RedirectResponse(to, 303)
    if _counts(taken, fields, step - 1):
        remember_progress(request, told, taken.name, judged["after"])
    return told


def _counts(taken: _Taken, fields: Fields, step: int) -> bool:
    """Whether an answer is the first to the exercise that is due: a form that was sent before counts only once."""
    return not taken.done and step == taken.learner.step and fields.get("count") == str(sum(taken.learner.asked))


async def _taken(request: Request, game: str, text: str) -> _Taken:
    own = game == OWN
    if own and len(text) > _RULES:
        raise Problem("bad-field", f"The text of the rules may have at most {_RULES:,} characters in a lesson.")
    rules = requested_rules(None, text) if own else rules_at(game)
    name = course_name(rules) if own else rules.id
    try:
        course = await request_context(request).questions.ask(teaching_jobs.lessons, rules_to_dict(rules))
    except Problem as problem:
        if not own or problem.code == "too-many":
            raise
        course = _without(problem.detail)
    return _Taken(rules, text if own else "", name, course, course_progress(request, name, len(course["steps"])))


def _without(why: str) -> LessonsDocument:
    """Return an empty course, for a custom game of which the server cannot make one."""
    nothing: list[Any] = []
    return {
        "seat": None,
        "steps": nothing,
        "untaught": nothing,
        "opponent": "",
        "why_not": why,
        "levels": nothing,
        "scores": nothing,
    }


def _course(taken: _Taken) -> dict[str, Any]:
    """Return what every page of a course shows."""
    course, learner = taken.course, taken.learner
    seat = Seat(course["seat"]) if course["seat"] else None
    return {
        "course": course,
        "learner": learner,
        "done": taken.done,
        "enough": ENOUGH,
        "seat": SEATS[seat] if seat else "either player",
        "first": {Seat.FIRST: "me", Seat.SECOND: "them", None: "best"}[seat],
        "opponent": PLAYERS.find(course["opponent"]) if course["opponent"] else None,
        "path": taken.path,
        "here_again": taken.address(),
        "text": taken.text,
        "table": [(PLAYERS.find(who).title, row) for who, row in zip(course["levels"], course["scores"], strict=True)],
    }


async def _answered(request: Request, taken: _Taken, answer: ExerciseAnswer) -> dict[str, Any]:
    judged = await request_context(request).questions.ask(
        teaching_jobs.judge,
        rules_to_dict(taken.rules),
        learner_numbers(taken.learner),
        answer.step,
        answer.position,
        answer.move,
    )
    return _asked(taken, parse_position(answer.position, taken.rules), answer.step, judged, answer)


def _asked(
    taken: _Taken,
    position: Position,
    step: int,
    judged: JudgedDocument | None = None,
    answer: ExerciseAnswer | None = None,
) -> dict[str, Any]:
    """Return an exercise as the page shows it, and the comment on an answer to it."""
    tried, move = (answer.all_tried, answer.move) if answer else ([], "")
    learner = taken.learner
    over = judged is not None and (judged["right"] or not move)
    here = learner.right if learner.step == step else ENOUGH if learner.step > step else 0
    words = taken.course["steps"][step]["words"]
    return {
        "exercise": {
            "step": step,
            "right": here,
            "words": words,
            "safe": safe_words(words),
            "over": over,
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
                "position": position,
                "tried": " ".join(tried),
                "count": "" if judged else sum(learner.asked),
            },
            "judged": judged,
            "move": move,
            "news": _news(taken, step, judged),
        },
    }


def _news(taken: _Taken, step: int, judged: JudgedDocument | None) -> str:
    """Return what an answer has changed: a step is open, or one goes back."""
    learner = taken.learner
    if judged is None or learner.right or learner.wrong:
        return ""
    if learner.step > step:
        return "That was the last step." if taken.done else f"Three right: step {learner.step + 1} is open."
    if judged["right"]:
        return ""
    if learner.step < step:
        return f"Two wrong in a row: back to step {learner.step + 1} for a while."
    return "Two wrong in a row: the count starts again."
