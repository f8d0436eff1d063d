"""Verdicts as people read them, and which moves keep them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Value, Verdict

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
