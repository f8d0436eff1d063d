"""The picture of a line of play: the total, or each player's own, on its way to the target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from zerosum.rules.model import Rules, Seat, Totals
from zerosum.web.lines import SEATS, Step

_WIDTH: Final = 400
_HEIGHT: Final = 200
_SIDE: Final = 22
_TOP: Final = 30
_BOTTOM: Final = 44
_DOT: Final = 5.5
_ABOVE: Final = 11
_LABELS: Final = 14
"""With more moves than this, their texts would overlap."""
_CLASSES: Final = {Seat.FIRST: "p1", Seat.SECOND: "p2"}


@dataclass(frozen=True, slots=True)
class _Point:
    """A total and after which move it stands; at the start nobody has moved."""

    n: int
    total: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where a total after some move stands in the picture."""

    across: float
    down: float
    high: int

    def x(self, n: int) -> float:
        return _SIDE + n * self.across

    def y(self, total: int) -> float:
        return _TOP + (self.high - total) * self.down


def path(rules: Rules, steps: Sequence[Step]) -> str:
    """Return the picture as SVG: a disc where the first player moved, a diamond where the second did."""
    reached = [rules.target, *rules.start, *(total for step in steps for total in step.after.totals)]
    low, high = min(reached), max(reached)
    down = (_HEIGHT - _TOP - _BOTTOM) / max(high - low, 1)
    scale = _Scale((_WIDTH - 2 * _SIDE) / max(len(steps), 1), down, high)
    target = scale.y(rules.target)
    tracks = _tracks(rules, steps)
    parts = [
        f'<svg class="path" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="path-title path-words">',
        f'<title id="path-title">The way to {rules.target}</title>',
        f'<desc id="path-words">{escape(_in_words(steps))}</desc>',
        f'<line class="target" x1="0" y1="{target:.1f}" x2="{_WIDTH}" y2="{target:.1f}"/>',
        *(_line(track, scale, owner) for owner, track in tracks),
        *(_dot(point, scale) for _, track in tracks for point in track),
        *_names(steps, scale),
        "</svg>",
    ]
    return "".join(parts)


def _tracks(rules: Rules, steps: Sequence[Step]) -> list[tuple[Seat | None, list[_Point]]]:
    """Return the points of each total, in order, and whose total it is."""
    if rules.totals is Totals.SHARED:
        moved = [_Point(step.n, step.after.total(step.seat), step.seat) for step in steps]
        return [(None, [_Point(0, rules.start[0], None), *moved])]
    return [
        (
            seat,
            [
                _Point(0, start, None),
                *(_Point(step.n, step.after.total(seat), seat) for step in steps if step.seat is seat),
            ],
        )
        for seat, start in zip(Seat, rules.start, strict=True)
    ]


def _line(track: Sequence[_Point], scale: _Scale, owner: Seat | None) -> str:
    points = " ".join(f"{scale.x(one.n):.1f},{scale.y(one.total):.1f}" for one in track)
    return f'<polyline class="track {_CLASSES[owner] if owner else ""}" points="{points}"/>'


def _dot(point: _Point, scale: _Scale) -> str:
    x, y = scale.x(point.n), scale.y(point.total)
    text = str(point.total).replace("-", "\N{MINUS SIGN}")
    number = f'<text class="total" x="{x:.1f}" y="{y - _ABOVE:.1f}" text-anchor="middle">{text}</text>'
    if point.seat is None:
        return f'<circle class="start" cx="{x:.1f}" cy="{y:.1f}" r="4"/>{number}'
    if point.seat is Seat.FIRST:
        shape = f'<circle class="p1" cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}"/>'
    else:
        r = _DOT * 1.25
        shape = f'<path class="p2" d="M{x:.1f} {y - r:.1f}l{r} {r}l{-r} {r}l{-r} {-r}z"/>'
    return shape + number


def _names(steps: Sequence[Step], scale: _Scale) -> Iterator[str]:
    """Yield the moves, each below its column."""
    if len(steps) > _LABELS:
        return
    for step in steps:
        text = escape(step.move.replace("-", "\N{MINUS SIGN}"))
        x, seat = scale.x(step.n), _CLASSES[step.seat]
        yield f'<text class="move {seat}" x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{text}</text>'


def _in_words(steps: Sequence[Step]) -> str:
    """Return a description of the picture for people who cannot see it."""
    told = (f"{SEATS[step.seat]} {step.move} to {step.after.total(step.seat)}" for step in steps)
    return "; ".join(told) + "."
