"""The puzzle of the day: the same for everybody, another game each day, harder through the week."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tests.full import part
from zerosum import load_game
from zerosum.base.errors import InvalidTextError
from zerosum.coach.puzzles import Puzzle, daily_game, daily_puzzle, parse_day
from zerosum.rules.game_files import GAME_IDS, RULEBOOK_IDS
from zerosum.solver import Verdict, solution_of, solve

pytestmark = pytest.mark.slow

MONDAY = date(2026, 11, 16)
KNOWN = {
    "2026-11-15": "-9,-8,-4,-1,1,3,4,5,6 3 2",
    "2026-11-16": "2,3,5,6 -16/-11 2",
    "2026-11-17": "3,4,6,7,8 -1 1",
    "2026-11-18": "-5,-4,2,3 7/-3 1",
    "2026-11-19": "1,3,4,8 29 2",
}
"""Puzzles as they were when this was written: another one on the same date would be another for somebody."""


def puzzle_on(day: date) -> Puzzle:
    return daily_puzzle(day, solution_of(load_game(daily_game(day))))


def test_it_depends_on_nothing_but_the_date() -> None:
    for text, position in KNOWN.items():
        day = parse_day(text)
        rules = load_game(daily_game(day))
        fresh = solve(rules)
        assert str(daily_puzzle(day, fresh).position) == position


@pytest.mark.parametrize(
    ("start", "games"), [(0, RULEBOOK_IDS), (10, RULEBOOK_IDS), (15, GAME_IDS), (10_000, GAME_IDS)]
)
def test_the_games_take_turns(start: int, games: tuple[str, ...]) -> None:
    """Those found in the lab join in from December 2026 on, so that earlier days keep their puzzles."""
    days = (MONDAY + timedelta(start + n) for n in range(len(games)))
    assert sorted(map(daily_game, days)) == sorted(games)


def test_two_weeks_of_puzzles_with_something_to_find() -> None:
    """No win at once, at most half of the moves win, and hardly one comes twice."""
    days = [MONDAY + timedelta(n) for n in range(part(8, 15))]
    puzzles = [puzzle_on(day) for day in days]
    for puzzle in puzzles:
        options = solution_of(puzzle.position.rules).options(puzzle.position)
        assert options[0].value.plies != 1
        wins = [option for option in options if option.value.verdict is Verdict.WIN]
        assert 0 < 2 * len(wins) <= len(options)
    assert len({(puzzle.position.rules.id, puzzle.position.key) for puzzle in puzzles}) >= len(days) - 1


def test_a_week_of_one_game_would_go_from_easy_to_hard() -> None:
    solution = solution_of(load_game("sum31"))
    found = [daily_puzzle(MONDAY + timedelta(n), solution).difficulty for n in range(28)]
    mean = [sum(found[weekday::7]) for weekday in range(7)]
    assert mean[0] < mean[3] < mean[6]


@pytest.mark.parametrize(
    "text", ["", "today", "2026-13-01", "2026-02-29", "20261115", "2026-W46-7", "2026-1-5", "1" * 99]
)
def test_other_texts_are_no_dates(text: str) -> None:
    with pytest.raises(InvalidTextError, match="is not a date such as 2026-11-15"):
        parse_day(text)


def test_any_date_has_a_puzzle() -> None:
    for text in ("0001-01-01", "1999-12-31", "9999-12-31"):
        assert puzzle_on(parse_day(text)).solutions
