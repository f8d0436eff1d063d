"""How a sequential test ends that looks after every pair, and what scores come to, written from their definitions."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, log10

from zerosum.arena.strength.ratings import ERROR, LEAST_PAIRS, POINTS, Sprt, sprt


def elo_of(score: float) -> float:
    """Return by how many Elo points a player is stronger who scores this share of the points."""
    return -inf if score <= 0 else inf if score >= 1 else 400 * log10(score / (1 - score))


def cells_of(scores: Iterable[float]) -> tuple[int, ...]:
    """Return how many pairs fall into each cell, by the points of the first-named player, from 0 to 2."""
    points = [round(2 * score) for score in scores]
    return tuple(points.count(cell) for cell in range(len(POINTS)))


def until_decided(scores: Iterable[float], elo0: float, elo1: float, error: float = ERROR) -> Sprt:
    """Return how a test ends that looks after every pair; `scores` are points from 0 to 2, by pair number.

    The order is that of the numbers of the pairs, never that of arrival: quick matches must not count first.
    """
    cells = [0] * len(POINTS)
    state = sprt(cells, elo0, elo1, error)
    for score in scores:
        cells[round(2 * score)] += 1
        if sum(cells) >= LEAST_PAIRS:
            state = sprt(cells, elo0, elo1, error)
            if state.decision is not None:
                return state
    return sprt(cells, elo0, elo1, error)
