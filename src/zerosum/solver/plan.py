"""How a game will be solved: which way is quickest, and whether it fits into the memory allowed."""

from __future__ import annotations

from enum import Enum
from math import comb, prod
from typing import Final, NamedTuple

from zerosum.rules.model import Ban, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver.board import Board, first_bound
from zerosum.solver.value import TooLargeError

MEMORY: Final = 1 << 30
"""Bytes a solution may need, unless told otherwise."""

# Measured on one core: nanoseconds for a cell and a move, by board and by row, and for a position and a move by
# playing. They only choose between ways, so that a factor of two does no harm.
_BOARD_COST, _ROWS_COST, _PLAYING_COST = 0.15, 0.05, 8_000.0
_PLAYING_BYTES = 1_500
# The same for compiled loops, for a set of used numbers and a number; loading them takes a moment, and memory too.
_FAST_COST, _FAST_SECONDS, _FAST_BYTES = 0.3, 1.0, 3 << 26
_FAST_FROM = 20
_PLANES = 8
_SMALL = 4096
"""Cells of a board that is solved before another way could be thought of."""


class Way(Enum):
    """A way of solving."""

    BOARD = "one integer for the whole game"
    ROWS = "one integer for each set of used numbers"
    PLAYING = "position by position"
    ENDLESS = "rounds near the target, and the pattern beyond"
    FAST = "a byte for each set of used numbers, by compiled loops"


class Plan(NamedTuple):
    """A way, and what it is expected to need."""

    way: Way
    positions: int
    """At most so many."""
    bytes: int
    seconds: float

    def cells_in(self, memory: int) -> int:
        """Return how many positions fit into so many bytes in this way."""
        return self.positions * memory // max(1, self.bytes)


class _Size(NamedTuple):
    """How large the board of a game is, and what there is to do on it."""

    board: Board
    moves: int
    classes: int

    @property
    def work(self) -> int:
        """Cells looked at, once for each move and ply."""
        return self.board.size * self.moves * len(self.board.rules.pool) * self.classes


def _size(rules: Rules) -> _Size:
    board = Board(rules, first_bound(rules) if rules.tie is Tie.SUDDEN_DEATH else 0)
    kinds = len(board.numbers) * len(rules.operations)
    return _Size(board, kinds * len(rules.start), kinds + 1 if rules.ban is Ban.MIRROR else 1)


def _by_board(size: _Size) -> Plan:
    """Return what a whole board needs, for one round or, where pools are refilled, for all."""
    cells, seconds = size.board.size, size.work * _BOARD_COST / 1e9
    need = cells // 8 * (3 * size.moves + (_PLANES + 6) * size.classes)
    return Plan(Way.ENDLESS, cells, need, 12 * seconds) if size.board.refills else Plan(Way.BOARD, cells, need, seconds)


def plans(rules: Rules) -> list[Plan]:
    """Return all ways in which a game can be solved, the quickest first."""
    size = _size(rules)
    board = size.board
    ways = [_by_board(size)]
    if board.refills:
        return ways
    if board.can_go_by_rows:
        seconds = size.work * _ROWS_COST / 1e9 + board.rows * 2e-5
        ways.append(Plan(Way.ROWS, board.size, board.size // 8 * (_PLANES + 6), seconds))
    fast = _fast(rules)
    if fast is not None and fast_installed():
        ways.append(fast)
    many = _positions_by_playing(rules) * size.classes
    ways.append(Plan(Way.PLAYING, many, many * _PLAYING_BYTES, many * size.moves * _PLAYING_COST / 1e9))
    return sorted(ways, key=lambda plan: plan.seconds)


def choose(rules: Rules, memory: int = MEMORY) -> Plan:
    """Return the quickest plan that fits into so many bytes; say what would help if none does."""
    size = _size(rules)
    if size.board.size <= _SMALL:
        return _by_board(size)
    ways = plans(rules)
    for plan in ways:
        if plan.bytes <= memory:
            return plan
    least = min(ways, key=lambda plan: plan.bytes)
    fast = _fast(rules)
    help_ = "or allow more with --memory"
    if fast is not None and fast.bytes <= memory:
        help_ = "allow more with --memory, or install zerosum[fast]"
    raise TooLargeError(
        f"{rules.name} has up to {_count(least.positions)} positions; solving it would need {_bytes(least.bytes)} of "
        f"memory and {_bytes(memory)} are allowed.",
        f"Use a smaller pool or smaller numbers, {help_}.",
    )


def fast_installed() -> bool:
    """Whether the extra `fast` is there; asking does not load it."""
    from importlib.util import find_spec  # noqa: PLC0415 - small games do not ask

    return all(find_spec(name) is not None for name in ("numpy", "numba"))


def _fast(rules: Rules) -> Plan | None:
    """Return what compiled loops would need, None where they cannot solve a game or it is too small for them."""
    size = len(rules.pool)
    if rules.totals is not Totals.SHARED or rules.operations != ADD_ONLY or rules.ban is not Ban.NONE:
        return None
    if size < _FAST_FROM:
        return None
    return Plan(Way.FAST, 1 << size, (1 << size) + _FAST_BYTES, (size * _FAST_COST * 2**size) / 1e9 + _FAST_SECONDS)


def _positions_by_playing(rules: Rules) -> int:
    """Return at most how many positions there are: each copy of a number is left, or used by a seat in some way."""
    uses = (2 if rules.totals is Totals.OWN else 1) * len(rules.operations)
    if rules.totals is Totals.SHARED and rules.operations == ADD_ONLY:
        uses = 1
    return prod(comb(rules.pool.count(number) + uses, uses) for number in set(rules.pool))


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"{number:.1e}"


def _bytes(number: int) -> str:
    if number >= 1 << 60:
        return "an impossible amount"
    return f"{number / 2**30:,.1f} GiB" if number >= 1 << 30 else f"{number / 2**20:,.1f} MiB"
