"""Masks say what the other methods say, of every position: verdict, plies, and whether it can arise at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.full import part
from zerosum.base import limits
from zerosum.base.errors import IllegalPositionError
from zerosum.base.progress import silent
from zerosum.rules.model import Overshoot, Reaching, Rules
from zerosum.rules.position import Position
from zerosum.solver import SOLVERS, Solution, Value
from zerosum.solver.board import BitBoard
from zerosum.solver.supports import Method

BATCHES, IN_BATCH = part(8, 20), 25


def variant(random: Random, size: int) -> Rules:
    """Return any rules that masks can tell: positive, negative or mixed numbers, repeats, small and huge."""
    largest = random.choice((4, 12, 40, 1_000_000))
    low, high = random.choice(((1, largest), (-largest, largest), (-largest, -1)))
    pool = tuple(random.choice([n for n in (low, high, random.randint(low, high)) if n]) for _ in range(size))
    if random.random() < 0.6 and high - low >= size:
        pool = tuple(n or high for n in random.sample(range(low, high + 1), size))
    start = random.choice((0, random.randint(-15, 15)))
    part = sum(random.sample(pool, random.randint(0, size)))
    far = start + part if abs(start + part) <= limits.VALUE else start
    target = random.choice((start, far, far, random.randint(-30, 30)))
    return Rules(
        id="random",
        name="Random",
        pool=pool,
        start=(start,),
        target=target,
        reaching=random.choice(list(Reaching)),
        overshoot=Overshoot.PLAY_ON if start == target else random.choice(list(Overshoot)),
        swap=random.random() < 0.2,
    )


def sum31_like(size: int, overshoot: Overshoot = Overshoot.LOSES) -> Rules:
    """Return a game as much like Sum31 as its pool allows."""
    pool = tuple(range(1, size + 1))
    return Rules(id="like", name="Like", pool=pool, target=round(31 * sum(pool) / 45), overshoot=overshoot)


def solved(rules: Rules, method: Method) -> Solution:
    return Solution(rules, SOLVERS[method](replace(rules, swap=False), 1 << 60, silent), 0)


def said(solution: Solution, position: Position) -> Value | str:
    try:
        return solution.value(position)
    except IllegalPositionError as error:
        return str(error)


def differences(rules: Rules) -> Iterator[str]:
    """Yield what two methods say differently of a game."""
    board, fast = solved(rules, Method.BOARD), solved(rules, Method.MASKS)
    if board.count != fast.count:
        yield f"{board.count} positions, but {fast.count}"
    if board.options(board.start) != fast.options(fast.start):
        yield "not the same openings"
    if dict(board.everything()) != dict(fast.everything()):
        yield "not the same positions and values"
    if rules.swap:
        yield from differences(replace(rules, swap=False))
        return
    rows = BitBoard(rules)
    for bit in range(rows.size):
        position = rows.position(bit)
        if said(board, position) != said(fast, position):
            yield f"{position}: {said(board, position)}, but {said(fast, position)}"


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_variants(batch: int) -> None:
    random = Random(f"fast {batch}")
    for _ in range(IN_BATCH):
        rules = variant(random, random.randint(1, 10))
        assert (rules, list(differences(rules))) == (rules, [])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(part(2, 6)))
def test_random_variants_of_several_rows(seed: int) -> None:
    random = Random(f"tiles {seed}")
    rules = replace(variant(random, random.randint(14, 16)), swap=False)
    assert (rules, list(differences(rules))) == (rules, [])


@pytest.mark.parametrize("overshoot", Overshoot)
@pytest.mark.parametrize("size", range(9, part(15, 17)))
def test_games_like_sum31(size: int, overshoot: Overshoot) -> None:
    rules = sum31_like(size, overshoot)
    assert list(differences(rules)) == []


def test_random_variants_are_of_all_kinds() -> None:
    random = Random("kinds")
    rules = [variant(random, random.randint(1, 10)) for _ in range(300)]
    kinds = {
        (one.reaching, one.overshoot, one.start[0] == one.target, min(one.pool) < 0 < max(one.pool)) for one in rules
    }
    assert len(kinds) == 12  # no overshoot where the start is the target
    assert any(len(set(one.pool)) < len(one.pool) for one in rules)
    unreached = (solved(one, Method.MASKS).count != BitBoard(one).size for one in rules[:40])
    assert any(unreached)


def test_a_pool_of_twenty_has_as_many_positions_and_the_same_openings() -> None:
    rules = sum31_like(20)
    board, fast = solved(rules, Method.BOARD), solved(rules, Method.MASKS)
    assert board.count == fast.count
    assert board.options(board.start) == fast.options(fast.start)


def test_a_foreign_pool_cannot_arise() -> None:
    """A position refuses a pool that is no part of its game's, but it may be a position of another game."""
    rules = sum31_like(9)
    other = replace(rules, pool=(-1, 1, *rules.pool, 10))
    fast = solved(rules, Method.MASKS)
    for pool in ((10,), (1, 1), (-1,)):
        with pytest.raises(IllegalPositionError, match="cannot arise"):
            fast.value(replace(fast.start, rules=other, pool=pool))
