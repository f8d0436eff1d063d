"""What is true of a game, of a position and of its moves: as JSON documents, as tables, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from zerosum.base.documents import IF_SET, Document, to_json
from zerosum.base.english import agree, count, seat_name
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.model import Seat
from zerosum.rules.moves import Move
from zerosum.rules.notation import play_numbered
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position
from zerosum.solver import Law, Option, Solution, Value, Verdict
from zerosum.strategy.phrases import LISTED, listed


def check_arises(solution: Solution, position: Position) -> None:
    """Raise if a position cannot arise, wherever moves lead from it."""
    if position.outcome is None:
        solution.value(position)
    elif not solution.can_end_in(position):
        raise IllegalPositionError(f"'{position}' cannot arise in {solution.rules.name}.")


def play_on(position: Position, moves: Iterable[str]) -> tuple[Position, list[str]]:
    """Return where moves lead, and the moves as they are written; an error names the move's number."""
    played = []
    for n, token in enumerate(moves, 1):
        move, position = play_numbered(position, token, n)
        played.append(position.text_of(move))
    return position, played


def refereed(start: Position, moves: Iterable[str]) -> Document:
    """Return where moves lead: the position, who is to move, the legal moves, and who has won once it is over."""
    at, played = play_on(start, moves)
    return {
        "game": at.rules.id,
        "moves": played,
        "position": str(at),
        "to_move": None if at.outcome else at.seat.value,
        "options": [{"move": at.text_of(move)} for move in at.legal_moves()],
        "outcome": to_json(at.outcome),
    }


@dataclass(frozen=True, slots=True)
class OptionDocument:
    """A move, and what it is worth to the player who makes it."""

    move: str
    verdict: Verdict
    plies: int | None

    @classmethod
    def of(cls, position: Position, option: Option) -> OptionDocument:
        """Return the document of one move of a position."""
        return OptionDocument(position.text_of(option.move), option.value.verdict, option.value.plies)


@dataclass(frozen=True, slots=True)
class SolutionDocument:
    """Who wins a game, in how many plies, by which openings."""

    game: str
    winner: Seat | None
    plies: int | None
    winning_openings: list[str]
    openings: list[OptionDocument]
    positions: int | None
    law: Law | None
    seconds: float

    @classmethod
    def of(cls, solution: Solution) -> SolutionDocument:
        """Return the document of a solved game."""
        start = solution.start
        openings = [OptionDocument.of(start, option) for option in solution.options(start)]
        return cls(
            game=solution.rules.id,
            winner=solution.winner,
            plies=solution.value(start).plies,
            winning_openings=[opening.move for opening in openings if opening.verdict is Verdict.WIN],
            openings=openings,
            positions=solution.count,
            law=solution.law,
            seconds=round(solution.seconds, 6),
        )


@dataclass(frozen=True, slots=True)
class AnalysisDocument:
    """The verdict of a position and of each of its moves."""

    game: str
    moves: list[str]
    position: str
    to_move: Seat | None
    verdict: Verdict | None
    plies: int | None
    options: list[OptionDocument]
    outcome: Outcome | None
    trap: str | None = field(default=None, metadata=IF_SET)

    @classmethod
    def of(cls, solution: Solution, position: Position, played: list[str]) -> AnalysisDocument:
        """Return the document of a position that the moves `played` led to."""
        over = position.outcome is not None
        value = None if over else solution.value(position)
        return cls(
            game=solution.rules.id,
            moves=played,
            position=str(position),
            to_move=None if over else position.seat,
            verdict=value.verdict if value else None,
            plies=value.plies if value else None,
            options=[] if over else [OptionDocument.of(position, option) for option in solution.options(position)],
            outcome=position.outcome,
        )


_LINE: Final = 24
_RANKS: Final = {Verdict.LOSS: 0, Verdict.DRAW: 1, Verdict.WIN: 2}
_WORDS: Final = {Verdict.WIN: "wins", Verdict.LOSS: "loses", Verdict.DRAW: "draws"}


def keeps(options: Sequence[Option]) -> tuple[Move, ...]:
    """Return the moves that keep the verdict of a position, the best first."""
    return tuple(option.move for option in options if option.value.verdict is options[0].value.verdict)


def falls(before: Verdict, after: Verdict) -> bool:
    """Whether a verdict is worse than the one before it."""
    return _RANKS[after] < _RANKS[before]


def value_text(value: Value) -> str:
    """Return a value as words, such as `wins in 3`."""
    word = _WORDS[value.verdict]
    return word if value.plies is None else f"{word} in {value.plies}"


def table(solution: Solution, position: Position) -> list[str]:
    """Return the moves of a position as lines, the best first, equal ones on one line."""

    def moves(options: list[Option]) -> str:
        return " ".join(position.text_of(option.move) for option in options)

    groups = groupby(solution.options(position), key=lambda option: option.value)
    return [f"  {value_text(value):14}{moves(list(options))}" for value, options in groups]


def best_moves(solution: Solution, position: Position) -> list[str]:
    """Return the moves of best play, or none for a draw; of a long line, the beginning."""
    return [position.text_of(move) for move in solution.line(position, _LINE)]


def best_play(solution: Solution, position: Position) -> list[str]:
    """Return best play as lines, or none for a draw."""
    moves = best_moves(solution, position)
    more = " ..." if moves and (solution.value(position).plies or 0) > _LINE else ""
    return ["", f"Best play: {' '.join(moves)}{more}"] if moves else []


def knowledge_json(solution: Solution) -> Document:
    """Return a solution, best play (the first moves of a long line), and sentences about both."""
    return {
        **to_json(SolutionDocument.of(solution)),
        "best_play": best_moves(solution, solution.start),
        "words": sentences_of(solution),
    }


def sentences_of(solution: Solution) -> list[str]:
    """Return what is known of a game: who wins and when, by which openings, how many positions it has, the better seat.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.solver import solution_of
    >>> print(*sentences_of(solution_of(load_game("sum31"))), sep=chr(10))
    When both play perfectly the second player wins, in 7 moves at the latest, counting both sides.
    No opening wins, and none holds out longer than the others.
    420 positions can arise, and the truth about each of them is known.
    So the second seat is the better one: leave it to whoever knows the game less, or play twice and change seats.
    """
    return [_who_wins(solution), _openings(solution), _positions(solution), _better_seat(solution)]


def _who_wins(solution: Solution) -> str:
    value = solution.value(solution.start)
    if value.plies is None or solution.winner is None:
        return "When both play perfectly nobody wins: neither side can force an end."
    seat, moves = seat_name(solution.winner), count(value.plies, "move")
    return f"When both play perfectly the {seat} player wins, in {moves} at the latest, counting both sides."


def _openings(solution: Solution) -> str:
    start = solution.start
    options = solution.options(start)
    best = options[0].value
    if len(options) == 1:
        return f"There is only one opening, {start.text_of(options[0].move)}."
    if best.verdict is Verdict.LOSS:
        longest = [option.move for option in options if option.value == best]
        if len(longest) == len(options):
            return "No opening wins, and none holds out longer than the others."
        return f"No opening wins; {_named(start, longest)} {agree(len(longest), 'hold')} out longest."
    good = keeps(options)
    one, every, share = len(good) == 1, len(good) == len(options), f"{len(good)} of {len(options)}"
    if best.verdict is Verdict.WIN:
        share = f"{share} openings {'wins' if one else 'win'}"
        return "Every opening wins." if every else f"{share}: {_named(start, good)}."
    if every:
        return "No opening wins, and none loses."
    return f"No opening wins; {share} {'does' if one else 'do'} not lose: {_named(start, good)}."


def _named(position: Position, moves: Sequence[Move]) -> str:
    return listed(position, moves, LISTED, "and")


def _positions(solution: Solution) -> str:
    if solution.count is None:
        return "There is no end of positions, for the pool is filled again; yet the truth about each of them is known."
    return f"{solution.count:,} positions can arise, and the truth about each of them is known."


def _better_seat(solution: Solution) -> str:
    if solution.winner is None:
        return "So both seats are equally good."
    return (
        f"So the {seat_name(solution.winner)} seat is the better one: leave it to whoever knows the game less, "
        "or play twice and change seats."
    )
