"""One puzzle: the question, what an answer leads to, hints, another try. The address holds all of an attempt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from zerosum.base.documents import Document
from zerosum.base.errors import InvalidTextError, ZerosumError
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt
from zerosum.coach.puzzles import daily_game, parse_day, today
from zerosum.match.match import Match
from zerosum.match.scene import takers
from zerosum.match.setup import Person, Setup
from zerosum.rules.files import built_in
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.server.domain.problems import Problem
from zerosum.server.http.context import request_context
from zerosum.server.pages.forms import Whole
from zerosum.server.pages.game_pages import rules_at
from zerosum.server.pages.gauge import gauge
from zerosum.server.pages.puzzle_list import COUNT, SETS, Number, address_of, difficulty, long_date, puzzle_set
from zerosum.server.pages.templates import page
from zerosum.server.pages.tiles import CLASSES, spoken
from zerosum.server.pages.verdict_marks import worth

router = APIRouter(include_in_schema=False)

POSITION: Final = 400
"""Characters of a position in an address."""
_MOVE: Final = 40
_WEEK: Final = 7
"""Days that a page of a daily puzzle links to."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an address says of an attempt: this answer, those before it, hints asked for, whether to show it all."""

    move: str
    tried: str
    hints: int
    show: int


def _asked(
    move: Annotated[str, Query(max_length=_MOVE)] = "",
    tried: Annotated[str, Query(max_length=TRIES * _MOVE)] = "",
    hints: Annotated[Whole, Query(ge=0, le=HINTS)] = 0,
    show: Annotated[Whole, Query(ge=0, le=1)] = 0,
) -> Asked:
    return Asked(move, tried, hints, show)


Attempted = Annotated[Asked, Depends(_asked)]


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of a position: the line with the hops that led there, and the numbers with whoever took them."""

    gauge: str
    position: Position
    you: Seat
    numbers: Sequence[tuple[int, str]]
    """Each number, and the class of the person who took it since; empty for one that is left."""


@router.get("/games/{game}/puzzle")
async def puzzle(
    request: Request,
    game: str,
    *,
    position: Annotated[str, Query(max_length=POSITION)],
    asked: Attempted,
    number: Annotated[Number | None, Query(alias="set")] = None,
    n: Annotated[Whole, Query(ge=1, le=COUNT)] = 1,
) -> HTMLResponse:
    """Ask one puzzle, or say what an answer to it leads to."""
    rules = rules_at(game)
    at = _position(rules, position)
    shown = await _shown(request, at, asked, f"/games/{rules.id}/puzzle", _fields(at, number, n))
    place = await _place(request, rules, str(at), number, n)
    return page(request, "puzzle.html", here="Puzzles", rules=rules, **shown, **place)


@router.get("/puzzles/daily")
async def daily_now() -> RedirectResponse:
    """Go to the puzzle of today, whose address has the date, so that it stays the same after midnight."""
    return RedirectResponse(f"/puzzles/daily/{today()}", headers={"Cache-Control": "no-store"})


@router.get("/puzzles/daily/{day}")
async def daily(request: Request, day: str, asked: Attempted) -> HTMLResponse:
    """Ask the puzzle of a day, which is the same for everybody."""
    try:
        date = parse_day(day)
    except InvalidTextError as error:
        raise Problem("no-such-page", str(error)) from None
    rules = built_in(daily_game(date))
    found = await request_context(request).questions.daily(rules, day)
    shown = await _shown(request, parse_position(found["position"], rules), asked, f"/puzzles/daily/{day}", {})
    now = today()
    return page(
        request,
        "puzzle.html",
        here="Puzzles",
        rules=rules,
        day=date,
        today=now,
        date=long_date(date),
        week=[now - timedelta(back) for back in range(_WEEK - 1, -1, -1)],
        set=None,
        difficulty=difficulty(found["difficulty"]),
        **shown,
    )


def _fields(position: Position, number: int | None, n: int) -> dict[str, object]:
    return {"position": position} if number is None else {"position": position, "set": number, "n": n}


def _position(rules: Rules, text: str) -> Position:
    try:
        found = parse_position(text, rules)
    except ZerosumError as error:
        raise Problem("bad-position", str(error)) from None
    if found.outcome is not None:
        raise Problem("bad-position", "The match is over there: there is nothing to find.")
    return found


async def _shown(
    request: Request, position: Position, asked: Asked, path: str, fields: dict[str, object]
) -> dict[str, Any]:
    """Return all that the page shows of an attempt at a puzzle."""
    questions = request_context(request).questions
    values = await questions.values(position)
    if not {"win", "loss"} <= {one["verdict"] for one in values}:
        raise Problem("bad-position", "There is nothing to find there: all moves are worth the same.")
    solutions = [_read(position, one["move"]) for one in values if one["verdict"] == "win"]
    given = _read(position, asked.move) if asked.move else None
    attempt = _attempt(asked, [_read(position, text) for text in asked.tried.split()[:TRIES]], given, solutions)
    state = {**fields, **_state(position, attempt)}
    return {
        "path": path,
        "fields": state,
        "more_hints": _address(path, {**state, "hints": attempt.hints + 1}) if attempt.hints_seen < HINTS else None,
        "show": _address(path, {**state, "show": 1}),
        "attempt": attempt,
        "scene": scene_of(position, ()),
        "cells": _cells(position, values, attempt),
        "hints": (await questions.puzzle_hints(position))[: attempt.hints_seen] if attempt.hints_seen else [],
        "answer": None if given is None else await _played_out(request, position, given),
        "best": await _played_out(request, position, solutions[0]) if attempt.over and not attempt.solved else None,
    }


def _attempt(asked: Asked, tried: Iterable[Move], given: Move | None, solutions: Sequence[Move]) -> Attempt:
    """Return the attempt that an address tells of; wrong answers count, whatever else it calls tried."""
    attempt = Attempt(hints=asked.hints, shown=bool(asked.show))
    for move in tried:
        attempt = attempt if move in solutions else attempt.answer(move, solutions)
    return attempt if given is None else attempt.answer(given, solutions)


def _state(position: Position, attempt: Attempt) -> dict[str, object]:
    """Return the fields by which an address tells of an attempt."""
    tried = " ".join(map(position.text_of, attempt.wrong))
    return {**({"tried": tried} if tried else {}), **({"hints": attempt.hints} if attempt.hints else {})}


def _address(path: str, fields: dict[str, object]) -> str:
    return f"{path}?{urlencode(fields)}#answer"


def _read(position: Position, text: str) -> Move:
    try:
        move = parse_move(text.strip(), position.rules.operations)
        position.play(move)
    except ZerosumError as error:
        raise Problem("illegal-move", str(error)) from None
    return move


def _cells(position: Position, values: Sequence[Document], attempt: Attempt) -> list[dict[str, object]]:
    """Return the moves by their numbers: the order of values would give the answer away."""
    by_move = {one["move"]: worth(one) for one in values}
    return [
        {
            "move": position.text_of(move),
            "said": spoken(move),
            "tried": move in attempt.wrong,
            "worth": by_move[position.text_of(move)] if attempt.over else None,
        }
        for move in position.legal_moves()
    ]


async def _played_out(request: Request, position: Position, move: Move) -> dict[str, object]:
    """Return what a move leads to, in words and as a picture."""
    found = await request_context(request).questions.played_out(position, position.text_of(move))
    line = [parse_move(text, position.rules.operations) for text in found["line"]]
    return {
        "move": position.text_of(move),
        "why": found["why"],
        "line": found["line"],
        "scene": scene_of(position, line),
    }


def scene_of(position: Position, line: Iterable[Move]) -> Scene:
    """Return the picture of a position after some moves, as the player to move there sees it."""
    names = ("You", "They") if position.seat is Seat.FIRST else ("They", "You")
    match = Match(Setup(rules=position.rules, names=names, first=Person.ONE), start=position)
    for move in line:
        match = match.after(move)
    taken = takers(match)
    # After a new pool all its numbers are shown, else those that were there at the question.
    pool = position.pool if set(match.position.pool) <= set(position.pool) else position.rules.pool
    numbers = [(number, CLASSES[taken[number].pop(0)] if taken.get(number) else "") for number in pool]
    return Scene(gauge(match), match.position, position.seat, numbers)


async def _place(request: Request, rules: Rules, position: str, number: int | None, n: int) -> dict[str, Any]:
    """Return where a puzzle stands in its set and what comes after it; nothing of that if it stands in none."""
    found = await puzzle_set(request, rules, number) if number else []
    if number is None or n > len(found) or found[n - 1]["position"] != position:
        return {"day": None, "set": None, "difficulty": None}
    return {
        "day": None,
        "set": number,
        "n": n,
        "count": len(found),
        "difficulty": difficulty(found[n - 1]["difficulty"]),
        "next_set": number % SETS + 1,
        "next": address_of(rules, found[n]["position"], number, n + 1) if n < len(found) else None,
    }
