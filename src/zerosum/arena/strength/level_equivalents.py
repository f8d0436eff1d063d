"""Which level keeps as much as somebody, and which scores as much: a figure put on the axis of levels.

The axis runs from 0, random play, over the nine levels to 10, perfect play. What each of them keeps of the same real
choices, or scores in the same matches, is exact; between two neighbours lies their mixture, and so the figure between
theirs. The ends of the 95 % interval of a figure are put on the axis in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from zerosum.base.documents import key
from zerosum.base.statistics import Interval
from zerosum.players.levels import STRENGTHS

TOP: Final = len(STRENGTHS) - 1
"""Where perfect play lies on the axis."""
_ALIKE: Final = 1e-9
_PLACES: Final = 6
_ROUNDS_TO: Final = 0.05


@dataclass(frozen=True, slots=True)
class KeptLevel:
    """The level that keeps as much, and its 95 % interval; all None if no real choice tells levels apart."""

    level: float | None
    low: float | None = field(metadata=key("level_low"))
    high: float | None = field(metadata=key("level_high"))


@dataclass(frozen=True, slots=True)
class ScoredLevel:
    """The level that scores as much, and its 95 % interval; all None without a match whose chances are known."""

    level: float | None = field(metadata=key("score_level"))
    low: float | None = field(metadata=key("score_level_low"))
    high: float | None = field(metadata=key("score_level_high"))


Place = tuple[float | None, float | None, float | None]
NOWHERE: Final[Place] = (None, None, None)


def place_of(by_strength: Sequence[float], figure: float, interval: Interval) -> Place:
    """Return where a figure lies among those of all strengths, and its interval; nowhere if theirs are all alike.

    >>> curve = [n / 10 for n in range(11)]
    >>> place_of(curve, 0.64, Interval(0.58, 0.7))
    (6.4, 5.8, 7.0)
    """
    if max(by_strength) - min(by_strength) < _ALIKE:
        return NOWHERE
    middle = (_reached(by_strength, figure) + _left(by_strength, figure)) / 2
    low, high = _reached(by_strength, interval.low), _left(by_strength, interval.high)
    level, low, high = (round(one, _PLACES) for one in (middle, min(low, middle), max(high, middle)))
    return level, low, high


def _reached(by_strength: Sequence[float], figure: float) -> float:
    """Return the least level with at least this figure; the last if none has."""
    for at, (one, two) in enumerate(pairwise(by_strength)):
        if one >= figure - _ALIKE:
            return float(at)
        if two >= figure - _ALIKE:
            return at + min(1.0, (figure - one) / (two - one))
    return float(TOP)


def _left(by_strength: Sequence[float], figure: float) -> float:
    """Return the greatest level with at most this figure; the first if none has."""
    return TOP - _reached([-one for one in reversed(by_strength)], -figure)


def level_words(level: float) -> str:
    """Return a place on the axis of levels as people say it.

    >>> level_words(4.23), level_words(0.01), level_words(9.98)
    ('level 4.2', 'random play', 'perfect play')
    """
    if level < _ROUNDS_TO:
        return "random play"
    return "perfect play" if level > TOP - _ROUNDS_TO else f"level {level:.1f}"


def kept_words(found: KeptLevel) -> str:
    """Return which level keeps as much.

    >>> kept_words(KeptLevel(6.12, 5.3, 7.04))
    'keeps as much as level 6.1 (95% interval: 5.3 to 7.0)'
    """
    if found.level is None:
        return "had no real choice that tells levels apart"
    return f"keeps as much as {level_words(found.level)} (95% interval: {found.low:.1f} to {found.high:.1f})"


def scored_words(found: ScoredLevel) -> str:
    """Return which level scores as much; nothing if that is not known.

    >>> scored_words(ScoredLevel(5.42, 3.9, 6.8))
    'scores like level 5.4 (95% interval: 3.9 to 6.8)'
    """
    if found.level is None:
        return ""
    return f"scores like {level_words(found.level)} (95% interval: {found.low:.1f} to {found.high:.1f})"
