"""The elements of SVG, and what values show of themselves in a notebook: small pictures, and tables in HTML.

A notebook has its own style, dark or light, so its pictures set no colour: lines and letters take the colour of the
text around them, and what differs, differs in shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final


def element(tag: str, *inside: str, **attributes: object) -> str:
    """Return an element. In the name of an attribute `_` is a hyphen, and `class_` is `class`.

    The values of attributes are escaped; what is inside is markup already.

    >>> element("text", escape("a < b"), class_="n", text_anchor="middle")
    '<text class="n" text-anchor="middle">a &lt; b</text>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{tag}{written}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{written}/>"


def title(text: str) -> str:
    """Return what a browser shows when a mouse points at an element, and what a screen reader reads."""
    return element("title", escape(text))


_FONT: Final = "font-family:system-ui,sans-serif;font-size:13px"
_NAMES: Final = 70
_WIDE: Final = 180
_ROW: Final = 20
_FIGURE: Final = 48
_TILE: Final = 34
_HIGH: Final = 30
_TILES: Final = 16
"""Tiles beside each other, at most."""
_LETTER: Final = 7


def picture(width: float, height: float, name: str, shapes: Iterable[str]) -> str:
    """Return a picture; a screen reader reads its title."""
    size = {"width": f"{width:g}", "height": f"{height:g}", "viewBox": f"0 0 {width:g} {height:g}"}
    look = {**size, "fill": "currentColor", "style": _FONT}
    named = title(name), *shapes
    return element("svg", *named, xmlns="http://www.w3.org/2000/svg", role="img", aria_label=name, **look)


def text(x: float, y: float, words: str, anchor: str = "start", *, faded: bool = False) -> str:
    """Return words in a picture."""
    faint = {"opacity": 0.45, "text_decoration": "line-through"} if faded else {}
    return element("text", escape(words), x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, **faint)


def box(x: float, y: float, width: float, height: float, *, full: bool = False, dashed: bool = False) -> str:
    """Return a box, full or empty, with a line that may be dashed."""
    size = {"width": f"{width:g}", "height": f"{height:g}", "rx": 3}
    kind: dict[str, object] = {"fill_opacity": 0.55} if full else {"fill": "none", "stroke": "currentColor"}
    dashes = {"stroke_dasharray": "3 3", "opacity": 0.45} if dashed else {}
    return element("rect", x=f"{x:g}", y=f"{y:g}", **size, **kind, **dashes)


def bars(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]) -> str:
    """Return a picture of shares as bars: a row for each name, and in it a bar for each column."""
    wide = _WIDE + _FIGURE
    shapes = [text(_NAMES + at * wide, 14, column) for at, column in enumerate(columns)]
    for place, (name, shares) in enumerate(rows.items(), 1):
        y = _ROW * place
        shapes.append(text(0, y + 14, name))
        for at, share in enumerate(shares):
            x = _NAMES + at * wide
            shapes += [
                box(x, y + 4, _WIDE, 12),
                box(x, y + 4, _WIDE * min(1.0, max(0.0, share)), 12, full=True),
                text(x + _WIDE + 4, y + 14, f"{100 * share:.1f}"),
            ]
    return picture(_NAMES + len(columns) * wide, _ROW * (len(rows) + 1) + 4, title, shapes)


def tiles(heading: str, title: str, numbers: Sequence[tuple[int, bool]]) -> str:
    """Return a picture of numbers under a heading; those that are gone, False here, are crossed out."""
    shapes = [text(0, 14, heading)]
    for at, (number, there) in enumerate(numbers):
        x, y = at % _TILES * _TILE + 1, 24 + at // _TILES * (_HIGH + 4)
        shapes.append(box(x, y, _TILE - 4, _HIGH, dashed=not there))
        shapes.append(text(x + _TILE / 2 - 2, y + 20, str(number), "middle", faded=not there))
    rows = (len(numbers) - 1) // _TILES + 1
    width = max(_TILE * min(len(numbers), _TILES), _LETTER * len(heading))
    return picture(width, 26 + rows * (_HIGH + 4), title, shapes)


def swings(title: str, names: tuple[str, str], steps: Sequence[tuple[str, int]]) -> str:
    """Return a picture of who stands to win after each step: a box above the line for the first, below for the second.

    A step is what is written under it and whose box it has: 1, 2, or 0 for neither.
    """
    shapes = [text(0, 20, names[0]), text(0, 44, names[1])]
    left = _LETTER * max(map(len, names)) + 10
    for at, (words, who) in enumerate(steps):
        x = left + at * _TILE
        shapes.append(box(x, {1: 8, 2: 32, 0: 30}[who], _TILE - 4, 2 if who == 0 else 20, full=True))
        shapes.append(text(x + _TILE / 2 - 2, 70, words, "middle"))
    shapes.append(box(left, 29, _TILE * len(steps), 1))
    return picture(left + _TILE * len(steps), 78, title, shapes)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of texts."""
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(one)}</td>' for one in row)}</tr>" for row in rows)
    return f'<table style="border-spacing:10px 2px"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def page(title: str, *parts: str) -> str:
    """Return a title and parts under it; a part that is no element of HTML or SVG is a sentence."""
    shown = (part if part.startswith("<") else f"<p>{escape(part)}</p>" for part in parts if part)
    return f"<div><p><strong>{escape(title)}</strong></p>{''.join(shown)}</div>"
