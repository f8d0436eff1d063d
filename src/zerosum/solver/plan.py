"""How a game will be solved: the quickest way that handles its rules and fits into the memory allowed.

Estimates go by what a way lays out, which can be far more than play reaches. So where even the quickest way takes long,
or none fits, what play reaches is looked at first, for a small part of that time. If that comes to an end, only those
positions are solved.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from zerosum.rules.model import Ban, Rules, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.solver.board import Board, first_bound
from zerosum.solver.handled import Way, handled, handles
from zerosum.solver.sizes import about, bytes_text, count_text
from zerosum.solver.value import TooLargeError

if TYPE_CHECKING:
    from zerosum.solver.reached import Reached

MEMORY: Final = 1 << 30
"""Bytes that a solution may need by default."""

# Measured on one core: nanoseconds per cell and move, by board and by row, and per position and move where positions
# are found one by one. They only choose between ways, so a factor of two does no harm.
_BOARD_COST, _ROWS_COST, _REACHED_COST = 0.15, 0.05, 500.0
_REACHED_BYTES, _REACHED_MOVE_BYTES = 400, 8
_PLAYING_BYTES, _PLAYING_NUMBER_BYTES = 800, 70
# The same for compiled loops, per set of used numbers and number; loading them takes time, and memory too.
_FAST_COST, _FAST_SECONDS, _FAST_BYTES = 0.3, 1.0, 3 << 26
_FAST_FROM = 20
_PLANES = 8
_SMALL = 4096
"""Cells of a board that is solved sooner than another way could be considered."""
_LONG: Final = 0.25
"""Seconds from which on it pays to look at what play reaches."""
_PART: Final = 1 / 50
"""The part of the estimated time that this look may take."""
_MOVES_EACH: Final = 4
"""Moves that the look expects of a position; so a game that is too large is refused before the look fills memory."""
_PATIENCE: Final = 0.25
"""Seconds that it may take where no way fits into the memory."""


class Plan(NamedTuple):
    """A way, and what it is expected to need."""

    way: Way
    positions: int
    """At most this many."""
    bytes: int
    seconds: float
    reached: Reached | None = None
    """What play reaches, where that was found while planning."""

    def cells_in(self, memory: int) -> int:
        """Return how many positions this way fits into some bytes."""
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


def _by_rows(size: _Size) -> Plan:
    cells = size.board.size
    seconds = size.work * _ROWS_COST / 1e9 + size.board.rows * 2e-5
    return Plan(Way.ROWS, cells, cells // 8 * (_PLANES + 6), seconds)


def _by_reaching(size: _Size) -> Plan:
    """Return what the positions need one by one, if play reaches all that it could."""
    rules = size.board.rules
    positions = _most_positions(rules) * size.classes
    kinds = len(size.board.numbers) * len(rules.operations)
    need = positions * (_REACHED_BYTES + kinds * _REACHED_MOVE_BYTES)
    return Plan(Way.REACHED, positions, need, positions * kinds * _REACHED_COST / 1e9)


def _by_loops(rules: Rules) -> Plan | None:
    """Return what compiled loops would need, None where they do not handle a game or it is too small for them."""
    size = len(rules.pool)
    if size < _FAST_FROM or not handles(Way.FAST, rules):
        return None
    return Plan(Way.FAST, 1 << size, (1 << size) + _FAST_BYTES, (size * _FAST_COST * 2**size) / 1e9 + _FAST_SECONDS)


def _by_playing(rules: Rules, memory: int) -> Plan:
    """Return the plan for rules that no other way handles: as many positions as fit, for their number is not known."""
    each = _PLAYING_BYTES + len(rules.pool) * _PLAYING_NUMBER_BYTES
    return Plan(Way.PLAYING, memory // each, memory, float("inf"))


def plans(rules: Rules) -> list[Plan]:
    """Return all ways but playing that handle a game, the quickest first."""
    size = _size(rules)
    if handles(Way.ENDLESS, rules):
        return [_by_board(size)]
    ways = []
    if handles(Way.BOARD, rules):
        ways.append(_by_board(size))
    if handles(Way.ROWS, rules):
        ways.append(_by_rows(size))
    if handles(Way.REACHED, rules):
        ways.append(_by_reaching(size))
    loops = _by_loops(rules)
    if loops is not None and fast_installed():
        ways.append(loops)
    return sorted(ways, key=lambda plan: plan.seconds)


def choose(rules: Rules, memory: int = MEMORY) -> Plan:
    """Return the quickest plan that fits into the memory, or raise a `TooLargeError`."""
    if not handled(rules):
        return _by_playing(rules, memory)
    size = _size(rules)
    if size.board.size <= _SMALL:
        return _by_board(size)
    ways = plans(rules)
    fitting = [plan for plan in ways if plan.bytes <= memory]
    if handles(Way.REACHED, rules) and (not fitting or _takes_long(fitting[0])):
        reached = _look(size, _PART * fitting[0].seconds if fitting else _PATIENCE, memory)
        if reached is not None:
            return reached
    if fitting:
        return fitting[0]
    raise _too_large(rules, min(ways, key=lambda plan: plan.bytes), memory)


def _takes_long(plan: Plan) -> bool:
    return plan.way is not Way.REACHED and plan.seconds > _LONG


def _look(size: _Size, seconds: float, memory: int) -> Plan | None:
    """Return a plan for the positions that play reaches, None if they cannot be found in that time and memory."""
    from zerosum.solver.reached import Limit, Reached, TooManyError  # noqa: PLC0415 - few games need it

    bound = _by_reaching(size)
    moves = int(seconds * 1e9 / _REACHED_COST)
    limit = Limit(min(bound.cells_in(memory), moves // _MOVES_EACH), moves)
    try:
        reached = Reached(size.board.rules, limit)
    except TooManyError:
        return None
    share = reached.count / bound.positions
    return Plan(Way.REACHED, reached.count, int(bound.bytes * share), bound.seconds * share, reached)


def _too_large(rules: Rules, least: Plan, memory: int) -> TooLargeError:
    error = TooLargeError(
        f"{rules.name} can have {count_text(least.positions)} positions. Solving it needs "
        f"{about(bytes_text(least.bytes))} of memory; {bytes_text(memory)} are allowed."
    )
    loops = _by_loops(rules)
    if loops is not None and loops.bytes <= memory and not fast_installed():
        return error.advising("install zerosum[fast]")
    return error


def fast_installed() -> bool:
    """Whether the extra `fast` is installed; asking does not load it."""
    from importlib.util import find_spec  # noqa: PLC0415 - small games do not ask

    return all(find_spec(name) is not None for name in ("numpy", "numba"))


def _most_positions(rules: Rules) -> int:
    """Return at most how many positions there are: each copy of a number is left, or used by a seat in some way."""
    uses = (2 if rules.totals is Totals.OWN else 1) * len(rules.operations)
    if rules.totals is Totals.SHARED and rules.operations == ADD_ONLY:
        uses = 1
    return prod(comb(rules.pool.count(number) + uses, uses) for number in set(rules.pool))
