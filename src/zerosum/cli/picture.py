"""A match at a glance: the pool with its takers, and each total on its way to the target. For colour terminals only."""

from __future__ import annotations

from typing import Final

from zerosum.cli.console import Style
from zerosum.match.match import Match
from zerosum.match.scene import span, takers
from zerosum.match.setup import Person
from zerosum.rules.model import Totals
from zerosum.rules.text import printable

Segment = tuple[str, Style]
Line = list[Segment]

_STYLES: Final = {Person.ONE: Style.FIRST, Person.TWO: Style.SECOND}
_MARKS: Final = {Person.ONE: "\N{SUPERSCRIPT ONE}", Person.TWO: "\N{SUPERSCRIPT TWO}"}
_GAUGE = 41


def picture(match: Match, names: tuple[str, str] | None = None) -> list[Line]:
    """Return the pool and the gauges of a match; `names` is what the two persons are called."""
    return [_pool(match), *_gauges(match, names or match.setup.names)]


def _pool(match: Match) -> Line:
    """Return every number of the game: those that are left, and those taken with the mark of whoever took them."""
    taken = takers(match)
    line: Line = [("  ", Style.PLAIN)]
    for number in match.setup.rules.pool:
        taken_by = taken.get(number, [])
        if taken_by:
            line.append((f"{number}{_MARKS[taken_by.pop(0)]} ", Style.TAKEN))
        else:
            line.append((f"{number}  ", Style.TITLE))
    return line


def _gauges(match: Match, called: tuple[str, str]) -> list[Line]:
    if match.setup.rules.totals is Totals.SHARED:
        return [_gauge(match, match.position.totals[0], "", Style.TITLE)]
    names = [printable(name) for name in called]
    width = max(map(len, names)) + 1
    return [
        _gauge(match, match.position.total(match.seat(person)), f"{name:{width}}", _STYLES[person])
        for person, name in zip(Person, names, strict=True)
    ]


def _gauge(match: Match, total: int, name: str, style: Style) -> Line:
    """Return a stretch of the number line, with a line from the total to the target."""
    low, high = span(match)
    goal, here = (_place(value, low, high) for value in (match.setup.rules.target, total))
    left, right = min(goal, here), max(goal, here)
    way = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * (right - left - 1)
    dot, ring = ("\N{BLACK CIRCLE}", style), ("\N{WHITE CIRCLE}", Style.OUTCOME)
    if goal == here:
        middle: Line = [("\N{BULLSEYE}", Style.OUTCOME)]
    else:
        middle = [dot, (way, style), ring] if here < goal else [ring, (way, style), dot]
    head = f"  {name}{low} " + "\N{MIDDLE DOT}" * left
    tail = "\N{MIDDLE DOT}" * (_GAUGE - 1 - right) + f" {high}"
    return [(head, Style.TAKEN), *middle, (tail, Style.TAKEN), (f"  {total}", style)]


def _place(value: int, low: int, high: int) -> int:
    """Return where a value stands on a gauge."""
    return round((value - low) * (_GAUGE - 1) / (high - low))
