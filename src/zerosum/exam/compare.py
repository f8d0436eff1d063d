"""Two runs of the same items: who keeps more, position by position, how sure that is, and what would decide it.

The difference of each position (the mean over its reskins) is one observation. The bootstrap resamples positions, with
one more on each side, as Bonett and Price do for pairs: small samples then claim no more than they show. Interval and
p-value come from the same resamples, so neither contradicts the other; over several games Holm's method makes both
stricter alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import ceil, floor, sqrt
from random import Random
from statistics import pstdev
from typing import Final, NamedTuple

from zerosum.base.documents import OMITTED, inline, key, member, to_json
from zerosum.base.english import count, percent
from zerosum.base.statistics import CONFIDENCE, Interval, adjusted_confidence, holm, normal_quantile, resampled
from zerosum.exam.items import ItemsError
from zerosum.exam.scoring import AnsweredItem
from zerosum.exam.summary import ExamReport, ExamScore

RESAMPLES: Final = 10_000
POWER: Final = 0.8
"""How often as many items as are said would show a difference that is there."""
_EVEN: Final = 1e-12
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Difference:
    """What one run kept less what another kept of the same real choices."""

    positions: int
    items: int
    """Real choices that both answered."""
    kept_a: float
    kept_b: float
    difference: float
    """The mean over positions."""
    spread: float = field(metadata=OMITTED)
    """The standard deviation of a position's difference."""
    interval: Interval = field(metadata=OMITTED)
    p_value: float = field(metadata=key("p"))

    @member
    def low(self) -> float:
        """Return the lower end of its interval."""
        return self.interval.low

    @member
    def high(self) -> float:
        """Return the upper end of its interval."""
        return self.interval.high

    @property
    @member
    def clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.interval.low > 0 or self.interval.high < 0

    @property
    @member
    def more_items(self) -> int | None:
        """How many items more would show the difference, were it as large as it looks; None if none is seen."""
        if self.clear:
            return 0
        if abs(self.difference) < _EVEN:
            return None
        missing = positions_needed(self.difference, self.spread) - self.positions
        return ceil(max(1, missing) * self.items / self.positions)


def positions_needed(difference: float, spread: float) -> int:
    """Return how many positions show a difference with the chance `POWER`; one more on each side counts there too."""
    sure, power = normal_quantile((1 + CONFIDENCE) / 2), normal_quantile(POWER)
    apart, variance = abs(difference), spread * spread

    def shows(positions: int) -> bool:
        size = positions + 2
        middle = positions * apart / size
        resampled_spread = sqrt(((positions * (variance + apart * apart) + 2) / size - middle * middle) * size)
        return positions * apart >= sure * resampled_spread + power * sqrt(positions) * spread

    most = 1
    while not shows(most):
        most *= 2
    return bisect_left(range(most), 1, lo=most // 2, key=shows)


@dataclass(frozen=True, slots=True)
class GameDifference:
    """One game; its interval is as wide as its adjusted p-value is strict."""

    game: str
    difference: Difference = field(metadata=inline())
    adjusted: float = field(metadata=key("p_holm"))


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs of the same items."""

    a: ExamReport = field(metadata=OMITTED)
    b: ExamReport = field(metadata=OMITTED)
    difference: Difference = field(metadata=inline())
    games: tuple[GameDifference, ...]

    @property
    def conditions(self) -> dict[str, tuple[object, object]]:
        """What differs between the runs beside their names, by its key in the plan."""
        ours, theirs = self.a.run.plan.document, self.b.run.plan.document
        keys = [one for one in ours if one not in {"name", "items", "url", "seconds"}]
        return {one: (ours[one], theirs[one]) for one in keys if ours[one] != theirs[one]}


class Observation(NamedTuple):
    """What both runs kept of one position."""

    game: str
    items: int
    kept_a: float
    kept_b: float


def compare(a: ExamReport, b: ExamReport, resamples: int = RESAMPLES) -> Compared:
    """Compare two runs; they must have asked the same items."""
    if a.run.set.sha256 != b.run.set.sha256:
        raise ItemsError("The runs asked different items; only runs of the same set can be compared.")
    seen = observations(a.rows, b.rows)
    if not seen:
        raise ItemsError("No real choice was answered in both runs.")
    names = [*dict.fromkeys(one.game for one in seen)]
    parts = [_Resampled([one for one in seen if one.game == game], game, resamples) for game in names]
    adjusted = holm([part.p_value for part in parts])
    games = tuple(
        GameDifference(game, part.difference(adjusted_confidence(part.p_value, p)), p)
        for game, part, p in zip(names, parts, adjusted, strict=True)
    )
    return Compared(a, b, difference_of(seen, "all", resamples), games)


def observations(a: Sequence[AnsweredItem], b: Sequence[AnsweredItem]) -> list[Observation]:
    """Return what both runs kept of each position."""
    theirs = {row.item.id: row for row in b}
    groups: dict[tuple[str, int], list[tuple[bool, bool]]] = {}
    for row in a:
        other = theirs.get(row.item.id)
        if other is not None and row.last.facts.real:
            groups.setdefault(row.position, []).append((row.last.kept, other.last.kept))
    return [
        Observation(game, len(both), *(sum(kept) / len(both) for kept in zip(*both, strict=True)))
        for (game, _), both in groups.items()
    ]


def difference_of(seen: Sequence[Observation], seed: str, resamples: int = RESAMPLES) -> Difference:
    """Return the difference between two runs in some positions, with its 95 % interval."""
    return _Resampled(seen, seed, resamples).difference()


class _Resampled:
    """The differences of some positions, and their mean in each of many resamples, in order."""

    def __init__(self, seen: Sequence[Observation], seed: str, resamples: int) -> None:
        self._seen = seen
        apart = Counter([*(round(one.kept_a - one.kept_b, 12) for one in seen), 1.0, -1.0])
        size = apart.total()
        values = [*apart]
        dice = Random(seed)
        counts = islice(resampled([*apart.values()], dice), resamples)
        # Means of shares lie on a grid; spread over its steps, those that are just 0 fall on both sides alike.
        step = 1 / (size * max(one.items for one in seen))
        self._means = sorted(
            sum(n * value for n, value in zip(one, values, strict=True)) / size + step * (dice.random() - 0.5)
            for one in counts
        )
        self._spread = pstdev(one.kept_a - one.kept_b for one in seen)
        below = sum(mean <= 0 for mean in self._means)
        above = sum(mean >= 0 for mean in self._means)
        self.p_value = min(1.0, 2 * (min(below, above) + 1) / (resamples + 1))

    def difference(self, confidence: float = CONFIDENCE) -> Difference:
        """Return the difference with its interval."""
        kept_a = sum(one.kept_a for one in self._seen) / len(self._seen)
        kept_b = sum(one.kept_b for one in self._seen) / len(self._seen)
        at = floor((1 - confidence) / 2 * (len(self._means) + 1) + _ROUNDING) - 1
        ends = Interval(self._means[at], self._means[-1 - at]) if at >= 0 else Interval(-1.0, 1.0)
        return Difference(
            positions=len(self._seen),
            items=sum(one.items for one in self._seen),
            kept_a=kept_a,
            kept_b=kept_b,
            difference=kept_a - kept_b,
            spread=self._spread,
            interval=ends,
            p_value=self.p_value,
        )


def compared_json(found: Compared) -> dict[str, object]:
    """Return a comparison as JSON."""
    return {
        "a": _run_json(found.a),
        "b": _run_json(found.b),
        "set": found.a.run.set.sha256,
        "conditions": {name: list(both) for name, both in found.conditions.items()},
        **to_json(found),
    }


def _run_json(report: ExamReport) -> dict[str, object]:
    score: ExamScore = report.summary.score
    usage = report.usage
    return {
        "run": report.run.plan.key,
        "name": report.run.plan.name,
        "skill": score.skill,
        "kept": score.kept.rate,
        "refused": score.refused(),
        "tokens_per_item": None if usage is None else usage.tokens_per_item,
    }


def compared_words(found: Compared, names: tuple[str, str]) -> list[str]:
    """Return what a comparison says, in sentences."""
    one = found.difference
    a, b = names
    interval = f"95% interval {100 * one.interval.low:+.1f} to {100 * one.interval.high:+.1f}, p = {one.p_value:.2g}"
    clear = "a clear difference" if one.clear else "no clear difference"
    asked = f"{count(one.items, 'real choice')} in {count(one.positions, 'position')}"
    words = [
        f"Of {asked}, {a} keeps {percent(one.kept_a)} %, {b} {percent(one.kept_b)} %.",
        f"{a} less {b}: {100 * one.difference:+.1f} points ({interval}): {clear}.",
    ]
    if one.more_items is None:
        words.append("No difference is seen, so no number of items would show one.")
    elif one.more_items:
        words.append(
            f"Were the difference as large as it looks, {count(one.more_items, 'item')} more would show it "
            f"four times out of five."
        )
    return words
