"""Policies: a player is the exact chance of each of its moves, so that scores can be computed and not sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zerosum.players.levels import LEVELS, Level
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Option, Solution, Verdict

Chances = dict[Move, float]
"""The chance of each legal move; they sum to 1."""
Policy = Callable[[Position, Solution], Chances]


def evenly(moves: Sequence[Move]) -> Chances:
    """Return the same chance for all of some moves."""
    return dict.fromkeys(moves, 1 / len(moves))


def perfectly(position: Position, solution: Solution) -> Chances:
    """Win as quickly as possible, keep a draw, or, where all is lost, set the best trap."""
    options = solution.options(position)
    best = options[0].value
    if best.verdict is Verdict.LOSS:
        return evenly(best_traps(position, options, solution))
    return evenly([option.move for option in options if option.value == best])


def best_traps(position: Position, options: Sequence[Option], solution: Solution) -> list[Move]:
    """Return the moves after which the fewest replies keep the win; of these, those that take longest."""

    def worth(option: Option) -> tuple[int, int]:
        after = position.play_unchecked(option.move)
        if after.outcome is not None:
            return -len(solution.start.legal_moves()), 0
        winning = sum(reply.value.verdict is Verdict.WIN for reply in solution.options(after))
        return -winning, option.value.plies or 0

    best = max(map(worth, options))
    return [option.move for option in options if worth(option) == best]


def at_level(level: Level) -> Policy:
    """Return the policy of a level."""

    def policy(position: Position, solution: Solution) -> Chances:
        options = solution.options(position)
        at_once = [option.move for option in options if _wins_within(option, 1)]
        if level.sure and at_once:
            return evenly(at_once)
        chances = dict.fromkeys((option.move for option in options), level.slip / len(options))
        for move, chance in _thinking(level, position, options, solution).items():
            chances[move] += (1 - level.slip) * chance
        return chances

    return policy


def _wins_within(option: Option, sight: int) -> bool:
    return option.value.verdict is Verdict.WIN and (option.value.plies or 0) <= sight


def _thinking(level: Level, position: Position, options: Sequence[Option], solution: Solution) -> Chances:
    """Return what a level plays when it does not slip: the quickest win it sees, else anything it does not see lose."""
    if _wins_within(options[0], level.sight):
        return evenly([option.move for option in options if option.value == options[0].value])
    safe = [option for option in options if option.value.plies is None or option.value.plies > level.sight]
    unlost = safe or [option for option in options if option.value.verdict is not Verdict.LOSS]
    if unlost:
        return evenly([option.move for option in unlost])
    if level.traps:
        return evenly(best_traps(position, options, solution))
    return evenly([option.move for option in options if option.value == options[0].value])


POLICIES: dict[str, Policy] = {
    "random": lambda position, _: evenly(position.legal_moves()),
    **{f"level:{n}": at_level(level) for n, level in LEVELS.items()},
    "perfect": perfectly,
}
