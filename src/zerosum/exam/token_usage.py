"""What a run took: tokens, seconds, finish reasons and names, as the endpoint says; cost; and whether tokens helped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from statistics import median
from typing import Final

from zerosum.arena.entrants.model_endpoint import Usage
from zerosum.base.documents import OMITTED, inline, member
from zerosum.base.statistics import Interval, grouped, share_interval
from zerosum.exam.scoring import AnsweredItem

BANDS_OF_TOKENS: Final = 4
_MILLION: Final = 1_000_000
_NINE_TENTHS: Final = 0.9


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, asked and answered, in whatever money."""

    prompt: float
    completion: float


@dataclass(frozen=True, slots=True)
class TokenBand:
    """Real choices by the tokens of their replies: from the fewest to the most."""

    least: int
    most: int
    choices: int
    kept: int
    interval: Interval = field(metadata=OMITTED)

    @property
    @member
    def rate(self) -> float:
        """The share kept."""
        return self.kept / self.choices

    @member
    def low(self) -> float:
        """Return the lower end of its 95 % interval."""
        return self.interval.low

    @member
    def high(self) -> float:
        """Return the upper end of its 95 % interval."""
        return self.interval.high


@dataclass(frozen=True, slots=True)
class RunCost:
    """What all replies cost at a price."""

    price: Price = field(metadata=inline())
    total: float
    per_item: float
    per_kept: float | None


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What the replies of a run took, added up over all tries; None where the endpoint never said it."""

    replies: int
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    tokens_per_item: float | None
    """Completion tokens of an item, on average."""
    seconds_median: float | None
    seconds_90: float | None
    """Nine replies of ten took no longer."""
    seconds_total: float | None
    tool_calls: int
    finish: Mapping[str, int]
    """How many replies ended for each reason."""
    models: Mapping[str, int]
    """How many replies came from each model, by the endpoint's own names."""
    by_tokens: tuple[TokenBand, ...]
    """What was kept, by quarters of the real choices in the order of their completion tokens."""
    cost: RunCost | None


def usage_of(rows: Sequence[AnsweredItem], price: Price | None = None) -> RunUsage | None:
    """Return what replies took; None if nothing is known of any, as with commands."""
    every = [reply.usage for row in rows for reply in row.replies]
    if not any(one.model or one.finish or one.seconds is not None for one in every):
        return None
    middle, ninth, whole = _times(every)
    prompt, completion = _total(one.prompt_tokens for one in every), _total(one.completion_tokens for one in every)
    return RunUsage(
        replies=len(every),
        prompt_tokens=prompt,
        completion_tokens=completion,
        reasoning_tokens=_total(one.reasoning_tokens for one in every),
        tokens_per_item=None if completion is None else completion / len(rows),
        seconds_median=middle,
        seconds_90=ninth,
        seconds_total=whole,
        tool_calls=sum(one.calls for one in every),
        finish=_counted([one.finish for one in every]),
        models=_counted([one.model for one in every]),
        by_tokens=_bands(rows),
        cost=_cost(prompt, completion, price, rows),
    )


def _times(every: Sequence[Usage]) -> tuple[float | None, float | None, float | None]:
    """Return the median, the ninth decile and the sum of the seconds that are known."""
    seconds = sorted(one.seconds for one in every if one.seconds is not None)
    if not seconds:
        return None, None, None
    return median(seconds), seconds[ceil(_NINE_TENTHS * len(seconds)) - 1], sum(seconds)


def _total(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _counted(names: Sequence[str]) -> dict[str, int]:
    """Return how often each name was said, the commonest first."""
    return dict(sorted(Counter(filter(None, names)).items(), key=lambda one: (-one[1], one[0])))


def _cost(
    prompt: int | None, completion: int | None, price: Price | None, rows: Sequence[AnsweredItem]
) -> RunCost | None:
    if price is None or prompt is None or completion is None:
        return None
    total = (prompt * price.prompt + completion * price.completion) / _MILLION
    kept = sum(row.last.facts.real and row.last.kept for row in rows)
    return RunCost(price, total, total / len(rows), total / kept if kept else None)


def _bands(rows: Sequence[AnsweredItem]) -> tuple[TokenBand, ...]:
    """Return real choices in quarters, from those that took the fewest tokens to those that took the most."""
    known = []
    for row in rows:
        tokens = _total(reply.usage.completion_tokens for reply in row.replies)
        if row.last.facts.real and tokens is not None:
            known.append((tokens, row.item.id, row.position, row.last.kept))
    known.sort()
    count = min(BANDS_OF_TOKENS, len(known))
    bands = []
    for place in range(count):
        part = known[place * len(known) // count : (place + 1) * len(known) // count]
        interval = share_interval(grouped((position, 1, kept) for _, _, position, kept in part), "tokens")
        bands.append(TokenBand(part[0][0], part[-1][0], len(part), sum(one[3] for one in part), interval))
    return tuple(bands)
