"""Policies: a player is the exact chance of each of its moves, so scores are computed, not sampled.

What a level does follows from what each move is worth (`solver/value.py`) and how strong it is (`levels.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zerosum.players.levels import STRENGTHS, Level
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution
from zerosum.solver.graph_passes import best_traps, chances_of
from zerosum.solver.value import worth_of

Chances = dict[Move, float]
"""The chance of each legal move; they sum to 1."""


@dataclass(frozen=True, slots=True)
class MovePolicy:
    """A player who is no level: the chance of each legal move, in their order.

    In sudden death, if nobody can reach the target in this round or the next, it must go by the differences between
    totals alone.
    """

    chances: Callable[[Position], Sequence[float]]
    mirrors: bool
    """Whether it plays positions alike that are mirrors of each other."""


def chances(who: str, position: Position, solution: Solution) -> Chances:
    """Return the chance of each move that the player `who` may make."""
    options, (found,) = weighed([STRENGTHS[who]], position, solution)
    return {option.move: chance for option, chance in zip(options, found, strict=True)}


def weighed(levels: Iterable[Level], position: Position, solution: Solution) -> tuple[list[Option], list[list[float]]]:
    """Return the moves of a position with their values, the best first, and each level's chance of each."""
    options = solution.options(position)
    worths = [worth_of(option.value) for option in options]

    def traps() -> list[int]:
        following = (position.play_unchecked(option.move) for option in options)
        return best_traps(worths, [len(solution.winning_moves(after)) for after in following])

    return options, chances_of(levels, worths, traps)
