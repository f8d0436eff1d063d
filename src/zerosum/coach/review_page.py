"""A review as one self-contained page that sends no requests, and its picture. All text is escaped.

The page's template, style and script are files beside this one. Its CSP allows only that style and script, by hash, so
a hostile name cannot inject any. The picture carries neither, so a page with a strict CSP can hold it too.

The picture of a review has a bar for the start and for each move, up or down by who is expected to win. Bars are placed
by shares of the width and their heights are pixels, so every bar is visible on any screen and no letter shrinks. Only a
match of hundreds of moves is wider than a phone; its box says that it scrolls sideways.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from zerosum.base.reports import render
from zerosum.base.svg import element, title
from zerosum.base.text import printable
from zerosum.coach import review_words as words
from zerosum.coach.review import ExpectedWinner, Review, Reviewed
from zerosum.match import match_words
from zerosum.match.match_words import totals_after
from zerosum.match.setup import Person
from zerosum.strategy.phrases import listed

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


def chart(review: Review, who: words.Speakers) -> str:
    """Return the picture as SVG in its box, each bar a `g.step[data-step]`, with the names above and below it."""
    standings = [review.opening, *(move.standing for move in review.moves)]
    side1, side2 = (escape(f"{who.does(person, 'stand')} to win") for person in Person)
    slides = len(standings) > _FIT
    width = f"{len(standings) * _THIN}" if slides else "100%"
    box = ' class="bars slides" tabindex="0"' if slides else ' class="bars"'
    hint = '<p class="slide">The chart is wider than a small screen: slide it sideways.</p>' if slides else ""
    inside = (
        element("title", "Who stood to win after each move", id="chart-title"),
        element("desc", escape(_in_words(review, who)), id="chart-words"),
        f"\n{_steps(review, standings, who)}\n",
        element("line", class_="middle", x1=0, y1=_MIDDLE, x2="100%", y2=_MIDDLE),
    )
    return (
        f'<p class="side one">{side1}</p>'
        f'<div id="chart"{box} role="group" aria-label="Chart">'
        f"{element('svg', *inside, width=width, height=_HEIGHT, role='img', aria_labelledby='chart-title chart-words')}"
        "</div>"
        f'<p class="side two">{side2}</p>{hint}'
    )


def _steps(review: Review, standings: list[ExpectedWinner], who: words.Speakers) -> str:
    longest = max((standing.plies or 0 for standing in standings), default=0)
    turned = {point.n for point in review.turning_points}
    room = min(_WIDEST, (100 - 2 * _EDGE) / len(standings))
    every, seldom = _spaced(len(standings), _NUMBERS), _spaced(len(standings), _FEW_NUMBERS)
    numbers = {n: "" if n % seldom == 0 else "fine" for n in range(0, len(standings), every)}
    return "\n".join(
        _step(review, n, standing, room, longest, who=who, ring=n in turned, number=numbers.get(n))
        for n, standing in enumerate(standings)
    )


def _spaced(columns: int, most: int) -> int:
    """Return how many columns share a number, so that at most `most` have one."""
    return next(one for one in _EVERY if columns <= most * one)


def _step(
    review: Review,
    n: int,
    standing: ExpectedWinner,
    room: float,
    longest: int,
    *,
    who: words.Speakers,
    ring: bool,
    number: str | None,
) -> str:
    left = _EDGE + n * room
    wide = room * 0.62
    middle = left + room / 2
    near = 1 - (1 - _LEAST) * (standing.plies or 0) / max(longest, 1)
    tall = 3.0 if standing.winner is None else _HALF * near
    up = standing.winner is not Person.TWO
    y = _MIDDLE - tall if up else _MIDDLE
    tip = y if up else y + tall
    said = "The start" if n == 0 else f"Move {n}, {review.moves[n - 1].position.text_of(review.moves[n - 1].move)}"
    crowded = len(review.moves) > _CROWDED
    x, rounded = left + (room - wide) / 2, 0 if crowded else 3
    parts = [
        title(f"{said}: {words.stands(review.match, standing, who)}"),
        element("rect", class_="hit", x=f"{left:.2f}%", y=0, width=f"{room:.2f}%", height=_HEIGHT),
        element("rect", x=f"{x:.2f}%", y=f"{y:.1f}", width=f"{wide:.2f}%", height=f"{tall:.1f}", rx=rounded),
    ]
    if ring:
        radius = 3.5 if crowded else 5
        parts.append(element("circle", class_="ring", cx=f"{middle:.2f}%", cy=f"{tip:.1f}", r=radius))
    if number is not None:
        at = {"x": f"{middle:.2f}%", "y": _HEIGHT - 4}
        parts.append(element("text", str(n), class_=f"n {number}", **at, text_anchor="middle"))
    return element("g", *parts, class_=f"step {CLASSES[standing.winner]}", data_step=n)


def _in_words(review: Review, who: words.Speakers) -> str:
    """Return a description of the picture for people who cannot see it."""
    turns = ", ".join(f"move {point.n}" for point in review.turning_points[:20]) or "no move"
    return (
        f"A bar for the start and for each of {len(review.moves)} moves, up where "
        f"{who.subject(Person.ONE).does('stand')} to win and down where "
        f"{who.subject(Person.TWO).does('do')}. Turning points: {turns}."
    )


@dataclass(frozen=True, slots=True)
class PageStep:
    """The start or a move, as the page shows it: every text is plain, and the template escapes it."""

    n: int
    pool: Sequence[int]
    totals: Sequence[tuple[str, str, int]]
    """For each total the class of its owner, whose it is, and the number."""
    stands: tuple[str, str]
    """Who stands to win: a class, and words."""
    mover: tuple[str, str] = ("", "")
    """The class and the name of the person who moved."""
    move: str = ""
    better: str = ""
    fall: str = ""
    """How far the verdict fell, at a turning point; then `why` and `lines` explain it."""
    why: Sequence[str] = ()
    lines: Sequence[str] = ()


def page(review: Review, who: words.Speakers) -> str:
    """Return the page in the words of `who`; without a script, it shows the step at which the match was decided."""
    match = review.match
    start = _page_step(review, 0, review.opening, who)
    return render(
        __file__,
        "review_page.html",
        page_style=_file("review_page.css"),
        script=_file("review_page.js"),
        title=f"Review of {match_words.title(match, who.labels)}",
        game=printable(match.setup.rules.name),
        names=who.labels,
        against=who.subject(Person.TWO).name,
        result=match_words.result(match, who.you, who.labels),
        given_up=words.given_up(review, who),
        lesson=words.lesson(review, who),
        loser=words.for_the_loser(review, who),
        chart=chart(review, who),
        opens_at=review.opens_at,
        steps=[start, *(_move_step(review, move, who) for move in review.moves)],
        accuracy=[(CLASSES[person], *words.accuracy(review, person)) for person in Person],
    )


def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _page_step(review: Review, n: int, standing: ExpectedWinner, who: words.Speakers) -> PageStep:
    match = review.match
    totals = [(CLASSES[person], who.total(person), total) for person, total in totals_after(match, n)]
    return PageStep(n, match.positions[n].pool, totals, (CLASSES[standing.winner], words.stands(match, standing, who)))


def _move_step(review: Review, one: Reviewed, who: words.Speakers) -> PageStep:
    shown = replace(
        _page_step(review, one.n, one.standing, who),
        mover=(CLASSES[one.person], who.label(one.person)),
        move=one.position.text_of(one.move),
        better=listed(one.position, one.better, 5) if one.better else "",
    )
    if not one.blunder:
        return shown
    return replace(shown, fall=words.fall(one), why=words.why(review, one, who), lines=words.lines(review, one, who))
