"""A review at the terminal: the moves as a table, the turning points with their reasons, accuracy, and a plot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from zerosum.base.text import printable
from zerosum.cli.console import Console, TextStyle
from zerosum.cli.dialogue_text import names_at_terminal
from zerosum.cli.picture import STYLES, Line
from zerosum.cli.terminal_text import clip, pad, terminal_columns, width
from zerosum.coach import review_words as words
from zerosum.coach.review import ExpectedWinner, Review, Reviewed
from zerosum.match import match_words
from zerosum.match.setup import Person

WIDTH: Final = 79
_NAME: Final = 14
_LEAST_NAME: Final = 5
"""How long a name may be, and how short it is cut if the table has no room for more."""
_ROWS: Final = ((0, "won"), (2, "1-2"), (4, "3-4"), (8, "5-8"), (10**6, "9+"))
"""How near the end is: the most moves that are left, and the label in the plot."""
_ROOMY: Final = 22
"""The most columns of a plot with space between them."""
_LEFT: Final = 8
_LEAST_PLOT: Final = 49
"""The columns from which on there is room for a plot."""


def print_review(review: Review, console: Console) -> None:
    """Write the whole review; a person who played a computer is "You"."""
    columns = min(WIDTH, (terminal_columns(sys.stdout) or WIDTH + 1) - 1)
    for line in _lines(review, columns, speakers(review)):
        for text, style in line:
            console.say(text, style)
        console.say("\n")


def speakers(review: Review) -> words.Speakers:
    """Return what a review calls the two: a person who played a computer and gave no name is "You"."""
    names = names_at_terminal(review.match.setup, which=False)
    labels = (printable(names.labels[0]), printable(names.labels[1]))
    return words.Speakers.of(review.match, labels, next((one for one in Person if names.name(one).you), None))


def _lines(review: Review, columns: int, who: words.Speakers) -> Iterator[Line]:
    match = review.match
    one, two = map(printable, names_at_terminal(match.setup).labels)
    yield from _wrapped(match_words.title(match, (one, two)), columns, TextStyle.TITLE)
    yield from _wrapped(match_words.result(match, who.you, who.labels), columns)
    yield from _wrapped(words.lesson(review, who), columns, TextStyle.OUTCOME)
    yield from _turning_points(review, columns, who)
    yield from _for_the_loser(review, columns, who)
    yield []
    yield from _table(review, columns, who)
    yield []
    yield [("Accuracy", TextStyle.TITLE)]
    for person in Person:
        share, of_what = words.accuracy(review, person)
        yield [(f"  {pad(_short(who, person), _NAME)}  ", STYLES[person]), (f"{share:>5}  {of_what}", TextStyle.PLAIN)]
    if review.moves and columns >= _LEAST_PLOT:
        yield []
        yield [("Who stands to win, and in how many moves", TextStyle.TITLE)]
        yield from _plot(review, columns, who)


def _wrapped(
    text: str, columns: int, style: TextStyle = TextStyle.PLAIN, first: str = "", others: str = ""
) -> Iterator[Line]:
    """Yield the lines of a paragraph, with what stands before the first and before the others."""
    return ([(line, style)] for line in wrap(text, columns, initial_indent=first, subsequent_indent=others))


def _short(who: words.Speakers, person: Person, most: int = _NAME) -> str:
    return clip(who.label(person), most)


def _table(review: Review, columns: int, who: words.Speakers) -> Iterator[Line]:
    """Write the table with names as long as fit."""
    tables = (list(_rows(review, most, who)) for most in range(_NAME, _LEAST_NAME - 1, -1))
    fits = (table for table in tables if all(sum(width(text) for text, _ in line) <= columns for line in table))
    yield from next(fits, None) or _rows(review, _LEAST_NAME, who)


def _rows(review: Review, most: int, who: words.Speakers) -> Iterator[Line]:
    """Yield the rows of the table; a person's own total is below that person's name."""
    match = review.match
    owners = [person for person, _ in match_words.totals_after(match, 0)]
    heads = ["n", "player", "move", *("total" if owner is None else _short(who, owner, most) for owner in owners)]
    rows: list[tuple[list[str], ExpectedWinner, Reviewed | None]]
    rows = [(["", "", "start", *_totals(review, 0)], review.opening, None)]
    for one in review.moves:
        cells = [str(one.n), _short(who, one.person, most), one.position.text_of(one.move)]
        rows.append((cells + _totals(review, one.n), one.standing, one))
    wide = [max(2, *map(width, column)) for column in zip(heads, *(cells for cells, _, _ in rows), strict=True)]
    head = "  ".join(pad(text, size) for text, size in zip(heads, wide, strict=True))
    yield [(f"  {head}  stands to win", TextStyle.TITLE)]
    for (n, *cells), standing, made in rows:
        row = "  ".join(pad(text, size) for text, size in zip(cells, wide[1:], strict=True))
        style = STYLES[standing.winner] if standing.winner else TextStyle.PLAIN
        line: Line = [(f"  {n:>{wide[0]}}  {row}  ", TextStyle.PLAIN), (_stands(review, standing, most, who), style)]
        if made is not None and made.blunder:
            line.append(("  turning point", TextStyle.REFUSAL))
        yield line


def _totals(review: Review, ply: int) -> list[str]:
    return [str(total) for _, total in match_words.totals_after(review.match, ply)]


def _stands(review: Review, standing: ExpectedWinner, most: int, who: words.Speakers) -> str:
    text = words.stands(review.match, standing, who)
    if standing.winner is None:
        return text
    return text.replace(who.label(standing.winner), _short(who, standing.winner, most), 1)


def _turning_points(review: Review, columns: int, who: words.Speakers) -> Iterator[Line]:
    yield []
    yield [("Turning points", TextStyle.TITLE)]
    for point in review.turning_points:
        mover, move = who.subject(point.person), point.position.text_of(point.move)
        heading = f"Move {point.n}, {mover.name if mover.third else mover.own} {move}: {words.fall(point)}."
        yield from _wrapped(heading, columns, TextStyle.REFUSAL, "  ", "  ")
        for text in words.why(review, point, who):
            yield from _wrapped(text, columns, first="    ", others="      ")
    if review.given_up is not None:
        yield [(f"  {words.given_up(review, who)}", TextStyle.PLAIN)]
    elif not review.turning_points:
        yield [("  There were none.", TextStyle.PLAIN)]


def _for_the_loser(review: Review, columns: int, who: words.Speakers) -> Iterator[Line]:
    told = words.for_the_loser(review, who)
    if review.loser is None or not told:
        return
    yield []
    yield [(f"For {clip(who.subject(review.loser).name, _NAME)}", TextStyle.TITLE)]
    for text in told:
        yield from _wrapped(text, columns, first="  ", others="    ")


def _plot(review: Review, columns: int, who: words.Speakers) -> Iterator[Line]:
    """Draw a column for the start and for each move; Player 1's wins stand above the line, Player 2's below."""
    standings = [review.opening, *(move.standing for move in review.moves)]
    step = 3 if len(standings) <= _ROOMY else 1
    size = (columns - _LEFT) // step
    for begin in range(0, len(standings), size):
        strip = dict(enumerate(standings[begin : begin + size], begin))
        levels = sorted({_level(one) for one in strip.values() if one.winner is not None})
        yield [(f"  {_wins(who, Person.ONE)}", STYLES[Person.ONE])]
        yield from (_row(review, strip, step, Person.ONE, level) for level in levels)
        middle = "".join(("o" if one.winner is None else "-").rjust(step, "-") for one in strip.values())
        yield [(f"{'+':>{_LEFT}}{middle}", TextStyle.PLAIN)]
        yield from (_row(review, strip, step, Person.TWO, level) for level in reversed(levels))
        yield [(f"  {_wins(who, Person.TWO)}", STYLES[Person.TWO])]
        yield [(" " * _LEFT + _axis(list(strip), step), TextStyle.PLAIN)]
    if review.turning_points:
        yield [(f"{'':{_LEFT}}  X turning point", TextStyle.PLAIN)]


def _wins(who: words.Speakers, person: Person) -> str:
    return f"{_short(who, person)} {who.subject(person).verb('win')}"


def _row(review: Review, strip: dict[int, ExpectedWinner], step: int, person: Person, level: int) -> Line:
    """Return one row of the plot: the moves after which this person's win was this near."""
    turned = {point.n for point in review.turning_points}
    line: Line = [(f"{_ROWS[level][1]:>{_LEFT - 2}} |", TextStyle.PLAIN)]
    gap = 0
    for n, standing in strip.items():
        gap += step
        if standing.winner is person and _level(standing) == level:
            line.append((("X" if n in turned else "*").rjust(gap), STYLES[person]))
            gap = 0
    return line


def _level(standing: ExpectedWinner) -> int:
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
