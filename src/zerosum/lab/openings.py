"""What is measured of the first moves of a game."""

from __future__ import annotations

from math import log2
from typing import Final

from zerosum.lab.lab_json import OpeningsJson
from zerosum.players.policies import winning_moves
from zerosum.rules.moves import SWAP
from zerosum.solver import Solution, Verdict

PLACES: Final = 12
"""Places to which every figure of the lab is rounded."""


def openings_of(solution: Solution) -> OpeningsJson:
    """Return how many moves the start has, how many win, and after how many swapping is right."""
    start = solution.start
    count = len(start.legal_moves())
    if solution.rules.swap:
        winning, right = _with_swap(solution)
    else:
        winning, right = winning_moves(solution, start), None
    share = winning / count
    bits = -sum(part * log2(part) for part in (share, 1 - share) if part)
    return {
        "count": count,
        "winning": winning,
        "share": round(share, PLACES),
        "bits": round(bits, PLACES) if bits else 0.0,
        "swap_right": None if right is None else round(right / count, PLACES),
    }


def _with_swap(solution: Solution) -> tuple[int, int]:
    """Return how many openings win as if seats were never swapped, and after how many swapping is right."""
    start = solution.start
    winning = right = 0
    for move in start.legal_moves():
        after = start.play_unchecked(move)
        if after.outcome is not None:
            winning += after.outcome.winner is start.seat
            continue
        replies = solution.options(after)
        winning += all(one.value.verdict is Verdict.LOSS for one in replies if one.move != SWAP)
        right += any(one.value.verdict is replies[0].value.verdict for one in replies if one.move == SWAP)
    return winning, right
