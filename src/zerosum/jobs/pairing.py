"""Who plays whom next in a room: a minimum-weight matching of the pupils who are free.

Fewest earlier meetings come first, then the nearest score, then an even share of first seats. Two who have just met
are kept apart for a while. As many pupils as possible get a partner, and those who have waited longest come first.
Many pupils are matched in blocks by score, because the time grows with the cube of their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from zerosum.jobs.job_table import job

BLOCK: Final = 50
"""Pupils that are matched at once."""
APART_MS: Final = 10_000
"""Milliseconds that two who have just met wait for somebody else."""
MEETING: Final = 10_000
SCORE: Final = 100
"""What one earlier meeting costs, and one point of difference; a first seat too many costs 1 or 2."""


class FreePupil(TypedDict):
    """A pupil who is free, as the server sends one: `met` lists [pupil, how often], `last` is the last partner or 0."""

    pupil: int
    waited: int
    score: int
    firsts: int
    seconds: int
    last: int
    met: list[list[int]]


@dataclass(frozen=True, slots=True)
class _Free:
    pupil: int
    waited: int
    score: int
    surplus: int
    """First seats beyond second seats."""
    last: int
    met: dict[int, int]


def _read(given: FreePupil) -> _Free:
    met = {pair[0]: pair[1] for pair in given["met"]}
    surplus = given["firsts"] - given["seconds"]
    return _Free(given["pupil"], given["waited"], given["score"], surplus, given["last"], met)


@job(cost=0, remembered=False)
def pairs(free: list[FreePupil]) -> list[tuple[int, int]]:
    """Return pairs of pupils; the first of each moves first. Who is in no pair waits on."""
    pupils = sorted(map(_read, free), key=lambda one: (-one.score, -one.waited, one.pupil))
    if len(pupils) <= BLOCK:
        return [_seated(one, two) for one, two in _match(pupils)]
    matched = [pair for block in _blocks(_without_odd_one(pupils)) for pair in _match(block)]
    left = sorted(_unmatched(pupils, matched), key=lambda one: (-one.waited, one.pupil))
    matched += _match(left[:BLOCK])
    return [_seated(one, two) for one, two in matched]


def _without_odd_one(pupils: Sequence[_Free]) -> Sequence[_Free]:
    """Leave out of an odd number the one who has waited least."""
    if len(pupils) % 2 == 0:
        return pupils
    out = min(pupils, key=lambda one: (one.waited, -one.pupil))
    return [one for one in pupils if one is not out]


def _blocks(pupils: Sequence[_Free]) -> Iterable[Sequence[_Free]]:
    """Cut a list into as few blocks as possible, each of an even number of pupils as far as possible."""
    count = -(-len(pupils) // BLOCK)
    size = -(-len(pupils) // max(1, count))
    size += size % 2
    return (pupils[at : at + size] for at in range(0, len(pupils), size)) if pupils else ()


def _unmatched(pupils: Sequence[_Free], matched: Iterable[tuple[_Free, _Free]]) -> list[_Free]:
    taken = {one.pupil for pair in matched for one in pair}
    return [one for one in pupils if one.pupil not in taken]


def _match(pupils: Sequence[_Free]) -> list[tuple[_Free, _Free]]:
    """Match one block: as many as possible, those who have waited longest, and then at the least cost."""
    # Nearly always everybody finds a partner, but for an odd one; weights without the time waited are ten times faster.
    rest = _without_odd_one(pupils)
    found = _cheapest(rest, {one.pupil: 0 for one in rest})
    if len(found) < len(rest) // 2:
        ranked = sorted(pupils, key=lambda one: (one.waited, -one.pupil))
        found = _cheapest(pupils, {one.pupil: rank for rank, one in enumerate(ranked)})
    return found


def _cheapest(pupils: Sequence[_Free], ranks: Mapping[int, int]) -> list[tuple[_Free, _Free]]:
    """Match as many as possible: those of the highest ranks, and then at the least cost."""
    import networkx as nx  # noqa: PLC0415 - only a server with a room needs it

    edges = [(one, two, cost(one, two)) for n, one in enumerate(pupils) for two in pupils[n + 1 :] if _may(one, two)]
    if len(edges) <= 1:  # as nearly always: two have just finished their match
        return [(one, two) if one.pupil < two.pupil else (two, one) for one, two, _ in edges]
    dearest = max((price for *_, price in edges), default=0)
    worth = 1 + len(pupils) * dearest
    graph = nx.Graph()
    for one, two, price in edges:
        graph.add_edge(one.pupil, two.pupil, weight=worth * (ranks[one.pupil] + ranks[two.pupil]) + dearest + 1 - price)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    by_number = {one.pupil: one for one in pupils}
    return [(by_number[one], by_number[two]) for one, two in sorted(tuple(sorted(pair)) for pair in found)]


def _may(one: _Free, two: _Free) -> bool:
    """Whether two may meet now: not if they have just met and both can wait a little for somebody else."""
    just_met = one.last == two.pupil or two.last == one.pupil
    return not just_met or max(one.waited, two.waited) >= APART_MS


def cost(one: _Free, two: _Free) -> int:
    """Return what it costs to let two meet."""
    met = max(one.met.get(two.pupil, 0), two.met.get(one.pupil, 0))
    return MEETING * met + SCORE * abs(one.score - two.score) + _seat_cost(one, two)


def _seat_cost(one: _Free, two: _Free) -> int:
    """Return 0 if a meeting evens out first seats for both, 2 if for one of them, 4 if for neither."""
    first, second = (one, two) if one.surplus <= two.surplus else (two, one)
    change = abs(first.surplus + 1) - abs(first.surplus) + abs(second.surplus - 1) - abs(second.surplus)
    return change + 2


def _seated(one: _Free, two: _Free) -> tuple[int, int]:
    """Return the two with the one first who has moved first less often; else they alternate by their meetings."""
    if one.surplus != two.surplus:
        return (one.pupil, two.pupil) if one.surplus < two.surplus else (two.pupil, one.pupil)
    low, high = sorted((one.pupil, two.pupil))
    return (low, high) if (low + high + one.met.get(two.pupil, 0)) % 2 else (high, low)
