"""Reports: HTML pages that need nothing else, neither a script nor a request, and the pictures in them, as SVG.

A page is a Jinja2 template beside the module that fills it. It extends `report_page.html` and takes its pieces from
`report_kit.html`; both are beside this module. Everything in a template is escaped. The CSP of a page allows only its
own style, by hash, so a hostile name cannot inject any. In pictures, shapes and letters tell things apart, never colour
alone.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from zerosum.base.english import percent
from zerosum.base.svg import element, title

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_HERE: Final = os.path.dirname(__file__)
_LEFT: Final = 44
_BOTTOM: Final = 36
_TOP: Final = 26
_RIGHT: Final = 16
_WIDTH: Final = 480
_NAMES: Final = 130
"""Room for the names beside a picture of intervals."""
_ROW: Final = 26
_LETTERS: Final = 18
"""Letters of a name that fit there."""
_POINTS: Final = 300
"""Points of a curve, at most."""


def render(module: str, template: str, **values: object) -> str:
    """Return a template that is beside a module, filled; `module` is its `__file__`."""
    return _environment(os.path.dirname(module)).get_template(template).render(values)


@cache
def _environment(folder: str) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only reports need it

    environment = Environment(
        loader=FileSystemLoader([folder, _HERE]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.globals |= {"style": _style(), "hash": csp_hash}
    environment.filters["percent"] = percent
    return environment


def _style() -> str:
    with open(os.path.join(_HERE, "report.css"), encoding="utf-8") as file:
        return file.read()


def csp_hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a style or a script."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def label(x: float, y: float, text: str, anchor: str = "middle") -> str:
    """Return a text in a picture."""
    return element("text", escape(text), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a straight line; `kind` is its class."""
    x1, y1, x2, y2 = (f"{value:.1f}" for value in (*start, *end))
    return element("line", class_=kind, x1=x1, y1=y1, x2=x2, y2=y2)


def _rectangle(kind: str, at: tuple[float, float], size: tuple[str, str], name: str) -> str:
    x, y = (f"{value:.1f}" for value in at)
    return element("rect", title(name), class_=kind, x=x, y=y, width=size[0], height=size[1])


def _circle(kind: str, at: tuple[float, float], radius: int, name: str) -> str:
    return element("circle", title(name), class_=kind, cx=f"{at[0]:.1f}", cy=f"{at[1]:.1f}", r=radius)


def _picture(width: int, height: int, name: str, shapes: Sequence[str]) -> Markup:
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    lines = "".join(f"{shape}\n" for shape in shapes)
    drawn = element("svg", title(name), "\n", lines, **size, role="img", aria_label=name)
    markup: Markup = _environment(_HERE).filters["safe"](drawn)
    return markup


class Point(NamedTuple):
    """A point of a scatter picture, from 0 to 1 both ways; those on the front are drawn as full squares."""

    x: float
    y: float
    on_front: bool
    name: str


def scatter(points: Sequence[Point], across: str, up: str) -> Markup:
    """Return a picture of points, cropped to their range; a point that is not on the front is an empty circle."""
    width, height = 640, 400
    low_x = min((int(10 * point.x) / 10 for point in points), default=0.0)
    low_y = min((int(10 * point.y) / 10 for point in points), default=0.0)
    wide, tall = width - _LEFT - _RIGHT, height - _TOP - _BOTTOM

    def x(value: float) -> float:
        return _LEFT + wide * (value - low_x) / max(1 - low_x, 0.1)

    def y(value: float) -> float:
        return _TOP + tall * (1 - (value - low_y) / max(1 - low_y, 0.1))

    shapes: list[str] = []
    for tenth in range(11):
        value = tenth / 10
        if value >= low_x:
            shapes += [
                line("grid", (x(value), _TOP), (x(value), _TOP + tall)),
                label(x(value), height - 20, f"{value}"),
            ]
        if value >= low_y:
            shapes += [
                line("grid", (_LEFT, y(value)), (_LEFT + wide, y(value))),
                label(36, y(value) + 4, f"{value}", "end"),
            ]
    shapes += [label(_LEFT + wide / 2, height - 4, across), label(4, 12, up, "start")]
    # The front is drawn last, so that nothing covers it.
    for point in sorted(points, key=lambda point: point.on_front):
        if point.on_front:
            shapes.append(_rectangle("front", (x(point.x) - 4, y(point.y) - 4), ("8", "8"), point.name))
        else:
            shapes.append(_circle("find", (x(point.x), y(point.y)), 4, point.name))
    return _picture(width, height, f"{up} against {across} of {len(points)} games", shapes)


def bars(values: Mapping[str, float], heading: str, *, band: Sequence[float] = ()) -> Markup:
    """Return a picture of bars, each with its name below and its share in per cent above.

    `band` draws lines across, at some shares of the whole.
    """
    width, height = 280, 120
    room = width / max(len(values), 1)
    most = 1.0 if band else max([*values.values(), 0.01])
    tall = height - 34
    base = height - 17
    shapes = [line("axis", (0, base), (width, base))]
    shapes += [line("edge", (0, base - tall * share), (width, base - tall * share)) for share in band]
    for at, (name, value) in enumerate(values.items()):
        high = tall * value / most
        left, middle = at * room + room * 0.15, (at + 0.5) * room
        size = f"{room * 0.7:.1f}", f"{high:.1f}"
        shapes += [
            _rectangle("bar", (left, base - high), size, f"{name}: {100 * value:.1f} %"),
            label(middle, height - 4, name),
            label(middle, base - 4 - high, f"{100 * value:.0f}"),
        ]
    return _picture(width, height, heading, shapes)


class IntervalRow(NamedTuple):
    """A row of a picture of intervals: a dot for the value, None without one, a bar for the interval, a dashed mark."""

    name: str
    value: float | None
    low: float
    high: float
    title: str
    mark: float | None = None


def intervals(rows: Sequence[IntervalRow], ticks: Mapping[float, str], heading: str) -> Markup:
    """Return a picture of values with their intervals, on an axis from the first tick to the last."""
    height = _ROW * len(rows) + 40
    low, high = min(ticks), max(ticks)

    def x(value: float) -> float:
        return _NAMES + (_WIDTH - _NAMES - 30) * (value - low) / max(high - low, 1.0)

    shapes: list[str] = []
    for place, row in enumerate(rows):
        y = _ROW * (place + 0.5) + 4
        name = row.name if len(row.name) <= _LETTERS else f"{row.name[: _LETTERS - 1]}…"
        shapes += [label(0, y + 4, name, "start"), line("span", (x(row.low), y), (x(row.high), y))]
        if row.mark is not None:
            shapes.append(line("half", (x(row.mark), y - 8), (x(row.mark), y + 8)))
        if row.value is not None:
            shapes.append(_circle("spot", (x(row.value), y), 5, row.title))
    base = height - 28
    shapes.append(line("axis", (_NAMES, base), (_WIDTH - 30, base)))
    shapes += [label(x(value), base + 18, text) for value, text in ticks.items()]
    return _picture(_WIDTH, height, heading, shapes)


def curve(values: Sequence[float], first: int, bounds: Mapping[str, float], noun: str, heading: str) -> Markup:
    """Return a picture of a curve between two bounds, the lower one first; `first` is the number of its first value."""
    height, left, top, base = 260, 50, 16, 224
    (low_name, lower), (high_name, upper) = bounds.items()
    low, high = min(lower, *values), max(upper, *values)
    right = _WIDTH - 16

    def x(at: int) -> float:
        return left + (right - left) * at / max(len(values) - 1, 1)

    def y(value: float) -> float:
        return base - (base - top) * (value - low) / (high - low)

    step = max(1, len(values) // _POINTS)
    places = sorted({*range(0, len(values), step), len(values) - 1})
    path = " ".join(f"{x(at):.1f},{y(values[at]):.1f}" for at in places)
    shapes = [
        line("axis", (left, top), (left, base)),
        line("grid", (left, y(0)), (right, y(0))),
        line("upper", (left, y(upper)), (right, y(upper))),
        line("lower", (left, y(lower)), (right, y(lower))),
        label(left - 6, y(upper) + 4, high_name, "end"),
        label(left - 6, y(lower) + 4, low_name, "end"),
        label(left - 6, y(0) + 4, "0", "end"),
        element("polyline", class_="curve", points=path),
        label(left, base + 20, f"{noun} {first}", "start"),
        label(right, base + 20, f"{noun} {first + len(values) - 1}", "end"),
    ]
    return _picture(_WIDTH, height, heading, shapes)
