"""What the environments of PettingZoo and Gymnasium share: spaces, observations, actions, rendering and regret."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from zerosum.arena.strength.decisions import POINTS, Judge, judge_of
from zerosum.base.errors import BadValueError
from zerosum.base.extras import missing
from zerosum.base.text import shorten
from zerosum.envs.duel import Duel, drawing
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.notation import parse_position
from zerosum.rules.position import Position
from zerosum.solver import solution_of
from zerosum.solver.encoding import Encoding

try:
    import numpy as np
    from gymnasium import logger, spaces
except ImportError as error:
    raise missing(__name__, error) from error


Observation = dict[str, Any]
"""`observation`, a row of numbers (`encoding.py`), and `action_mask`, 1 for each legal action."""
RENDER_MODES: Final = ("human", "ansi")
"""`human` prints every position, `ansi` returns it as text."""


def observation_space(encoding: Encoding) -> spaces.Dict:
    """Return the space of a game's observations."""
    low, high = encoding.bounds()
    mask = spaces.Box(0, 1, (encoding.actions,), np.int8)
    return spaces.Dict({"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": mask})


def action_space(encoding: Encoding) -> spaces.Discrete:
    """Return the space of a game's actions: the index of each move in `rules.moves`."""
    return spaces.Discrete(encoding.actions)


def observation_of(duel: Duel, player: int, encoding: Encoding) -> Observation:
    """Return what a player sees; nothing is legal for a player who is not to move."""
    position = duel.position
    to_move = duel.mover == player and not duel.over
    mask = encoding.mask(position) if to_move else np.zeros(encoding.actions, np.int8)
    return {"observation": encoding.observe(position, duel.seat(player)), "action_mask": mask}


def move_of(action: object, encoding: Encoding) -> Move:
    """Return the move of an action; whether it is legal is another question."""
    try:
        at = operator.index(action)  # type: ignore[arg-type]  # that is the question
    except TypeError:
        at = -1
    if not 0 <= at < encoding.actions:
        raise BadValueError(f"An action is a number from 0 to {encoding.actions - 1}, not {shorten(repr(action))}.")
    return encoding.moves[at]


def begin_at(options: dict[str, Any] | None, start: Position) -> Position:
    """Return the position that the options of a reset name, else the start."""
    text = (options or {}).get("position")
    if text is None:
        return start
    if not isinstance(text, str):
        raise BadValueError(f"A position to begin at is a text such as '{start}', not {shorten(repr(text))}.")
    found = parse_position(text, start.rules)
    if found.outcome is not None:
        raise BadValueError(f"The match is over at '{found}'; begin where somebody is to move.")
    return found


def check_mode(mode: str | None) -> str | None:
    """Return a render mode, or raise if there is none of that name."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadValueError(f"render_mode is one of {', '.join(RENDER_MODES)} or None, not {shorten(repr(mode))}.")
    return mode


def show(mode: str | None, duel: Duel, names: tuple[str, str]) -> None:
    """Print a position if a person watches."""
    if mode == "human":
        sys.stdout.write(drawing(duel, names) + "\n\n")


def rendered(mode: str | None, duel: Duel, names: tuple[str, str]) -> str | None:
    """Return what `render` returns: text with `ansi`, nothing with `human`, which has printed it already."""
    if mode is None:
        logger.warn("render() shows nothing here: make the environment with render_mode='ansi' or 'human'.")
    return drawing(duel, names) if mode == "ansi" else None


Label = Callable[[Position, Move | None], dict[str, Any]]
"""Returns what `info` says of a move; the move is None if it was illegal."""


def label_of(rules: Rules, *, regret: bool) -> Label:
    """Return what labels the moves of a game; with regret the game is solved now, or refused if it is too large."""
    if not regret:
        return lambda _position, _move: {}
    solution_of(rules)
    return labels


@lru_cache(maxsize=8)
def _judge(rules: Rules) -> Judge:
    return judge_of(solution_of(rules))


def labels(position: Position, move: Move | None) -> dict[str, Any]:
    """Return `regret`, what a move gave away, and `real`, whether there was anything to choose.

    Regret is 1 for a win turned into a loss, 0 for a verdict kept. An illegal move, None here, gives away
    what there was: nothing if the position is lost, and that is no real choice either.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.notation import parse_position
    >>> position = parse_position("1,2,3,4,7 28 1", load_game("sum31"))
    >>> labels(position, Move(3)), labels(position, Move(7))
    ({'regret': 0.0, 'real': True}, {'regret': 1.0, 'real': True})
    """
    decision = _judge(position.rules)(position, position.legal_moves()[0] if move is None else move)
    return {"regret": POINTS[decision.best.verdict] if move is None else decision.regret, "real": decision.real}
