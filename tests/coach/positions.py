"""Positions to explain: of the five games, and of variants with every key."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tests.clauses.replay import variant
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution

GAMES = ("sum-to-zero", "sequence-zero", "zero-sum-duel", "zero-sum-game", "sum31")

VARIANTS: dict[str, Rules] = {
    "misere": variant("sum31", target=12, reaching="loses"),
    "misere past": variant("sum31", target=12, reaching="loses", overshoot="play-on"),
    "swap": variant("sum31", swap=True),
    "own swap": variant("sequence-zero", pool=[1, 2, 3, 4, 5], swap=True, tie="first-mover"),
    "ban": variant("sum-to-zero", pool=[-4, -3, -2, -1, 1, 2, 3, 4], start=5, ban="mirror"),
    "ban and swap": variant("zero-sum-duel", pool=[1, 2, 2, 3, 4], ban="mirror", swap=True),
    "negative": variant("zero-sum-duel", pool=[-3, -1, 2, 5], target=4),
    "tie": variant("sequence-zero", pool=[1, 2, 3, 4], target=40),
    "draws": variant("zero-sum-game", pool=[1, -1], start=[1, -1], target=0),
    "misere sudden death": variant("zero-sum-game", pool=[-2, -1, 1, 2], reaching="loses"),
    "large": variant("zero-sum-duel", pool=[999_999, 1_000_000, 77, 500_000], target=-1_000_000),
    "own past": variant("sequence-zero", pool=[1, 2, 3, 4, 5], target=6, overshoot="loses"),
    "repeats": variant("sum31", pool=[1, 2, 3, 4, 5] * 3, target=31),
    "always a tie": variant("sequence-zero", pool=[2, 2, 2, 2, 2, 2], operations=["add"], target=40),
    "last": variant("sum31", pool=[1, 2, 3, 4, 5], target=99),
}


def moves_to_explain(solution: Solution, count: int, seed: int = 7) -> Iterator[tuple[Position, Move]]:
    """Yield positions of plays at random and a move of each, none twice; best moves and any others."""
    chance = Random(seed)
    seen: set[tuple[object, Move]] = set()
    for _ in range(count * 3):
        position = solution.start
        for _ in range(60):
            options = solution.options(position)
            shy = [one.move for one in options if position.play(one.move).outcome is None]
            move = options[0].move if chance.random() < 0.25 else chance.choice(options).move
            if (position.key, move) not in seen:
                seen.add((position.key, move))
                yield position, move
                if len(seen) == count:
                    return
            if not shy:
                break
            position = position.play(move if move in shy else chance.choice(shy))
