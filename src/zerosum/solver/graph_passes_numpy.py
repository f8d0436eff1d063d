"""The passes over a graph by NumPy, of the extra `fast`: the same figures as those of `graph_passes.py`, sooner.

Within a layer every array has a row for each node and a column for each move; `legal` says which columns are moves.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.solver.graph_arrays import ENDS, Graph
from zerosum.solver.graph_passes import (
    END_CHANCES,
    END_WORTHS,
    Chooser,
    Counts,
    MatchCourse,
    MatchFigures,
    Meeting,
    Pair,
    Ply,
    PositionFigures,
    RoundChances,
    Rows,
    Situation,
    Strength,
    Truth,
    add_endings,
    reasons,
)
from zerosum.solver.value import AT_ONCE, FAR

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_NEVER: Final = -(1 << 40)
"""The worth of a move that is not legal: below any other."""
_TRAP: Final = 3
_AT_ONCE_SIZE: Final = 1 << 17
"""Chances that are multiplied together; they fit into a cache."""


# Layers


class _Layer(NamedTuple):
    """The edges of a layer, as a matrix."""

    low: int
    high: int
    edge: Ints
    to: Ints
    legal: Flags
    moves: Ints
    """How many moves each node has."""
    into: Ints
    """Where the moves lead, counted from the end of the layer and after the ends."""


def _layers(graph: Graph) -> list[tuple[int, int]]:
    return list(pairwise(graph.layers))


def _layer(graph: Graph, low: int, high: int) -> _Layer:
    first = np.asarray(graph.first)[low : high + 1].astype(np.int64)
    moves = np.diff(first)
    columns = np.arange(moves.max())
    legal = columns < moves[:, None]
    edge = np.where(legal, first[:-1, None] + columns, first[:-1, None])
    to = np.asarray(graph.to)[edge].astype(np.int64)
    into = np.where(to < 0, to + ENDS, to - high + ENDS).reshape(-1)
    return _Layer(low, high, edge, to, legal, moves, into)


def _back(truth: Truth) -> Ints:
    worth = np.asarray(truth.worth).astype(np.int64)
    return np.concatenate([_before_move(worth), END_WORTHS])


def _before_move(worth: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = np.sign(worth) - worth
    return found


def _worths(layer: _Layer, back: Ints) -> Ints:
    return np.where(layer.legal, back[layer.to], _NEVER)


# Passes


def values(graph: Graph, opened: Sequence[tuple[int, int]] = ()) -> Truth:
    """Return what `graph_passes.values` returns."""
    closed = graph.layers[-1]
    worth, winning = (np.zeros(graph.size, np.int32) for _ in range(2))
    if opened:
        worth[closed:], winning[closed:] = np.array(opened).T
    back = np.concatenate([_before_move(worth), np.array(END_WORTHS, np.int32)])
    first, to = np.asarray(graph.first), np.asarray(graph.to)
    for low, high in reversed(_layers(graph)):
        edges = first[low : high + 1]
        worths = back[to[edges[0] : edges[-1]]]
        starts = edges[:-1] - edges[0]
        worth[low:high] = best = np.maximum.reduceat(worths, starts)
        winning[low:high] = np.add.reduceat(worths > 0, starts, dtype=np.int32)
        back[low:high] = _before_move(best)
    return Truth(_shared(worth), _shared(winning))


def _shared(found: NDArray[Any]) -> Any:
    """Return an array as numbers of Python that NumPy reads without a copy."""
    return np.ascontiguousarray(found).data


def counts(graph: Graph, truth: Truth, figures: PositionFigures) -> Counts:
    """Return what `graph_passes.counts` returns."""
    numbers = np.array([move.number for move in graph.rules.moves])
    move, count, back = np.asarray(graph.move), np.asarray(graph.count), _back(truth)
    positions, found = 0, dict.fromkeys(figures, 0)
    wins: dict[int, int] = {}
    needed: dict[int, int] = {}
    for low, high in _layers(graph):
        layer = _layer(graph, low, high)
        worths = _worths(layer, back)
        many = count[low:high]
        situation = Situation(worths.max(axis=1), *_kinds(layer, worths))
        positions += int(many.sum())
        for name, figure in figures.items():
            found[name] += int(many @ figure(situation))
        taken = numbers[move[layer.edge]]
        several = np.zeros(high - low, np.int64)
        winners = {}
        for number in np.unique(taken).tolist():
            winners[number] = ((worths > 0) & (taken == number)).any(axis=1)
            several += winners[number]
        alone = situation.real & (several == 1)
        for number, won in winners.items():
            if won.any():
                wins[number] = wins.get(number, 0) + int(many[won].sum())
            if (won & alone).any():
                needed[number] = needed.get(number, 0) + int(many[won & alone].sum())
    return Counts(positions, found, wins, needed)


def _kinds(layer: _Layer, worths: Ints) -> tuple[Flags, Flags]:
    """Return which nodes are real choices, and which have only one right move."""
    best = worths.max(axis=1)
    right = np.where(best > 0, (worths > 0).sum(axis=1), (worths == 0).sum(axis=1))
    right = np.where(best < 0, layer.moves, right)
    real = right < layer.moves
    return real, real & (right == 1) & (best >= 0)


class _Chances:
    """The chances of some players, layer by layer."""

    def __init__(self, truth: Truth, players: Sequence[Chooser]) -> None:
        self._back = _back(truth)
        self._winning = np.concatenate([np.asarray(truth.winning), np.zeros(ENDS, np.int32)]).astype(np.int64)
        self._levels = [one for one in players if not isinstance(one, Sequence | array)]
        # None for a level.
        self._others = [np.asarray(one) if isinstance(one, Sequence | array) else None for one in players]

    def of(self, layer: _Layer) -> tuple[Ints, list[Floats]]:
        """Return what each move is worth, and each player's chance of each move."""
        worths = _worths(layer, self._back)
        of_levels = iter(_chances(self._levels, layer, worths, self._winning[layer.to]) if self._levels else ())
        return worths, [
            next(of_levels) if chances is None else np.where(layer.legal, chances[layer.edge], 0.0)
            for chances in self._others
        ]


def _chances(levels: Sequence[Strength], layer: _Layer, worths: Ints, replies: Ints) -> list[Floats]:
    """Return each level's chance of each move: `chances_of` for a whole layer."""
    legal, best = layer.legal, worths.max(axis=1)
    quickest = worths == best[:, None]
    sure = _evenly(quickest)
    trap = sure
    if (best < 0).any():
        ranks = (np.minimum(FAR + worths, _TRAP) * 4096 - replies) * (1 << 31) + worths
        ranks = np.where(legal, ranks, np.iinfo(np.int64).min)
        trap = _evenly(ranks == ranks.max(axis=1)[:, None])
    blindly = legal / layer.moves[:, None]
    found: list[Floats] = []
    thinking: dict[int, Floats] = {}
    for level in levels:
        if level.sight not in thinking:
            seen = FAR - level.sight
            safe = legal & (worths > -seen)
            thinks = (best < seen) & safe.any(axis=1)
            thinking[level.sight] = _evenly(np.where(thinks[:, None], safe, quickest))
        chances: Any = level.slip * blindly + (1 - level.slip) * thinking[level.sight]
        if level.traps:
            chances = np.where(((best < 0) & (FAR + best <= level.sight))[:, None], trap, chances)
        if level.sure:
            chances = np.where((best == AT_ONCE)[:, None], sure, chances)
        found.append(chances)
    return found


def _evenly(chosen: Flags) -> Floats:
    shares: Floats = chosen / chosen.sum(axis=1)[:, None]
    return shares


def edge_chances(graph: Graph, truth: Truth, player: Strength) -> Sequence[float]:
    """Return what `graph_passes.edge_chances` returns."""
    chances = _Chances(truth, [player])
    found = []
    for low, high in _layers(graph):
        layer = _layer(graph, low, high)
        found.append(chances.of(layer)[1][0][layer.legal])
    return array("d", np.concatenate(found).tobytes())


def meet(
    graph: Graph,
    truth: Truth,
    players: Sequence[Chooser],
    pairs: Sequence[Pair],
    *,
    opened: Rows = (),
    keep: int = 0,
    progress: Progress = silent,
) -> Meeting:
    """Return what `graph_passes.meet` returns."""
    closed, wide = graph.layers[-1], len(pairs)
    # Columns in the order of those who do not move, so that all that one mover needs lie together.
    order = sorted(range(wide), key=lambda at: (pairs[at][1], pairs[at][0]))
    column = {pairs[at]: n for n, at in enumerate(order)}
    blocks = []
    for mover in sorted({one for one, _ in pairs}):
        others_of = [two for one, two in (pairs[at][::-1] for at in order) if one == mover]
        low = column[others_of[0], mover]
        blocks.append((mover, slice(low, low + len(others_of)), [column[mover, two] for two in others_of]))
    others = np.zeros((graph.size + ENDS, wide))
    if opened:
        others[closed : graph.size] = 1 - np.array(opened)[:, order]
    others[graph.size :] = np.array(END_CHANCES)[:, None]
    chances = _Chances(truth, players)
    for low, high in reversed(_layers(graph)):
        layer = _layer(graph, low, high)
        _, of_players = chances.of(layer)
        size = max(1, _AT_ONCE_SIZE // (layer.to.shape[1] * wide))
        for begin_at in range(0, high - low, size):
            part = slice(begin_at, min(begin_at + size, high - low))
            rows = others[layer.to[part]]
            for mover, block, into in blocks:
                won = np.einsum("nd,ndk->nk", of_players[mover][part], rows[:, :, block])
                others[low + part.start : low + part.stop, into] = 1 - won
        progress(f"{graph.size - low:,} of {graph.size:,} positions")
    back = [column[pair] for pair in pairs]
    starts = (1 - others[: len(graph.before), back]).tolist()
    return Meeting(starts, [_shared(1 - others[: graph.size, back[n]]) for n in range(keep)])


def best_response(graph: Graph, truth: Truth, policy: Chooser) -> tuple[Sequence[float], Sequence[float]]:
    """Return what `graph_passes.best_response` returns."""
    worth = np.asarray(truth.worth)
    responds = np.concatenate([worth > 0, 1 - np.array(END_CHANCES)])
    waits = np.concatenate([worth < 0, END_CHANCES])
    chances = _Chances(truth, [policy])
    for low, high in reversed(_layers(graph)):
        layer = _layer(graph, low, high)
        worths, (shares,) = chances.of(layer)
        here = worths.max(axis=1)
        best = np.where(layer.legal, waits[layer.to], 0.0).max(axis=1)
        mean = (shares * responds[layer.to]).sum(axis=1)
        responds[low:high] = np.where(here > 0, 1.0, np.minimum(best, 1.0))
        waits[low:high] = np.where(here < 0, 1.0, np.minimum(mean, 1.0))
    return _shared(responds[: graph.size]), _shared(waits[: graph.size])


def courses(
    graph: Graph, truth: Truth, players: Sequence[Chooser], won: Rows, figures: MatchFigures
) -> list[MatchCourse]:
    """Return what `graph_passes.courses` returns."""
    why = reasons(graph)
    plies = [[0.0] * len(graph.layers) for _ in players]
    endings = [dict.fromkeys(why, 0.0) for _ in players]
    sums = [dict.fromkeys(figures, 0.0) for _ in players]
    forward = _Forward(graph, len(players))
    chances = _Chances(truth, players)
    likes = [np.asarray(column) for column in won]
    for at, (low, high) in enumerate(_layers(graph)):
        layer = _layer(graph, low, high)
        worths, of_players = chances.of(layer)
        best = worths.max(axis=1)
        real, only = _kinds(layer, worths)
        worse = np.where(best[:, None] > 0, worths <= 0, worths < 0) & layer.legal & real[:, None]
        for player, added in enumerate(sums):
            slip = np.where(worse, of_players[player], 0.0).sum(axis=1)
            seen = Ply(best, real, only, slip, likes[player][low:high])
            columns = {name: figure(seen) for name, figure in figures.items()}
            for ply, mass in forward.masses(player, at):
                for name, column in columns.items():
                    added[name] += float(mass @ column)
                ended = forward.move(player, at, ply, layer, of_players[player])
                plies[player][ply + 1] += sum(ended)
                add_endings(endings[player], ended)
    refills = [0.0 for _ in players]
    for player, lengths in enumerate(plies):
        for ply, mass in forward.masses(player, len(graph.layers) - 1):
            refills[player] += float(mass.sum())
            lengths[ply] += float(mass.sum())
    return list(map(MatchCourse, plies, endings, refills, sums))


class _Forward:
    """How often each node is reached, by player and by how many plies sooner than by the longest way."""

    def __init__(self, graph: Graph, players: int) -> None:
        self._bounds = [*graph.layers, graph.size]
        self.mass = np.zeros((players, graph.lags, graph.size))
        self.mass[:, 0, 0] = 1.0

    def masses(self, player: int, layer: int) -> list[tuple[int, Floats]]:
        """Return the plies at which a layer is reached, with how often each of its nodes is."""
        low, high = self._bounds[layer], self._bounds[layer + 1]
        found = ((layer - lag, mass[low:high]) for lag, mass in enumerate(self.mass[player]))
        return [(ply, mass) for ply, mass in found if mass.any()]

    def move(self, player: int, at: int, ply: int, layer: _Layer, chances: Floats) -> list[float]:
        """Move on from a layer that was reached at a ply; return how often each end is, -1 first."""
        lags = self.mass.shape[1]
        lag = at - ply
        # Columns that are no moves have no chance, wherever they lead.
        flow = (self.mass[player, lag, layer.low : layer.high, None] * chances).reshape(-1)
        end = self._bounds[min(at + 1 + lags, len(self._bounds) - 1)]
        into = np.bincount(layer.into, flow, ENDS + end - layer.high)
        for skipped, (low, high) in enumerate(pairwise(self._bounds[at + 1 : at + 2 + lags])):
            part = into[ENDS + low - layer.high : ENDS + high - layer.high]
            if part.any():
                self.mass[player, lag + skipped, low:high] += part
        ended: list[float] = into[:ENDS][::-1].tolist()
        return ended


def reached(graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> tuple[float, Sequence[float]]:
    """Return what `graph_passes.reached` returns."""
    forward = _Forward(graph, 1)
    chances = _Chances(truth, [mover, other])
    won = 0.0
    for at, (low, high) in enumerate(_layers(graph)):
        layer = _layer(graph, low, high)
        _, of_players = chances.of(layer)
        for ply, _ in forward.masses(0, at):
            ended = forward.move(0, at, ply, layer, of_players[ply % 2])
            won += sum(ended[ply % 2 :: 2])
    return won, _shared(forward.mass[0].sum(axis=0))


def rounds(graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> list[RoundChances]:
    """Return what `graph_passes.rounds` returns, by one way back for all starts."""
    size, closed = graph.size, graph.layers[-1]
    opened = size - closed
    if graph.lags > 1:
        raise BadValueError("Rounds are known only of games without swaps.")
    # Columns: the one who moves first wins; then each open node.
    following = np.zeros((opened, 1 + opened))
    following[:, 1:] = np.eye(opened)
    chances = _Chances(truth, [mover, other])
    for at in range(len(graph.layers) - 2, -1, -1):
        layer = _layer(graph, *graph.layers[at : at + 2])
        _, of_players = chances.of(layer)
        ends = np.zeros((ENDS, 1 + opened))
        ends[:, 0] = END_CHANCES if at % 2 == 0 else 1 - np.array(END_CHANCES)
        rows = np.concatenate([following, ends])
        to = np.where(layer.to < 0, layer.to, layer.to - layer.high)
        following = np.zeros((layer.high - layer.low, 1 + opened))
        step = max(1, _AT_ONCE_SIZE // (to.shape[1] * (1 + opened)))
        for low in range(0, len(following), step):
            part = slice(low, low + step)
            following[part] = np.einsum("nd,ndk->nk", of_players[at % 2][part], rows[to[part]])
    return [RoundChances(float(row[0]), row[1:].tolist()) for row in following[: len(graph.before)]]
