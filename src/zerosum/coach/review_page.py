"""A review as pieces of HTML, and as one self-contained page that sends no requests. All text is escaped.

The page's style, script and frame are files beside this one. Its CSP allows only that style and script, by hash, so a
hostile name cannot inject any. No piece carries a style or a script, so a page with a strict CSP can hold them too.

The picture of a review has a bar for the start and for each move, up or down by who is expected to win. Bars are placed
by shares of the width and their heights are pixels, so every bar is visible on any screen and no letter shrinks. Only a
match of hundreds of moves is wider than a phone; its box says that it scrolls sideways.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from zerosum.base.reports import render
from zerosum.base.text import printable
from zerosum.coach import review_words as words
from zerosum.coach.phrases import listed
from zerosum.coach.review import ExpectedWinner, Review, Reviewed
from zerosum.match import match_words
from zerosum.match.match_words import total_of, totals_after
from zerosum.match.setup import Person

_HEIGHT: Final = 248
_MIDDLE: Final = 114
_HALF: Final = 104
"""The bar of a match that is over."""
_LEAST: Final = 0.15
"""The bar of the farthest win, as a share of that."""
_EDGE: Final = 1.5
"""The share of the width, in per cent, that is left free at each side."""
_WIDEST: Final = 11.0
"""The most room of a bar, in per cent."""
_FIT: Final = 110
"""How many bars the narrowest screen shows side by side; more are `_THIN` pixels each, and slide."""
_THIN: Final = 3
_NUMBERS: Final = 30
_FEW_NUMBERS: Final = 10
"""How many columns have a number on a wide screen, and on a narrow one."""
_EVERY: Final = (1, 2, 5, 10, 20, 50, 100)
_CROWDED: Final = 30
CLASSES: Final = {Person.ONE: "one", Person.TWO: "two", None: "draw"}


def chart(review: Review) -> str:
    """Return the picture as SVG in its box, with the names above and below it."""
    match = review.match
    standings = [review.opening, *(one.standing for one in review.moves)]
    name1, name2 = (escape(match_words.name_of(match, person)) for person in Person)
    slides = len(standings) > _FIT
    width = f"{len(standings) * _THIN}" if slides else "100%"
    box = ' class="bars slides" tabindex="0"' if slides else ' class="bars"'
    hint = '<p class="slide">The chart is wider than a small screen: slide it sideways.</p>' if slides else ""
    return (
        f'<p class="side one">{name1} stands to win</p>'
        f'<div id="chart"{box} role="group" aria-label="Chart">'
        f'<svg width="{width}" height="{_HEIGHT}" role="img" aria-labelledby="chart-title chart-words">'
        f'<title id="chart-title">Who stood to win after each move</title>'
        f'<desc id="chart-words">{escape(_in_words(review))}</desc>\n{_steps(review, standings)}\n'
        f'<line class="middle" x1="0" y1="{_MIDDLE}" x2="100%" y2="{_MIDDLE}"/></svg></div>'
        f'<p class="side two">{name2} stands to win</p>{hint}'
    )


def _steps(review: Review, standings: list[ExpectedWinner]) -> str:
    longest = max((one.plies or 0 for one in standings), default=0)
    turned = {one.n for one in review.turning_points}
    room = min(_WIDEST, (100 - 2 * _EDGE) / len(standings))
    every, seldom = _spaced(len(standings), _NUMBERS), _spaced(len(standings), _FEW_NUMBERS)
    numbers = {n: "" if n % seldom == 0 else "fine" for n in range(0, len(standings), every)}
    return "\n".join(
        _step(review, n, standing, room, longest, ring=n in turned, number=numbers.get(n))
        for n, standing in enumerate(standings)
    )


def _spaced(columns: int, most: int) -> int:
    """Return how many columns share a number, so that at most `most` have one."""
    return next(one for one in _EVERY if columns <= most * one)


def _step(
    review: Review, n: int, standing: ExpectedWinner, room: float, longest: int, *, ring: bool, number: str | None
) -> str:
    left = _EDGE + n * room
    wide = room * 0.62
    middle = left + room / 2
    tall = 3.0 if standing.winner is None else _HALF * _near(standing, longest)
    up = standing.winner is not Person.TWO
    y = _MIDDLE - tall if up else _MIDDLE
    tip = y if up else y + tall
    said = "The start" if n == 0 else f"Move {n}, {review.moves[n - 1].position.text_of(review.moves[n - 1].move)}"
    title = escape(f"{said}: {words.stands(review.match, standing)}")
    crowded = len(review.moves) > _CROWDED
    x, rounded = left + (room - wide) / 2, 0 if crowded else 3
    parts = [
        f'<g class="step {CLASSES[standing.winner]}" data-step="{n}"><title>{title}</title>',
        f'<rect class="hit" x="{left:.2f}%" y="0" width="{room:.2f}%" height="{_HEIGHT}"/>',
        f'<rect x="{x:.2f}%" y="{y:.1f}" width="{wide:.2f}%" height="{tall:.1f}" rx="{rounded}"/>',
    ]
    if ring:
        parts.append(f'<circle class="ring" cx="{middle:.2f}%" cy="{tip:.1f}" r="{3.5 if crowded else 5}"/>')
    if number is not None:
        parts.append(f'<text class="n {number}" x="{middle:.2f}%" y="{_HEIGHT - 4}" text-anchor="middle">{n}</text>')
    return "".join([*parts, "</g>"])


def _near(standing: ExpectedWinner, longest: int) -> float:
    return 1 - (1 - _LEAST) * (standing.plies or 0) / max(longest, 1)


def _in_words(review: Review) -> str:
    """Return a description of the picture for people who cannot see it."""
    turns = ", ".join(f"move {one.n}" for one in review.turning_points[:20]) or "no move"
    return (
        f"A bar for the start and for each of {len(review.moves)} moves, up where "
        f"{match_words.name_of(review.match, Person.ONE)} stands to win and down where "
        f"{match_words.name_of(review.match, Person.TWO)} does. Turning points: {turns}."
    )


@dataclass(frozen=True, slots=True)
class Pieces:
    """A review in pieces; every text is HTML."""

    title: str
    game: str
    name1: str
    name2: str
    result: str
    lesson: str
    chart: str
    """The picture: an SVG, each bar a `g.step[data-step]`."""
    steps: tuple[str, ...]
    """What is shown of the start, then of each move; `stage` puts them together."""
    accuracy: str
    """Return a `div` with a term for each person, for use in a `dl`."""
    turns: str
    """The turning points with their reasons: a list, or a sentence that there were none."""
    heads: str
    """The heads of the columns of all moves."""
    rows: str
    """All moves, as rows of a table. Roles are written out: on a narrow screen the rows are no table to CSS."""
    opens_at: int
    """The step to show first."""


def pieces(review: Review) -> Pieces:
    """Return the pieces of a review."""
    match = review.match
    return Pieces(
        title=escape(f"Review of {match_words.title(match)}"),
        game=escape(printable(match.setup.rules.name)),
        name1=_name(review, Person.ONE),
        name2=_name(review, Person.TWO),
        result=escape(match_words.result(match)),
        lesson=escape(words.lesson(review)),
        chart=chart(review),
        steps=tuple(_review_steps(review)),
        accuracy="\n".join(_accuracy(review, person) for person in Person),
        turns=_turns(review),
        heads=_heads(review),
        rows="\n".join(_rows(review)),
        opens_at=review.opens_at,
    )


def stage(steps: Sequence[str], shown: int) -> str:
    """Return all steps, of which one is shown; a script may show another."""
    return "\n".join(
        f'<div class="step" data-step="{n}"{"" if n == shown else " hidden"}>{step}</div>'
        for n, step in enumerate(steps)
    )


def page(review: Review) -> str:
    """Return the page; without a script, it shows the step at which the match was decided."""
    cut = pieces(review)
    return render(
        __file__,
        "review_page.html",
        page_style=_file("review_page.css"),
        script=_file("review_page.js"),
        cut=cut,
        last=len(review.moves),
        steps=stage(cut.steps, cut.opens_at),
    )


def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _name(review: Review, person: Person) -> str:
    return escape(match_words.name_of(review.match, person))


def _person(review: Review, person: Person) -> str:
    return f'<span class="{CLASSES[person]}">{_name(review, person)}</span>'


def _stands(review: Review, standing: ExpectedWinner) -> str:
    return f'<span class="{CLASSES[standing.winner]}">{escape(words.stands(review.match, standing))}</span>'


def _reasons(review: Review, one: Reviewed) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in words.why(review, one))
    more = "".join(f"<li>{escape(text)}</li>" for text in words.lines(review, one))
    return f'<ul class="why">{items}</ul><details><summary>More: the lines</summary><ul>{more}</ul></details>'


def _move(one: Reviewed) -> str:
    return escape(one.position.text_of(one.move))


def _review_steps(review: Review) -> list[str]:
    start = "<h2>Before the first move</h2>" if review.moves else "<h2>No move was made</h2>"
    steps = [_review_step(review, 0, start, review.opening, "")]
    for one in review.moves:
        heading = f"<h2>Move {one.n}: {_person(review, one.person)} plays {_move(one)}</h2>"
        turn = f'<p class="turn">A turning point, {escape(words.fall(one))}.</p>' if one.blunder else ""
        steps.append(
            _review_step(review, one.n, heading, one.standing, turn + _reasons(review, one) if one.blunder else "")
        )
    return steps


def _review_step(review: Review, n: int, heading: str, standing: ExpectedWinner, more: str) -> str:
    match, last = review.match, n == len(review.moves)
    position = match.positions[n]
    pool = "".join(f"<li>{number}</li>" for number in position.pool) or "<li>none</li>"
    totals = "".join(
        f'<p class="{CLASSES[person]}">{escape(total_of(match, person))}: <span class="total">{total}</span></p>'
        for person, total in totals_after(match, n)
    )
    end = f"<p><strong>{escape(match_words.result(match))}</strong></p>" if last else ""
    end += f"<p>{escape(words.given_up(review))}</p>" if last and review.given_up else ""
    return (
        f"{heading}{totals}"
        f'<ul class="pool" aria-label="Numbers left">{pool}</ul>'
        f"<p>Stands to win: {_stands(review, standing)}</p>{more}{end}"
    )


def _accuracy(review: Review, person: Person) -> str:
    share, of_what = map(escape, words.accuracy(review, person))
    return f'<div><dt>{_person(review, person)}</dt><dd class="total">{share}</dd><dd>{of_what}</dd></div>'


def _turns(review: Review) -> str:
    items = [
        f"<li><strong>Move {one.n}, {_person(review, one.person)} {_move(one)}</strong>: "
        f"{escape(words.fall(one))}.{_reasons(review, one)}</li>"
        for one in review.turning_points
    ]
    if review.given_up:
        items.append(f"<li>{escape(words.given_up(review))}</li>")
    if not items:
        return "<p>There were none: nobody let a better result go.</p>"
    return f'<ul class="turns">{"".join(items)}</ul>'


def _heads(review: Review) -> str:
    totals = (total_of(review.match, person) for person, _ in totals_after(review.match, 0))
    heads = ("n", "Player", "Move", *totals, "Stands to win", "Better")
    cells = "".join(f'<th scope="col" role="columnheader">{escape(head)}</th>' for head in heads)
    return f'<tr role="row">{cells}</tr>'


def _rows(review: Review) -> list[str]:
    return [
        f'<tr role="row" data-step="{one.n}"><td role="cell"><button type="button" data-step="{one.n}" '
        f'aria-label="Show move {one.n}">{one.n}</button></td>'
        f'<td role="cell" class="mover">{_person(review, one.person)}</td><td role="cell">{_move(one)}</td>'
        f"{_totals(review, one.n)}"
        f'<td role="cell" class="wide" data-label="Stands to win">{_stands(review, one.standing)}</td>'
        f'<td role="cell" class="wide turn" data-label="Better">'
        f"{escape(listed(one.position, one.better, 5)) if one.better else ''}</td></tr>"
        for one in review.moves
    ]


def _totals(review: Review, n: int) -> str:
    match = review.match
    return "".join(
        f'<td role="cell" class="{CLASSES[person]}" data-label="{escape(total_of(match, person))}">{total}</td>'
        for person, total in totals_after(match, n)
    )
