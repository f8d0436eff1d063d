"""The pictures of a report, as SVG: shapes and letters tell things apart, never colour alone.

A report as one HTML page that needs nothing else: no script, no request.

Its policy names the hash of its style, so a browser takes nothing but that, whatever a name on it may hold.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Final


def document(title: str, body: str) -> str:
    """Return the page; the title is text, the body is HTML."""
    with open(os.path.join(os.path.dirname(__file__), "report.css"), encoding="utf-8") as file:
        style = file.read()
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
</body>
</html>
"""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """Return a table that scrolls if it is too wide; the first cell of a row is its head."""
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    body = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(one)}</td>" for one in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


_LEFT: Final = 44
_BOTTOM: Final = 36
_TOP: Final = 26
_RIGHT: Final = 16


def box(width: int, height: int, title: str, drawn: Sequence[str]) -> str:
    """Return a picture, with its title for those who do not see it."""
    inside = "\n".join(drawn)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>\n{inside}\n</svg>'
    )


def label(x: float, y: float, words: str, anchor: str = "middle") -> str:
    """Return words in a picture."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def line(kind: str, start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return a straight line; `kind` is its class."""
    return f'<line class="{kind}" x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>'


def scatter(points: Sequence[tuple[float, float, bool, str]], across: str, up: str) -> str:
    """Return a picture of points (x, y, on the front, name), both from 0 to 1, cut to where the points are.

    A point on the front is a full square, any other an empty circle.
    """
    width, height = 640, 400
    low_x, low_y = (min((int(10 * point[at]) / 10 for point in points), default=0.0) for at in (0, 1))
    wide, tall = width - _LEFT - _RIGHT, height - _TOP - _BOTTOM

    def x(value: float) -> float:
        return _LEFT + wide * (value - low_x) / max(1 - low_x, 0.1)

    def y(value: float) -> float:
        return _TOP + tall * (1 - (value - low_y) / max(1 - low_y, 0.1))

    drawn = []
    for tenth in range(11):
        value = tenth / 10
        if value >= low_x:
            drawn += [
                line("grid", (x(value), _TOP), (x(value), _TOP + tall)),
                label(x(value), height - 20, f"{value}"),
            ]
        if value >= low_y:
            drawn += [
                line("grid", (_LEFT, y(value)), (_LEFT + wide, y(value))),
                label(36, y(value) + 4, f"{value}", "end"),
            ]
    drawn += [label(_LEFT + wide / 2, height - 4, across), label(4, 12, up, "start")]
    # The front is drawn last, so that nothing covers it.
    for at_x, at_y, on_front, name in sorted(points, key=lambda point: point[2]):
        said = f"<title>{escape(name)}</title>"
        if on_front:
            spot = f'<rect class="front" x="{x(at_x) - 4:.1f}" y="{y(at_y) - 4:.1f}" width="8" height="8">{said}</rect>'
        else:
            spot = f'<circle class="find" cx="{x(at_x):.1f}" cy="{y(at_y):.1f}" r="4">{said}</circle>'
        drawn.append(spot)
    return box(width, height, f"{up} against {across} of {len(points)} games", drawn)


def bars(values: Mapping[str, float], title: str, *, half: bool = False) -> str:
    """Return a picture of bars, each with its name below and its share in per cent above; with a line at one half."""
    width, height = 280, 120
    room = width / max(len(values), 1)
    most = 1.0 if half else max([*values.values(), 0.01])
    tall = height - 34
    drawn = [line("axis", (0, height - 17), (width, height - 17))]
    for at, (name, value) in enumerate(values.items()):
        high = tall * value / most
        left, middle = at * room + room * 0.15, (at + 0.5) * room
        said = f"<title>{escape(name)}: {100 * value:.1f} %</title>"
        drawn.append(
            f'<rect class="bar" x="{left:.1f}" y="{height - 17 - high:.1f}" width="{room * 0.7:.1f}" '
            f'height="{high:.1f}">{said}</rect>'
        )
        drawn.append(label(middle, height - 4, name))
        drawn.append(label(middle, height - 21 - high, f"{100 * value:.0f}"))
    if half:
        drawn.append(line("half", (0, height - 17 - tall / 2), (width, height - 17 - tall / 2)))
    return box(width, height, title, drawn)
