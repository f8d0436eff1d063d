"""The pictures of a report: ratings with their intervals, and how a sequential test went."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from zerosum.lab.pictures import box, label, line
from zerosum.measure.ratings import Rating
from zerosum.measure.sprt import LEAST_PAIRS, Sprt
from zerosum.measure.words import whole

_WIDTH: Final = 480
_NAMES: Final = 130
_ROW: Final = 26
_POINTS: Final = 300
"""Points that a curve is drawn with, at most."""
_LETTERS: Final = 18


def ratings_picture(ratings: Sequence[Rating]) -> str:
    """Return ratings as spots on the Elo scale, each with its interval as a bar."""
    low, high = min(one.low for one in ratings), max(one.high for one in ratings)
    wide = max(high - low, 1.0)
    height = _ROW * len(ratings) + 40

    def x(elo: float) -> float:
        return _NAMES + (_WIDTH - _NAMES - 30) * (elo - low) / wide

    drawn = []
    for place, one in enumerate(ratings):
        y = _ROW * (place + 0.5) + 4
        said = f"{one.name}: {whole(one.elo)} ({whole(one.low)} to {whole(one.high)})"
        name = one.name if len(one.name) <= _LETTERS else f"{one.name[: _LETTERS - 1]}…"
        drawn += [
            label(0, y + 4, name, "start"),
            line("span", (x(one.low), y), (x(one.high), y)),
            f'<circle class="spot" cx="{x(one.elo):.1f}" cy="{y:.1f}" r="5"><title>{escape(said)}</title></circle>',
        ]
    base = height - 28
    drawn.append(line("axis", (_NAMES, base), (_WIDTH - 30, base)))
    drawn += [label(x(elo), base + 18, whole(elo)) for elo in dict.fromkeys((low, (low + high) / 2, high))]
    return box(_WIDTH, height, "Elo ratings with their 95 % intervals", drawn)


def llr_picture(curve: Sequence[float], test: Sprt) -> str:
    """Return the log-likelihood ratio after each pair, between the two bounds."""
    height, left, top, base = 260, 50, 16, 224
    low, high = min(test.lower, *curve), max(test.upper, *curve)
    wide = _WIDTH - left - 16

    def x(at: int) -> float:
        return left + wide * at / max(len(curve) - 1, 1)

    def y(value: float) -> float:
        return base - (base - top) * (value - low) / (high - low)

    step = max(1, len(curve) // _POINTS)
    places = sorted({*range(0, len(curve), step), len(curve) - 1})
    path = " ".join(f"{x(at):.1f},{y(curve[at]):.1f}" for at in places)
    drawn = [
        line("axis", (left, top), (left, base)),
        line("grid", (left, y(0)), (left + wide, y(0))),
        line("upper", (left, y(test.upper)), (left + wide, y(test.upper))),
        line("lower", (left, y(test.lower)), (left + wide, y(test.lower))),
        label(left - 6, y(test.upper) + 4, "H1", "end"),
        label(left - 6, y(test.lower) + 4, "H0", "end"),
        label(left - 6, y(0) + 4, "0", "end"),
        f'<polyline class="curve" points="{path}"/>',
        label(left, base + 20, f"pair {LEAST_PAIRS}", "start"),
        label(left + wide, base + 20, f"pair {LEAST_PAIRS + len(curve) - 1}", "end"),
    ]
    return box(_WIDTH, height, "The log-likelihood ratio after each pair", drawn)
