"""What a browser remembers for its next table: a name, an opponent, whether the coach speaks up; in a cookie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import Response

from zerosum.players import HUMAN
from zerosum.rules.errors import BadNameError
from zerosum.rules.text import check_name
from zerosum.server.domain.new_table import HERE
from zerosum.server.pages.forms import Fields
from zerosum.strategy.player import PLAYERS

COOKIE: Final = "zerosum_choices"
DEFAULT: Final = "level:1"
"""The opponent of a browser that has not chosen one."""
_ON: Final = "1"
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Remembered:
    """Who somebody is, against whom they like to play, and whether the coach then speaks up on its own."""

    name: str = ""
    opponent: str = DEFAULT
    coach: bool = False


NOBODY: Final = Remembered()
"""What a new browser remembers."""


def remembered(request: Request) -> Remembered:
    """Return what the browser of a request remembers; what cannot be used any more is left out."""
    opponent, name, coach, *_ = [*request.cookies.get(COOKIE, "").split("|"), "", ""]
    return Remembered(_usable(unquote(name)), opponent if _is_opponent(opponent) else DEFAULT, coach == _ON)


def remember(request: Request, response: Response, fields: Fields) -> None:
    """Let a browser remember what a form has chosen; a field that the form lacks stays as it was."""
    known = remembered(request)
    chosen = fields.get("opponent", "")
    made = replace(
        known,
        name=_usable(fields["name"].strip()) if "name" in fields else known.name,
        opponent=chosen if _is_opponent(chosen) else known.opponent,
        coach=fields["coach"] == _ON if "coach" in fields else known.coach,
    )
    if made != known:
        response.set_cookie(
            COOKIE,
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
