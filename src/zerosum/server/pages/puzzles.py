"""Puzzles: positions with something to find, one after another. The address holds everything; nothing is loaded."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from zerosum.coach.documents import OptionDocument
from zerosum.match.match import Match
from zerosum.match.setup import Person, Setup
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import idea
from zerosum.rules.errors import ZerosumError
from zerosum.rules.files import GAME_IDS, built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.server.domain.problems import Problem
from zerosum.server.http.context import request_context
from zerosum.server.pages.forms import Whole
from zerosum.server.pages.games import rules_at
from zerosum.server.pages.templates import page
from zerosum.server.pages.verdicts import Worth, worth
from zerosum.web.gauge import gauge
from zerosum.web.tiles import spoken

router = APIRouter(include_in_schema=False)

_COUNT: Final = 12
"""Puzzles in a set."""
_SETS: Final = 20
"""Sets of a game."""
_POSITION: Final = 400
"""Characters of a position in an address."""
_EASY, _MEDIUM = 3, 6
"""The last levels whose puzzles are easy, and of middling difficulty."""

_kept: Final[dict[tuple[str, int], list[dict[str, Any]]]] = {}
"""Sets that were made; a set is always the same, and a game has few of them."""

Number = Annotated[Whole, Query(ge=1, le=_SETS)]


@router.get("/puzzles")
async def choose(request: Request) -> HTMLResponse:
    """Let a game be chosen."""
    games = [(rules, idea(rules)) for rules in map(built_in, GAME_IDS)]
    return page(request, "puzzles.html", here="Puzzles", rules=None, games=games)


@router.get("/games/{game}/puzzles")
async def puzzles(request: Request, game: str, number: Annotated[Number, Query(alias="set")] = 1) -> HTMLResponse:
    """Show a set of puzzles, from easy to hard."""
    rules = rules_at(game)
    found = await _set(request, rules, number)
    return page(
        request,
        "puzzles.html",
        here="Puzzles",
        rules=rules,
        number=number,
        sets=_SETS,
        others=(number - 1 if number > 1 else None, number + 1 if number < _SETS else None),
        puzzles=[_card(rules, number, n, one) for n, one in enumerate(found, 1)],
    )


async def _set(request: Request, rules: Rules, number: int) -> list[dict[str, Any]]:
    """Return a set of puzzles, which is always the same; to make one can take a second, and so it is loaded."""
    if (rules.id, number) not in _kept:
        _kept[rules.id, number] = await request_context(request).questions.puzzles(rules, str(number), _COUNT)
    return _kept[rules.id, number]


def _card(rules: Rules, number: int, n: int, puzzle: dict[str, Any]) -> dict[str, object]:
    return {
        "n": n,
        "href": _address(rules, puzzle["position"], number, n),
        "position": parse_position(puzzle["position"], rules),
        "level": puzzle["difficulty"],
        "difficulty": difficulty(puzzle["difficulty"]),
    }


def _address(rules: Rules, position: str, number: int, n: int) -> str:
    return f"/games/{rules.id}/puzzle?{urlencode({'position': position, 'set': number, 'n': n})}"


def difficulty(level: int) -> tuple[str, str]:
    """Return how hard a puzzle is in a word, and what that means."""
    if level > len(LEVELS):
        return "Very hard", "harder than any level"
    word = "Easy" if level <= _EASY else "Medium" if level <= _MEDIUM else "Hard"
    return word, f"level {level} of {len(LEVELS)} finds it"


@router.get("/games/{game}/puzzle")
async def puzzle(
    request: Request,
    game: str,
    *,
    position: Annotated[str, Query(max_length=_POSITION)],
    move: Annotated[str, Query(max_length=40)] = "",
    number: Annotated[Number | None, Query(alias="set")] = None,
    n: Annotated[Whole, Query(ge=1, le=_COUNT)] = 1,
) -> HTMLResponse:
    """Ask one puzzle, or say whether an answer to it is right and why."""
    rules = rules_at(game)
    at = _position(rules, position)
    values = await request_context(request).questions.values(at)
    verdicts = {one["verdict"] for one in values}
    if not {"win", "loss"} <= verdicts:
        raise Problem("bad-position", "There is nothing to find there: all moves are worth the same.")
    answer = await _answer(request, at, move, values) if move else None
    place = await _place(request, rules, str(at), number, n)
    return page(
        request,
        "puzzle.html",
        here="Puzzles",
        rules=rules,
        at=at,
        gauge=gauge(seen_by_mover(at, answer["played"] if answer else None)),
        moves=_in_order(at, values),
        answer=answer,
        set=number if place else None,
        n=n,
        **(place or {"count": 0, "difficulty": None, "next": None}),
    )


def _position(rules: Rules, text: str) -> Position:
    try:
        found = parse_position(text, rules)
    except ZerosumError as error:
        raise Problem("bad-position", str(error)) from None
    if found.outcome is not None:
        raise Problem("bad-position", "The match is over there: there is nothing to find.")
    return found


def seen_by_mover(position: Position, move: Move | None) -> Match:
    """Return a match that stands at a position, or after a move of it, as the player to move there sees it."""
    names = ("You", "They") if position.seat is Seat.FIRST else ("They", "You")
    match = Match(Setup(rules=position.rules, names=names, first=Person.ONE), start=position)
    return match if move is None else match.after(move)


def _in_order(position: Position, values: list[OptionDocument]) -> list[tuple[Worth, str]]:
    """Return the moves and how they are said, by their numbers: the order of values would give the answer away."""
    by_move = {one["move"]: worth(one) for one in values}
    return [(by_move[position.text_of(move)], spoken(move)) for move in position.legal_moves()]


async def _answer(request: Request, position: Position, text: str, values: list[OptionDocument]) -> dict[str, Any]:
    """Return whether an answer is right, and why."""
    try:
        move = parse_move(text.strip(), position.rules.operations)
        position.play(move)
    except ZerosumError as error:
        raise Problem("illegal-move", str(error)) from None
    written = position.text_of(move)
    given = next(worth(one) for one in values if one["move"] == written)
    why = await request_context(request).questions.reason(position, written)
    return {"played": move, "given": given, "right": given.verdict == "win", "why": why}


async def _place(request: Request, rules: Rules, position: str, number: int | None, n: int) -> dict[str, Any] | None:
    """Return where a puzzle stands in its set and what comes after it; None if it stands in none."""
    found = await _set(request, rules, number) if number else []
    if number is None or n > len(found) or found[n - 1]["position"] != position:
        return None
    after = _address(rules, found[n]["position"], number, n + 1) if n < len(found) else None
    return {"count": len(found), "difficulty": difficulty(found[n - 1]["difficulty"]), "next": after}
