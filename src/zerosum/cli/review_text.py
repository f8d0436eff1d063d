"""A review at the terminal: the moves as a table, the turning points with their reasons, accuracy, and a plot."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from zerosum.cli.console import Console, Style
from zerosum.coach import review_words as words
from zerosum.coach.review import Review, Reviewed, Standing
from zerosum.match.setup import Person

Line = list[tuple[str, Style]]
WIDTH: Final = 79
_NAME: Final = 14
_STYLES: Final = {Person.ONE: Style.FIRST, Person.TWO: Style.SECOND}
_ROWS: Final = ((0, "won"), (2, "1-2"), (4, "3-4"), (8, "5-8"), (10**6, "9+"))
"""How near the end is: the most moves that are left, and the label in the plot."""
_ROOMY: Final = 22
"""The most columns of a plot with space between them."""
_LEFT: Final = 8


def show(review: Review, console: Console) -> None:
    """Write the whole review."""
    for line in _lines(review):
        for text, style in line:
            console.say(text, style)
        console.say("\n")


def _lines(review: Review) -> Iterator[Line]:
    match = review.match
    yield from ([(text, Style.TITLE)] for text in wrap(words.title(match), WIDTH))
    yield from ([(text, Style.PLAIN)] for text in wrap(words.result(match), WIDTH))
    yield from ([(text, Style.OUTCOME)] for text in wrap(words.lesson(review), WIDTH))
    yield from _turning_points(review)
    yield []
    yield from _table(review)
    yield []
    yield [("Accuracy", Style.TITLE)]
    for person in Person:
        share, of_what = words.accuracy(review, person)
        yield [(f"  {_short(review, person):{_NAME}}  ", _STYLES[person]), (f"{share:>5}  {of_what}", Style.PLAIN)]
    if review.moves:
        yield []
        yield [("Who stands to win, and in how many moves", Style.TITLE)]
        yield from _plot(review)


def _short(review: Review, person: Person) -> str:
    name = words.name_of(review.match, person)
    return name if len(name) <= _NAME else f"{name[: _NAME - 3]}..."


def _table(review: Review) -> Iterator[Line]:
    match = review.match
    rows: list[tuple[str, str, str, str, Standing, Reviewed | None]]
    rows = [("", "", "start", words.totals_after(match, 0), review.opening, None)]
    for one in review.moves:
        text = one.position.text_of(one.move)
        total = words.totals_after(match, one.n)
        rows.append((str(one.n), _short(review, one.person), text, total, one.standing, one))
    wide = [max(len(str(row[column])) for row in rows) for column in range(4)]
    wide = [max(size, least) for size, least in zip(wide, (2, 6, 5, 5), strict=True)]
    heads = ("n", "player", "move", "total")
    head = "  ".join(f"{text:{size}}" for text, size in zip(heads, wide, strict=True))
    yield [(f"  {head}  stands to win", Style.TITLE)]
    for n, name, text, total, standing, made in rows:
        row = f"  {n:>{wide[0]}}  {name:{wide[1]}}  {text:{wide[2]}}  {total:{wide[3]}}  "
        style = _STYLES[standing.winner] if standing.winner else Style.PLAIN
        line: Line = [(row, Style.PLAIN), (_stands(review, standing), style)]
        if made is not None and made.blunder:
            line.append(("  turning point", Style.REFUSAL))
        yield line


def _stands(review: Review, standing: Standing) -> str:
    text = words.stands(review.match, standing)
    if standing.winner is None:
        return text
    return text.replace(words.name_of(review.match, standing.winner), _short(review, standing.winner), 1)


def _turning_points(review: Review) -> Iterator[Line]:
    yield []
    yield [("Turning points", Style.TITLE)]
    for one in review.turning_points:
        name, move = words.name_of(review.match, one.person), one.position.text_of(one.move)
        heading = f"Move {one.n}, {name} {move}: {words.fall(one)}."
        yield from (
            [(text, Style.REFUSAL)] for text in wrap(heading, WIDTH, initial_indent="  ", subsequent_indent="  ")
        )
        for text in words.why(review, one):
            for line in wrap(text, WIDTH, initial_indent="    ", subsequent_indent="      "):
                yield [(line, Style.PLAIN)]
    if review.given_up is not None:
        yield [(f"  {words.given_up(review)}", Style.PLAIN)]
    elif not review.turning_points:
        yield [("  There were none: nobody let a better result go.", Style.PLAIN)]


def _plot(review: Review) -> Iterator[Line]:
    """Draw a column for the start and for each move; Player 1's wins stand above the line, Player 2's below."""
    standings = [review.opening, *(one.standing for one in review.moves)]
    step = 3 if len(standings) <= _ROOMY else 1
    size = (WIDTH - _LEFT) // step
    for begin in range(0, len(standings), size):
        strip = dict(enumerate(standings[begin : begin + size], begin))
        levels = sorted({_level(one) for one in strip.values() if one.winner is not None})
        yield [(f"  {_short(review, Person.ONE)} wins", _STYLES[Person.ONE])]
        yield from (_row(review, strip, step, Person.ONE, level) for level in levels)
        middle = "".join(("o" if one.winner is None else "-").rjust(step, "-") for one in strip.values())
        yield [(f"{'+':>{_LEFT}}{middle}", Style.PLAIN)]
        yield from (_row(review, strip, step, Person.TWO, level) for level in reversed(levels))
        yield [(f"  {_short(review, Person.TWO)} wins", _STYLES[Person.TWO])]
        yield [(" " * _LEFT + _axis(list(strip), step), Style.PLAIN)]
    if review.turning_points:
        yield [(f"{'':{_LEFT}}  X turning point", Style.PLAIN)]


def _row(review: Review, strip: dict[int, Standing], step: int, person: Person, level: int) -> Line:
    """Return one row of the plot: the moves after which this person's win was this near."""
    turned = {one.n for one in review.turning_points}
    line: Line = [(f"{_ROWS[level][1]:>{_LEFT - 2}} |", Style.PLAIN)]
    gap = 0
    for n, standing in strip.items():
        gap += step
        if standing.winner is person and _level(standing) == level:
            line.append((("X" if n in turned else "*").rjust(gap), _STYLES[person]))
            gap = 0
    return line


def _level(standing: Standing) -> int:
    return next(level for level, (most, _) in enumerate(_ROWS) if (standing.plies or 0) <= most)


def _axis(numbers: list[int], step: int) -> str:
    """Return the numbers of the moves below their columns; without space between columns, every tenth."""
    if step > 1:
        return "".join(f"{n:>{step}}" for n in numbers)
    text = ""
    for at, n in enumerate(numbers):
        if n % 10 == 0 and len(text) <= at <= len(numbers) - len(str(n)):
            text = f"{text:{at}}{n}"
    return text
