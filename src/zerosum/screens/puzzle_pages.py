"""Puzzles: sets of a game, and the page of one puzzle, whose address holds the whole attempt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from zerosum.base.documents import Document
from zerosum.base.errors import ZerosumError
from zerosum.coach.puzzle_state import HINTS, TRIES, Attempt
from zerosum.jobs import game_jobs
from zerosum.match.typed_moves import TYPED
from zerosum.players.levels import LEVELS
from zerosum.rules.describe import goal_line, in_one_sentence
from zerosum.rules.model import Rules, rules_to_dict
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.screens.board_pieces import position_picture, spoken
from zerosum.screens.forms import POSITION_LENGTH, Fields, form_problem
from zerosum.screens.line_of_play import move_worth
from zerosum.screens.rendering import page
from zerosum.screens.screen import Answer, ScreenHost, Visit, screen
from zerosum.tables.fields import Text, Whole
from zerosum.tables.new_table import rules_at
from zerosum.tables.problems import Problem

COUNT: Final = 12
"""Puzzles in a set."""
SETS: Final = 20
"""Sets of a game."""
_MOVE: Final = 40
_EASY, _MEDIUM = 3, 6
"""The last levels whose puzzles are easy, and of middling difficulty."""

_kept: Final[dict[tuple[str, int], list[Document]]] = {}
"""Sets that were made; a set is always the same, and a game has few of them."""


@screen("GET", "/games/{game}/puzzles", set=Whole(1, SETS))
async def puzzles(visit: Visit, host: ScreenHost) -> Answer:
    """Show a set of puzzles, from easy to hard."""
    rules, number = rules_at(visit.path["game"]), int(visit.query.get("set", "1"))
    found = await puzzle_set(host, rules, number)
    return page(
        "puzzles.html",
        here="Puzzles",
        rules=rules,
        number=number,
        sets=SETS,
        others=(number - 1 if number > 1 else None, number + 1 if number < SETS else None),
        puzzles=[_card(rules, number, n, one) for n, one in enumerate(found, 1)],
    )


async def puzzle_set(host: ScreenHost, rules: Rules, number: int) -> list[Document]:
    """Return a set of puzzles, which is always the same; to make one can take a second, and so it is loaded."""
    if (rules.id, number) not in _kept:
        _kept[rules.id, number] = await host.ask(game_jobs.puzzles, rules_to_dict(rules), str(number), COUNT)
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


@screen(
    "GET",
    "/games/{game}/puzzle",
    position=Text(POSITION_LENGTH),
    move=Text(_MOVE),
    tried=Text(TRIES * _MOVE),
    hints=Whole(0, HINTS),
    show=Whole(0, 1),
    set=Whole(1, SETS),
    n=Whole(1, COUNT),
)
async def puzzle(visit: Visit, host: ScreenHost) -> Answer:
    """Ask one puzzle, or say what an answer to it leads to."""
    rules, query = rules_at(visit.path["game"]), visit.query
    if "position" not in query:
        raise form_problem([{"loc": ("position",), "type": "missing"}])
    at, number, n = _position(rules, query["position"]), int(query.get("set", "0")), int(query.get("n", "1"))
    shown = await _shown(host, at, query, f"/games/{rules.id}/puzzle", _fields(at, number, n))
    place = await _place(host, rules, str(at), number, n)
    return page("puzzle.html", here="Puzzles", rules=rules, **shown, **place)


def _fields(position: Position, number: int, n: int) -> dict[str, object]:
    return {"position": position, "set": number, "n": n} if number else {"position": position}


def _position(rules: Rules, text: str) -> Position:
    try:
        found = parse_position(text, rules)
    except ZerosumError as error:
        raise Problem("bad-position", str(error)) from None
    if found.outcome is not None:
        raise Problem("bad-position", "The match is over there: there is nothing to find.")
    return found


def read_move(position: Position, text: str) -> Move:
    """Return a legal move that an address or a form writes."""
    try:
        move = parse_move(TYPED.plain(text), position.rules.operations)
        position.play(move)
    except ZerosumError as error:
        raise Problem("illegal-move", str(error)) from None
    return move


async def played_out(host: ScreenHost, position: Position, move: Move) -> dict[str, object]:
    """Return what a move leads to, in words and as a picture."""
    found = await host.ask(game_jobs.played_out, *game_jobs.about(position), position.text_of(move))
    line = [parse_move(text, position.rules.operations) for text in found["line"]]
    return {
        "move": position.text_of(move),
        "why": found["why"],
        "line": found["line"],
        "scene": position_picture(position, line),
    }


async def _shown(
    host: ScreenHost, position: Position, asked: Fields, path: str, fields: dict[str, object]
) -> dict[str, Any]:
    """Return all that the page shows of an attempt at a puzzle."""
    about = game_jobs.about(position)
    values = await host.ask(game_jobs.values, *about)
    if not {"win", "loss"} <= {one["verdict"] for one in values}:
        raise Problem("bad-position", "There is nothing to find there: all moves are worth the same.")
    solutions = [read_move(position, one["move"]) for one in values if one["verdict"] == "win"]
    given = read_move(position, asked["move"]) if asked.get("move") else None
    tried = [read_move(position, text) for text in asked.get("tried", "").split()[:TRIES]]
    attempt = _attempt(asked, tried, given, solutions)
    state = {**fields, **_state(position, attempt)}
    missed = attempt.over and not attempt.solved
    best = await host.ask(game_jobs.hinted_move, *about) if missed else ""
    hints = await host.ask(game_jobs.puzzle_hints, *about) if attempt.hints_seen else []
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
        "hints": hints[: attempt.hints_seen],
        "answer": None if given is None else await played_out(host, position, given),
        "best": await played_out(host, position, read_move(position, best)) if missed else None,
    }


def _attempt(asked: Fields, tried: Iterable[Move], given: Move | None, solutions: Sequence[Move]) -> Attempt:
    """Return the attempt that an address tells of; wrong answers count, whatever else it calls tried."""
    attempt = Attempt(hints=int(asked.get("hints", "0")), shown=bool(int(asked.get("show", "0"))))
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


async def _place(host: ScreenHost, rules: Rules, position: str, number: int, n: int) -> dict[str, Any]:
    """Return the place of a puzzle in its set and what comes after it; nothing if it is in none."""
    found = await puzzle_set(host, rules, number) if number else []
    if n > len(found) or found[n - 1]["position"] != position:
        return {"set": None, "difficulty": None}
    return {
        "set": number,
        "n": n,
        "count": len(found),
        "difficulty": difficulty(found[n - 1]["difficulty"]),
        "next_set": number % SETS + 1,
        "next": address_of(rules, found[n]["position"], number, n + 1) if n < len(found) else None,
    }
