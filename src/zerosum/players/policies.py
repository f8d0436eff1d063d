"""Policies: a player is the exact chance of each of its moves, so scores are computed, not sampled.

What a player looks at is the *worth* of each move: a whole number, greater is better. A win in p plies is worth `FAR`
less p, a loss the negation of that, a draw 0. So quick wins are worth more than slow ones, and slow losses more than
quick ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from zerosum.players.levels import EVERYTHING, STRENGTHS, Level
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Value, Verdict

FAR: Final = EVERYTHING + 1
AT_ONCE: Final = FAR - 1
"""The worth of a move that wins at once; its negation is that of one that loses at once."""

_TRAP: Final = 3
"""A loss at least this many plies away has to be seen: neither this move nor the reply to it ends the match."""

Chances = dict[Move, float]
"""The chance of each legal move; they sum to 1."""
Traps = Callable[[], Sequence[int]]
"""Returns which moves are the best traps; called only where every move loses."""


def worth_of(value: Value) -> int:
    """Return the worth of a move of this value."""
    if value.verdict is Verdict.DRAW or value.plies is None:
        return 0
    return FAR - value.plies if value.verdict is Verdict.WIN else value.plies - FAR


def before_move(worth: int) -> int:
    """Return the worth of a move that leads to a position of this worth for the opponent, one ply further away."""
    if worth == 0:
        return 0
    return 1 - worth if worth > 0 else -1 - worth


def chances_of(levels: Iterable[Level], worths: Sequence[int], traps: Traps) -> list[list[float]]:
    """Return each level's chance of each move, given what each move is worth."""
    best, moves = max(worths), len(worths)
    quickest = [at for at, worth in enumerate(worths) if worth == best]
    sure = _evenly(moves, quickest) if best == AT_ONCE else None
    trap = _evenly(moves, traps()) if best < 0 else None
    thinking: dict[int, Sequence[int]] = {}
    found = []
    for level in levels:
        if sure is not None and level.sure:
            found.append(sure)
        elif trap is not None and level.traps and FAR + best <= level.sight:
            found.append(trap)
        else:
            sight = level.sight
            if sight not in thinking:
                thinking[sight] = _thinking(sight, worths, best) or quickest
            found.append(_evenly(moves, thinking[sight], level.slip))
    return found


def _thinking(sight: int, worths: Sequence[int], best: int) -> Sequence[int]:
    """Return the moves that do not lose as far as the player sees; none where it sees a win."""
    seen = FAR - sight
    return [at for at, worth in enumerate(worths) if worth > -seen] if best < seen else ()


def _evenly(moves: int, chosen: Collection[int], slip: float = 0.0) -> list[float]:
    """Share the chance of a slip among all moves, and the rest among the chosen ones."""
    chances = [slip / moves] * moves
    share = (1 - slip) / len(chosen)
    for at in chosen:
        chances[at] += share
    return chances


def best_traps(worths: Sequence[int], winning_replies: Sequence[int]) -> list[int]:
    """Return the moves after which the fewest replies keep the opponent's win; of these, those that take longest.

    A move that loses at once leaves the opponent nothing to get wrong, and nobody misses a win at once: such moves are
    the last choice, however few the winning replies.
    """
    ranks = [(min(FAR + worth, _TRAP), -replies, worth) for worth, replies in zip(worths, winning_replies, strict=True)]
    best = max(ranks)
    return [at for at, rank in enumerate(ranks) if rank == best]


def chances(who: str, position: Position, solution: Solution) -> Chances:
    """Return the chance of each move that the player `who` may make."""
    options, (found,) = weighed([STRENGTHS[who]], position, solution)
    return {option.move: chance for option, chance in zip(options, found, strict=True)}


def weighed(levels: Iterable[Level], position: Position, solution: Solution) -> tuple[list[Option], list[list[float]]]:
    """Return the moves of a position with their values, the best first, and each level's chance of each."""
    options = solution.options(position)
    worths = [worth_of(option.value) for option in options]

    def traps() -> list[int]:
        following = (position.play_unchecked(option.move) for option in options)
        return best_traps(worths, [winning_moves(solution, after) for after in following])

    return options, chances_of(levels, worths, traps)


def winning_moves(solution: Solution, position: Position) -> int:
    """Return how many moves keep a win; none where the match is over."""
    if position.outcome is not None:
        return 0
    return sum(option.value.verdict is Verdict.WIN for option in solution.options(position))
