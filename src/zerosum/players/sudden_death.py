"""Sudden death: the exact chance to win a match that may go on for any number of rounds.

A match is a chain of rounds. For one pairing, let h(s) be seat 1's chance at the beginning s of a round. Within a round
nothing repeats, so one pass over its graph finds the chance that seat 1 wins in it, and the chance that the next round
begins at each s'; then

    h(s) = chance to win in the round + sum over s' of chance of s' * h(s').                                     (1)

*Far out, rounds repeat.* The solver shows that from some distance on its values repeat with a period, only later; and
what a player of limited sight sees is, from some distance on, either nothing or the same everywhere. So chances are
computed for near rounds only; a round further out is the copy of one that is whole periods nearer.

*A bracket closes the chain.* Equations (1) are solved for all rounds up to a distance X, by elimination, with the same
unknown c for every round beyond: h(s) = u(s) + v(s) * c. A match that went beyond X and comes back begins a round in
the *layer* that one round can reach from beyond.

- If the distance far out is not expected to grow in any round, and does not stand still, a match that does not end
  comes back for certain (a walk with bounded steps and no drift outwards does). So c lies between the least and the
  greatest h of the layer; and from m >= u(s) + v(s) * m for the least, m, it follows that m >= u(s) / (1 - v(s)) for
  some s of the layer; the same holds for the greatest.
- If a player who is lost runs away, a match may never end; that is not won by seat 1 (the referee's limit,
  which comes at the end of a round, when both are as far, gives it to seat 2). If d is the change of the distance
  in a round and exp(-a * d) is at most 1 on average in every round far out, then a match comes back with a
  chance of at most q = exp(-a), and c lies between 0 and q times the greatest h of the layer.

Both give a lower and an upper bound of every h, and X is made wider until they differ by less than `ERROR`. If neither
holds in all directions, each direction has an unknown of its own: a match beyond X cannot change it before it is back.

*A policy must repeat, too.* Nobody can ask it about all rounds. It is asked about the near ones, and far from the
target also whole periods further out: one that answers otherwise there is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import exp
from typing import Final, NamedTuple

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import EVERYTHING, Level
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Seat
from zerosum.rules.position import Position
from zerosum.solver import Solution, SolverError
from zerosum.solver.endless import Directions, RoundTail
from zerosum.solver.graph import graph_of, passes_of, truth_of
from zerosum.solver.graph_arrays import ask
from zerosum.solver.graph_passes import RoundChances
from zerosum.solver.mirrors import canon_of, plain

ERROR: Final = 1e-9
_ROUNDING: Final = 1e-12
_FURTHER: Final = 45
_FURTHEST: Final = 20
_DOUBLINGS: Final = 9
"""Policies are compared with themselves 1, 2, 4, ... periods further out, further than any match can go."""
_SWEEPS: Final = 1_000
_NEVER: Final = -1
_FOR_EVER: Final = 1e-12
_RATES: Final = tuple(rate / 100 for rate in (100, 70, 50, 35, 25, 18, 12, 8, 5, 3, 2, 1))


Seats = tuple[int, int]
"""Who sits in seat 1 and who in seat 2, as indices into the list of levels, which policies follow."""
Kernel = tuple[float, Sequence[float]]
"""The chance that seat 1 wins a round, and the chance that it leads to each of its ends."""
Form = tuple[float, Sequence[float]]
"""u and v of u + v * c; v has a number for each unknown."""


_Changes = Sequence[tuple[int, float]]
"""By how much the distance may change in a round, each with its chance."""


class Bracket(NamedTuple):
    """The bounds of a chance."""

    least: float
    greatest: float


class _Round(NamedTuple):
    """The beginning of a round: the index of its kernel, and the round that each end begins; beyond, its directions."""

    like: int
    ends: dict[int, int | Directions]


class _System(NamedTuple):
    """All rounds up to a distance, which of them form the layer, and which ones the start leads to."""

    rounds: list[_Round]
    layer: dict[Directions, list[int]]
    after_first: list[int]


class _RestOfRound:
    """All that can happen from some positions, all with equally large pools, until the pool is refilled."""

    def __init__(
        self,
        starts: Sequence[Position],
        solution: Solution,
        levels: Sequence[Level],
        policies: Sequence[MovePolicy],
        progress: Progress,
    ) -> None:
        self.starts = starts
        graph = graph_of(*starts, mirrors=all(policy.mirrors for policy in policies), progress=progress)
        self.ends = [graph.position(node) for node in graph.opened]
        self._graph, self._passes, self._truth = graph, passes_of(graph), truth_of(graph, solution.options)
        self._players = [self._passes.edge_chances(graph, self._truth, level) for level in levels]
        self._players += [ask(graph, policy.chances) for policy in policies]

    def positions(self) -> Iterator[Position]:
        """Return every position in which somebody is to move."""
        return map(self._graph.position, range(self._graph.layers[-1]))

    def kernels(self, seats: Seats) -> list[Kernel]:
        """Return what comes of every start."""
        first, second = seats
        begins = {start.seat for start in self.starts}
        by_first = self._rounds(first, second) if Seat.FIRST in begins else []
        by_second = self._rounds(second, first) if Seat.SECOND in begins else []
        return [
            (by_first[at].won, by_first[at].opened)
            if start.seat is Seat.FIRST
            else (1 - by_second[at].won - sum(by_second[at].opened), by_second[at].opened)
            for at, start in enumerate(self.starts)
        ]

    def _rounds(self, mover: int, other: int) -> list[RoundChances]:
        return self._passes.rounds(self._graph, self._truth, self._players[mover], self._players[other])


class Chain:
    """The rounds that can follow from a position, for some levels and policies."""

    def __init__(
        self,
        start: Position,
        solution: Solution,
        levels: Sequence[Level],
        progress: Progress = silent,
        policies: Sequence[MovePolicy] = (),
    ) -> None:
        rules, rounds = start.rules, solution.solved.rounds
        if rules.remembers or rounds is None:
            raise SolverError(
                "The exact chances of a game with sudden death can be found only if nothing is banned or swapped."
            )
        self._target = rules.target
        self._tails: dict[Directions, RoundTail] = rounds.tails
        self._width = rounds.width
        sights = [level.sight for level in levels if level.sight != EVERYTHING]
        # Policies go by differences alone if nobody can reach the target within two rounds.
        least = 2 * self._width if policies else 0
        self._near = {
            directions: max(_settled(tail, sights), least) + self._width + 1 for directions, tail in self._tails.items()
        }
        self._symmetry = canon_of(rules) if all(policy.mirrors for policy in policies) else plain
        rest = partial(_RestOfRound, solution=solution, levels=levels, policies=policies, progress=progress)
        self._first = rest([start])
        self._rounds = self._closed(rest)
        self._systems: dict[int, _System] = {}
        for policy in policies:
            self._check_repeats(policy)

    def _check_repeats(self, policy: MovePolicy) -> None:
        """Refuse a policy that, where nobody can reach the target in two rounds, plays otherwise further out."""
        for n, position in enumerate(self._rounds.positions() if self._rounds else ()):
            directions = self._directions(position)
            far = min(abs(total - self._target) for total in position.totals) > 2 * self._width
            if far and directions in self._tails:
                periods = 1 << n % _DOUBLINGS
                further = self._moved(position, periods * self._tails[directions].period)
                both = zip(policy.chances(position), policy.chances(further), strict=True)
                if any(abs(a - b) > ERROR for a, b in both):
                    raise SolverError(
                        f"{position.rules.name} has no end of positions. Its exact chances are known of players who "
                        "play alike wherever the target is out of reach for two rounds; this one does not, "
                        f"at '{position}' and at '{further}'."
                    )

    # The places of rounds

    def key(self, position: Position) -> Hashable:
        """Return what positions have in common that are the same for every player."""
        # With an odd pool, either seat may begin a round.
        return self._symmetry(position), position.seat

    def _directions(self, position: Position) -> Directions:
        x, y = (1 if total > self._target else -1 for total in position.totals)
        return x, y

    def _distance(self, position: Position) -> int:
        return abs(position.totals[0] - self._target)

    def _moved(self, position: Position, by: int) -> Position:
        """Return the beginning of the round that is `by` further out."""
        totals = tuple(total + way * by for total, way in zip(position.totals, self._directions(position), strict=True))
        return replace(position, totals=totals)

    def _copied(self, position: Position) -> int:
        """Return how much nearer the round that this one copies is; 0 for a near round."""
        directions = self._directions(position)
        if directions not in self._tails:
            return 0
        period = self._tails[directions].period
        return max(0, -(-(self._distance(position) - self._near[directions] - period + 1) // period) * period)

    def _closed(self, rest: Callable[[Sequence[Position]], _RestOfRound]) -> _RestOfRound | None:
        """Return the near rounds that can follow, and all that can happen in them."""
        near = self._near_of(self._first.ends)
        while near:
            rounds = rest(list(near.values()))
            more = self._near_of([*near.values(), *rounds.ends])
            if len(more) == len(near):
                return rounds
            near = more
        return None

    def _near_of(self, positions: Sequence[Position]) -> dict[Hashable, Position]:
        nearer = (self._moved(position, -self._copied(position)) for position in positions)
        return {self.key(position): position for position in nearer}

    # Chances

    @property
    def ends(self) -> Sequence[Position]:
        """The positions in which the second round may begin."""
        return self._first.ends

    def chance(self, seats: Seats) -> Bracket:
        """Return bounds of seat 1's chance from the start."""
        ((won, mass),) = self._first.kernels(seats)
        least, greatest = (
            won + sum(m * chance for m, chance in zip(mass, bound, strict=True)) for bound in self.after_first(seats)
        )
        return Bracket(least, greatest)

    def after_first(self, seats: Seats) -> tuple[list[float], list[float]]:
        """Return bounds of seat 1's chance in each of `ends`, close for those that the players come to."""
        if self._rounds is None:
            return [], []
        ((_, mass),) = self._first.kernels(seats)
        kernels = self._rounds.kernels(seats)
        comes_back = self._comes_back(self._rounds, kernels)
        for further in range(1, _FURTHEST):
            if further not in self._systems:
                self._systems[further] = self._system(self._rounds, further * _FURTHER)
            system = self._systems[further]
            inside = _solve(_equations(system.rounds, kernels, list(comes_back)))
            layers = [
                [inside[at] for directions in group for at in system.layer.get(directions, ())] for group in comes_back
            ]
            beyond = _beyond(layers, list(comes_back.values()))
            after = [inside[at] for at in system.after_first]
            least, greatest = ([_value(form, bound) for form in after] for bound in zip(*beyond, strict=True))
            if sum(m * (high - low) for m, low, high in zip(mass, least, greatest, strict=True)) < ERROR:
                return least, greatest
        raise SolverError("The chances of these two players cannot be found to nine places.")

    def _system(self, near: _RestOfRound, further: int) -> _System:
        """Return all rounds up to a distance, and what each leads to."""
        furthest = max(map(self._distance, [*near.starts, *self._first.ends]))
        reach = furthest + (further if self._tails else self._width)
        like = {self.key(position): at for at, position in enumerate(near.starts)}
        places: dict[Hashable, int] = {}
        positions: list[Position] = []

        def place(position: Position) -> int | Directions:
            if self._distance(position) > reach:
                return self._directions(position)
            key = self.key(position)
            if key not in places:
                places[key] = len(positions)
                positions.append(position)
            return places[key]

        after_first = [place(end) for end in self._first.ends]
        rounds: list[_Round] = []
        for position in positions:
            by = self._copied(position)
            base = self._moved(position, -by)
            ends = {
                at: place(self._moved(end, by))
                for at, end in enumerate(near.ends)
                if by == 0 or abs(self._distance(end) - self._distance(base)) <= self._width
            }
            # No play leads from a near round to one that has no like.
            known = like.get(self.key(base))
            rounds.append(_Round(_NEVER, {}) if known is None else _Round(known, ends))
        layer: dict[Directions, list[int]] = defaultdict(list)
        for at, position in enumerate(positions):
            if self._distance(position) > reach - self._width:
                layer[self._directions(position)].append(at)
        return _System(rounds, layer, [at for at in after_first if isinstance(at, int)])

    def _changes(self, near: _RestOfRound, kernels: Sequence[Kernel]) -> dict[Directions, list[_Changes]]:
        """Return how rounds that begin far out change the distance, and how likely, in each direction."""
        changes: dict[Directions, list[_Changes]] = {both: [] for both in product((1, -1), (1, -1))}
        for start, (_, mass) in zip(near.starts, kernels, strict=True):
            if self._distance(start) >= self._near.get(self._directions(start), EVERYTHING):
                by = [(self._distance(end) - self._distance(start), m) for end, m in zip(near.ends, mass, strict=True)]
                changes[self._directions(start)].append([(change, m) for change, m in by if m])
        return changes

    def _comes_back(self, near: _RestOfRound, kernels: Sequence[Kernel]) -> dict[tuple[Directions, ...], float]:
        """Return an upper bound of the chance that a match comes back which has gone far out in some directions."""
        changes = self._changes(near, kernels)
        together = _coming_back([change for one in changes.values() for change in one])
        if together is not None:
            return {tuple(changes): together}
        # A round stands for its mirrors, which lie in other directions.
        apart = [_coming_back(change) for change in changes.values()] if self._symmetry is plain else [None]
        if None in apart:
            raise SolverError("It cannot be shown whether a match of these two players ends.")
        return {(one,): chance for one, chance in zip(changes, apart, strict=True) if chance is not None}


def _coming_back(changes: Sequence[_Changes]) -> float | None:
    """Return an upper bound of the chance to come back, given how the distance may change in each round far out."""
    # A distance that is not expected to grow, and does not stand still, comes back for certain.
    if all(sum(by * m for by, m in change) <= _ROUNDING and any(by for by, _ in change) for change in changes):
        return 1.0
    return next(
        (exp(-rate) for rate in _RATES if all(sum(m * exp(-rate * by) for by, m in change) <= 1 for change in changes)),
        None,
    )


def _settled(tail: RoundTail, sights: Sequence[int]) -> int:
    """Return the distance from which on every player sees the same, or nothing, a period further out."""
    distance = tail.since
    # If nothing comes later further out, all are the same from the beginning of the tail on.
    while tail.later and not all(
        value.plies is None or value.plies <= tail.still or value.plies >= max(sights, default=0)
        for here in range(distance, distance + tail.period)
        for value in tail.at(here)
    ):
        distance += 1
    return distance


def _beyond(layers: Sequence[Sequence[Form]], comes_back: Sequence[float]) -> list[Bracket]:
    """Return bounds of each unknown, given the forms of its layer and the chance to come back."""
    found = [Bracket(0.0, 1.0 if layer else 0.0) for layer in layers]
    for _ in range(_SWEEPS):
        before = [end for bracket in found for end in bracket]
        for at, (layer, chance) in enumerate(zip(layers, comes_back, strict=True)):
            if layer and all(1 - v[at] * chance >= _ROUNDING for _, v in layer):
                found[at] = _bracket(layer, chance, at, found)
        after = (end for bracket in found for end in bracket)
        if len(layers) == 1 or all(abs(a - b) < _ROUNDING for a, b in zip(before, after, strict=True)):
            break
    return found


def _bracket(layer: Sequence[Form], comes_back: float, at: int, bounds: Sequence[Bracket]) -> Bracket:
    """Return bounds of one unknown, given bounds of the others."""

    def ratios(known: Sequence[float]) -> Iterator[float]:
        others = [0.0 if n == at else c for n, c in enumerate(known)]
        return (_value(form, others) / (1 - form[1][at] * comes_back) for form in layer)

    least, greatest = zip(*bounds, strict=True)
    return Bracket(min(ratios(least)) if comes_back == 1 else 0.0, comes_back * max(ratios(greatest)))


def _value(form: Form, unknowns: Sequence[float]) -> float:
    u, v = form
    return u + sum(share * c for share, c in zip(v, unknowns, strict=True))


# The equations of a chain of rounds: every unknown h is found as a form u + v * c


class _Equation:
    """One equation: h = u + v * c (for each unknown c beyond) + the sum of chances times other h."""

    __slots__ = ("others", "u", "v")

    def __init__(self, u: float, unknowns: int) -> None:
        self.u = u
        self.v = [0.0] * unknowns
        self.others: defaultdict[int, float] = defaultdict(float)

    def without(self, unknown: int) -> None:
        """Solve the equation for its own unknown."""
        own = self.others.pop(unknown, 0.0)
        # Rounds that lead only to each other never end, and seat 1 does not win them.
        scale = 1 / (1 - own) if 1 - own > _FOR_EVER else 0.0
        self.u *= scale
        self.v = [v * scale for v in self.v]
        for other in self.others:
            self.others[other] *= scale

    def put_in(self, unknown: int, row: _Equation) -> None:
        """Replace an unknown by its equation."""
        share = self.others.pop(unknown, 0.0)
        if share:
            self.u += share * row.u
            self.v = [v + share * its for v, its in zip(self.v, row.v, strict=True)]
            for other, chance in row.others.items():
                self.others[other] += share * chance


def _equations(
    rounds: Sequence[_Round], kernels: Sequence[Kernel], groups: Sequence[Sequence[Directions]]
) -> list[_Equation]:
    """Return the equations of all rounds; all directions of a group share an unknown."""
    unknown = {directions: at for at, group in enumerate(groups) for directions in group}
    rows = []
    for one in rounds:
        won, mass = kernels[one.like] if one.like != _NEVER else (0.0, ())
        row = _Equation(won, len(groups))
        for end, at in one.ends.items():
            if mass[end]:
                if isinstance(at, int):
                    if rounds[at].like == _NEVER:
                        raise SolverError("The chances of these players cannot be found: rounds drift away.")
                    row.others[at] += mass[end]
                else:
                    row.v[unknown[at]] += mass[end]
        rows.append(row)
    return rows


def _solve(rows: Sequence[_Equation]) -> list[Form]:
    """Return every unknown: eliminate from the last to the first, then substitute from the first to the last."""
    for at in range(len(rows) - 1, -1, -1):
        rows[at].without(at)
        for row in rows[:at]:
            row.put_in(at, rows[at])
    found: list[Form] = []
    for row in rows:
        u = row.u + sum(chance * found[at][0] for at, chance in row.others.items())
        v = [own + sum(chance * found[at][1][n] for at, chance in row.others.items()) for n, own in enumerate(row.v)]
        found.append((u, v))
    return found
