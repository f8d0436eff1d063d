"""What players of others answer, as chances: a function of a position, or a policy of OpenSpiel.

A wrong answer is an error that names the position: a strength that left it out would not be exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, isfinite
from typing import Any, Final, TypeVar

from zerosum.base.errors import BadValueError, ZerosumError
from zerosum.base.text import shorten
from zerosum.players.registry import Player, chances_in
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver.graph_arrays import Graph

K = TypeVar("K")

OFF: Final = 1e-5
"""How far chances may be from a sum of 1: what adding numbers of 32 bits leaves."""
_ROUNDING: Final = 1e-12

ChancesAt = Callable[[Position], Sequence[float]]
"""Returns the chance of each legal move of a position, in their order."""


class BadAnswerError(ZerosumError):
    """A player's answer that is no choice in its position, which `position` holds."""

    def __init__(self, position: Position, why: str) -> None:
        self.position = position
        super().__init__(f"At '{position}' the player gave a bad answer: {why}")


def asked(player: Player) -> ChancesAt:
    """Return the chances of a function that is called with each position.

    >>> from zerosum.rules.game_files import load_game
    >>> from zerosum.rules.position import start_position
    >>> asked(lambda position: {"+9": 0.75, "+1": 0.25})(start_position(load_game("sum31")))
    [0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.75]
    """

    def chances(position: Position) -> Sequence[float]:
        try:
            choice = player(position)
        except Exception as error:
            error.add_note(f"The player was asked about '{position}'.")
            raise
        try:
            return _read(chances_in(choice, position), position)
        except BadAnswerError:
            raise
        except ZerosumError as error:
            raise BadAnswerError(position, str(error)) from None

    return chances


def _read(found: Mapping[Move, float] | Sequence[Move], position: Position) -> list[float]:
    legal = position.legal_moves()
    if not isinstance(found, Mapping):
        # A move that is named twice is twice as likely.
        return [found.count(move) / len(found) for move in legal]
    shares = shared(found, position)
    return [shares.get(move, 0.0) for move in legal]


def shared(given: Mapping[K, Any], position: Position) -> dict[K, float]:
    """Return chances as floats that sum to 1 up to rounding, if that is what they are."""
    found = {key: _share(share, position) for key, share in given.items()}
    whole = fsum(found.values())
    if abs(whole - 1) > OFF:
        raise BadAnswerError(position, f"the chances sum to {whole:.9g}, not to 1.")
    # Nothing is divided where nothing has to be: a table is measured as it stands.
    return found if abs(whole - 1) <= _ROUNDING else {key: share / whole for key, share in found.items()}


def _share(share: object, position: Position) -> float:
    try:
        found = float(share)  # type: ignore[arg-type]  # that is the question
    except (TypeError, ValueError):
        found = -1.0
    if not isfinite(found) or found < 0:
        raise BadAnswerError(position, f"a chance is a number from 0 to 1, not {shorten(repr(share))}.")
    return found


def of_openspiel(policy: Any, game: Any, graph: Graph) -> ChancesAt:
    """Return the chances of a policy of OpenSpiel in a game as OpenSpiel knows it.

    The policy is asked about one line of moves to each position.
    """
    rules = graph.rules
    if getattr(game, "rules", None) != rules:
        raise BadValueError(
            f"The policy is for {shorten(str(game))}, not for {rules.name}; zerosum.envs.openspiel.name_of(game) names "
            "the game for OpenSpiel."
        )

    def chances(position: Position) -> Sequence[float]:
        node = graph.index(position)
        state = game.new_initial_state()
        for move in graph.line_to(node or 0):
            state.apply_action(rules.index_of(move))
        found = shared(dict(policy.action_probabilities(state)), position)
        legal = state.legal_actions()
        wrong = next((action for action, share in found.items() if share and action not in legal), None)
        if wrong is not None:
            raise BadAnswerError(position, f"action {wrong} is not legal.")
        return [found.get(action, 0.0) for action in legal]

    return chances
