"""Counting move sequences: the test that moves, ends and repeats are as the rules say."""

from collections import Counter
from typing import Final

from zerosum.base import limits
from zerosum.base.errors import ZerosumError
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules
from zerosum.rules.position import Position, start_position

_NOW_AND_THEN: Final = 2_000


class TooManyPositionsError(ZerosumError):
    """A count that would need too much memory."""


def perft(rules: Rules, depth: int, progress: Progress = silent) -> int:
    """Return how many legal move sequences have exactly `depth` moves.

    Sequences that meet in the same position are counted together, a ply at a time.

    >>> from zerosum.rules.game_files import load_game
    >>> [perft(load_game("sum31"), depth) for depth in range(4)]
    [1, 9, 72, 504]
    """
    frontier: Counter[Position] = Counter({start_position(rules): 1})
    for ply in range(depth):
        following: Counter[Position] = Counter()
        for n, (position, sequences) in enumerate(frontier.items()):
            if n % _NOW_AND_THEN == 0:
                progress(f"move {ply + 1} of {depth}, {n:,} of {len(frontier):,} positions")
            for move in position.legal_moves():
                following[position.play_unchecked(move)] += sequences
            if len(following) > limits.PERFT_POSITIONS:
                raise TooManyPositionsError(
                    f"After {ply + 1} moves there are more than {limits.PERFT_POSITIONS} positions, the most that are "
                    f"counted. Ask for a depth below {ply + 1}."
                )
        frontier = following
        if not frontier:
            return 0
    return frontier.total()
