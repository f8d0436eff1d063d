"""The jobs of the coach and the solver: questions about games that a worker process answers."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import Final, TypedDict

from zerosum.base.documents import Document, to_json
from zerosum.base.errors import InvalidTextError, RecordError
from zerosum.coach import daily, hints, lines, puzzle_state
from zerosum.coach import puzzles as coach_puzzles
from zerosum.coach import review as coach_review
from zerosum.coach.analysis import AnalysisDocument, OptionDocument, check_arises, knowledge_json, play_on
from zerosum.coach.puzzles import PuzzleDocument
from zerosum.coach.review_page import chart
from zerosum.coach.review_words import ReviewDocument, Speakers, accuracy
from zerosum.coach.sanity import headline, remarks, say
from zerosum.jobs import limits
from zerosum.jobs.job_table import JobError, job, job_error_of
from zerosum.match.match import read_match
from zerosum.match.setup import Person
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, RulesDict, rules_from_dict, rules_to_dict
from zerosum.rules.moves import Move, parse_move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, solve
from zerosum.strategy import card_player

_KEPT: Final = 9
"""Solutions that are remembered; there are eight games."""
_PUZZLES: Final = 100


class ReasonDocument(TypedDict):
    """Why a move is good or bad, what follows, one answer deeper each time, and the lines behind it."""

    words: list[str]
    then: list[list[str]]
    more: list[str]


class PlayedOutDocument(TypedDict):
    """What a move leads to: why it is good or bad, and the move with best play after it."""

    why: list[str]
    line: list[str]


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


def about(position: Position) -> tuple[RulesDict, str]:
    """Return the first two arguments of a question about a position."""
    return rules_to_dict(position.rules), str(position)


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
    """Return why a legal move is good or bad and what is behind it, in words for the player who makes it."""
    at, solution = _known(rules, position)
    made = _legal(at, move)
    return {
        "words": lines.reason(at, made, solution),
        "then": list(hints.and_then(at, made, solution)),
        "more": lines.lines_words(lines.lines_of(at, made, solution)),
    }


@job(by_length=True, remembered=False)
def review(record: str, reader: int = 0) -> Document:
    """Return `json`, what `zerosum review --json` prints without its schema, and what its page shows besides.

    The words call the `reader`, person 1 or 2, you; 0 is nobody.
    """
    match = read_match(record)
    reviewed = coach_review.review(match, solved(match.setup.rules))
    who = Speakers.of(match, you=Person(reader) if reader else None)
    return {
        "json": to_json(ReviewDocument.of(reviewed, who)),
        "chart": chart(reviewed, who),
        "accuracy": [accuracy(reviewed, person) for person in Person],
        "opens_at": reviewed.opens_at,
    }


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


class TryDocument(TypedDict):
    """A try at the daily: the moves of both sides, whether it was won (null: it goes on), which move let the win go."""

    moves: list[str]
    won: bool | None
    let_go: int | None


class DuelDocument(TypedDict):
    """The position of a day, and what the own moves of some tries come to."""

    position: str
    tries: list[TryDocument]


@job(free_again=True)
def daily_duel(day: str, tries: list[list[str]]) -> DuelDocument:
    """Return the position of a day, and how the opponent answers the moves of each try."""
    on = daily.parse_day(day)
    start = _daily_position(on)
    own = [[parse_move(text, start.rules.operations) for text in moves] for moves in tries]
    found = daily.play_duel(on, start, own, solved(start.rules)).tries
    return {
        "position": str(start),
        "tries": [
            {"moves": [start.text_of(move) for move in one.moves], "won": one.won, "let_go": one.let_go}
            for one in found
        ],
    }


@lru_cache(maxsize=64)
def _daily_position(day: date) -> Position:
    return daily.daily_position(day, solved(built_in(daily.daily_game(day))))


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
