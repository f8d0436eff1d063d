"""What is true: the exact verdict and distance of every position, and of each of its moves.

>>> from zerosum.rules.game_files import load_game
>>> solution = solve(load_game("sum31"))
>>> solution.value(solution.start)
Value(verdict=Verdict.LOSS, plies=7)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from zerosum.base.errors import IllegalPositionError
from zerosum.base.progress import Progress, silent
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules, Seat
from zerosum.rules.moves import Move
from zerosum.rules.position import Position, start_position
from zerosum.solver.bits import members, ones
from zerosum.solver.board import BitBoard, BoardEnds, steps_of
from zerosum.solver.by_playing import solve_by_playing
from zerosum.solver.choose_method import MEMORY, quickest_plan
from zerosum.solver.laws import Fact, Found, Law, by_positions, law_of
from zerosum.solver.retrograde import BanClasses, SolvedSets, laws_of_sets, reachable, retrograde, solve_by_rows
from zerosum.solver.supports import Method, any_method_supports, without_swap
from zerosum.solver.value import DRAW, LOSS_AT_ONCE, WIN_AT_ONCE, Option, SolverError, TooLargeError, Value, Verdict

if TYPE_CHECKING:
    from zerosum.solver.endless import Endless
    from zerosum.solver.graph_arrays import Graph

__all__ = [
    "MEMORY",
    "Fact",
    "Law",
    "Option",
    "Solution",
    "SolverError",
    "TooLargeError",
    "Value",
    "Verdict",
    "solution_of",
    "solve",
]


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
    plan = quickest_plan(plain, memory)
    if plan.reached is not None:
        return _on_graph(plan.reached)
    return SOLVERS[plan.method](rules if plan.method is Method.PLAYING else plain, plan.cells_in(memory), progress)


def _by_board(rules: Rules, _largest: int, progress: Progress) -> Solved:
    board = BitBoard(rules)
    ends = BoardEnds(board).all()
    classes = BanClasses(board, steps_of(board, ends))
    if board.only_nears:
        positions = [ones(board.size) & ~(ends[0] | ends[1])]
    else:
        positions = reachable(classes, [1 << board.start_bit(), *[0] * (classes.count - 1)])
    return _on_board(board, retrograde(classes, positions, progress=progress), classes)


def _by_rows(rules: Rules, _largest: int, progress: Progress) -> Solved:
    board = BitBoard(rules)
    return _on_board(board, solve_by_rows(board, progress), BanClasses(board, ()))


def _on_board(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Solved:
    def look_up(position: Position) -> Value | None:
        bit = board.bit(position)
        return None if bit is None else values.value(classes.of(position), bit)

    count = sum(bits.bit_count() for bits in values.positions)
    return Solved(
        look_up, lambda: _positions(board, values, classes), count, lambda: laws_of_sets(board, values, classes)
    )


def _positions(board: BitBoard, values: SolvedSets, classes: BanClasses) -> Iterator[tuple[Position, Value]]:
    for at, bits in enumerate(values.positions):
        previous = classes.move_before(at)
        for bit in members(bits):
            value = values.value(at, bit)
            if value is not None:
                yield board.position(bit, previous), value


def _by_reaching(rules: Rules, largest: int, progress: Progress) -> Solved:
    from zerosum.solver.graph import graph_of  # noqa: PLC0415 - few games need it

    return _on_graph(graph_of(start_position(rules), mirrors=False, most=largest, progress=progress))


def _on_graph(graph: Graph) -> Solved:
    from zerosum.solver.graph import ReachedPositions  # noqa: PLC0415 - few games need it

    reached = ReachedPositions(graph)
    return Solved(reached.value, reached.everything, reached.count, reached.laws)


def _by_playing(rules: Rules, largest: int, progress: Progress) -> Solved:
    found = solve_by_playing(rules, largest, progress)

    def look_up(position: Position) -> Value | None:
        entry = found.get(replace(position, rules=rules).key)
        return None if entry is None else entry[1]

    return Solved(
        look_up, lambda: iter(found.values()), len(found), lambda: by_positions(found.values()), swap_played=rules.swap
    )


def _by_masks(rules: Rules, _largest: int, progress: Progress) -> Solved:
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
    everything, laws = (lambda: _positions(board, near, classes)), (lambda: laws_of_sets(board, near, classes))
    return Solved(rounds.value, everything, rounds.count, laws, rounds)


SOLVERS: dict[Method, Callable[[Rules, int, Progress], Solved]] = {
    Method.BOARD: _by_board,
    Method.ROWS: _by_rows,
    Method.REACHING: _by_reaching,
    Method.ENDLESS: _by_rounds,
    Method.MASKS: _by_masks,
    Method.PLAYING: _by_playing,
}


class Solution:
    """All values of a game. `count` is the number of positions that can arise, None if they are unbounded."""

    def __init__(self, rules: Rules, solved: Solved, seconds: float) -> None:
        self.rules = rules
        self.start = start_position(rules)
        self.seconds = seconds
        self.count = solved.count
        self.solved = solved
        if rules.swap and not solved.swap_played and solved.count is not None:
            # Every opening that goes on leaves a position before a swap, and one after it.
            openings = (self.start.play_unchecked(move) for move in self.start.legal_moves())
            self.count = solved.count + sum(after.outcome is None for after in openings) + self._returns()

    def __repr__(self) -> str:
        """Return which game it solves and who wins."""
        found = "no end of" if self.count is None else f"{self.count:,}"
        return f"<Solution of {self.rules.name}: the first player {self.value(self.start).words()}; {found} positions>"

    def _returns(self) -> bool:
        """Whether sudden death can come back to the start: a second position, whose swap is over."""
        if self.solved.rounds is None:
            return False
        start = start_position(replace(self.rules, swap=False))
        return any(
            position.play_unchecked(move).key == start.key
            for position, _ in self.everything()
            if len(position.pool) == 1
            for move in position.legal_moves()
        )

    @cached_property
    def law(self) -> Law | None:
        """The law of the game: the whole truth in one sentence, None if every law has an exception."""
        return None if self.rules.swap else law_of(self.rules, self.solved.laws())

    @property
    def winner(self) -> Seat | None:
        """The seat of the person who wins when both play perfectly, by where they begin; None for a draw."""
        verdict = self.value(self.start).verdict
        return None if verdict is Verdict.DRAW else Seat.FIRST if verdict is Verdict.WIN else Seat.SECOND

    def value(self, position: Position) -> Value:
        """Return the value of an unfinished position for the seat to move."""
        if position.outcome is not None:
            raise IllegalPositionError("The match is over; nobody is to move.")
        swaps = position.rules.swap and not self.solved.swap_played
        if swaps and (position.swap_open or position.previous is None):
            return self.options(position)[0].value
        value = self.solved.look_up(position)
        if value is None:
            raise IllegalPositionError(f"'{position}' cannot arise in {self.rules.name}.")
        return value

    def can_end_in(self, position: Position) -> bool:
        """Whether a finished position can arise: some move leads to it from an unfinished one that can.

        If a ban or a swap remembers the move before, or no fast method supports the rules, every one is accepted.
        """
        mover, rules = position.seat.other, self.rules
        if rules.remembers or not any_method_supports(rules):
            return True
        for number in Counter(rules.pool) - Counter(position.pool):
            for operation in rules.operations:
                move = Move(number, operation)
                totals = list(position.totals)
                totals[mover - 1 if len(totals) > 1 else 0] -= move.amount
                before = Position(rules, tuple(sorted((*position.pool, number))), tuple(totals), mover)
                if self.solved.look_up(before) is not None:
                    return True
        return False

    def options(self, position: Position) -> list[Option]:
        """Return the legal moves of a position with their values, the best first."""
        options = [Option(move, self._value_of(position, move)) for move in position.legal_moves()]
        return sorted(options, key=lambda option: option.value.rank, reverse=True)

    def best(self, position: Position) -> Option:
        """Return the best move of a position with its value; of several, the first."""
        options = self.options(position)
        if not options:
            raise IllegalPositionError("The match is over; nobody is to move.")
        return options[0]

    def winning_moves(self, position: Position) -> tuple[Move, ...]:
        """Return the moves that win, in the order of `legal_moves`; none in a position that is lost, drawn or over.

        >>> from zerosum.rules.game_files import load_game
        >>> solution = solution_of(load_game("sum31"))
        >>> [move.number for move in solution.winning_moves(solution.start.play("+5").play("+6"))]
        [2, 3, 4, 9]
        """
        wins = (move for move in position.legal_moves() if self._value_of(position, move).verdict is Verdict.WIN)
        return tuple(wins)

    def _value_of(self, position: Position, move: Move) -> Value:
        after = position.play_unchecked(move)
        if after.outcome is not None:
            return WIN_AT_ONCE if after.outcome.winner is position.seat else LOSS_AT_ONCE
        return self.value(after).before_move()

    def line(self, position: Position, most: int) -> list[Move]:
        """Return best play to the end, or its first `most` moves; of a draw, which has no end, nothing."""
        moves: list[Move] = []
        while position.outcome is None and len(moves) < most:
            best = self.options(position)[0]
            if best.value == DRAW:
                return []
            moves.append(best.move)
            position = position.play_unchecked(best.move)
        return moves

    def positions(self) -> Iterator[Position]:
        """Yield every unfinished position that can arise, the start first, in the order of `columns`.

        If totals grow without end, only those of the rounds that begin near the target.
        """
        if self.solved.rounds is not None:
            yield from (position for position, _ in self.everything())
            return
        from zerosum.solver.graph import graph_of  # noqa: PLC0415 - only who lists positions needs it

        graph = graph_of(self.start, mirrors=False)
        yield from map(graph.position, range(graph.size))

    def columns(self) -> dict[str, Any]:
        """Return all positions as columns of NumPy: what is left, seat, totals, verdict, plies, winning moves."""
        from zerosum.solver.game_table import columns_of  # noqa: PLC0415 - an extra, and slow to load

        return columns_of(self.rules)

    def _repr_html_(self) -> str:
        from zerosum.base.svg import page, table  # noqa: PLC0415 - only notebooks draw

        start = self.start
        positions = "Positions without end" if self.count is None else f"{self.count:,} positions"
        rows = [(start.text_of(option.move), option.value.words()) for option in self.options(start)]
        return page(
            f"{self.rules.name}: the first player {self.value(start).words()}",
            f"{positions}.",
            table(("first move", "the player who makes it"), rows),
        )

    def everything(self) -> Iterator[tuple[Position, Value]]:
        """Yield every position that can arise, with its value, as if the rules knew no swap.

        If totals grow without end, only the rounds that begin near the target.
        """
        return self.solved.everything()


def solve(game: Game, memory: int = MEMORY, progress: Progress = silent) -> Solution:
    """Solve a game exactly; raise a `SolverError` if that would need more than `memory` bytes."""
    rules = rules_of(game)
    began = perf_counter()
    solved = solve_by_quickest_method(rules, memory, progress)
    return Solution(rules, solved, perf_counter() - began)


@lru_cache(maxsize=8)
def solution_of(rules: Rules) -> Solution:
    """Return the solution of a game, solved once and remembered."""
    return solve(rules)
