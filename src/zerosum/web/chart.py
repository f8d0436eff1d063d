"""The picture of a review: a bar for the start and for each move, up or down by who stands to win."""

from __future__ import annotations

from html import escape
from typing import Final

from zerosum.coach import review_words as words
from zerosum.coach.review import Review, Standing
from zerosum.match.setup import Person

_WIDTH: Final = 960
_HEIGHT: Final = 316
_LEFT: Final = 12
_MIDDLE: Final = 144
_HALF: Final = 112
"""The bar of a match that is over."""
_LEAST: Final = 0.15
"""The bar of the farthest win, as a share of that."""
_NUMBERS: Final = 30
_EVERY: Final = (1, 2, 5, 10, 20, 50, 100)
"""How many columns share a number, so that at most `_NUMBERS` have one."""
CLASSES: Final = {Person.ONE: "one", Person.TWO: "two", None: "draw"}


def chart(review: Review) -> str:
    """Return the picture as SVG."""
    match = review.match
    standings = [review.opening, *(one.standing for one in review.moves)]
    longest = max((one.plies or 0 for one in standings), default=0)
    turned = {one.n for one in review.turning_points}
    name1, name2 = (escape(words.name_of(match, person)) for person in Person)
    room = (_WIDTH - 2 * _LEFT) / len(standings)
    every = next(one for one in _EVERY if len(standings) <= _NUMBERS * one)
    steps = "\n".join(
        _step(review, n, standing, room, longest, ring=n in turned, number=n % every == 0)
        for n, standing in enumerate(standings)
    )
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-labelledby="chart-title chart-words">'
        f'<title id="chart-title">Who stood to win after each move</title>'
        f'<desc id="chart-words">{escape(_in_words(review))}</desc>\n{steps}\n'
        f'<line class="middle" x1="0" y1="{_MIDDLE}" x2="{_WIDTH}" y2="{_MIDDLE}"/>'
        f'<text class="one" x="{_LEFT}" y="16">{name1} stands to win</text>'
        f'<text class="two" x="{_LEFT}" y="{2 * _MIDDLE}">{name2} stands to win</text></svg>'
    )


def _step(review: Review, n: int, standing: Standing, room: float, longest: int, *, ring: bool, number: bool) -> str:
    left = _LEFT + n * room
    wide = min(64.0, room) * (0.62 if room > 6 else 1)  # noqa: PLR2004 - thinner bars would vanish between their gaps
    x, middle = left + (room - wide) / 2, left + room / 2
    tall = 3.0 if standing.winner is None else _HALF * _near(standing, longest)
    up = standing.winner is not Person.TWO
    y = _MIDDLE - tall if up else _MIDDLE
    tip = y if up else y + tall
    said = "The start" if n == 0 else f"Move {n}, {review.moves[n - 1].position.text_of(review.moves[n - 1].move)}"
    title = escape(f"{said}: {words.stands(review.match, standing)}")
    parts = [
        f'<g class="step {CLASSES[standing.winner]}" data-step="{n}"><title>{title}</title>',
        f'<rect class="hit" x="{left:.1f}" y="0" width="{room:.1f}" height="{_HEIGHT}"/>',
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}" rx="{min(3.0, wide / 4):.1f}"/>',
    ]
    if ring:
        parts.append(f'<circle class="ring" cx="{middle:.1f}" cy="{tip:.1f}" r="{min(7.0, max(3.0, wide / 2)):.1f}"/>')
    if number:
        parts.append(f'<text x="{middle:.1f}" y="{_HEIGHT - 4}" text-anchor="middle">{n}</text>')
    return "".join([*parts, "</g>"])


def _near(standing: Standing, longest: int) -> float:
    return 1 - (1 - _LEAST) * (standing.plies or 0) / max(longest, 1)


def _in_words(review: Review) -> str:
    """Return a description of the picture for people who cannot see it."""
    turns = ", ".join(f"move {one.n}" for one in review.turning_points[:20]) or "no move"
    return (
        f"A bar for the start and for each of {len(review.moves)} moves, up where "
        f"{words.name_of(review.match, Person.ONE)} stands to win and down where "
        f"{words.name_of(review.match, Person.TWO)} does. Turning points: {turns}."
    )
