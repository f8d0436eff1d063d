"""Masks find the laws that the board finds."""

from __future__ import annotations

import random

from tests.each import each
from zerosum.base.progress import silent
from zerosum.rules.model import Overshoot, Reaching, Rules
from zerosum.solver import MEMORY, SOLVERS
from zerosum.solver.supports import Method


@each("seed", range(30))
def test_agree(seed: int) -> None:
    dice = random.Random(f"fast laws/{seed}")
    numbers = [number for number in range(-9, 10) if number]
    pool = dice.sample(numbers, 6) if seed % 2 else [dice.choice(numbers) for _ in range(6)]
    target = dice.choice((sum(pool), 0, dice.randint(-12, 12)))
    rules = Rules(
        id="laws",
        name="Laws",
        pool=tuple(sorted(pool)),
        target=target,
        reaching=dice.choice((Reaching.WINS, Reaching.WINS, Reaching.LOSES)),
        overshoot=Overshoot.LOSES if target and seed % 3 == 0 else Overshoot.PLAY_ON,
    )
    board, fast = (SOLVERS[method](rules, MEMORY, silent) for method in (Method.BOARD, Method.MASKS))
    assert fast.laws() == board.laws()
