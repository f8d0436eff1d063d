"""The best response to a policy: what the cleverest opponent, who knows every chance of it, would score.

That opponent takes its best move; over the moves of the policy, the mean counts.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from zerosum.arena.strength.named_policies import LevelChances
from zerosum.base.progress import Progress, silent
from zerosum.players.levels import STRENGTHS
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.moves import SWAP, Move
from zerosum.rules.position import Position, start_position
from zerosum.solver import SolverError
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import Graph
from zerosum.solver.graph_passes import Chooser, Truth

_NOW_AND_THEN: Final = 1_000

Edges = Sequence[float]
"""The chance of every edge of a graph."""
Respond = Callable[[Position, Seat], float]
"""Returns the best response's chance to win a position, sitting in that seat."""


class PolicyGraph(NamedTuple):
    """The graph of a game, what is true of it, and the chances of a policy on it."""

    graph: Graph
    truth: Truth
    chances: Chooser
    """For the positions that the policy can meet, in either seat and against anybody."""


def policy_graph(policy: MovePolicy, start: Position) -> PolicyGraph:
    """Return the graph from a position with the chances of a policy; games whose positions return have none."""
    graph = graph_of(start, mirrors=policy.mirrors)
    is_level = isinstance(policy.chances, LevelChances)
    found = chances_on(graph, policy) if is_level else chances_met(graph, policy.chances)
    return PolicyGraph(graph, truth_of(graph), found)


def chances_on(graph: Graph, policy: MovePolicy, progress: Progress = silent) -> Chooser:
    """Return the chances of a policy in every position."""
    if isinstance(policy.chances, LevelChances):
        return STRENGTHS[policy.chances.who]
    found = array("d")
    for node in range(graph.layers[-1]):
        found.extend(policy.chances(graph.position(node)))
        if node % _NOW_AND_THEN == 0:
            progress(f"{node:,} of {graph.size:,} positions")
    return found


def chances_met(graph: Graph, chances: Callable[[Position], Sequence[float]], progress: Progress = silent) -> Edges:
    """Return the chances of a player where it can be to move, in either seat and against anybody; 0 elsewhere."""
    found = array("d", bytes(8 * len(graph.to)))
    moves, waits = bytearray(graph.size), bytearray(graph.size)
    starts = len(graph.before)
    moves[:starts] = waits[:starts] = b"\1" * starts
    for node in range(graph.layers[-1]):
        edges = graph.edges(node)
        if moves[node]:
            for edge, share in zip(edges, chances(graph.position(node)), strict=True):
                found[edge] = share
                if share and graph.to[edge] >= 0:
                    waits[graph.to[edge]] = 1
        if waits[node]:
            for there in graph.to[edges.start : edges.stop]:
                if there >= 0:
                    moves[there] = 1
        if node % _NOW_AND_THEN == 0:
            progress(f"{node:,} of {graph.size:,} positions")
    return found


@dataclass(frozen=True, slots=True)
class Exploitability:
    """How often the best response to a policy wins, from either seat.

    `value` is the mean over both seats of what the best response gains, where a win is +1 and a loss -1: 0 for a policy
    that cannot be beaten, as OpenSpiel computes it.
    """

    as_first: float
    as_second: float

    @property
    def value(self) -> float:
        """The exploitability, from 0 to 1."""
        # The larger first: if it is a certain win, nothing is rounded.
        return (max(self.as_first, self.as_second) - 1) + min(self.as_first, self.as_second)


def exploitability(policy: MovePolicy, rules: Rules) -> Exploitability:
    """Return the exact exploitability of a policy.

    >>> from zerosum.arena.strength.named_policies import policy_of
    >>> from zerosum.rules.game_files import load_game
    >>> sum31 = load_game("sum31")
    >>> exploitability(policy_of("perfect", sum31).guest, sum31).value
    0.0
    """
    _refuse_sudden_death(rules)
    return exploitability_on(policy_graph(policy, start_position(rules)))


def exploitability_on(on: PolicyGraph) -> Exploitability:
    """Return the exact exploitability of a policy whose chances are known."""
    responds, waits = passes_of(on.graph).best_response(*on)
    return Exploitability(float(responds[0]), float(waits[0]))


def responder(policy: MovePolicy, rules: Rules) -> Respond:
    """Return a function that gives the best response's chance in any position."""
    _refuse_sudden_death(rules)
    graphs: list[tuple[Graph, Sequence[float], Sequence[float]]] = []

    def chance(position: Position, seat: Seat) -> float:
        if position.outcome is not None:
            return float(position.outcome.winner is seat)
        for graph, responds, waits in graphs:
            node = graph.index(position)
            if node is not None:
                return float((responds if position.seat is seat else waits)[node])
        add(position)
        return chance(position, seat)

    def add(start: Position) -> None:
        graph = graph_of(start, mirrors=policy.mirrors)
        truth = truth_of(graph)
        chances = chances_on(graph, policy)
        graphs.append((graph, *passes_of(graph).best_response(graph, truth, chances)))

    add(start_position(rules))
    return chance


def _refuse_sudden_death(rules: Rules) -> None:
    if rules.tie is Tie.SUDDEN_DEATH:
        raise SolverError(
            f"A match of {rules.name} may go on for ever; no exact best response is known for such games."
        )


def seat_after(move: Move, seat: Seat) -> Seat:
    """Return where somebody sits after a move who sat in `seat`: `swap` makes both change seats."""
    return seat.other if move == SWAP else seat
