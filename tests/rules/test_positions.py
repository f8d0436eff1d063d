"""What holds in any variant, whatever legal moves are played."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CHOICES, lines, plays, variants
from zerosum.rules.model import Rules, Seat, Tie, Totals
from zerosum.rules.moves import SWAP, Move, Operation
from zerosum.rules.position import Clause, IllegalMoveError, Position, start_position

NUMBER_OPERATIONS = (Operation.ADD, Operation.SUBTRACT)
MOVES = st.builds(Move, st.integers(-12, 12), st.sampled_from(NUMBER_OPERATIONS)) | st.just(SWAP)


def moves_between(positions: list[Position]) -> list[Move]:
    """Return the moves of a play, found again from its positions."""
    return [
        next(move for move in before.legal_moves() if before.play(move) == after)
        for before, after in pairwise(positions)
    ]


@given(rules=variants(), choices=CHOICES, shy=st.booleans())
def test_totals_are_the_start_and_the_amounts(rules: Rules, choices: list[int], *, shy: bool) -> None:
    """Totals equal the start plus the sum of the amounts; pool and used numbers make the start pool, or several."""
    position = start_position(rules)
    sums = {Seat.FIRST: 0, Seat.SECOND: 0}
    used: Counter[int] = Counter()
    for choice in choices:
        moves = position.legal_moves()
        if shy:
            moves = tuple(move for move in moves if position.play(move).outcome is None) or moves
        if not moves:
            break
        move = moves[choice % len(moves)]
        sums[position.seat] += move.amount
        used.update([] if move == SWAP else [move.number])
        position = position.play(move)
        if rules.totals is Totals.OWN:
            assert position.totals == (rules.start[0] + sums[Seat.FIRST], rules.start[1] + sums[Seat.SECOND])
        else:
            assert position.totals == (rules.start[0] + sum(sums.values()),)
        rounds = -(-(used.total() + len(position.pool)) // len(rules.pool))
        assert used + Counter(position.pool) == Counter(list(rules.pool) * rounds)
        assert rounds == 1 or rules.tie is Tie.SUDDEN_DEATH


@given(lines())
def test_legal_moves_are_in_order_and_each_is_there_once(line: list[Position]) -> None:
    for position in line:
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        assert moves == position.legal_moves()
        keys = [(move == SWAP, move.number, move.operation is Operation.SUBTRACT) for move in moves]
        assert keys == sorted(keys)
        assert bool(moves) == (position.outcome is None)


@given(lines())
def test_legal_moves_are_those_without_objection(line: list[Position]) -> None:
    for position in line:
        numbers = {*position.rules.pool, *(-number for number in position.rules.pool), 0}
        candidates = {Move(number, operation) for number in numbers for operation in NUMBER_OPERATIONS} | {SWAP}
        without = {move for move in candidates if position.objection(move) is None}
        assert without == set(position.legal_moves())


@given(line=lines(), move=MOVES)
def test_an_illegal_move_raises_and_changes_nothing(line: list[Position], move: Move) -> None:
    position = line[-1]
    before = (str(position), hash(position), position.legal_moves())
    if position.objection(move) is None:
        assert position.play(move) == position.play_unchecked(move)
    else:
        with pytest.raises(IllegalMoveError) as caught:
            position.play(move)
        error = caught.value
        assert (error.move, error.position, error.clause) == (move, position, position.objection(move))
        assert error.clause.value in str(error)
    assert before == (str(position), hash(position), position.legal_moves())


@given(lines())
def test_nothing_can_follow_the_end(line: list[Position]) -> None:
    for position in line[:-1]:
        assert position.outcome is None
    last = line[-1]
    if last.outcome is not None:
        for number in last.rules.pool:
            assert last.objection(Move(number)) is Clause.OVER
        assert last.objection(SWAP) is Clause.OVER


@given(lines())
def test_a_swap_is_only_the_second_ply(line: list[Position]) -> None:
    for ply, position in enumerate(line):
        may = position.rules.swap and ply == 1 and position.outcome is None
        assert (SWAP in position.legal_moves()) == may == position.swap_open
    for ply, move in enumerate(moves_between(line)):
        if move == SWAP:
            assert line[ply + 1].seat is line[ply].seat is Seat.SECOND
        else:
            assert line[ply + 1].seat is line[ply].seat.other


@given(rules=variants(), choices=CHOICES)
def test_equal_positions_have_equal_hashes(rules: Rules, choices: list[int]) -> None:
    once, again = plays(rules, choices), plays(rules, choices)
    assert once == again
    assert list(map(hash, once)) == list(map(hash, again))
