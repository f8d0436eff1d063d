"""The page of a review has its picture, every step and every turning point; a strict policy can hold the picture."""

from __future__ import annotations

import re
from pathlib import Path

from zerosum.coach.review import Review, review
from zerosum.coach.review_page import chart, page
from zerosum.coach.review_words import Speakers
from zerosum.match.match import read_match
from zerosum.match.match_words import span, takers
from zerosum.match.setup import Person
from zerosum.solver import solution_of

MATCHES = Path(__file__).parents[2] / "docs" / "matches"


def reviewed(name: str = "2-sum31.txt") -> Review:
    match = read_match((MATCHES / name).read_text(encoding="utf-8"))
    return review(match, solution_of(match.setup.rules))


def test_the_page_holds_the_picture_and_every_step() -> None:
    found = reviewed()
    who = Speakers.of(found.match)
    whole = page(found, who)
    assert chart(found, who) in whole
    steps = re.findall(r'<div class="step" data-step="(\d+)"( hidden)?>', whole)
    assert [int(n) for n, _ in steps] == list(range(len(found.moves) + 1))
    assert [int(n) for n, hidden in steps if not hidden] == [found.opens_at]
    rows = re.findall(r'<tr role="row" data-step="(\d+)">', whole)
    assert [int(n) for n in rows] == [one.n for one in found.moves]
    turns = re.findall(r"<li><strong>Move (\d+),", whole)
    assert [int(n) for n in turns] == [one.n for one in found.turning_points]


def test_the_page_calls_the_reader_you() -> None:
    found = reviewed()
    for you in Person:
        who = Speakers.of(found.match, ("You", "Computer") if you is Person.ONE else ("Computer", "You"), you)
        whole = page(found, who)
        assert "You stand to win" in whole
        assert "Computer stands to win" in whole
        assert not {name for name in found.match.setup.names if name != "Computer" and name in whole}
        assert not re.search(r"\b[Yy]ou (stands|plays|makes|has|does|is)\b|You's|against You", whole)


def test_the_picture_carries_no_style_and_no_script() -> None:
    found = reviewed()
    assert not re.search(r"<(script|style)|\s(style|on[a-z]+)=", chart(found, Speakers.of(found.match)))


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
