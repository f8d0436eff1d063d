"""Players that no program has to be started for, measured: names, functions, arrays, modules, models."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

from zerosum.arena.strength.best_response import Edges, PolicyGraph, chances_met
from zerosum.arena.strength.named_policies import (
    LevelChances,
    Policy,
    asked,
    level_policy,
    of_openspiel,
    policy_of,
    remembered,
)
from zerosum.arena.strength.policy_report import Measured, measured_on, scores_of, scores_on
from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.base.text import shorten
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Tie
from zerosum.rules.position import start_position
from zerosum.solver import SolverError, solution_of
from zerosum.solver.choose_method import quickest_plan
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import Truth
from zerosum.strategy.card_player import CARD, PLAYERS

_MEASURED: Final = "(measured)"


class AskedPlayer(NamedTuple):
    """A player that can be asked for the chance of every edge of a graph."""

    name: str
    ask: Callable[[Graph, Truth, Progress], Edges]
    policy: MovePolicy | None = None
    """The same of one position; None if it is asked about all of a game alone."""


def measure_asked(player: AskedPlayer, rules: Rules, progress: Progress = silent, name: str = "") -> Measured:
    """Measure a player that can be asked."""
    if rules.tie is Tie.SUDDEN_DEATH:
        return _without_end(player, rules, name, progress)
    graph, truth = _graph(rules)
    on = PolicyGraph(graph, truth, player.ask(graph, truth, progress))
    return measured_on(name or player.name, on, scores_on(on, progress))


@lru_cache(maxsize=4)
def _graph(rules: Rules) -> tuple[Graph, Truth]:
    """Return the graph of a game without mirrors, and what is true of it; both are remembered."""
    quickest_plan(rules)  # refuses a game that is too large to solve, with an estimate
    if not find_spec("numpy"):
        graph = graph_of(start_position(rules), mirrors=False)
        return graph, truth_of(graph)
    from zerosum.solver.game_table import game_table  # noqa: PLC0415 - an extra, and slow to load

    graph = game_table(rules).graph
    return graph, truth_of(graph)


def _without_end(player: AskedPlayer, rules: Rules, name: str, progress: Progress) -> Measured:
    """Measure a player where matches may go on for ever: its scores, and all that happens before the first refill."""
    if player.policy is None:
        raise SolverError(
            f"{rules.name} has no end of positions, so no array, module, model or policy of OpenSpiel can be asked "
            "about all of them. Give a function of a position that plays alike wherever the target is out of reach."
        )
    # A function may have any name, also that of a built-in player.
    built_in = isinstance(player.policy.chances, LevelChances)
    policy = Policy(player.name if built_in else _MEASURED, player.policy)
    start = start_position(rules)
    scores = scores_of(policy, start, progress=progress)
    graph = graph_of(start, mirrors=False, progress=progress)
    truth = truth_of(graph, solution_of(rules).options)
    on = PolicyGraph(graph, truth, player.ask(graph, truth, progress))
    return measured_on(name or player.name, on, scores, whole=False)


def named_player(name: str, rules: Rules) -> AskedPlayer:
    """Return a player by its name; no bot is one."""
    if name in STRENGTHS:

        def ask(graph: Graph, truth: Truth, _progress: Progress) -> Edges:
            return passes_of(graph).edge_chances(graph, truth, STRENGTHS[name])

        return AskedPlayer(name, ask, level_policy(name, rules).guest if rules.tie is Tie.SUDDEN_DEATH else None)
    if name in PLAYERS and name != CARD:
        return by_position(name, remembered(asked(PLAYERS.find(name).make(rules, solution_of))))
    return by_position(name, policy_of(name, rules).guest)


def by_position(name: str, policy: MovePolicy) -> AskedPlayer:
    """Return a player that is asked position by position."""
    return AskedPlayer(name, lambda graph, _truth, progress: chances_met(graph, policy.chances, progress), policy)


def player_object(player: Any, game: Any, rules: Rules, *, greedy: bool) -> AskedPlayer:
    """Return an object of Python that can be asked, by what it can do."""
    name = str(getattr(player, "__name__", "") or type(player).__name__)
    if hasattr(player, "action_probabilities"):
        # A policy in C++ does not know its game; the caller may have given OpenSpiel's.
        known = getattr(player, "game", None) or game
        return AskedPlayer(name, lambda graph, *_: chances_met(graph, of_openspiel(player, known, graph)))
    if find_spec("numpy"):
        from zerosum.arena.strength import array_players as arrays  # noqa: PLC0415 - an extra, and slow to load
        from zerosum.solver.game_table import game_table  # noqa: PLC0415 - as above

        of = arrays.reader_of(player)
        if of is not None:
            return AskedPlayer(name, lambda *_: of(game_table(rules), player, greedy=greedy))
    if callable(player):
        return by_position(name, remembered(asked(player)))
    raise BadValueError(
        "A player is a name, a function of a position, an array, a module of PyTorch, a model of Stable-Baselines3 or "
        f"a policy of OpenSpiel, not {shorten(repr(player))}."
    )
