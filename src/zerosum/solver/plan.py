"""How a game will be solved: which way is quickest, and whether it fits into the memory allowed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import comb, prod
from typing import Final

from zerosum.rules.model import Ban, Rules, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver import rows
from zerosum.solver.board import Board, first_bound
from zerosum.solver.value import SolverError

MEMORY: Final = 1 << 30
"""Bytes a solution may need, unless told otherwise."""

# Measured on one core: nanoseconds for a cell and a move, by board and by row, and for a position and a move by
# playing. They only choose between ways, so that a factor of two does no harm.
_BOARD_COST, _ROWS_COST, _PLAYING_COST = 0.15, 0.05, 8_000.0
_PLAYING_BYTES = 1_500
_PLANES = 8


class Way(Enum):
    """A way of solving."""

    BOARD = "one integer for the whole game"
    ROWS = "one integer for each set of used numbers"
    PLAYING = "position by position"
    ENDLESS = "rounds near the target, and the pattern beyond"


@dataclass(frozen=True, slots=True)
class Plan:
    """A way, and what it is expected to need."""

    way: Way
    positions: int
    """At most so many."""
    bytes: int
    seconds: float

    def cells_in(self, memory: int) -> int:
        """Return how many positions fit into so many bytes in this way."""
        return self.positions * memory // max(1, self.bytes)


def plans(rules: Rules) -> list[Plan]:
    """Return all ways in which a game can be solved, the quickest first."""
    board = Board(rules, first_bound(rules))
    moves = len(board.numbers) * len(rules.operations) * len(rules.start)
    classes = len(board.numbers) * len(rules.operations) + 1 if rules.ban is Ban.MIRROR else 1
    plies = len(rules.pool)
    work = board.size * moves * plies * classes
    need = board.size // 8 * (3 * moves + (_PLANES + 6) * classes)
    if board.refills:
        return [Plan(Way.ENDLESS, board.size, need, work * 12 * _BOARD_COST / 1e9)]
    ways = [Plan(Way.BOARD, board.size, need, work * _BOARD_COST / 1e9)]
    if rows.fits(board):
        ways.append(
            Plan(Way.ROWS, board.size, board.size // 8 * (_PLANES + 6), work * _ROWS_COST / 1e9 + board.rows * 2e-5)
        )
    many = _positions_by_playing(rules) * classes
    ways.append(Plan(Way.PLAYING, many, many * _PLAYING_BYTES, many * moves * _PLAYING_COST / 1e9))
    return sorted(ways, key=lambda plan: plan.seconds)


def choose(rules: Rules, memory: int = MEMORY) -> Plan:
    """Return the quickest plan that fits into so many bytes; say what would help if none does."""
    ways = plans(rules)
    for plan in ways:
        if plan.bytes <= memory:
            return plan
    least = min(ways, key=lambda plan: plan.bytes)
    raise SolverError(
        f"{rules.name} has up to {_count(least.positions)} positions; solving it would need {_bytes(least.bytes)} of "
        f"memory and {_bytes(memory)} are allowed. Use a smaller pool or smaller numbers, or allow more with --memory."
    )


def _positions_by_playing(rules: Rules) -> int:
    """Return at most how many positions there are: each copy of a number is left, or used by a seat in some way."""
    uses = (2 if rules.totals is Totals.OWN else 1) * len(rules.operations)
    if rules.totals is Totals.SHARED and rules.operations == ADD_ONLY:
        uses = 1
    return prod(comb(rules.pool.count(number) + uses, uses) for number in set(rules.pool))


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"{number:.1e}"


def _bytes(number: int) -> str:
    return f"{number / 2**30:,.1f} GiB" if number < 2**60 else "an impossible amount"
