"""A match at a glance: the pool with its takers, and each total on its way to the target. For colour terminals only."""

from __future__ import annotations

from typing import Final

from zerosum.base.text import printable
from zerosum.cli.console import TextStyle
from zerosum.cli.dialogue_text import words_for
from zerosum.cli.terminal_text import clip, pad, width
from zerosum.match.match import Match
from zerosum.match.match_words import span, takers
from zerosum.match.setup import Person
from zerosum.rules.model import Rules, Totals

Segment = tuple[str, TextStyle]
Line = list[Segment]

_STYLES: Final = {Person.ONE: TextStyle.FIRST, Person.TWO: TextStyle.SECOND}
_MARKS: Final = {Person.ONE: "\N{SUPERSCRIPT ONE}", Person.TWO: "\N{SUPERSCRIPT TWO}"}
_WIDEST: Final = 41
_NARROWEST: Final = 11
_NAME: Final = 16
_LEFT: Final = "  "


def draw_match(match: Match, columns: int, names: tuple[str, str] | None = None) -> list[Line]:
    """Return the pool and the gauges of a match, at most `columns` wide; `names` are those of the two persons."""
    return [*_pool(match, columns), *_gauges(match, columns, names or match.setup.names)]


def without_pool(text: str, rules: Rules) -> str:
    """Return a text of the dialogue without the lines that list the pool, which a picture shows."""
    lines = [line for words in words_for(rules).values() for line in words.split("\n")]
    labels = tuple(line.partition("{pool}")[0] for line in lines if "{pool}" in line)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(labels))


def _pool(match: Match, columns: int) -> list[Line]:
    """Return every number of the game: those left, and those taken with the mark of the person who took them."""
    taken = takers(match)
    lines: list[Line] = [[(_LEFT, TextStyle.PLAIN)]]
    at = len(_LEFT)
    for number in match.setup.rules.pool:
        taken_by = taken.get(number, [])
        mark = _MARKS[taken_by.pop(0)] if taken_by else ""
        text = f"{number}{mark or ' '} "
        if at + len(text) > columns:
            lines.append([(_LEFT, TextStyle.PLAIN)])
            at = len(_LEFT)
        lines[-1].append((text, TextStyle.TAKEN if mark else TextStyle.TITLE))
        at += len(text)
    return lines


def _gauges(match: Match, columns: int, given: tuple[str, str]) -> list[Line]:
    if match.setup.rules.totals is Totals.SHARED:
        return [_gauge(match, columns, match.position.totals[0], "", TextStyle.TITLE)]
    names = [clip(printable(name), _NAME) for name in given]
    wide = max(map(width, names)) + 1
    return [
        _gauge(match, columns, match.position.total(match.seat(person)), pad(name, wide), _STYLES[person])
        for person, name in zip(Person, names, strict=True)
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
