"""Puzzles to choose from: the one of the day, and sets of each game."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from zerosum.coach.puzzles import daily_game, today
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import idea
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.notation import parse_position
from zerosum.server.http.context import request_context
from zerosum.server.pages.forms import WholeNumber
from zerosum.server.pages.game_pages import rules_at
from zerosum.server.pages.templates import render_page

router = APIRouter(include_in_schema=False)

COUNT: Final = 12
"""Puzzles in a set."""
SETS: Final = 20
"""Sets of a game."""
_EASY, _MEDIUM = 3, 6
"""The last levels whose puzzles are easy, and of middling difficulty."""

_kept: Final[dict[tuple[str, int], list[dict[str, Any]]]] = {}
"""Sets that were made; a set is always the same, and a game has few of them."""

Number = Annotated[WholeNumber, Query(ge=1, le=SETS)]


@router.get("/puzzles")
async def choose(request: Request) -> HTMLResponse:
    """Show the puzzle of the day, and let a game be chosen."""
    games = [(rules, idea(rules)) for rules in map(built_in, GAME_IDS)]
    now = today()
    daily = {"day": now, "date": long_date(now), "game": built_in(daily_game(now)).name}
    return render_page(request, "puzzles.html", here="Puzzles", rules=None, games=games, daily=daily)


def long_date(day: date) -> str:
    """Return a date in words.

    >>> long_date(date(2026, 11, 5))
    '5 November 2026'
    """
    return f"{day.day} {day:%B} {day.year}"


@router.get("/games/{game}/puzzles")
async def puzzles(request: Request, game: str, number: Annotated[Number, Query(alias="set")] = 1) -> HTMLResponse:
    """Show a set of puzzles, from easy to hard."""
    rules = rules_at(game)
    found = await puzzle_set(request, rules, number)
    return render_page(
        request,
        "puzzles.html",
        here="Puzzles",
        rules=rules,
        number=number,
        sets=SETS,
        others=(number - 1 if number > 1 else None, number + 1 if number < SETS else None),
        puzzles=[_card(rules, number, n, one) for n, one in enumerate(found, 1)],
    )


async def puzzle_set(request: Request, rules: Rules, number: int) -> list[dict[str, Any]]:
    """Return a set of puzzles, which is always the same; to make one can take a second, and so it is loaded."""
    if (rules.id, number) not in _kept:
        _kept[rules.id, number] = await request_context(request).questions.puzzles(rules, str(number), COUNT)
    return _kept[rules.id, number]


def _card(rules: Rules, number: int, n: int, puzzle: dict[str, Any]) -> dict[str, object]:
    return {
        "n": n,
        "href": address_of(rules, puzzle["position"], number, n),
        "position": parse_position(puzzle["position"], rules),
        "key": f"{rules.id} {puzzle['position']}",
        "level": puzzle["difficulty"],
        "difficulty": difficulty(puzzle["difficulty"]),
    }


def address_of(rules: Rules, position: str, number: int, n: int) -> str:
    """Return the address of a puzzle in its set."""
    return f"/games/{rules.id}/puzzle?{urlencode({'position': position, 'set': number, 'n': n})}"


def difficulty(level: int) -> tuple[str, str]:
    """Return how hard a puzzle is in a word, and what that means."""
    if level > len(LEVELS):
        return "Very hard", "harder than any level"
    word = "Easy" if level <= _EASY else "Medium" if level <= _MEDIUM else "Hard"
    return word, f"level {level} of {len(LEVELS)} finds it"
