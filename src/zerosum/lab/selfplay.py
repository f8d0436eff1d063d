"""What happens when players meet, exactly: one pass from the ends back, one from the start on.

Chances are those of whoever moves, so seats and swaps need no care: after any move the other person is to move.
Going back, the chance of a player a against b is the sum, over a's moves, of a's chance of the move times one less b's
chance against a after it. Going on, each player meets its like, and the chance to come to a position is the sum over
the moves that lead there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Final, NamedTuple

from zerosum.lab.reach import ENDS, REASONS, Node, Reached
from zerosum.players.levels import STRENGTHS
from zerosum.players.odds import Pairing
from zerosum.players.policies import AT_ONCE, before_move, best_traps, chances_of
from zerosum.rules.outcome import Reason

_MOST_REMEMBERED: Final = 100_000
_END_WORTHS: Final = [-AT_ONCE if at % 2 else AT_ONCE for at in range(ENDS)][::-1]
"""What the end of each number is worth to whoever moved; the last is end -1, a win."""


class Known(NamedTuple):
    """What is known of a node: its worth to the mover, how many moves win, and the chances of whoever does not move.

    There is a chance for each pairing of the mover and the other.
    """

    worth: int
    winning: int
    others: Sequence[float]


class Seen(NamedTuple):
    """A node, and what the way on needs to know of it."""

    after: tuple[int, ...]
    chances: list[list[float]]
    """Of each player, the chance of each move."""
    behind: Sequence[float]
    """Of each player against its like, the chance that whoever is not in the lead wins."""
    worse: tuple[int, ...]
    """The moves that give away something of the verdict: none where all options have the same."""
    only: bool


@dataclass
class Counts:
    """How many positions there are, and of which kinds."""

    positions: int = 0
    mover_wins: int = 0
    real: int = 0
    only: int = 0
    wins: dict[int, int] = field(default_factory=dict)
    needed: dict[int, int] = field(default_factory=dict)

    def add(self, node: Node, worths: Sequence[int], *, real: bool, only: bool) -> None:
        """Count a node."""
        count = node.positions
        self.positions += count
        self.real += count * real
        self.only += count * only
        winners = {number for number, worth in zip(node.numbers, worths, strict=True) if worth > 0}
        if not winners:
            return
        self.mover_wins += count
        for number in winners:
            self.wins[number] = self.wins.get(number, 0) + count
        if len(winners) == 1 and real:
            (number,) = winners
            self.needed[number] = self.needed.get(number, 0) + count


class Back:
    """The way back: what each node is worth, and the chances of every pairing."""

    def __init__(self, who: Sequence[str], pairings: Sequence[Pairing]) -> None:
        """Take players, and pairings of them: each with its like first, in their order, and all both ways round."""
        self._levels = [STRENGTHS[one] for one in who]
        self._players = len(who)
        self._movers = [who.index(one) for one, _ in pairings]
        self._other_way = [pairings.index((two, one)) for one, two in pairings]
        self._ends = [Known(0, 0, ([0.0] if at % 2 else [1.0]) * len(pairings)) for at in range(ENDS)][::-1]
        self._remembered: dict[object, list[list[float]]] = {}
        self.counts = Counts()

    def layers(self, reached: Reached, refilled: Sequence[Known]) -> tuple[list[list[Seen]], list[Known]]:
        """Return the nodes, judged, and what is known of the first layer: of the start."""
        following = list(refilled)
        seen: list[list[Seen]] = []
        for layer in reversed(reached.layers):
            back = [before_move(one.worth) for one in following] + _END_WORTHS
            following += self._ends
            judged = [self._judged(node, back, following) for node in layer]
            seen.append([one for one, _ in judged])
            following = [known for _, known in judged]
        return seen[::-1], following

    def _judged(self, node: Node, back: Sequence[int], following: Sequence[Known]) -> tuple[Seen, Known]:
        worths = [back[at] for at in node.after]
        best = max(worths)
        winning = sum(worth > 0 for worth in worths)
        bests = winning if best > 0 else worths.count(0) if best == 0 else len(worths)
        real = bests < len(worths)
        only = bests == 1 and real and best >= 0
        worse = tuple(at for at, worth in enumerate(worths) if (worth <= 0 if best > 0 else worth < 0)) if real else ()
        self.counts.add(node, worths, real=real, only=only)
        chances = self._chances(worths, [following[at].winning for at in node.after] if best < 0 else ())
        columns = list(zip(*[following[at].others for at in node.after], strict=True))
        mine = [
            sum(map(mul, chances[mover], columns[other]))
            for mover, other in zip(self._movers, self._other_way, strict=True)
        ]
        others = [1 - chance for chance in mine]
        likes = slice(0, self._players)
        behind = others[likes] if best > 0 else mine[likes] if best < 0 else [0.0] * self._players
        return Seen(node.after, chances, behind, worse, only), Known(best, winning, others)

    def _chances(self, worths: list[int], winning: Sequence[int]) -> list[list[float]]:
        key = tuple(worths), tuple(winning)
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            found = chances_of(self._levels, worths, lambda: best_traps(worths, winning))
            self._remembered[key] = found
        return found


@dataclass
class Course:
    """The course of matches of a player against its like; `plies` has the chance of each length, from 0 on."""

    plies: list[float]
    endings: dict[Reason, float]
    refill: float = 0.0
    real: float = 0.0
    only: float = 0.0
    changes: float = 0.0
    behind: float = 0.0

    @property
    def mean(self) -> float:
        """The mean length."""
        return sum(n * chance for n, chance in enumerate(self.plies))


class Played(NamedTuple):
    """What both passes found; the courses are in the order of the players."""

    start: Known
    longest: int
    counts: Counts
    courses: list[Course]


def play(reached: Reached, who: Sequence[str], pairings: Sequence[Pairing], refilled: Sequence[Known]) -> Played:
    """Let players meet: the chances of all pairings, and the course of matches of each player against its like."""
    back = Back(who, pairings)
    layers, (start,) = back.layers(reached, refilled)
    courses = [course_of(n, layers, len(refilled)) for n in range(len(who))]
    return Played(start, len(layers), back.counts, courses)


def end_worths() -> list[int]:
    """Return what each end is worth to whoever moved, as what stands at the end of a list of worths."""
    return _END_WORTHS


def course_of(player: int, layers: Sequence[Sequence[Seen]], refilled: int) -> Course:
    """Return how matches go between two of the player at an index; the pool is refilled at so many positions."""
    course = Course([0.0], dict.fromkeys(_reasons(layers), 0.0))
    here = [1.0]
    for ply, layer in enumerate(layers):
        following = [0.0] * (len(layers[ply + 1]) if ply + 1 < len(layers) else refilled)
        size = len(following)
        following += [0.0] * ENDS
        for seen, mass in zip(layer, here, strict=True):
            if not mass:
                continue
            shares = seen.chances[player]
            for at, share in zip(seen.after, shares, strict=True):
                following[at] += mass * share
            course.behind += mass * seen.behind[player]
            if seen.worse:
                course.real += mass
                course.changes += mass * sum(shares[at] for at in seen.worse)
                if seen.only:
                    course.only += mass
        ended = following[size:][::-1]
        for reason in course.endings:
            at = 2 * REASONS.index(reason)
            course.endings[reason] += ended[at] + ended[at + 1]
        course.plies.append(sum(ended))
        here = following[:size]
    course.refill = sum(here)
    course.plies[-1] += course.refill
    return course


def _reasons(layers: Sequence[Sequence[Seen]]) -> list[Reason]:
    """Return why a match can end, in their order."""
    ends = {at for layer in layers for seen in layer for at in seen.after if at < 0}
    return [reason for n, reason in enumerate(REASONS) if not ends.isdisjoint((-1 - 2 * n, -2 - 2 * n))]
