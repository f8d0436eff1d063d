"""The questions about games: all that needs the solver, the coach or a computer player.

Nothing here needs what a server needs, so that a worker process stays small.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Final

from zerosum.base.documents import Document
from zerosum.base.errors import (
    BadNameError,
    IllegalPositionError,
    InvalidTextError,
    RecordError,
    RulesError,
    ZerosumError,
)
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, check_arises, knowledge_json, play_on
from zerosum.coach.hints import explained_analysis, hint, hint_sentences, hinted
from zerosum.coach.lines import lines_of, lines_words, reason
from zerosum.coach.puzzle_state import played_out, puzzle_hints
from zerosum.coach.puzzles import PuzzleDocument, daily_puzzle, parse_day, some_puzzles
from zerosum.coach.review import review
from zerosum.coach.review_page import pieces
from zerosum.coach.review_words import ReviewDocument
from zerosum.coach.sanity import headline, remarks, say
from zerosum.match.match import read_match
from zerosum.rules.model import Rules
from zerosum.rules.moves import parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import IllegalMoveError, Position, start_position
from zerosum.rules.rules_dict import RulesDict, rules_from_dict
from zerosum.server.worker import limits
from zerosum.server.worker.job_table import job
from zerosum.server.worker.messages import PlayedOutDocument, ReasonDocument
from zerosum.solver import Solution, SolverError, TooLargeError, solve
from zerosum.strategy.card_player import PLAYERS, choose

_KEPT: Final = 9
"""Solutions that are remembered; there are eight games."""
_PUZZLES: Final = 100
_SMALLER: Final = "Use a smaller pool or smaller numbers."


class JobError(Exception):
    """A question that cannot be answered; `code` says why to programs, the message to people."""

    def __init__(self, code: str, detail: str) -> None:
        self.code = code
        super().__init__(detail)


TOO_LARGE: Final = JobError("too-large", f"Solving this game needs more memory than there is. {_SMALLER}")
_CODES: Final[dict[type[ZerosumError], str]] = {
    SolverError: "no-solution",
    RulesError: "bad-rules",
    RecordError: "bad-record",
    BadNameError: "bad-name",
    IllegalPositionError: "bad-position",
    IllegalMoveError: "illegal-move",
    InvalidTextError: "unreadable-move",
}


def job_error_of(error: ZerosumError) -> JobError:
    """Translate an error of the rooms below."""
    if isinstance(error, TooLargeError):
        return JobError("too-large", f"{error.what} {_SMALLER}")
    return JobError(next((code for kind, code in _CODES.items() if isinstance(error, kind)), "bad-request"), str(error))


@lru_cache(maxsize=_KEPT)
def solved(rules: Rules) -> Solution:
    """Return the solution of a game, solved once and remembered for a while."""
    return solve(rules, limits.MEMORY)


def _position(rules: Rules, text: str) -> Position:
    try:
        return parse_position(text, rules)
    except InvalidTextError as error:
        raise JobError("bad-position", str(error)) from None


def _unfinished(rules: Rules, text: str) -> Position:
    position = _position(rules, text)
    if position.outcome is not None:
        raise JobError("bad-position", "The match is over; nobody is to move.")
    return position


def _known(rules: RulesDict, text: str) -> tuple[Position, Solution]:
    """Return an unfinished position that can arise, and the solution of its game."""
    position = _unfinished(rules_from_dict(rules), text)
    solution = solved(position.rules)
    solution.value(position)
    return position, solution


@job("check")
def _check(rules: RulesDict) -> None:
    solved(rules_from_dict(rules))


@job("choose")
def _choose(rules: RulesDict, who: str, position: str, seed: str) -> str:
    if who not in PLAYERS:
        raise JobError("bad-field", f"The computer players are {', '.join(PLAYERS.names)}.")
    at = _unfinished(rules_from_dict(rules), position)
    return at.text_of(choose(who, at, seed, solved))


@job("values")
def _values(rules: RulesDict, position: str) -> list[OptionDocument]:
    at, solution = _known(rules, position)
    return [OptionDocument.of(at, one) for one in solution.options(at)]


@job("analyze")
def _analyze(rules: RulesDict, position: str, moves: list[str], *, why: bool = False) -> AnalysisDocument:
    game = rules_from_dict(rules)
    at = _position(game, position) if position else start_position(game)
    solution = solved(game)
    if position:
        check_arises(solution, at)
    try:
        found, played = play_on(at, moves)
    except RecordError as error:
        raise JobError("illegal-move", str(error)) from None
    return (explained_analysis if why else AnalysisDocument.of)(solution, found, played)


@job("hint")
def _hint(rules: RulesDict, position: str, step: int) -> list[str]:
    at, solution = _known(rules, position)
    return hint_sentences(hint(at, solution, step), at)


@job("hinted")
def _hinted(rules: RulesDict, position: str) -> str:
    at, solution = _known(rules, position)
    return at.text_of(hinted(at, solution))


@job("reason")
def _reason(rules: RulesDict, position: str, move: str) -> ReasonDocument:
    at, solution = _known(rules, position)
    made = parse_move(move, at.rules.operations)
    at.play(made)
    return {"words": reason(at, made, solution), "more": lines_words(lines_of(at, made, solution))}


@job("review")
def _review(record: str) -> Document:
    match = read_match(record)
    found = review(match, solved(match.setup.rules))
    return {"json": ReviewDocument.of(found), "pieces": asdict(pieces(found))}


@job("puzzles")
def _puzzles(rules: RulesDict, seed: str, count: int) -> list[PuzzleDocument]:
    if not 1 <= count <= _PUZZLES:
        raise JobError("bad-field", f"The count of puzzles is 1 to {_PUZZLES}.")
    return [PuzzleDocument.of(one) for one in some_puzzles(solved(rules_from_dict(rules)), count, seed)]


@job("overview")
def _overview(rules: RulesDict) -> Document:
    game = rules_from_dict(rules)
    known, unsolved = None, ""
    try:
        known = knowledge_json(solved(game))
    except SolverError as error:
        unsolved = str(job_error_of(error))
    found = remarks(game, None if known is None else solved(game))
    said = [{"kind": one.kind.value, "flaw": one.flaw, "words": say(one, game)} for one in found]
    return {"known": known, "unsolved": unsolved, "headline": headline(found), "remarks": said}


@job("daily")
def _daily(rules: RulesDict, day: str) -> PuzzleDocument:
    return PuzzleDocument.of(daily_puzzle(parse_day(day), solved(rules_from_dict(rules))))


@job("puzzle hints")
def _puzzle_hints(rules: RulesDict, position: str) -> list[str]:
    return puzzle_hints(*_known(rules, position))


@job("played out")
def _played_out(rules: RulesDict, position: str, move: str) -> PlayedOutDocument:
    at, solution = _known(rules, position)
    made = parse_move(move, at.rules.operations)
    at.play(made)
    why, line = played_out(at, made, solution)
    return {"why": why, "line": [at.text_of(one) for one in line]}


@job("knowledge")
def _knowledge(rules: RulesDict) -> Document:
    return knowledge_json(solved(rules_from_dict(rules)))
