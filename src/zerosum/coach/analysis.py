"""What is true of a game, of a position and of its moves, as `solve` and `analyze` answer it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from zerosum.base.documents import IF_SET
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.model import Seat
from zerosum.rules.notation import play_numbered
from zerosum.rules.outcome import Outcome
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict

_WINNER: Final = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND, Verdict.DRAW: None}


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


def winner_of(solution: Solution) -> Seat | None:
    """Return the seat of the person who wins, by where they begin; None for a draw."""
    return _WINNER[solution.value(solution.start).verdict]


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
class LawDocument:
    """The whole truth about a game in one sentence."""

    id: str
    words: str


@dataclass(frozen=True, slots=True)
class SolutionDocument:
    """Who wins a game, in how many plies, by which openings."""

    game: str
    winner: Seat | None
    plies: int | None
    winning_openings: list[str]
    openings: list[OptionDocument]
    positions: int | None
    law: LawDocument | None
    seconds: float

    @classmethod
    def of(cls, solution: Solution) -> SolutionDocument:
        """Return the document of a solved game."""
        start, law = solution.start, solution.law
        openings = [OptionDocument.of(start, option) for option in solution.options(start)]
        return cls(
            game=solution.rules.id,
            winner=winner_of(solution),
            plies=solution.value(start).plies,
            winning_openings=[one.move for one in openings if one.verdict is Verdict.WIN],
            openings=openings,
            positions=solution.positions,
            law=None if law is None else LawDocument(law.id, law.words),
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
            options=[] if over else [OptionDocument.of(position, one) for one in solution.options(position)],
            outcome=position.outcome,
        )
