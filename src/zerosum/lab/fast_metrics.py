"""The passes of `reach` and `selfplay` a ply at a time, by NumPy, of the extra `fast`: the same figures, sooner.

Every array has a row for each node of a layer and a column for each move of the game, legal or not. Rules that remember
the move before are left to `reach`; who has won is asked of `judge`, once for each total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.lab.reach import CHANGED, CHANGED_FLIPPED, ENDS, FLIPPED, REASONS, arising, check_size, end_of, refilled_at
from zerosum.lab.selfplay import Counts, Course, Known, Played, end_worths
from zerosum.players.levels import STRENGTHS, Level
from zerosum.players.odds import Pairing
from zerosum.players.policies import AT_ONCE, FAR
from zerosum.rules.model import Overshoot, Rules, Seat, Tie, Totals
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.outcome import judge
from zerosum.rules.position import Position

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_NEVER: Final = -(1 << 40)
"""The worth of a move that is not legal: below any other."""
_TRAP: Final = 3
_KEYS: Final = 1 << 62
_AT_ONCE_SIZE: Final = 1 << 17


class _Layer(NamedTuple):
    """The nodes of a ply: where each move leads, whether it is legal, and how many positions each node stands for."""

    after: Ints
    legal: Flags
    positions: Ints


class _Judged(NamedTuple):
    """What is known of the nodes of a layer."""

    layer: _Layer
    worths: Ints
    replies: Ints
    best: Ints
    behind: Floats
    """A row for each player."""
    chances: list[Floats] | None
    """Of each player, the chance of each move; None where it would take too much memory to remember."""


class FastReached:
    """All positions of a game until it ends or its pool is refilled; None of `make` where keys would be too large."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._shared = rules.totals is Totals.SHARED
        self._mirrored = (
            rules.overshoot is Overshoot.PLAY_ON and rules.operations != ADD_ONLY and rules.tie != Tie.SUDDEN_DEATH
        )
        copies = Counter(rules.pool)
        strides = [prod(k + 1 for k in list(copies.values())[:at]) for at in range(len(copies))]
        signs = (1,) if rules.operations == ADD_ONLY else (1, -1)
        moves = [(n, stride, k, sign) for (n, k), stride in zip(copies.items(), strides, strict=True) for sign in signs]
        self._numbers = [number for number, _, _, _ in moves]
        self._strides, self._copies, self._amounts = (
            np.array(column, dtype=np.int64)
            for column in zip(*((stride, k, sign * n) for n, stride, k, sign in moves), strict=True)
        )
        far = sum(map(abs, rules.pool)) + max(map(abs, rules.start)) + 2 * abs(rules.target)
        self._low, self._width = -far, 2 * far + 1
        self._ends: list[dict[tuple[int, int], int]] = [{}, {}]
        self._layers: list[_Layer] = []
        self._walk()

    @staticmethod
    def fits(rules: Rules) -> bool:
        """Whether all positions have keys of 62 bits."""
        width = 2 * (sum(map(abs, rules.pool)) + max(map(abs, rules.start)) + 2 * abs(rules.target)) + 1
        return prod(k + 1 for k in Counter(rules.pool).values()) * width * width < _KEYS

    def _walk(self) -> None:
        rules = self._rules
        rows = np.zeros(1, dtype=np.int64)
        mine = np.array([rules.start[0]], dtype=np.int64)
        other = np.array([0 if self._shared else rules.start[1]], dtype=np.int64)
        masks = np.ones(1, dtype=np.int64)
        count = 0
        for ply in range(len(rules.pool)):
            legal = rows[:, None] // self._strides % (self._copies + 1) < self._copies
            totals = mine[:, None] + self._amounts
            after = self._judge(totals, other, legal, ply)
            goes_on = legal & (after == 0)
            at, column = np.nonzero(goes_on)
            keys, turns = self._following(rows[at] + self._strides[column], totals[at, column], other[at], masks[at])
            found, place = np.unique(keys, return_inverse=True)
            after[at, column] = place
            self._layers.append(_Layer(after, legal, self._positions(masks, mine, other)))
            masks = np.zeros(len(found), dtype=np.int64)
            np.bitwise_or.at(masks, place, turns)
            rest, other = np.divmod(found, self._width)
            rows, mine = np.divmod(rest, self._width)
            mine, other = mine + self._low, other + self._low
            count += len(found)
            check_size(rules, count)
            if not len(found):
                break
        states = zip(mine.tolist(), other.tolist(), strict=True) if len(rows) else ()
        self.refilled: list[Position] = [refilled_at(rules, one, two) for one, two in states]

    def _judge(self, totals: Ints, other: Ints, legal: Flags, ply: int) -> Ints:
        """Return the end of each move, 0 where play goes on."""
        last = ply == len(self._rules.pool) - 1
        others = np.broadcast_to(other[:, None] if last else np.zeros((1, 1), dtype=np.int64), totals.shape)
        pairs = (totals - self._low) * self._width + (others - self._low)
        different, place = np.unique(pairs[legal], return_inverse=True)
        ends = np.array([self._end(int(pair), ply, last=last) for pair in different], dtype=np.int64)
        after = np.zeros(totals.shape, dtype=np.int64)
        if len(ends):
            after[legal] = ends[place]
        return after

    def _end(self, pair: int, ply: int, *, last: bool) -> int:
        seat, known = (Seat.FIRST, Seat.SECOND)[ply % 2], self._ends[ply % 2]
        key = (pair, int(last))
        if key not in known:
            mine, other = (part + self._low for part in divmod(pair, self._width))
            totals = (mine,) if self._shared else (mine, other) if seat is Seat.FIRST else (other, mine)
            outcome = judge(self._rules, () if last else self._rules.pool, totals, seat)
            known[key] = 0 if outcome is None else end_of(outcome, seat)
        return known[key]

    def _following(self, rows: Ints, totals: Ints, other: Ints, masks: Ints) -> tuple[Ints, Ints]:
        """Return the keys of what moves lead to, and which mirrors of it arise."""
        target = self._rules.target
        above = totals > target
        if self._mirrored:
            totals = np.where(above, 2 * target - totals, totals)
            straight = masks if self._shared else np.array(CHANGED)[masks]
            turned = np.array(FLIPPED if self._shared else CHANGED_FLIPPED)[masks]
            masks = np.where(above, turned, straight)
        first, second = (totals, np.zeros_like(totals)) if self._shared else (other, totals)
        return (rows * self._width + (first - self._low)) * self._width + (second - self._low), masks

    def _positions(self, masks: Ints, mine: Ints, other: Ints) -> Ints:
        if not self._mirrored:
            return np.ones(len(masks), dtype=np.int64)
        target = self._rules.target
        table = np.array([[arising(mask, same) for same in range(4)] for mask in range(16)])
        found: Ints = table[masks, (mine != target) + 2 * (other != target)]
        return found

    # What happens when players meet

    def play(self, who: Sequence[str], pairings: Sequence[Pairing], refilled: Sequence[Known]) -> Played:
        """Return what `selfplay.play` returns."""
        levels = [STRENGTHS[one] for one in who]
        movers = [who.index(one) for one, _ in pairings]
        other_way = [pairings.index((two, one)) for one, two in pairings]
        counts = Counts()
        back = np.array([one.worth for one in refilled], dtype=np.int64)
        winning = np.array([one.winning for one in refilled], dtype=np.int64)
        others = np.array([one.others for one in refilled], dtype=np.float64).reshape(len(refilled), len(pairings)).T
        ends = np.tile(np.array([0.0 if at % 2 else 1.0 for at in range(ENDS)][::-1]), (len(pairings), 1))
        judged: list[_Judged] = []
        for layer in reversed(self._layers):
            back = np.concatenate([np.where(back > 0, 1 - back, np.where(back < 0, -1 - back, 0)), end_worths()])
            worths = np.where(layer.legal, back[layer.after], _NEVER)
            replies = np.concatenate([winning, np.zeros(ENDS, dtype=np.int64)])[layer.after]
            others = np.concatenate([others, ends], axis=1)
            best = worths.max(axis=1)
            chances = _chances(levels, layer.legal, worths, replies)
            mine = _won(chances, movers, others, other_way, layer.after)
            likes = mine[: len(who)]
            behind = np.where(best > 0, 1 - likes, np.where(best < 0, likes, 0.0))
            small = len(levels) * layer.after.size <= _AT_ONCE_SIZE
            judged.append(_Judged(layer, worths, replies, best, behind, chances if small else None))
            winning = (worths > 0).sum(axis=1)
            self._count(counts, judged[-1])
            back, others = best, 1 - mine
        judged.reverse()
        start = Known(int(back[0]), int(winning[0]), others[:, 0].tolist())
        return Played(start, len(judged), counts, self._courses(levels, judged, len(refilled)))

    def _count(self, counts: Counts, judged: _Judged) -> None:
        layer, worths, best = judged.layer, judged.worths, judged.best
        many = layer.positions
        real, only = _kinds(judged)
        counts.positions += int(many.sum())
        counts.mover_wins += int(many[best > 0].sum())
        counts.real += int(many[real].sum())
        counts.only += int(many[only].sum())
        wins = worths > 0
        different = sorted(set(self._numbers))
        columns = [wins[:, [at for at, one in enumerate(self._numbers) if one == number]] for number in different]
        winners = np.array([part.any(axis=1) for part in columns])
        needed = real & (winners.sum(axis=0) == 1)
        for number, won in zip(different, winners, strict=True):
            counts.wins[number] = counts.wins.get(number, 0) + int(many[won].sum())
            counts.needed[number] = counts.needed.get(number, 0) + int(many[won & needed].sum())

    def _courses(self, levels: Sequence[Level], judged: Sequence[_Judged], refilled: int) -> list[Course]:
        used = np.unique(np.concatenate([one.layer.after[one.layer.legal] for one in judged]))
        reasons = [reason for n, reason in enumerate(REASONS) if np.isin([-1 - 2 * n, -2 - 2 * n], used).any()]
        courses = [Course([0.0], dict.fromkeys(reasons, 0.0)) for _ in levels]
        here = np.ones((len(levels), 1))
        for ply, one in enumerate(judged):
            layer = one.layer
            size = len(judged[ply + 1].best) if ply + 1 < len(judged) else refilled
            real, only = _kinds(one)
            worse = (np.where(one.best[:, None] > 0, one.worths <= 0, one.worths < 0) & layer.legal) & real[:, None]
            following = np.zeros((len(levels), size))
            every = one.chances or _chances(levels, layer.legal, one.worths, one.replies)
            for player, chances in enumerate(every):
                course, mass = courses[player], here[player]
                course.behind += float(mass @ one.behind[player])
                course.real += float(mass[real].sum())
                course.only += float(mass[only].sum())
                course.changes += float(mass @ np.where(worse, chances, 0.0).sum(axis=1))
                flow = (mass[:, None] * chances)[layer.legal]
                into = np.bincount(layer.after[layer.legal] + ENDS, flow, size + ENDS)
                ended = into[:ENDS][::-1].tolist()
                for reason in course.endings:
                    at = 2 * REASONS.index(reason)
                    course.endings[reason] += ended[at] + ended[at + 1]
                course.plies.append(sum(ended))
                following[player] = into[ENDS:]
            here = following
        for course, left in zip(courses, here, strict=True):
            course.refill = float(left.sum())
            course.plies[-1] += course.refill
        return courses


def _won(chances: list[Floats], movers: list[int], others: Floats, other_way: list[int], after: Ints) -> Floats:
    """Return the mover's chance in each node, a row for each pairing: all at once where that is not too large."""
    if len(movers) * after.size <= _AT_ONCE_SIZE:
        found: Floats = (np.array(chances)[movers] * others[other_way][:, after]).sum(axis=2)
        return found
    pairs = zip(movers, other_way, strict=True)
    return np.array([(chances[mover] * others[other][after]).sum(axis=1) for mover, other in pairs])


def _kinds(judged: _Judged) -> tuple[Flags, Flags]:
    """Return which nodes are real choices, and which have only one right move."""
    worths, best, legal = judged.worths, judged.best, judged.layer.legal
    wins = (worths > 0).sum(axis=1)
    bests = np.where(best > 0, wins, np.where(best == 0, (worths == 0).sum(axis=1), legal.sum(axis=1)))
    real = bests < legal.sum(axis=1)
    return real, real & (bests == 1) & (best >= 0)


def _chances(levels: Sequence[Level], legal: Flags, worths: Ints, replies: Ints) -> list[Floats]:
    """Return each level's chance of each move: `chances_of` for a whole layer."""
    best = worths.max(axis=1)
    moves = legal.sum(axis=1)
    quickest = worths == best[:, None]
    sure = _evenly(quickest)
    ranks = (np.minimum(FAR + worths, _TRAP) * 4096 - replies) * (1 << 31) + worths
    ranks = np.where(legal, ranks, np.iinfo(np.int64).min)
    trap = _evenly(ranks == ranks.max(axis=1)[:, None])
    blindly = legal / moves[:, None]
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
