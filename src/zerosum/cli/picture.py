"""A match at a glance: the pool, who took what, and each total on its way to the target. For colour terminals only.

A number that was taken is a dot in the pool, and stands in the line of whoever took it, in that person's colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from zerosum.base.text import printable
from zerosum.cli.console import TextStyle
from zerosum.cli.terminal_text import clip, pad, width
from zerosum.match.match import Match
from zerosum.match.match_words import span, takers
from zerosum.match.setup import Person
from zerosum.rules.model import Totals

Segment = tuple[str, TextStyle]
Line = list[Segment]

STYLES: Final = {Person.ONE: TextStyle.FIRST, Person.TWO: TextStyle.SECOND}
_DOT: Final = "\N{MIDDLE DOT}"
_WIDEST: Final = 41
_NARROWEST: Final = 11
_NAME: Final = 18
_LEFT: Final = "  "
_GAP: Final = "  "


def draw_match(match: Match, columns: int, names: tuple[str, str] | None = None) -> list[Line]:
    """Return the pool and the gauges of a match, at most `columns` wide; `names` are those of the two persons."""
    given = names or match.setup.names
    return [*_pool(match, columns), *_taken(match, columns, given), *_gauges(match, columns, given)]


def _pool(match: Match, columns: int) -> list[Line]:
    """Return every number of the game that is left, and a dot in the place of each that was taken."""
    left = Counter(match.position.pool)
    pieces: Line = []
    for number in match.setup.rules.pool:
        free = left[number] > 0
        left[number] -= 1
        size = len(str(number))
        pieces.append((f"{number if free else _DOT:>{size}}", TextStyle.TITLE if free else TextStyle.TAKEN))
    return _rows(pieces, _LEFT, columns)


def _taken(match: Match, columns: int, given: tuple[str, str]) -> Iterator[Line]:
    """Yield the numbers that each person has taken, as soon as one has."""
    taken = takers(match)
    if not taken:
        return
    names = _names(given)
    for person, name in zip(Person, names, strict=True):
        own = [(str(number), STYLES[person]) for number in sorted(taken) for one in taken[number] if one is person]
        first, *others = _rows(own, f"{_LEFT}{name}", columns)
        yield [(first[0][0], STYLES[person]), *first[1:]]
        yield from others


def _rows(pieces: Line, head: str, columns: int) -> list[Line]:
    """Return pieces side by side, in as many rows as they need; those below the first begin below its first piece."""
    lines: list[Line] = [[(head, TextStyle.PLAIN)]]
    at = width(head)
    for text, style in pieces:
        if at + len(_GAP) + len(text) > columns:
            lines.append([(" " * width(head), TextStyle.PLAIN)])
            at = width(head)
        gap = _GAP if at > width(head) else ""
        lines[-1] += [(gap, TextStyle.PLAIN), (text, style)]
        at += len(gap) + len(text)
    return lines


def _names(given: tuple[str, str]) -> list[str]:
    """Return both names, clipped and equally wide."""
    names = [clip(printable(name), _NAME) for name in given]
    wide = max(map(width, names)) + 1
    return [pad(name, wide) for name in names]


def _gauges(match: Match, columns: int, given: tuple[str, str]) -> list[Line]:
    if match.setup.rules.totals is Totals.SHARED:
        return [_gauge(match, columns, match.position.totals[0], "", TextStyle.TITLE)]
    return [
        _gauge(match, columns, match.position.total(match.seat(person)), name, STYLES[person])
        for person, name in zip(Person, _names(given), strict=True)
    ]


def _gauge(match: Match, columns: int, total: int, name: str, style: TextStyle) -> Line:
    """Return a stretch of the number line, with a line from the total to the target; it takes what the text leaves."""
    low, high = span(match)
    # Both gauges of a match are equally long, so that they can be compared.
    longest = max(len(str(one)) for one in match.position.totals)
    around = width(f"{_LEFT}{name}{low}  {high}  ") + longest
    size = max(_NARROWEST, min(_WIDEST, columns - around))
    goal, here = (round((value - low) * (size - 1) / (high - low)) for value in (match.setup.rules.target, total))
    left, right = min(goal, here), max(goal, here)
    way = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * (right - left - 1)
    dot, ring = ("\N{BLACK CIRCLE}", style), ("\N{WHITE CIRCLE}", TextStyle.OUTCOME)
    if goal == here:
        middle: Line = [("\N{BULLSEYE}", TextStyle.OUTCOME)]
    else:
        middle = [dot, (way, style), ring] if here < goal else [ring, (way, style), dot]
    head = f"{_LEFT}{name}{low} " + "\N{MIDDLE DOT}" * left
    tail = "\N{MIDDLE DOT}" * (size - 1 - right) + f" {high}"
    return [(head, TextStyle.TAKEN), *middle, (tail, TextStyle.TAKEN), (f"  {total}", style)]
