"""Puzzles: sets of each game, and the page of one puzzle, whose address holds the whole attempt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse

from zerosum.base.documents import Document
from zerosum.base.errors import ZerosumError
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt
from zerosum.jobs import game_jobs
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import goal_line, in_one_sentence
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.rules.rules_dict import rules_to_dict
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.forms import POSITION_LENGTH, WholeNumber
from zerosum.screens.line_of_play import move_worth
from zerosum.screens.puzzle_pieces import played_out, read_move
from zerosum.server.http.context import request_context, rules_and_position
from zerosum.server.pages.daily_page import daily_card
from zerosum.server.pages.templates import render_page
from zerosum.tables.new_table import rules_at
from zerosum.tables.problems import Problem

router = APIRouter(include_in_schema=False)

COUNT: Final = 12
"""Puzzles in a set."""
SETS: Final = 20
"""Sets of a game."""
_EASY, _MEDIUM = 3, 6
"""The last levels whose puzzles are easy, and of middling difficulty."""

_kept: Final[dict[tuple[str, int], list[Document]]] = {}
"""Sets that were made; a set is always the same, and a game has few of them."""

Number = Annotated[WholeNumber, Query(ge=1, le=SETS)]


@router.get("/puzzles")
async def choose(request: Request) -> HTMLResponse:
    """Show the daily, and let a game be chosen."""
    games = list(map(built_in, GAME_IDS))
    return render_page(request, "puzzles.html", here="Puzzles", rules=None, games=games, daily=daily_card(request))


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


async def puzzle_set(request: Request, rules: Rules, number: int) -> list[Document]:
    """Return a set of puzzles, which is always the same; to make one can take a second, and so it is loaded."""
    if (rules.id, number) not in _kept:
        _kept[rules.id, number] = await request_context(request).questions.ask(
            game_jobs.puzzles, rules_to_dict(rules), str(number), COUNT
        )
    return _kept[rules.id, number]


def _card(rules: Rules, number: int, n: int, puzzle: Document) -> dict[str, object]:
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


_MOVE: Final = 40


@dataclass(frozen=True, slots=True)
class PuzzleQuery:
    """What an address says of an attempt: this answer, those before it, hints asked for, whether to show it all."""

    move: str
    tried: str
    hints: int
    show: int


def _asked(
    move: Annotated[str, Query(max_length=_MOVE)] = "",
    tried: Annotated[str, Query(max_length=TRIES * _MOVE)] = "",
    hints: Annotated[WholeNumber, Query(ge=0, le=HINTS)] = 0,
    show: Annotated[WholeNumber, Query(ge=0, le=1)] = 0,
) -> PuzzleQuery:
    return PuzzleQuery(move, tried, hints, show)


Attempted = Annotated[PuzzleQuery, Depends(_asked)]


@router.get("/games/{game}/puzzle")
async def puzzle(
    request: Request,
    game: str,
    *,
    position: Annotated[str, Query(max_length=POSITION_LENGTH)],
    asked: Attempted,
    number: Annotated[Number | None, Query(alias="set")] = None,
    n: Annotated[WholeNumber, Query(ge=1, le=COUNT)] = 1,
) -> HTMLResponse:
    """Ask one puzzle, or say what an answer to it leads to."""
    rules = rules_at(game)
    at = _position(rules, position)
    shown = await _shown(request, at, asked, f"/games/{rules.id}/puzzle", _fields(at, number, n))
    place = await _place(request, rules, str(at), number, n)
    return render_page(request, "puzzle.html", here="Puzzles", rules=rules, **shown, **place)


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
    request: Request, position: Position, asked: PuzzleQuery, path: str, fields: dict[str, object]
) -> dict[str, Any]:
    """Return all that the page shows of an attempt at a puzzle."""
    questions = request_context(request).questions
    values = await questions.ask(game_jobs.values, *rules_and_position(position))
    if not {"win", "loss"} <= {one["verdict"] for one in values}:
        raise Problem("bad-position", "There is nothing to find there: all moves are worth the same.")
    solutions = [read_move(position, one["move"]) for one in values if one["verdict"] == "win"]
    given = read_move(position, asked.move) if asked.move else None
    attempt = _attempt(asked, [read_move(position, text) for text in asked.tried.split()[:TRIES]], given, solutions)
    state = {**fields, **_state(position, attempt)}
    missed = attempt.over and not attempt.solved
    best = await questions.ask(game_jobs.hinted_move, *rules_and_position(position)) if missed else ""
    return {
        "goal": goal_line(position.rules),
        "rules_words": in_one_sentence(position.rules),
        "path": path,
        "fields": state,
        "more_hints": _address(path, {**state, "hints": attempt.hints + 1}) if attempt.hints_seen < HINTS else None,
        "show": _address(path, {**state, "show": 1}),
        "attempt": attempt,
        "scene": position_picture(position, ()),
        "cells": _cells(position, values, attempt),
        "hints": (await questions.ask(game_jobs.puzzle_hints, *rules_and_position(position)))[: attempt.hints_seen]
        if attempt.hints_seen
        else [],
        "answer": None if given is None else await played_out(request, position, given),
        "best": await played_out(request, position, read_move(position, best))
        if attempt.over and not attempt.solved
        else None,
    }


def _attempt(asked: PuzzleQuery, tried: Iterable[Move], given: Move | None, solutions: Sequence[Move]) -> Attempt:
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


def _cells(position: Position, values: Sequence[Document], attempt: Attempt) -> list[dict[str, object]]:
    """Return the moves by their numbers: the order of values would give the answer away."""
    by_move = {one["move"]: move_worth(one) for one in values}
    return [
        {
            "move": position.text_of(move),
            "said": spoken(move),
            "tried": move in attempt.wrong,
            "worth": by_move[position.text_of(move)] if attempt.over else None,
        }
        for move in position.legal_moves()
    ]


async def _place(request: Request, rules: Rules, position: str, number: int | None, n: int) -> dict[str, Any]:
    """Return the place of a puzzle in its set and what comes after it; nothing if it is in none."""
    found = await puzzle_set(request, rules, number) if number else []
    if number is None or n > len(found) or found[n - 1]["position"] != position:
        return {"set": None, "difficulty": None}
    return {
        "set": number,
        "n": n,
        "count": len(found),
        "difficulty": difficulty(found[n - 1]["difficulty"]),
        "next_set": number % SETS + 1,
        "next": address_of(rules, found[n]["position"], number, n + 1) if n < len(found) else None,
    }
