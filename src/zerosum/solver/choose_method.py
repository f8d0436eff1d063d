"""How a game will be solved: by the quickest method that supports its rules and fits into the memory allowed.

Estimates go by what a method lays out, which can be far more than play reaches. So if even the quickest method takes
long, or none fits, what play reaches is looked at first, for a small part of that time. If that comes to an end, only
those positions are solved.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from zerosum.base.english import about, bytes_text, count_text
from zerosum.rules.model import Ban, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import start_position
from zerosum.solver.board import BitBoard, first_bound
from zerosum.solver.supports import Method, any_method_supports, fast_installed, supports
from zerosum.solver.value import TooLargeError

if TYPE_CHECKING:
    from zerosum.solver.graph_arrays import Graph

MEMORY: Final = 1 << 30
"""Bytes that a solution may need by default."""

# Measured on one core: nanoseconds per cell and move, by board and by row, and per position and move if positions
# are found one by one. They only choose between methods, so a factor of two does no harm.
_BOARD_COST, _ROWS_COST, _REACHED_COST = 0.15, 0.05, 500.0
_REACHED_BYTES, _REACHED_MOVE_BYTES = 400, 8
_PLAYING_BYTES, _PLAYING_NUMBER_BYTES = 800, 70
# The same by NumPy, per set of used numbers and number; loading it takes time, and memory too.
_MASKS_COST, _MASKS_SECONDS, _MASKS_BYTES = 0.6, 0.1, 3 << 26
_MASKS_FROM = 20
_PLANES = 8
_SMALL = 4096
"""Cells of a board that is solved sooner than another method could be considered."""
_LONG: Final = 0.25
"""Seconds from which on it pays to look at what play reaches."""
_PART: Final = 1 / 50
"""The part of the estimated time that this look may take."""
_MOVES_EACH: Final = 4
"""Moves that the look expects of a position; so a game that is too large is refused before the look fills memory."""
_EDGES_EACH: Final = 4
"""Moves that may be gone through for each that the look may expect: one that ends the match costs little."""
_PATIENCE: Final = 0.25
"""Seconds that it may take if no method fits into the memory."""


class MethodPlan(NamedTuple):
    """A method, and what it is expected to need."""

    method: Method
    positions: int
    """At most this many."""
    bytes: int
    seconds: float
    reached: Graph | None = None
    """The graph of what play reaches, if that was found while planning."""

    def cells_in(self, memory: int) -> int:
        """Return how many positions this method fits into some bytes."""
        return self.positions * memory // max(1, self.bytes)


class _Size(NamedTuple):
    """How large the board of a game is, and what there is to do on it."""

    board: BitBoard
    moves: int
    classes: int

    @property
    def work(self) -> int:
        """Cells looked at, once for each move and ply."""
        return self.board.size * self.moves * len(self.board.rules.pool) * self.classes


def _size(rules: Rules) -> _Size:
    board = BitBoard(rules, first_bound(rules) if rules.tie is Tie.SUDDEN_DEATH else 0)
    kinds = len(board.numbers) * len(rules.operations)
    return _Size(board, kinds * len(rules.start), kinds + 1 if rules.ban is Ban.MIRROR else 1)


def _by_board(size: _Size) -> MethodPlan:
    """Return what a whole board needs, for one round or, if pools are refilled, for all."""
    cells, seconds = size.board.size, size.work * _BOARD_COST / 1e9
    need = cells // 8 * (2 * size.moves + (_PLANES + 6) * size.classes)
    return (
        MethodPlan(Method.ENDLESS, cells, need, 12 * seconds)
        if size.board.refills
        else MethodPlan(Method.BOARD, cells, need, seconds)
    )


def _by_rows(size: _Size) -> MethodPlan:
    cells = size.board.size
    seconds = size.work * _ROWS_COST / 1e9 + size.board.rows * 2e-5
    return MethodPlan(Method.ROWS, cells, cells // 8 * (_PLANES + 6), seconds)


def _by_reaching(size: _Size) -> MethodPlan:
    """Return what the positions need one by one, if play reaches all that it could."""
    rules = size.board.rules
    positions = _most_positions(rules) * size.classes
    kinds = len(size.board.numbers) * len(rules.operations)
    need = positions * (_REACHED_BYTES + kinds * _REACHED_MOVE_BYTES)
    return MethodPlan(Method.REACHING, positions, need, positions * kinds * _REACHED_COST / 1e9)


def _by_masks(rules: Rules) -> MethodPlan | None:
    """Return what a byte for each set of used numbers needs, None if a game is too small for that or not supported."""
    size = len(rules.pool)
    if size < _MASKS_FROM or not supports(Method.MASKS, rules):
        return None
    return MethodPlan(
        Method.MASKS, 1 << size, (1 << size) + _MASKS_BYTES, (size * _MASKS_COST * 2**size) / 1e9 + _MASKS_SECONDS
    )


def _by_playing(rules: Rules, memory: int) -> MethodPlan:
    """Return the plan for rules that no other method supports: as many positions as fit; nobody knows their number."""
    each = _PLAYING_BYTES + len(rules.pool) * _PLAYING_NUMBER_BYTES
    return MethodPlan(Method.PLAYING, memory // each, memory, float("inf"))


def method_plans(rules: Rules) -> list[MethodPlan]:
    """Return the plans of all methods but playing that support a game, the quickest first."""
    size = _size(rules)
    if supports(Method.ENDLESS, rules):
        return [_by_board(size)]
    found = []
    if supports(Method.BOARD, rules):
        found.append(_by_board(size))
    if supports(Method.ROWS, rules):
        found.append(_by_rows(size))
    if supports(Method.REACHING, rules):
        found.append(_by_reaching(size))
    masks = _by_masks(rules)
    if masks is not None and fast_installed():
        found.append(masks)
    return sorted(found, key=lambda plan: plan.seconds)


def quickest_plan(rules: Rules, memory: int = MEMORY) -> MethodPlan:
    """Return the quickest plan that fits into the memory, or raise a `TooLargeError`."""
    if not any_method_supports(rules):
        return _by_playing(rules, memory)
    size = _size(rules)
    if size.board.size <= _SMALL:
        return _by_board(size)
    plans = method_plans(rules)
    fitting = [plan for plan in plans if plan.bytes <= memory]
    takes_long = not fitting or (fitting[0].method is not Method.REACHING and fitting[0].seconds > _LONG)
    if takes_long and supports(Method.REACHING, rules):
        reached = _look(size, _PART * fitting[0].seconds if fitting else _PATIENCE, memory)
        if reached is not None:
            return reached
    if fitting:
        return fitting[0]
    raise _too_large(rules, min(plans, key=lambda plan: plan.bytes), memory)


def _look(size: _Size, seconds: float, memory: int) -> MethodPlan | None:
    """Return a plan for the positions that play reaches, None if they cannot be found in that time and memory."""
    from zerosum.solver.graph_build import grow  # noqa: PLC0415 - few games need it

    bound = _by_reaching(size)
    moves = int(seconds * 1e9 / _REACHED_COST)
    most = min(bound.cells_in(memory), moves // _MOVES_EACH)
    try:
        *_, reached = grow([start_position(size.board.rules)], mirrors=False, most=most, most_edges=_EDGES_EACH * moves)
    except TooLargeError:
        return None
    share = reached.size / bound.positions
    return MethodPlan(Method.REACHING, reached.size, int(bound.bytes * share), bound.seconds * share, reached)


def _too_large(rules: Rules, least: MethodPlan, memory: int) -> TooLargeError:
    error = TooLargeError(
        f"{rules.name} can have {count_text(least.positions)} positions. Solving it needs "
        f"{about(bytes_text(least.bytes))} of memory; {bytes_text(memory)} are allowed."
    )
    masks = _by_masks(rules)
    if masks is not None and masks.bytes <= memory and not fast_installed():
        return error.advising("install zerosum[fast]")
    return error


def _most_positions(rules: Rules) -> int:
    """Return at most how many positions there are: each copy of a number is left, added or subtracted by a seat."""
    uses = (2 if rules.totals is Totals.OWN else 1) * len(rules.operations)
    if rules.totals is Totals.SHARED and rules.operations == ADD_ONLY:
        uses = 1
    return prod(comb(rules.pool.count(number) + uses, uses) for number in set(rules.pool))
