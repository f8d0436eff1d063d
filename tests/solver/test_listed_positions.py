"""Every position as a list and as columns of NumPy, and the moves that win, against `Position` and the solution."""

from __future__ import annotations

import pytest

from tests.each import each
from tests.players.test_odds import TINY, VARIANTS
from zerosum.base.errors import IllegalPositionError
from zerosum.rules.game_files import load_game, load_text
from zerosum.rules.model import Rules, Seat, Totals, rules_from_dict
from zerosum.rules.position import PositionKey, start_position
from zerosum.solver import SolverError, Verdict, solve

game_table = pytest.importorskip("zerosum.solver.game_table").game_table
WORTH = {Verdict.WIN: 1, Verdict.LOSS: -1, Verdict.DRAW: 0}
GAMES = {**VARIANTS, "sum31": load_game("sum31"), "duel": load_game("zero-sum-duel")}


def reached(rules: Rules) -> set[PositionKey]:
    """Return every unfinished position that play reaches, by playing."""
    start = start_position(rules)
    seen, ahead = {start.key}, [start]
    for position in ahead:  # it grows
        for after in position.children().values():
            if after.outcome is None and after.key not in seen:
                seen.add(after.key)
                ahead.append(after)
    return seen


@each("name", GAMES)
def test_columns_and_lists_are_the_positions_of_play(name: str) -> None:
    rules = GAMES[name]
    solution = solve(rules)
    positions = list(solution.positions())
    assert {position.key for position in positions} == reached(rules)
    assert len(positions) == solution.count
    assert positions[0] == solution.start
    columns = solution.columns()
    table = game_table(rules)
    for state, position in enumerate(positions):
        row = {key: int(column[state]) for key, column in columns.items()}
        assert [row[f"{number} left"] for number in dict.fromkeys(rules.pool)] == [
            position.pool.count(number) for number in dict.fromkeys(rules.pool)
        ]
        value = solution.value(position)
        own = rules.totals is Totals.OWN
        totals = [row["total 1"], row["total 2"]] if own else [row["total"]]
        assert (row["seat"], totals) == (position.seat, list(position.totals))
        assert (row["verdict"], row["plies"]) == (WORTH[value.verdict], value.plies or 0)
        winning = solution.winning_moves(position)
        assert (row["moves"], row["winning"]) == (len(position.legal_moves()), len(winning))
        assert set(winning) == {one.move for one in solution.options(position) if one.value.verdict is Verdict.WIN}
        assert solution.best(position) == solution.options(position)[0]
        assert table.position(state).key == position.key


def test_sudden_death_lists_what_is_near_and_has_no_columns() -> None:
    solution = solve(TINY)
    listed = [position for position, _ in solution.everything()]
    assert list(solution.positions()) == listed
    with pytest.raises(SolverError, match="no end of positions"):
        solution.columns()


def test_nothing_is_best_when_the_match_is_over() -> None:
    over = start_position(load_game("sum31"))
    for move in ("+9", "+8", "+7", "+6", "+5"):
        over = over.play(move)
    solution = solve(over.rules)
    assert (over.children(), solution.winning_moves(over)) == ({}, ())
    with pytest.raises(IllegalPositionError, match="The match is over"):
        solution.best(over)


@each("name", GAMES)
def test_rules_are_written_and_read_back(name: str) -> None:
    rules = GAMES[name]
    assert rules_from_dict(rules.to_dict()) == rules
    again = load_text(rules.to_toml())
    assert (again, again.examples) == (rules, rules.examples)


def test_children_are_the_positions_after_each_move() -> None:
    start = start_position(GAMES["swap"]).play("+1")
    children = start.children()
    assert tuple(children) == start.legal_moves()
    assert all(after == start.play(move) for move, after in children.items())
    assert start.seat is Seat.SECOND
