"""What can be asked about games, in JSON and answered so: all that needs the solver, the coach or a computer player.

It needs nothing that a server needs, so that a process that only thinks stays small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from typing import Final

from zerosum.coach.analysis import check_arises, play_on
from zerosum.coach.documents import Document, option_json, position_json, puzzle_json, review_json
from zerosum.coach.hints import hint, hint_sentences
from zerosum.coach.knowledge import knowledge_json
from zerosum.coach.puzzles import some_puzzles
from zerosum.coach.reasons import reason
from zerosum.coach.review import review
from zerosum.coach.words import sentences
from zerosum.match.match import read_match
from zerosum.players import COMPUTERS, choose
from zerosum.rules.errors import (
    BadNameError,
    IllegalMoveError,
    IllegalPositionError,
    InvalidTextError,
    RecordError,
    RulesError,
    ZerosumError,
)
from zerosum.rules.model import Rules
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.rules.schema import Table, rules_of
from zerosum.server import limits
from zerosum.solver import Solution, SolverError, TooLargeError, solve
from zerosum.web.review import pieces

_KEPT: Final = 6
"""Solutions that are remembered; there are five games."""
_PUZZLES: Final = 100
_SMALLER: Final = "Use a smaller pool or smaller numbers."


class Refusal(Exception):  # noqa: N818 - it is an answer
    """A question that is answered by a problem with this code."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        super().__init__(detail)


TOO_LARGE: Final = Refusal("too-large", f"Solving this game needs more memory than there is. {_SMALLER}")
_CODES: Final[dict[type[ZerosumError], str]] = {
    SolverError: "no-solution",
    RulesError: "bad-rules",
    RecordError: "bad-record",
    BadNameError: "bad-name",
    IllegalPositionError: "bad-position",
    IllegalMoveError: "illegal-move",
    InvalidTextError: "unreadable-move",
}


def refusal_of(error: ZerosumError) -> Refusal:
    """Return an error as the problem that it is to whoever asked."""
    if isinstance(error, TooLargeError):
        return Refusal("too-large", f"{error.what} {_SMALLER}")
    return Refusal(next((code for kind, code in _CODES.items() if isinstance(error, kind)), "bad-request"), str(error))


@lru_cache(maxsize=_KEPT)
def solved(rules: Rules) -> Solution:
    """Return the solution of a game, solved once and remembered for a while."""
    return solve(rules, limits.THINKING_MEMORY)


def _position(rules: Rules, text: str) -> Position:
    try:
        return parse_position(text, rules)
    except InvalidTextError as error:
        raise Refusal("bad-position", str(error)) from None


def _unfinished(rules: Rules, text: str) -> Position:
    position = _position(rules, text)
    if position.outcome is not None:
        raise Refusal("bad-position", "The match is over; nobody is to move.")
    return position


def _known(rules: Table, text: str) -> tuple[Position, Solution]:
    """Return an unfinished position that can arise, and the solution of its game."""
    position = _unfinished(rules_of(rules), text)
    solution = solved(position.rules)
    solution.value(position)
    return position, solution


def _check(rules: Table) -> None:
    solved(rules_of(rules))


def _choose(rules: Table, who: str, position: str, seed: str) -> str:
    if who not in COMPUTERS:
        raise Refusal("bad-field", f"The computer players are {', '.join(COMPUTERS)}.")
    at = _unfinished(rules_of(rules), position)
    return at.text_of(choose(who, at, seed, solved))


def _values(rules: Table, position: str) -> list[Document]:
    at, solution = _known(rules, position)
    return [option_json(at, one) for one in solution.options(at)]


def _analyze(rules: Table, position: str, moves: list[str]) -> Document:
    game = rules_of(rules)
    at = _position(game, position) if position else start_position(game)
    solution = solved(game)
    if position:
        check_arises(solution, at)
    try:
        return position_json(solution, *play_on(at, moves))
    except RecordError as error:
        raise Refusal("illegal-move", str(error)) from None


def _hint(rules: Table, position: str, step: int) -> list[str]:
    at, solution = _known(rules, position)
    return hint_sentences(hint(at, solution, step), at)


def _reason(rules: Table, position: str, move: str) -> list[str]:
    at, solution = _known(rules, position)
    made = parse_move(move, at.rules.operations)
    at.play(made)
    return sentences(reason(at, made, solution), at)


def _review(record: str) -> Document:
    match = read_match(record)
    found = review(match, solved(match.setup.rules))
    return {"json": review_json(found), "pieces": asdict(pieces(found))}


def _puzzles(rules: Table, seed: str, count: int) -> list[Document]:
    if not 1 <= count <= _PUZZLES:
        raise Refusal("bad-field", f"The count of puzzles is 1 to {_PUZZLES}.")
    return [puzzle_json(one) for one in some_puzzles(solved(rules_of(rules)), count, seed)]


def _knowledge(rules: Table) -> Document:
    return knowledge_json(solved(rules_of(rules)))


JOBS: Final[dict[str, Callable[..., object]]] = {
    "check": _check,
    "choose": _choose,
    "values": _values,
    "analyze": _analyze,
    "hint": _hint,
    "reason": _reason,
    "review": _review,
    "puzzles": _puzzles,
    "knowledge": _knowledge,
}
"""The name of each job; its arguments are the members of a question."""
