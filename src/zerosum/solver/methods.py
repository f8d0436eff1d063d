"""Solves a game by the method that `choose_method` chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from zerosum.base.progress import Progress
from zerosum.rules.model import Rules
from zerosum.rules.position import Position
from zerosum.solver.bits import members, ones
from zerosum.solver.board import BitBoard
from zerosum.solver.board_moves import BoardEnds, steps_of
from zerosum.solver.by_playing import solve_by_playing
from zerosum.solver.by_rows import solve_by_rows
from zerosum.solver.choose_method import MEMORY, choose_method
from zerosum.solver.laws import Found, by_positions, by_sets
from zerosum.solver.retrograde import BanClasses, SolvedSets, reachable, retrograde
from zerosum.solver.supports import Method, without_swap
from zerosum.solver.value import SolverError, Value

if TYPE_CHECKING:
    from zerosum.solver.by_reaching import ReachedPositions
    from zerosum.solver.endless import Endless

__all__ = ["MEMORY", "SOLVERS", "Solved", "solve_by_quickest_method"]


@dataclass(frozen=True, slots=True)
class Solved:
    """What every method of solving returns."""

    look_up: Callable[[Position], Value | None]
    """The value of an unfinished position, None if it cannot arise."""
    everything: Callable[[], Iterator[tuple[Position, Value]]]
    count: int | None
    """How many positions can arise, None if they are unbounded."""
    laws: Callable[[], Found]
    """Compares every law with every value."""
    rounds: Endless | None = None
    """What is known of rounds, if there is sudden death."""
    swap_played: bool = False
    """Whether a swap is played like any other move; if not, values are as if there were none."""


def solve_by_quickest_method(rules: Rules, memory: int, progress: Progress) -> Solved:
    """Solve a game by the quickest method that supports its rules and fits into the memory.

    Only playing plays a swap; every other method solves the rules as if they had none.
    """
    plain = without_swap(rules)
    plan = choose_method(plain, memory)
    if plan.reached is not None:
        return _on_reached(plan.reached)
    return SOLVERS[plan.method](rules if plan.method is Method.PLAYING else plain, plan.cells_in(memory), progress)


def _by_board(rules: Rules, largest: int, progress: Progress) -> Solved:  # noqa: ARG001 - all methods are called alike
    board = BitBoard(rules)
    ends = BoardEnds(board).all()
    classes = BanClasses(board, steps_of(board, ends))
    if board.only_nears:
        positions = [ones(board.size) & ~(ends[0] | ends[1])]
    else:
        positions = reachable(classes, [1 << board.start_bit(), *[0] * (classes.count - 1)])
    return _on_board(board, retrograde(classes, positions, progress=progress), classes)


def _by_rows(rules: Rules, largest: int, progress: Progress) -> Solved:  # noqa: ARG001 - see above
    board = BitBoard(rules)
    return _on_board(board, solve_by_rows(board, progress), BanClasses(board, ()))


def _on_board(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Solved:
    def look_up(position: Position) -> Value | None:
        bit = board.bit(position)
        return None if bit is None else values.value(classes.of(position), bit)

    count = sum(bits.bit_count() for bits in values.positions)
    return Solved(look_up, lambda: _positions(board, values, classes), count, lambda: by_sets(board, values, classes))


def _positions(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Iterator[tuple[Position, Value]]:
    for at, bits in enumerate(values.positions):
        previous = classes.move_before(at)
        for bit in members(bits):
            value = values.value(at, bit)
            if value is not None:
                yield board.position(bit, previous), value


def _by_reaching(rules: Rules, largest: int, progress: Progress) -> Solved:
    from zerosum.solver.by_reaching import ReachedPositions, ReachLimit  # noqa: PLC0415 - few games need it

    # No position has more moves than the pool has numbers to add and to subtract.
    return _on_reached(ReachedPositions(rules, ReachLimit(largest, largest * (2 * len(rules.pool) + 1)), progress))


def _on_reached(reached: ReachedPositions) -> Solved:
    reached.solve()
    return Solved(reached.value, reached.everything, reached.count, reached.laws)


def _by_playing(rules: Rules, largest: int, progress: Progress) -> Solved:
    found = solve_by_playing(rules, largest, progress)

    def look_up(position: Position) -> Value | None:
        entry = found.get(replace(position, rules=rules).key)
        return None if entry is None else entry[1]

    return Solved(
        look_up,
        lambda: iter(found.values()),
        len(found),
        lambda: by_positions(found.values()),
        swap_played=rules.swap,
    )


def _by_masks(rules: Rules, largest: int, progress: Progress) -> Solved:  # noqa: ARG001 - see above
    try:
        from zerosum.solver.by_masks import MaskValues  # noqa: PLC0415 - NumPy is an extra, and slow to load
    except ImportError as error:
        raise SolverError(f"What zerosum[fast] installed cannot be loaded: {error}") from error
    values = MaskValues(rules, progress)
    return Solved(values.look_up, values.everything, values.count, values.laws)


def _by_rounds(rules: Rules, largest: int, progress: Progress) -> Solved:
    from zerosum.solver.endless import solve_endless  # noqa: PLC0415 - few games need it

    rounds = solve_endless(rules, largest, progress)
    board, near, classes = rounds.board, rounds.near, rounds.classes
    everything, laws = (lambda: _positions(board, near, classes)), (lambda: by_sets(board, near, classes))
    return Solved(rounds.value, everything, rounds.count, laws, rounds)


SOLVERS: dict[Method, Callable[[Rules, int, Progress], Solved]] = {
    Method.BOARD: _by_board,
    Method.ROWS: _by_rows,
    Method.REACHING: _by_reaching,
    Method.ENDLESS: _by_rounds,
    Method.MASKS: _by_masks,
    Method.PLAYING: _by_playing,
}
