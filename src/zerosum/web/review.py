"""A review as pieces of HTML, and as one page that needs nothing else: no request leaves it. All text is escaped.

The style and the script of that page, and the page around the pieces, stand in files beside this one. The policy in its
head names the hashes of the two, so that a browser runs nothing but them, whatever a name or a title might hold. No
piece carries a style or a script of its own, so that a page with a strict policy can hold them too.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from string import Template

from zerosum.coach import review_words as words
from zerosum.coach.phrases import listed
from zerosum.coach.review import Review, Reviewed, Standing
from zerosum.match.setup import Person
from zerosum.rules.text import printable
from zerosum.web.chart import CLASSES, chart


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
    """A `div` with a term for each person, to stand in a `dl`."""
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
        title=escape(f"Review of {words.title(match)}"),
        game=escape(printable(match.setup.rules.name)),
        name1=_name(review, Person.ONE),
        name2=_name(review, Person.TWO),
        result=escape(words.result(match)),
        lesson=escape(words.lesson(review)),
        chart=chart(review),
        steps=tuple(_steps(review)),
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
    style, script = _file("review_page.css"), _file("review_page.js")
    last = len(review.moves)
    return Template(_file("review_page.html")).substitute(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'",
        style=style,
        script=script,
        title=cut.title,
        game=cut.game,
        name1=cut.name1,
        name2=cut.name2,
        result=cut.result,
        lesson=cut.lesson,
        chart=cut.chart,
        last=last,
        now=cut.opens_at,
        steps=stage(cut.steps, cut.opens_at),
        accuracy=cut.accuracy,
        turns=cut.turns,
        heads=cut.heads,
        rows=cut.rows,
    )


def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _name(review: Review, person: Person) -> str:
    return escape(words.name_of(review.match, person))


def _person(review: Review, person: Person) -> str:
    return f'<span class="{CLASSES[person]}">{_name(review, person)}</span>'


def _stands(review: Review, standing: Standing) -> str:
    return f'<span class="{CLASSES[standing.winner]}">{escape(words.stands(review.match, standing))}</span>'


def _reasons(review: Review, one: Reviewed) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in words.why(review, one))
    more = "".join(f"<li>{escape(text)}</li>" for text in words.lines(review, one))
    return f'<ul class="why">{items}</ul><details><summary>More: the lines</summary><ul>{more}</ul></details>'


def _move(one: Reviewed) -> str:
    return escape(one.position.text_of(one.move))


def _steps(review: Review) -> list[str]:
    start = "<h2>Before the first move</h2>" if review.moves else "<h2>No move was made</h2>"
    steps = [_step(review, 0, start, review.opening, "")]
    for one in review.moves:
        heading = f"<h2>Move {one.n}: {_person(review, one.person)} plays {_move(one)}</h2>"
        turn = f'<p class="turn">A turning point, {escape(words.fall(one))}.</p>' if one.blunder else ""
        steps.append(_step(review, one.n, heading, one.standing, turn + _reasons(review, one) if one.blunder else ""))
    return steps


def _step(review: Review, n: int, heading: str, standing: Standing, more: str) -> str:
    match, last = review.match, n == len(review.moves)
    position = match.positions[n]
    pool = "".join(f"<li>{number}</li>" for number in position.pool) or "<li>none</li>"
    totals = "".join(
        f'<p class="{CLASSES[person]}">{escape(words.total_of(match, person))}: <span class="total">{total}</span></p>'
        for person, total in words.totals_after(match, n)
    )
    end = f"<p><strong>{escape(words.result(match))}</strong></p>" if last else ""
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
    totals = (words.total_of(review.match, person) for person, _ in words.totals_after(review.match, 0))
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
        f'<td role="cell" class="{CLASSES[person]}" data-label="{escape(words.total_of(match, person))}">{total}</td>'
        for person, total in words.totals_after(match, n)
    )
