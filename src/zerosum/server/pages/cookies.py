"""Where somebody stands in each course, in a cookie of their browser that needs no script.

What a browser remembers for its next table: a name, an opponent, whether the coach speaks up; in a cookie.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import Response

from zerosum.base.errors import BadNameError
from zerosum.base.text import check_name
from zerosum.coach.learner import ENOUGH, TOO_MANY, Learner
from zerosum.coach.lessons import STEPS
from zerosum.players import HUMAN
from zerosum.rules.files import GAME_IDS, write_rules
from zerosum.rules.model import Rules
from zerosum.server.domain.new_table import HERE
from zerosum.server.pages.forms import Fields
from zerosum.strategy.card_player import PLAYERS

CHOICES_COOKIE: Final = "zerosum_choices"
DEFAULT_OPPONENT: Final = "level:1"
"""The opponent of a browser that has not chosen one."""
_ON: Final = "1"
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class BrowserChoices:
    """Who somebody is, against whom they like to play, and whether the coach then speaks up on its own."""

    name: str = ""
    opponent: str = DEFAULT_OPPONENT
    coach: bool = False


NO_CHOICES: Final = BrowserChoices()
"""What a new browser remembers."""


def browser_choices(request: Request) -> BrowserChoices:
    """Return what the browser of a request remembers; what cannot be used any more is left out."""
    opponent, name, coach, *_ = [*request.cookies.get(CHOICES_COOKIE, "").split("|"), "", ""]
    return BrowserChoices(
        _usable(unquote(name)), opponent if _is_opponent(opponent) else DEFAULT_OPPONENT, coach == _ON
    )


def remember_choices(request: Request, response: Response, fields: Fields) -> None:
    """Let a browser remember what a form has chosen; a field that the form lacks stays as it was."""
    known = browser_choices(request)
    chosen = fields.get("opponent", "")
    made = replace(
        known,
        name=_usable(fields["name"].strip()) if "name" in fields else known.name,
        opponent=chosen if _is_opponent(chosen) else known.opponent,
        coach=fields["coach"] == _ON if "coach" in fields else known.coach,
    )
    if made != known:
        response.set_cookie(
            CHOICES_COOKIE,
            f"{made.opponent}|{quote(made.name, safe='')}|{_ON if made.coach else ''}",
            max_age=_YEAR,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )


def _is_opponent(text: str) -> bool:
    return text in (HUMAN, HERE, *PLAYERS.names)


def _usable(name: str) -> str:
    try:
        return check_name(name)
    except BadNameError:
        return ""


PROGRESS_COOKIE: Final = "zerosum_lessons"
_OWN: Final = 5
"""Courses of games of one's own that are remembered, beside those of the built-in games."""
_MOST: Final = 9_999
"""Exercises of a step that are counted."""
_NAME_LENGTH: Final = 12
_ENTRY: Final = re.compile(rf"([a-z0-9-]{{1,64}})_([0-9]{{1,2}}(?:\.[0-9]{{1,4}}){{2,{2 + STEPS}}})", re.ASCII)


def course_name(rules: Rules) -> str:
    """Return by which name a browser remembers the course of a game of one's own."""
    return f"own-{hashlib.sha256(write_rules(rules).encode()).hexdigest()[:_NAME_LENGTH]}"


def all_progress(request: Request) -> dict[str, Learner]:
    """Return where the browser of a request stands, by the names of courses; what cannot be read is left out."""
    entries = map(_ENTRY.fullmatch, request.cookies.get(PROGRESS_COOKIE, "").split("|"))
    return {one[1]: _learner(list(map(int, one[2].split(".")))) for one in entries if one}


def _learner(numbers: list[int]) -> Learner:
    step, right, wrong, *asked = numbers
    return Learner(min(step, len(asked)), min(right, ENOUGH - 1), min(wrong, TOO_MANY - 1), tuple(asked))


def course_progress(request: Request, course: str, steps: int) -> Learner:
    """Return where somebody stands in a course; at its start, if it has another number of steps by now."""
    found = all_progress(request).get(course, Learner())
    return found if len(found.asked) == steps else Learner()


def learner_numbers(learner: Learner) -> list[int]:
    """Return a learner as the worker takes it."""
    return [learner.step, learner.right, learner.wrong, *learner.asked]


def remember_progress(request: Request, response: Response, course: str, numbers: list[int] | None) -> None:
    """Let a browser remember where somebody stands; with no numbers a course begins anew."""
    known = {name: learner_numbers(one) for name, one in all_progress(request).items() if name != course}
    if numbers is not None:
        known[course] = [min(one, _MOST) for one in numbers]
    own = [name for name in known if name not in GAME_IDS]
    kept = {name: one for name, one in known.items() if name in GAME_IDS or name in own[-_OWN:]}
    response.set_cookie(
        PROGRESS_COOKIE,
        "|".join(f"{name}_{'.'.join(map(str, one))}" for name, one in kept.items()),
        max_age=_YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
