"""Lessons: the course of a game, one step after the other. The address tells which answer is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from zerosum.coach.learner import CHECKS, Learner, rules_in
from zerosum.coach.lessons import ENOUGH, STEPS, course_ideas
from zerosum.jobs import teaching_jobs
from zerosum.jobs.teaching_jobs import JudgedDocument, LessonsDocument, TaughtDocument
from zerosum.rules.describe import idea
from zerosum.rules.game_files import GAME_IDS, built_in, is_built_in, write_rules
from zerosum.rules.model import Rules, Seat, rules_to_dict
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.screens import forms
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.line_of_play import SEATS
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, Visit, go, screen
from zerosum.strategy.card import safe_words
from zerosum.strategy.card_player import PLAYERS
from zerosum.tables.commands import check_coaching
from zerosum.tables.fields import Text, Whole
from zerosum.tables.limits import MOVE_LENGTH
from zerosum.tables.new_table import requested_rules, rules_at
from zerosum.tables.problems import Problem

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


def _told(query: forms.Fields) -> ExerciseAnswer | None:
    """Return the answer that an address tells of."""
    position, move, tried = (query.get(name, "") for name in ("position", "move", "tried"))
    step, numbers = int(query.get("step", "1")), int(query.get("numbers", "0"))
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
        return f"/learn/{forms.OWN if self.text else self.rules.id}"

    @property
    def given(self) -> dict[str, object]:
        """What every address of this course has."""
        return {"rules": self.text} if self.text else {}

    def address(self, **more: object) -> str:
        query = urlencode(self.given | {name: value for name, value in more.items() if value != ""})
        return f"{self.path}?{query}" if query else self.path

    @property
    def progress(self) -> tuple[dict[str, Any], list[int]]:
        """What every question about this course begins with."""
        return rules_to_dict(self.rules), self.learner.numbers

    @property
    def step(self) -> TaughtDocument:
        """The step that the learner is at."""
        return self.course["steps"][self.learner.step]


@screen("GET", "/learn")
async def choose(visit: Visit, _host: ScreenHost) -> Answer:
    """Show the courses, and how far this browser has got in each."""
    games = [
        (rules, idea(rules), forms.course_progress(visit.cookies, rules.id, *course_ideas(rules.id)))
        for rules in map(built_in, GAME_IDS)
    ]
    return page("courses.html", here="Learn", games=games)


@screen(
    "GET",
    "/learn/{game}",
    step=Whole(1, STEPS),
    numbers=Whole(0, _NUMBERS),
    position=Text(forms.POSITION_LENGTH),
    move=Text(MOVE_LENGTH),
    tried=Text(_TRIED * 10),
    rules=Text(forms.RULES_LENGTH),
    show=Text(_SHOW_LENGTH),
    idea=Text(_IDEA_LENGTH),
)
async def lesson(visit: Visit, host: ScreenHost) -> Answer:
    """Open a step with its example, ask the exercise that is due, or say what an answer is worth.

    `idea` names the step to open; without it, that is the one at which the learner is.
    """
    query, game = visit.query, visit.path["game"]
    rules, show, answer = query.get("rules", ""), query.get("show", ""), _told(query)
    if game == forms.OWN and not rules.strip():
        return go("/own")
    taken = _at_idea(await _taken(visit, host, rules), query.get("idea", ""))
    shown: dict[str, Any] = {"exercise": None, "opened": None}
    if taken.course["steps"] and answer is not None:
        judged = await _judged(host, taken, answer)
        shown["exercise"] = _asked(taken, answer, judged["idea"], judged)
    elif not taken.learner.done and (_opens(taken) or taken.idea or show == _EXAMPLE) and show != _EXERCISE:
        shown["opened"] = _opened(taken)
    elif not taken.learner.done:
        due = await host.ask(teaching_jobs.exercise, *taken.progress)
        asked = ExerciseAnswer(taken.learner.step, due["numbers"], due["position"], "", "")
        shown["exercise"] = _asked(taken, asked, due["words"]) | {"title": due["title"], "told": due["told"]}
    return page("lesson.html", here="Learn", rules=taken.rules, **_course(taken), **shown)


def _at_idea(taken: _Taken, idea: str) -> _Taken:
    """Return a course at the step of an idea, if it has one: what is answered there counts if it is due."""
    step = next((n for n, one in enumerate(taken.course["steps"]) if one["idea"] == idea), taken.learner.step)
    if step == taken.learner.step:
        return taken if not idea or taken.learner.done else replace(taken, idea=taken.step["idea"])
    learner = replace(taken.learner, step=step, right=0, wrong=0, checking=False)
    return replace(taken, learner=learner, idea=idea)


@screen("GET", "/tables/{table_id}/lesson", anonymous=True, match=Whole(1, _MATCHES))
async def of_match(visit: Visit, host: ScreenHost) -> Answer:
    """Go to the lesson on the idea that cost the loser of a match most; else to the step that is due."""
    sight, match = await host.table(visit.path["table_id"]), int(visit.query.get("match", "1"))
    if match == sight.table.number:
        check_coaching(sight.table)
    found = await host.ask(teaching_jobs.costly, await host.record(sight, match))
    rules = sight.table.setup.rules
    query = ({} if is_built_in(rules) else {"rules": write_rules(rules)}) | ({"idea": found} if found else {})
    path = f"/learn/{rules.id if is_built_in(rules) else forms.OWN}"
    return go(f"{path}?{urlencode(query)}" if query else path)


def _opens(taken: _Taken) -> bool:
    """Whether the step that the learner is at has asked nothing yet."""
    return taken.learner.asked[taken.learner.step] == 0


@screen("POST", "/learn/{game}", anonymous=True)
async def respond(visit: Visit, host: ScreenHost) -> Answer:
    """Take an answer, remember the progress, and show what the answer is worth; or restart a course."""
    fields = visit.fields
    taken = await _taken(visit, host, fields.get("rules", ""))
    if fields.get("do") in ("again", "read"):
        reached = await host.ask(teaching_jobs.read_step, *taken.progress) if fields["do"] == "read" else None
        return go(taken.address(), cookies=forms.remember_progress(visit.cookies, taken.name, reached))
    step, numbers = forms.number_in(fields, "step"), forms.number_in(fields, "numbers")
    position, move, tried = fields.get("position", ""), fields.get("move", "").strip(), fields.get("tried", "")
    answer = ExerciseAnswer(
        step - 1, numbers, position[: forms.POSITION_LENGTH], move[:MOVE_LENGTH], tried[: _TRIED * 10]
    )
    judged = await _judged(host, taken, answer)
    to = taken.address(step=step, numbers=numbers, position=position, move=move, tried=answer.tried)
    counts = _counts(taken, fields, answer.step)
    return go(to, cookies=forms.remember_progress(visit.cookies, taken.name, judged["after"]) if counts else {})


def _counts(taken: _Taken, fields: forms.Fields, step: int) -> bool:
    """Whether an answer is the first to the exercise that is due: a form that was sent before counts only once."""
    learner = taken.learner
    return not learner.done and step == learner.step and fields.get("count") == str(sum(learner.asked))


async def _taken(visit: Visit, host: ScreenHost, text: str) -> _Taken:
    game = visit.path["game"]
    own = game == forms.OWN
    if own and len(text) > forms.RULES_LENGTH:
        raise Problem(
            "bad-field", f"The text of the rules may have at most {forms.RULES_LENGTH:,} characters in a lesson."
        )
    rules = requested_rules(None, text) if own else rules_at(game)
    name = forms.course_name(rules) if own else rules.id
    try:
        course = await host.ask(teaching_jobs.lessons, rules_to_dict(rules))
    except Problem as problem:
        if not own or problem.code == "too-many":
            raise
        course = _without(problem.detail)
    ideas = [step["idea"] for step in course["steps"]]
    learner = forms.course_progress(visit.cookies, name, ideas, course["before"])
    return _Taken(rules, text if own else "", name, course, learner)


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
        scene = {"before": position_picture(position, ()), "after": position_picture(position, line)}
    safe = safe_words(step["words"])
    return {"step": taken.learner.step, "taught": step, "safe": safe, "scene": scene, "read": not step["exercises"]}


async def _judged(host: ScreenHost, taken: _Taken, given: ExerciseAnswer) -> JudgedDocument:
    """Return what an answer is worth."""
    return await host.ask(teaching_jobs.judge, *taken.progress, given.step, given.numbers, given.position, given.move)


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
