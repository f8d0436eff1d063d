"""How a sequential test ends that looks after every pair, written from its definition."""

from __future__ import annotations

from collections.abc import Iterable

from zerosum.arena.strength.ratings import ERROR, LEAST_PAIRS, POINTS, Sprt, sprt


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
