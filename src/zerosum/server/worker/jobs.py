"""The table of jobs: every question about games that a worker process answers, and the jobs of the coach and solver.

A job is a function whose arguments can be written as JSON, and whose result `to_json` can. The decorator `job` makes an
entry of the table: the process calls its function, `WorkerClient.ask` sends its arguments, and the server charges its
cost.

    options = await client.ask(jobs.values, rules_to_dict(rules), "1,2,3,4,7 28 1")

Other rooms add jobs in modules that the process imports (`WorkerClient(modules=...)`). Nothing here needs what a server
needs, so that a worker process stays small.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, Final, Generic, ParamSpec, TypeVar

from zerosum.base.documents import Document, to_json
from zerosum.base.errors import (
    BadNameError,
    IllegalPositionError,
    InvalidTextError,
    RecordError,
    RulesError,
    ZerosumError,
)
from zerosum.coach import hints, lines, puzzle_state
from zerosum.coach import puzzles as coach_puzzles
from zerosum.coach import review as coach_review
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, check_arises, knowledge_json, play_on
from zerosum.coach.puzzles import PuzzleDocument
from zerosum.coach.review_page import pieces
from zerosum.coach.review_words import ReviewDocument
from zerosum.coach.sanity import headline, remarks, say
from zerosum.match.match import read_match
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import IllegalMoveError, Position, start_position
from zerosum.rules.rules_dict import RulesDict, rules_from_dict
from zerosum.server.worker import limits
from zerosum.server.worker.messages import PlayedOutDocument, ReasonDocument
from zerosum.solver import Solution, SolverError, TooLargeError, solve
from zerosum.strategy import card_player

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_KEPT: Final = 9
"""Solutions that are remembered; there are eight games."""
_PUZZLES: Final = 100
_RECORD_CHARACTERS: Final = 1_000
_SMALLER: Final = "Use a smaller pool or smaller numbers."


@dataclass(frozen=True, slots=True)
class Job(Generic[P, T_co]):
    """A question that a worker process can answer."""

    name: str
    function: Callable[P, T_co]
    cost: int
    """How many questions it counts as for a caller with a budget."""
    by_length: bool
    """Whether a long record counts as more."""
    remembered: bool
    """Whether the same question always has the same answer, which the client then remembers."""
    free_again: bool
    """Whether an answer that is remembered costs nothing."""
    _signature: inspect.Signature = field(repr=False)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T_co:
        """Answer the question here and now."""
        return self.function(*args, **kwargs)

    def arguments(self, *args: P.args, **kwargs: P.kwargs) -> dict[str, Any]:
        """Return the arguments by name."""
        return dict(self._signature.bind(*args, **kwargs).arguments)

    def price(self, *args: P.args, **kwargs: P.kwargs) -> int:
        """Return how many questions this one counts as."""
        if not self.by_length:
            return self.cost
        return self.cost * (1 + len(self.arguments(*args, **kwargs)["record"]) // _RECORD_CHARACTERS)


JOBS: Final[dict[str, Job[..., object]]] = {}
"""Every job by its name."""


def job(
    *, cost: int = 1, by_length: bool = False, remembered: bool = True, free_again: bool = False
) -> Callable[[Callable[P, T]], Job[P, T]]:
    """Register a function as the job of its name."""

    def register(function: Callable[P, T]) -> Job[P, T]:
        name = function.__name__
        made = Job(name, function, cost, by_length, remembered, free_again, inspect.signature(function))
        if JOBS.setdefault(name, made).function is not function:
            raise ValueError(f"there are two jobs called {name!r}")
        return made

    return register


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


def _legal(position: Position, text: str) -> Move:
    move = parse_move(text, position.rules.operations)
    position.play(move)
    return move


@job(cost=0)
def check(rules: RulesDict) -> None:
    """Solve a game, or raise the error that it is too large."""
    solved(rules_from_dict(rules))


@job(cost=0, remembered=False)
def choose(rules: RulesDict, who: str, position: str, seed: str) -> str:
    """Return the move of a computer player; the same seed gives the same move."""
    if who not in card_player.PLAYERS:
        raise JobError("bad-field", f"The computer players are {', '.join(card_player.PLAYERS.names)}.")
    at = _unfinished(rules_from_dict(rules), position)
    return at.text_of(card_player.choose(who, at, seed, solved))


@job()
def values(rules: RulesDict, position: str) -> list[Document]:
    """Return `move`, `verdict` and `plies` of every legal move of an unfinished position, the best first."""
    at, solution = _known(rules, position)
    return [to_json(OptionDocument.of(at, option)) for option in solution.options(at)]


@job()
def analyze(rules: RulesDict, position: str, moves: list[str], *, why: bool = False) -> Document:
    """Return what `zerosum analyze --json` prints, without its schema; an empty position is the start."""
    game = rules_from_dict(rules)
    at = _position(game, position) if position else start_position(game)
    solution = solved(game)
    if position:
        check_arises(solution, at)
    try:
        found, played = play_on(at, moves)
    except RecordError as error:
        raise JobError("illegal-move", str(error)) from None
    return dict(to_json((hints.explained_analysis if why else AnalysisDocument.of)(solution, found, played)))


@job()
def hint(rules: RulesDict, position: str, step: int) -> list[str]:
    """Return a step of a hint as sentences: 1 whether there is a good move, 2 which, 3 why, 4 the lines."""
    at, solution = _known(rules, position)
    return hints.hint_sentences(hints.hint(at, solution, step), at)


@job(cost=0)
def hinted_move(rules: RulesDict, position: str) -> str:
    """Return the move that a hint speaks of; it comes with the hint and costs nothing."""
    at, solution = _known(rules, position)
    return at.text_of(hints.hinted(at, solution))


@job()
def reason(rules: RulesDict, position: str, move: str) -> ReasonDocument:
    """Return why a legal move is good or bad and the lines behind it, in words for the player who makes it."""
    at, solution = _known(rules, position)
    made = _legal(at, move)
    return {"words": lines.reason(at, made, solution), "more": lines.lines_words(lines.lines_of(at, made, solution))}


@job(by_length=True, remembered=False)
def review(record: str) -> Document:
    """Return `json`, what `zerosum review --json` prints without its schema, and `pieces` of its page."""
    match = read_match(record)
    reviewed = coach_review.review(match, solved(match.setup.rules))
    return {"json": to_json(ReviewDocument.of(reviewed)), "pieces": asdict(pieces(reviewed))}


@job(remembered=False)
def puzzles(rules: RulesDict, seed: str, count: int) -> list[Document]:
    """Return `count` puzzles, from easy to hard; the same seed gives the same ones."""
    if not 1 <= count <= _PUZZLES:
        raise JobError("bad-field", f"The count of puzzles is 1 to {_PUZZLES}.")
    return [
        to_json(PuzzleDocument.of(puzzle))
        for puzzle in coach_puzzles.some_puzzles(solved(rules_from_dict(rules)), count, seed)
    ]


@job()
def overview(rules: RulesDict) -> Document:
    """Return `known`, as `knowledge` does, or why it is `unsolved`, and in `headline` and `remarks` what is odd."""
    game = rules_from_dict(rules)
    known, unsolved = None, ""
    try:
        known = knowledge_json(solved(game))
    except SolverError as error:
        unsolved = str(job_error_of(error))
    odd = remarks(game, None if known is None else solved(game))
    said = [{"kind": remark.kind.value, "flaw": remark.flaw, "words": say(remark, game)} for remark in odd]
    return {"known": known, "unsolved": unsolved, "headline": headline(odd), "remarks": said}


@job()
def daily_puzzle(rules: RulesDict, day: str) -> Document:
    """Return the puzzle of a day, whose game these rules are."""
    puzzle = coach_puzzles.daily_puzzle(coach_puzzles.parse_day(day), solved(rules_from_dict(rules)))
    return dict(to_json(PuzzleDocument.of(puzzle)))


@job()
def puzzle_hints(rules: RulesDict, position: str) -> list[str]:
    """Return the hints for a puzzle, none of which names a winning move."""
    return puzzle_state.puzzle_hints(*_known(rules, position))


@job()
def played_out(rules: RulesDict, position: str, move: str) -> PlayedOutDocument:
    """Return what a legal move leads to, without saying which other moves would win."""
    at, solution = _known(rules, position)
    why, line = puzzle_state.played_out(at, _legal(at, move), solution)
    return {"why": why, "line": [at.text_of(next_move) for next_move in line]}


@job(cost=0)
def knowledge(rules: RulesDict) -> Document:
    """Return what `zerosum solve --json` prints, without its schema, with `best_play` (moves) and `words`."""
    return knowledge_json(solved(rules_from_dict(rules)))
