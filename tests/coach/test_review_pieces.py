"""A review in pieces: the page of one file is made of them, and a page with a strict policy can hold them."""

from __future__ import annotations

import re
from pathlib import Path

from zerosum.coach.review import Review, review
from zerosum.coach.review_page import page, pieces, stage
from zerosum.match.match import read_match
from zerosum.match.scene import span, takers
from zerosum.match.setup import Person
from zerosum.solver import solution_of

MATCHES = Path(__file__).parents[2] / "docs" / "matches"


def reviewed(name: str = "2-sum31.txt") -> Review:
    match = read_match((MATCHES / name).read_text(encoding="utf-8"))
    return review(match, solution_of(match.setup.rules))


def test_the_page_holds_every_piece() -> None:
    found = reviewed()
    cut, whole = pieces(found), page(found)
    last = len(found.moves)
    assert len(cut.steps) == last + 1
    for piece in (cut.title, cut.game, cut.name1, cut.name2, cut.result, cut.chart, cut.accuracy, cut.turns, cut.rows):
        assert piece
        assert piece in whole
    assert stage(cut.steps, last) in whole


def test_one_step_is_to_be_seen() -> None:
    steps = pieces(reviewed()).steps
    for shown in range(len(steps)):
        divs = re.findall(r'<div class="step" data-step="(\d+)"( hidden)?>', stage(steps, shown))
        assert [int(n) for n, hidden in divs if not hidden] == [shown]
        assert len(divs) == len(steps)


def test_no_piece_carries_a_style_or_a_script() -> None:
    cut = pieces(reviewed())
    everything = "".join((cut.chart, *cut.steps, cut.accuracy, cut.turns, cut.rows))
    assert not re.search(r"<(script|style)|\s(style|on[a-z]+)=", everything)


def test_who_took_what_and_what_is_shown_of_the_number_line() -> None:
    match = reviewed("4-sum31.txt").match
    taken = takers(match)
    assert sorted(number for number, people in taken.items() for _ in people) == sorted(
        move.number for move in match.moves
    )
    assert taken[match.moves[0].number][0] is match.mover(0)
    assert set(Person) == {person for people in taken.values() for person in people}
    low, high = span(match)
    assert low <= 0 < match.setup.rules.target <= high
