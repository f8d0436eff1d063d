"""What a move gave away, exactly: the labels that an environment puts into `info` where it is asked to."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from zerosum.arena.strength.decisions import POINTS, Judge, judge_of
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import solution_of

Label = Callable[[Position, Move | None], dict[str, Any]]
"""Returns what `info` says of a move, None for an illegal one."""


def label_of(rules: Rules, *, regret: bool) -> Label:
    """Return what labels the moves of a game; with regret the game is solved now, or refused where it is too large."""
    if not regret:
        return _nothing
    solution_of(rules)
    return labels


def _nothing(position: Position, move: Move | None) -> dict[str, Any]:  # noqa: ARG001 - as all labels
    return {}


@lru_cache(maxsize=8)
def _judge(rules: Rules) -> Judge:
    return judge_of(solution_of(rules))


def labels(position: Position, move: Move | None) -> dict[str, Any]:
    """Return `regret`, what a move gave away, and `real`, whether there was anything to choose.

    Regret is 1 for a win turned into a loss, 0 for a verdict kept. An illegal move, None here, gives away
    what there was: nothing where the position is lost, and that is no real choice either.

    >>> from zerosum.rules.files import load_game
    >>> from zerosum.rules.notation import parse_position
    >>> position = parse_position("1,2,3,4,7 28 1", load_game("sum31"))
    >>> labels(position, Move(3)), labels(position, Move(7))
    ({'regret': 0.0, 'real': True}, {'regret': 1.0, 'real': True})
    """
    decision = _judge(position.rules)(position, position.legal_moves()[0] if move is None else move)
    return {"regret": POINTS[decision.best.verdict] if move is None else decision.regret, "real": decision.real}
