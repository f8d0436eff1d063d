"""The passes over a graph in plain Python; `graph_passes_numpy.py` has those of `graph.Passes` for large graphs too.

`values` goes back from the ends and finds what is true. Everything else needs that truth first. A player is a strength,
whose chances follow from the truth, or a chance for every edge. `meet` and `best_response` go back from the ends,
`courses` and `reached` go on from the starts.

What is counted in positions and in matches is a table of figures, which the caller hands to `counts` and `courses`.
Each figure is written once, for both passes: see `Situation` and `Ply`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import mul
from typing import Any, Final, NamedTuple, Protocol

from zerosum.base.errors import BadValueError
from zerosum.base.progress import Progress, silent
from zerosum.rules.outcome import Reason
from zerosum.solver.graph_arrays import ENDS, REASONS, Graph
from zerosum.solver.value import AT_ONCE, FAR, Value, before_move, value_of

END_WORTHS: Final = [-AT_ONCE if at % 2 else AT_ONCE for at in range(ENDS)][::-1]
"""What each end is worth to the player who moved, to be indexed by `to`."""
END_CHANCES: Final = [float(worth > 0) for worth in END_WORTHS]
_TRAP: Final = 3
"""A loss at least this many plies away has to be seen: neither this move nor the reply to it ends the match."""
SAME: Final = 1e-12
"""Chances that differ by less are the same but for rounding."""
SHORTER: Final = 1 - 1e-9
"""Weighs each move of a line, so that of lines that are as likely the shortest is found."""
_MOST_REMEMBERED: Final = 100_000


class Strength(Protocol):
    """How strong a player is; `players/levels.py` says what each of these means."""

    @property
    def sight(self) -> int:
        """The plies up to which it knows every win and loss."""

    @property
    def slip(self) -> float:
        """The chance that it moves at random."""

    @property
    def sure(self) -> bool:
        """Whether it never misses a win at once."""

    @property
    def traps(self) -> bool:
        """Whether it sets traps."""


Chooser = Strength | Sequence[float]
"""A strength, or the chance of every edge (`graph_arrays.ask`)."""
Pair = tuple[int, int]
"""Two players as indices: who moves, and who does not."""
Rows = Sequence[Sequence[float]]
"""Chances: rows of players or pairs, with those of each node; or the other way round."""
_Moves = tuple[Sequence[int], Sequence[float]]
"""Where the moves of a node lead, and the chance of each."""
Traps = Callable[[], Sequence[int]]
"""Returns which moves are the best traps; called only if every move loses."""


# What is true


class Truth(NamedTuple):
    """What is true of every node: its worth to the person who moves, and how many moves keep a win."""

    worth: Sequence[int]
    winning: Sequence[int]

    def value(self, node: int) -> Value:
        """Return the value of a node."""
        return value_of(int(self.worth[node]))


def values(graph: Graph, opened: Sequence[tuple[int, int]] = ()) -> Truth:
    """Return the truth; `opened` says it of the open nodes, their worths and winning moves."""
    worth = array("i", bytes(4 * graph.layers[-1])) + array("i", [worth for worth, _ in opened])
    winning = array("i", bytes(4 * graph.layers[-1])) + array("i", [moves for _, moves in opened])
    first, to = graph.first, graph.to
    back = [before_move(one) for one in worth] + END_WORTHS
    for node in range(graph.layers[-1] - 1, -1, -1):
        worths = [back[there] for there in to[first[node] : first[node + 1]]]
        best = worth[node] = max(worths)
        back[node] = before_move(best)
        if best > 0:
            winning[node] = sum(one > 0 for one in worths)
    return Truth(worth, winning)


@dataclass(slots=True)
class Situation:
    """A position as a figure sees it: each field is a number in this pass, a column of numbers in that of NumPy.

    So a figure uses what both can do, arithmetic and comparisons, and `&` instead of `and`; an `if` is an error.
    """

    best: Any
    """What the best move is worth: above 0 if it wins, below 0 if every move loses."""
    real: Any
    """Whether it is a real choice: moves differ in their verdicts."""
    only: Any
    """Whether only one of several moves keeps the best verdict, which is not a loss."""


@dataclass(slots=True)
class Ply(Situation):
    """A position that a match between two equal players comes to."""

    slip: Any
    """The chance that the player to move makes the verdict worse."""
    won: Any
    """The chance that the player to move wins."""


PositionFigures = Mapping[str, Callable[[Situation], Any]]
"""What is counted in positions, by name."""
MatchFigures = Mapping[str, Callable[[Ply], Any]]
"""What is added up ply by ply in a match, by name."""


class Counts(NamedTuple):
    """How many positions there are, and of which kinds; `wins` and `needed` are by the number that a move takes."""

    positions: int
    figures: dict[str, int]
    wins: dict[int, int]
    needed: dict[int, int]


def counts(graph: Graph, truth: Truth, figures: PositionFigures) -> Counts:
    """Return how many positions of each kind the graph has; open nodes are not counted."""
    numbers = [move.number for move in graph.rules.moves]
    positions, found = 0, dict.fromkeys(figures, 0)
    wins: dict[int, int] = {}
    needed: dict[int, int] = {}
    back = _back(truth)
    for node, count in enumerate(graph.count[: graph.layers[-1]]):
        edges = slice(graph.first[node], graph.first[node + 1])
        worths = [back[there] for there in graph.to[edges]]
        real, only = _kind(worths)
        situation = Situation(max(worths), real, only)
        positions += count
        for name, figure in figures.items():
            found[name] += count * figure(situation)
        winners = {numbers[move] for move, worth in zip(graph.move[edges], worths, strict=True) if worth > 0}
        for number in winners:
            wins[number] = wins.get(number, 0) + count
            if real and len(winners) == 1:
                needed[number] = needed.get(number, 0) + count
    return Counts(positions, found, wins, needed)


def _back(truth: Truth) -> list[int]:
    """Return what a move to each node, or to each end, is worth."""
    return [before_move(worth) for worth in truth.worth] + END_WORTHS


def _kind(worths: Sequence[int]) -> tuple[bool, bool]:
    """Return whether a position is a real choice, and whether only one move is right."""
    best = max(worths)
    right = sum(worth > 0 for worth in worths) if best > 0 else worths.count(0) if best == 0 else len(worths)
    real = right < len(worths)
    return real, real and right == 1 and best >= 0


# What players do


def chances_of(levels: Iterable[Strength], worths: Sequence[int], traps: Traps) -> list[list[float]]:
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
    """Return the moves that do not lose as far as the player sees; none if it sees a win."""
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


class _Chances:
    """The chances of some players, node by node."""

    def __init__(self, graph: Graph, truth: Truth, players: Sequence[Chooser]) -> None:
        self._first, self._to = graph.first, graph.to
        self._back = _back(truth)
        self._winning = [*truth.winning, *[0] * ENDS]
        self._levels = [(at, one) for at, one in enumerate(players) if not isinstance(one, Sequence | array)]
        self._others = [(at, one) for at, one in enumerate(players) if isinstance(one, Sequence | array)]
        self._size = len(players)
        self._remembered: dict[object, list[list[float]]] = {}

    def at(self, node: int) -> tuple[Sequence[int], list[int], list[Sequence[float]]]:
        """Return where the moves of a node lead, what each is worth, and each player's chance of each."""
        edges = slice(self._first[node], self._first[node + 1])
        after = self._to[edges]
        worths = [self._back[there] for there in after]
        of_levels = self._of_levels(worths, after) if self._levels else []
        if not self._others:
            return after, worths, [*of_levels]
        found: list[Sequence[float]] = [()] * self._size
        for (at, _), chances in zip(self._levels, of_levels, strict=True):
            found[at] = chances
        for at, chance in self._others:
            found[at] = chance[edges]
        return after, worths, found

    def _of_levels(self, worths: list[int], after: Sequence[int]) -> list[list[float]]:
        replies = tuple(self._winning[there] for there in after) if max(worths) < 0 else ()
        key = tuple(worths), replies
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            found = chances_of((level for _, level in self._levels), worths, lambda: best_traps(worths, replies))
            self._remembered[key] = found
        return found


def edge_chances(graph: Graph, truth: Truth, player: Strength) -> Sequence[float]:
    """Return a level as the chance of every edge."""
    chances = _Chances(graph, truth, [player])
    return array("d", (one for node in range(graph.layers[-1]) for one in chances.at(node)[2][0]))


# What happens when players meet


class Meeting(NamedTuple):
    """The chances of pairs: of the person who moves, in each start; and of the first pairs, in each node."""

    starts: Sequence[Sequence[float]]
    """A row for each start, with the chance of each pair."""
    nodes: Sequence[Sequence[float]]
    """A column for each of the first pairs, with its chance in each node."""


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
    """Return the chance of each pair that the one who moves wins; each pair must be there both ways round.

    `opened` has a row for each open node, with that chance of each pair. The chances of the first `keep` pairs are
    returned for all nodes.
    """
    other_way = [pairs.index((two, one)) for one, two in pairs]
    movers = [one for one, _ in pairs]
    # For each node that is still needed, the chances of the person who does not move.
    others: list[Sequence[float]] = [()] * graph.layers[-1]
    others += [[1 - chance for chance in row] for row in opened]
    others += [[chance] * len(pairs) for chance in END_CHANCES]
    kept = _columns(graph, opened, keep)
    chances = _Chances(graph, truth, players)
    starts: list[list[float]] = []
    for node, unneeded in _backwards(graph):
        after, _, of_players = chances.at(node)
        columns = list(zip(*[others[there] for there in after], strict=True))
        row = [sum(map(mul, of_players[one], columns[two])) for one, two in zip(movers, other_way, strict=True)]
        others[node] = [1 - chance for chance in row]
        for column, chance in zip(kept, row, strict=False):
            column[node] = chance
        if node < len(graph.before):
            starts.append(row)
        if unneeded:
            progress(f"{graph.size - node:,} of {graph.size:,} positions")
        for old in unneeded:
            others[old] = ()
    return Meeting(starts[::-1], kept)


def _columns(graph: Graph, opened: Rows, keep: int) -> list[array[float]]:
    """Return columns for the chances of the first pairs in all nodes, filled for the open ones."""
    kept = [array("d", bytes(8 * graph.size)) for _ in range(keep)]
    for node, there in zip(graph.opened, opened, strict=True):
        for column, chance in zip(kept, there, strict=False):
            column[node] = chance
    return kept


def _backwards(graph: Graph) -> Iterator[tuple[int, range]]:
    """Yield every node that has moves, from the last on, with the nodes that no node yet to come leads to."""
    spans = list(graph.spans)
    for layer in range(len(spans) - 1, -1, -1):
        low, high = spans[layer]
        for node in range(high - 1, low - 1, -1):
            # A move skips at most `lags - 1` layers.
            old = layer + graph.lags
            yield node, range(*spans[old]) if node == low and old < len(spans) else range(0)


def best_response(graph: Graph, truth: Truth, policy: Chooser) -> tuple[Sequence[float], Sequence[float]]:
    """Return the best response's chance to win each node: if it is to move there, and if the policy is.

    A won position is kept against anybody, so its chance is exactly 1. An open node that perfect play does not win
    counts as lost: the chances are then the least that the best response has.
    """
    size = graph.size
    responds = [float(worth > 0) for worth in truth.worth] + [1 - chance for chance in END_CHANCES]
    waits = [float(worth < 0) for worth in truth.worth] + END_CHANCES
    chances = _Chances(graph, truth, [policy])
    for node in range(graph.layers[-1] - 1, -1, -1):
        after, _, (shares,) = chances.at(node)
        if truth.worth[node] <= 0:
            responds[node] = min(1.0, max(waits[there] for there in after))
        if truth.worth[node] >= 0:
            replies = sum(share * responds[there] for there, share in zip(after, shares, strict=True) if share)
            waits[node] = min(1.0, replies)
    return responds[:size], waits[:size]


def likeliest_wins(
    graph: Graph, truth: Truth, policy: Chooser, response: tuple[Sequence[float], Sequence[float]]
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the chance of the likeliest line by which the best response wins each node, which is to move or is not.

    The best response makes any of its best moves, so the chance is that of the policy's moves; each move is weighed by
    `SHORTER`. No line leads to an open node.
    """
    size = graph.size
    responds, waits = response
    won = [*waits, *END_CHANCES]
    moves = [0.0] * size + [1 - chance for chance in END_CHANCES]
    awaits = [0.0] * size + END_CHANCES
    chances = _Chances(graph, truth, [policy])
    for node in range(graph.layers[-1] - 1, -1, -1):
        after, _, (shares,) = chances.at(node)
        best = responds[node] - SAME
        moves[node] = SHORTER * max(awaits[there] for there in after if won[there] >= best)
        awaits[node] = SHORTER * max(share * moves[there] for there, share in zip(after, shares, strict=True))
    return moves[:size], awaits[:size]


def regrets(graph: Graph, truth: Truth, policy: Chooser) -> Sequence[float]:
    """Return the chance that a policy gives away a win in each node."""
    found = array("d", bytes(8 * graph.size))
    chances = _Chances(graph, truth, [policy])
    for node in range(graph.layers[-1]):
        _, worths, (shares,) = chances.at(node)
        if max(worths) > 0:
            found[node] = min(1.0, sum(share for share, worth in zip(shares, worths, strict=True) if worth <= 0))
    return found


class MatchCourse(NamedTuple):
    """The course of matches of a player against its like."""

    plies: list[float]
    """The chance of each length, from 0 on."""
    endings: dict[Reason, float]
    refill: float
    figures: dict[str, float]
    """The sum over the plies of a match of each figure that was asked for."""

    @property
    def mean(self) -> float:
        """The mean length."""
        return sum(n * chance for n, chance in enumerate(self.plies))


class _Seen(NamedTuple):
    """A node as the way on needs it."""

    after: Sequence[int]
    chances: Sequence[Sequence[float]]
    """Of each player, the chance of each move."""
    worse: Sequence[int]
    """The moves that give away something of the verdict: none if all moves have the same."""
    ply: Ply
    """Its figures; what the player would do is set for one player after the other."""


def _seen(after: Sequence[int], worths: list[int], chances: Sequence[Sequence[float]]) -> _Seen:
    best = max(worths)
    real, only = _kind(worths)
    worse = [at for at, worth in enumerate(worths) if (worth <= 0 if best > 0 else worth < 0)] if real else ()
    return _Seen(after, chances, worse, Ply(best, real, only, 0.0, 0.0))


def courses(
    graph: Graph, truth: Truth, players: Sequence[Chooser], won: Rows, figures: MatchFigures
) -> list[MatchCourse]:
    """Return how matches go between two of each player; `won` has its chance against its like in each node (`meet`)."""
    why, wanted = reasons(graph), list(figures.values())
    plies = [[0.0] * len(graph.layers) for _ in players]
    endings = [dict.fromkeys(why, 0.0) for _ in players]
    sums = [[0.0] * len(wanted) for _ in players]
    forward = _Forward(graph, [0] * len(players))
    chances = _Chances(graph, truth, players)
    for layer, (low, high) in enumerate(graph.spans):
        nodes = [_seen(*chances.at(node)) for node in range(low, high)]
        for player, lengths in enumerate(plies):
            shares = [node.chances[player] for node in nodes]
            for ply, mass in forward.masses(player, layer):
                _add(sums[player], wanted, zip(nodes, shares, mass, won[player][low:high], strict=True))
                ended = forward.move(player, layer, mass, zip((node.after for node in nodes), shares, strict=True), ply)
                lengths[ply + 1] += sum(ended)
                add_endings(endings[player], ended)
    refills = [0.0 for _ in players]
    for player, lengths in enumerate(plies):
        for ply, mass in forward.masses(player, len(graph.layers) - 1):
            refills[player] += sum(mass)
            lengths[ply] += sum(mass)
    return list(map(MatchCourse, plies, endings, refills, [dict(zip(figures, added, strict=True)) for added in sums]))


def _add(
    sums: list[float],
    figures: Sequence[Callable[[Ply], Any]],
    layer: Iterable[tuple[_Seen, Sequence[float], float, float]],
) -> None:
    """Add what happens in the nodes of a layer: what the player does there, how often it comes there, and wins."""
    for node, chances, mass, like in layer:
        if mass:
            ply = node.ply
            ply.slip = sum([chances[at] for at in node.worse]) if node.worse else 0.0
            ply.won = like
            for at, figure in enumerate(figures):
                sums[at] += mass * figure(ply)


def add_endings(endings: dict[Reason, float], ended: Sequence[float]) -> None:
    """Add how often each end was reached, -1 first, to the chance of each ending."""
    for reason in endings:
        at = 2 * REASONS.index(reason)
        endings[reason] += ended[at] + ended[at + 1]


def reasons(graph: Graph) -> list[Reason]:
    """Return why a match can end, in their order."""
    ends = {there for there in set(graph.to) if there < 0}
    return [reason for n, reason in enumerate(REASONS) if not ends.isdisjoint((-1 - 2 * n, -2 - 2 * n))]


class _Forward:
    """How often each node is reached, on a track for each start.

    On a track, nodes that are reached sooner than by the longest way are kept apart by how many plies sooner.
    """

    def __init__(self, graph: Graph, starts: Sequence[int]) -> None:
        self._bounds = [*graph.layers, graph.size]
        self._layer_of: list[int] = []
        if graph.lags > 1:
            self._layer_of = [at for at, (low, high) in enumerate(pairwise(self._bounds)) for _ in range(high - low)]
        # The last places are those of the ends.
        self.mass = [[array("d", bytes(8 * (graph.size + ENDS))) for _ in range(graph.lags)] for _ in starts]
        for lags, start in zip(self.mass, starts, strict=True):
            lags[0][start] = 1.0

    def masses(self, track: int, layer: int) -> list[tuple[int, array[float]]]:
        """Return the plies at which a layer is reached, with how often each of its nodes is."""
        low, high = self._bounds[layer], self._bounds[layer + 1]
        found = ((layer - lag, mass[low:high]) for lag, mass in enumerate(self.mass[track]))
        return [(ply, mass) for ply, mass in found if any(mass)]

    def move(
        self, track: int, layer: int, masses: Iterable[float], moves: Iterable[_Moves], ply: int
    ) -> Sequence[float]:
        """Move on from a layer that was reached at a ply; return how often each end is, -1 first."""
        lags, layer_of = self.mass[track], self._layer_of
        into = lags[layer - ply]
        for mass, (after, shares) in zip(masses, moves, strict=True):
            if mass:
                for there, share in zip(after, shares, strict=True):
                    if layer_of and there >= 0:
                        lags[layer_of[there] - ply - 1][there] += mass * share
                    else:
                        into[there] += mass * share
        ended = into[-ENDS:][::-1]
        into[-ENDS:] = array("d", bytes(8 * ENDS))
        return ended


def reached(graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> tuple[float, Sequence[float]]:
    """Return the chance that the one who moves first wins within the graph, and how often each node is reached."""
    forward = _Forward(graph, [0])
    chances = _Chances(graph, truth, [mover, other])
    won = 0.0
    for layer, (low, high) in enumerate(graph.spans):
        nodes = [chances.at(node) for node in range(low, high)]
        for ply, mass in forward.masses(0, layer):
            moves = ((after, of_players[ply % 2]) for after, _, of_players in nodes)
            ended = forward.move(0, layer, mass, moves, ply)
            # The ends that are won and those that are lost take turns; who moves first moves at even plies.
            won += sum(ended[ply % 2 :: 2])
    return won, [sum(masses) for masses in zip(*(mass[: graph.size] for mass in forward.mass[0]), strict=True)]


class RoundChances(NamedTuple):
    """What a round comes to from one start: the chance that the one who moves first wins it, and of each open node."""

    won: float
    opened: Sequence[float]


def rounds(graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> list[RoundChances]:
    """Return what a round comes to from every start, if `mover` moves first."""
    if graph.lags > 1:
        raise BadValueError("Rounds are known only of games without swaps.")
    starts = range(len(graph.before))
    forward = _Forward(graph, starts)
    chances = _Chances(graph, truth, [mover, other])
    won = [0.0] * len(starts)
    for layer, (low, high) in enumerate(graph.spans):
        moves = [(after, of_both[layer % 2]) for after, _, of_both in map(chances.at, range(low, high))]
        for start in starts:
            for ply, mass in forward.masses(start, layer):
                won[start] += sum(forward.move(start, layer, mass, moves, ply)[layer % 2 :: 2])
    opened = slice(graph.layers[-1], graph.size)
    return [RoundChances(won[start], forward.mass[start][0][opened]) for start in starts]


class Passes(Protocol):
    """What can be asked of a graph: the functions that this module and `graph_passes_numpy` both have.

    What they return is alike: numbers that are indexed by node, by edge or by pair.
    """

    def values(self, graph: Graph, opened: Sequence[tuple[int, int]] = ()) -> Truth:
        """Return verdict and plies of every node; `opened` has the worth and the winning moves of each open node."""

    def counts(self, graph: Graph, truth: Truth, figures: PositionFigures) -> Counts:
        """Return how many positions of each kind there are."""

    def edge_chances(self, graph: Graph, truth: Truth, player: Strength) -> Sequence[float]:
        """Return a level as the chance of every edge."""

    def meet(
        self,
        graph: Graph,
        truth: Truth,
        players: Sequence[Chooser],
        pairs: Sequence[Pair],
        *,
        opened: Rows = (),
        keep: int = 0,
        progress: Progress = silent,
    ) -> Meeting:
        """Return the chance of each pair that the one who moves wins."""

    def best_response(self, graph: Graph, truth: Truth, policy: Chooser) -> tuple[Sequence[float], Sequence[float]]:
        """Return the best response's chance to win each node: if it is to move there, and if the policy is."""

    def courses(
        self, graph: Graph, truth: Truth, players: Sequence[Chooser], won: Rows, figures: MatchFigures
    ) -> list[MatchCourse]:
        """Return how matches go between two of each player."""

    def reached(self, graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> tuple[float, Sequence[float]]:
        """Return the chance that the one who moves first wins, and how often each node is reached."""

    def rounds(self, graph: Graph, truth: Truth, mover: Chooser, other: Chooser) -> list[RoundChances]:
        """Return what a round comes to from every start."""
