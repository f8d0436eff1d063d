"""The daily duel: a function of the date, won from the mover's seat, answered by perfect play, the same for ever."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.full import part
from tests.naive import GAMES as PLAIN
from tests.naive import Game, State
from zerosum import load_game
from zerosum.base.errors import InvalidTextError
from zerosum.coach.daily import (
    GAMES,
    THEIRS,
    TRIES,
    YOURS,
    DailyDuel,
    Streak,
    daily_game,
    daily_position,
    parse_day,
    play_duel,
    slip,
    streak_of,
)
from zerosum.rules.game_files import GAME_IDS
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict, solution_of, solve

pytestmark = pytest.mark.slow

MONDAY = date(2026, 11, 16)
KNOWN = {
    "0001-01-01": "1,2,4,6,8 14/-10 1",
    "2026-11-15": "1,2,4,5,8,9,10,11 9/7 2",
    "2026-11-16": "-8,-4,-2,-1,3,8,9 -5 2",
    "2026-11-17": "1,2,4,5,7,8 6/6 2",
    "2026-11-18": "1,2,4,8,9 -5 1",
    "2026-11-19": "-5,-4,-3,-1,2,5 2/4 1",
    "2026-11-20": "1,3,4,6,7,8,9 7 1",
    "2026-11-21": "-3,-2,1,2,3,5,6,7,8 3 1",
    "2026-11-22": "-3,-2,-1,2,3,4,5,6,9,10 16 2",
    "2026-11-23": "1,2,5,6,7,9,11 18/7 1",
    "2030-01-01": "-3,-2,3,5,6,8,9,10 13 2",
    "9999-12-31": "-4,-3,-1,1,4,5 -3/1 1",
}
"""Positions as they were when this was written: another one on the same date would be another for somebody."""


def solution_on(day: date) -> Solution:
    return solution_of(load_game(daily_game(day)))


def position_on(day: date) -> Position:
    return daily_position(day, solution_on(day))


def test_it_depends_on_nothing_but_the_date() -> None:
    found = {
        text: str(daily_position(parse_day(text), solve(load_game(daily_game(parse_day(text)))))) for text in KNOWN
    }
    assert found == KNOWN


def test_all_games_take_turns() -> None:
    assert sorted(GAMES) == sorted(GAME_IDS)
    assert sorted(daily_game(MONDAY + timedelta(n)) for n in range(len(GAMES))) == sorted(GAMES)


def own_moves(position: Position, solution: Solution, *, best: bool) -> list[Move]:
    """Return the moves of somebody who always plays the best move, or the worst one."""
    mover, moves = position.seat, list[Move]()
    while position.outcome is None:
        move = solution.options(position)[0 if best or position.seat is not mover else -1].move
        if position.seat is mover:
            moves.append(move)
        position = position.play(move)
    return moves


def test_each_needs_a_plan_and_is_won_by_it() -> None:
    """Perfect play wins in five moves or more, the first move matters, and hardly one comes twice."""
    days = [MONDAY + timedelta(n) for n in range(part(16, 400))]
    starts = [position_on(day) for day in days]
    for day, start in zip(days, starts, strict=True):
        solution = solution_on(day)
        value = solution.value(start)
        assert value.verdict is Verdict.WIN
        assert 5 <= (value.plies or 0) <= 11
        assert {option.value.verdict for option in solution.options(start)} > {Verdict.WIN}
        won = play_duel(day, start, [own_moves(start, solution, best=True)], solution)
        assert (won.won, won.over, won.number, len(won.tries[0].moves)) == (True, True, 1, value.plies)
    assert len({(start.rules.id, start.key) for start in starts}) >= len(days) * (1 if len(days) < 20 else 0.7)


@pytest.mark.parametrize("day", [MONDAY + timedelta(1), MONDAY + timedelta(2)], ids=str)
def test_the_opponent_is_as_strong_as_a_plain_search(day: date) -> None:
    """A second search, over the games as they were written from the rulebooks, plays both sides of every first move."""
    solution, start = solution_on(day), position_on(day)
    game = PLAIN[daily_game(day)]
    plain = State(start.pool, start.totals, int(start.seat))
    for option in solution.options(start):
        text = start.text_of(option.move)
        after = game.play(plain, text)
        duel = play_duel(day, start, [[option.move]], solution)
        wins = after.winner == plain.seat if after.winner else not can_win(game, after)
        assert wins is (option.value.verdict is Verdict.WIN)
        assert duel.tries[0].let_go == (None if wins else 1)
        if after.winner is None:
            reply = start.play(option.move).text_of(duel.tries[0].moves[1])
            answered = game.play(after, reply)
            # Who can win does; who cannot gives nothing away that a plain search would not.
            assert wins or answered.winner == after.seat or not can_win(game, answered)


def can_win(game: Game, state: State) -> bool:
    """Whether the seat to move can force a win; every line is tried."""
    for move in game.moves(state):
        after = game.play(state, move)
        if after.winner == state.seat or (after.winner is None and not can_win(game, after)):
            return True
    return False


def test_three_tries_and_what_is_shared() -> None:
    day = date(2026, 11, 18)
    start, solution = position_on(day), solution_on(day)
    good, bad = own_moves(start, solution, best=True), own_moves(start, solution, best=False)
    begun = play_duel(day, start, [], solution)
    assert (begun.begins, begun.number, begun.over, begun.current.position) == (True, 1, False, start)
    under_way = play_duel(day, start, [good[:1]], solution)
    assert (under_way.begins, under_way.number, under_way.over) == (False, 1, False)
    assert under_way.current.position.seat is start.seat
    lost = play_duel(day, start, [bad, bad], solution)
    assert (lost.begins, lost.number, lost.over, lost.won) == (True, TRIES, False, False)
    assert slip(start, lost.tries[0])[1] == bad[lost.tries[0].let_go - 1]  # type: ignore[operator]
    won = play_duel(day, start, [bad, good, good], solution)
    assert (len(won.tries), won.over, won.won, won.number) == (2, True, True, 2), "a try after the win is left out"
    over = play_duel(day, start, [bad] * 5, solution)
    assert (len(over.tries), over.over, over.won) == (TRIES, True, False)
    assert won.result() == [
        "zerosum daily 2026-11-18: won at try 2 of 3",
        "".join((YOURS, THEIRS)[n % 2] for n in range(len(won.tries[0].moves))),
        "".join((YOURS, THEIRS)[n % 2] for n in range(len(won.tries[1].moves))),
    ]
    assert not any(character.isdigit() for line in won.result()[1:] for character in line)
    assert over.result()[0] == "zerosum daily 2026-11-18: not won in 3 tries"
    assert DailyDuel(day, start) == begun


def test_a_week_goes_from_short_plans_to_long_ones() -> None:
    solution = solution_of(load_game("summit"))
    plies = [solution.value(daily_position(MONDAY + timedelta(n), solution)).plies or 0 for n in range(28)]
    assert sum(plies[0::7]) < sum(plies[3::7]) < sum(plies[6::7])


@pytest.mark.parametrize(
    "text", ["", "today", "2026-13-01", "2026-02-29", "20261115", "2026-W46-7", "2026-1-5", "1" * 99]
)
def test_other_texts_are_no_dates(text: str) -> None:
    with pytest.raises(InvalidTextError, match="is not a date such as 2026-11-15"):
        parse_day(text)


@given(st.lists(st.integers(0, 40)), st.integers(30, 42))
def test_a_streak_is_counted_day_by_day(days: list[int], now: int) -> None:
    won = {MONDAY + timedelta(n) for n in days}

    def run_to(day: date) -> int:
        return 1 + run_to(day - timedelta(1)) if day in won else 0

    past = {day for day in won if day <= MONDAY + timedelta(now)}
    today = MONDAY + timedelta(now)
    expected = Streak(run_to(today) or run_to(today - timedelta(1)), max(map(run_to, past), default=0))
    assert streak_of(past, today) == expected
