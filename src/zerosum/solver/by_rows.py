"""The same answers as `retrograde`, row by row from the end: quicker if rows are wide and no position returns.

A row's moves lead to rows with one number more used, so going through the rows from the last to the first, each is
settled once, by shifts of integers that are only as long as a row. Refilled pools (rows would depend on each other) and
bans are not supported.
"""

from __future__ import annotations

from zerosum.base.progress import Progress, silent
from zerosum.solver.bits import moved, stack
from zerosum.solver.board import BitBoard, BoardEnds, WonLost
from zerosum.solver.retrograde import SolvedSets
from zerosum.solver.value import Value, Verdict, bits_of

ByPlies = dict[int, int]
"""The cells decided, by plies."""
Moves = list[tuple[int, int]]
"""The rows that moves lead to, each with the change of the cell."""

_NOW_AND_THEN = 256


def solve_by_rows(board: BitBoard, progress: Progress = silent) -> SolvedSets:
    """Return the values of every position that can arise."""
    ends = BoardEnds(board).by_row()
    moves = board.moves_by_row()
    reached = _reachable(board, moves, ends)
    won: list[ByPlies] = [{} for _ in moves]
    lost: list[ByPlies] = [{} for _ in moves]
    for row in range(board.full - 1, -1, -1):
        if row % _NOW_AND_THEN == 0:
            progress(f"{board.full - row} of {board.full} sets of numbers")
        if reached[row]:
            won[row] = _won(reached[row], moves[row], ends, lost)
            rest = reached[row] & ~sum(won[row].values())
            lost[row] = _lost(rest, moves[row], ends, won)
    return _stacked(board, reached, won, lost)


def _reachable(board: BitBoard, moves: list[Moves], ends: list[WonLost]) -> list[int]:
    reached = [0] * board.rows
    reached[0] = 1 << board.start_bit()
    over = [won | lost for won, lost in ends]
    for row, leads in enumerate(moves):
        for child, delta in leads:
            here = reached[row]
            reached[child] |= (here << delta if delta >= 0 else here >> -delta) & ~over[child]
    return reached


def _won(cells: int, moves: Moves, ends: list[WonLost], lost: list[ByPlies]) -> ByPlies:
    """Return the cells from which a move wins, each by the quickest: the winner hurries."""
    by_plies: ByPlies = {1: 0}
    for child, delta in moves:
        by_plies[1] |= moved(ends[child][0], -delta)
        for plies, bits in lost[child].items():
            by_plies[plies + 1] = by_plies.get(plies + 1, 0) | moved(bits, -delta)
    won = {}
    for plies in sorted(by_plies):
        if bits := by_plies[plies] & cells:
            won[plies] = bits
            cells &= ~bits
    return won


def _lost(cells: int, moves: Moves, ends: list[WonLost], won: list[ByPlies]) -> ByPlies:
    """Return the cells from which every move loses, each by the slowest: the loser delays."""
    if not cells:
        return {}
    by_plies: ByPlies = {1: 0}
    for child, delta in moves:
        by_plies[1] |= moved(ends[child][1], -delta)
        for plies, bits in won[child].items():
            by_plies[plies + 1] = by_plies.get(plies + 1, 0) | moved(bits, -delta)
    lost = {}
    for plies in sorted(by_plies, reverse=True):
        if bits := by_plies[plies] & cells:
            lost[plies] = bits
            cells &= ~bits
    return lost


def _stacked(board: BitBoard, reached: list[int], won: list[ByPlies], lost: list[ByPlies]) -> SolvedSets:
    planes: list[list[int]] = []
    for row in range(board.rows):
        for verdict, decided in ((Verdict.WIN, won[row]), (Verdict.LOSS, lost[row])):
            for plies, bits in decided.items():
                code = bits_of(Value(verdict, plies))
                while len(planes) < code.bit_length():
                    planes.append([0] * board.rows)
                for at, plane in enumerate(planes):
                    if code >> at & 1:
                        plane[row] |= bits
    solved = SolvedSets([stack(reached, board.cells)])
    solved.planes = [[stack(plane, board.cells) for plane in planes]]
    solved.freeze()
    return solved
