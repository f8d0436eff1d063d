"""The four games that always end: every position, against a search that uses nothing of the package."""

from __future__ import annotations

import pytest

from tests import naive
from tests.full import parted
from tests.solver.agreement import plain, walk
from zerosum.rules.game_files import load_game
from zerosum.solver import solve

POSITIONS = {"sum-to-zero": 253_589, "sequence-zero": 142_635, "zero-sum-duel": 9_249, "sum31": 420}
LONG = {"sum-to-zero", "sequence-zero"}
"""`zerosum signature` tells in `make test` if a value of these changes."""


def every_state(game: naive.Game) -> dict[naive.State, tuple[str, int]]:
    """Return every unfinished state with its value; unlike `naive.solver`, no move is left out."""
    values: dict[naive.State, tuple[str, int]] = {}

    def visit(state: naive.State) -> tuple[str, int]:
        if state not in values:
            wins: list[int] = []
            losses: list[int] = []
            for move in game.moves(state):
                after = game.play(state, move)
                if after.winner is None:
                    verdict, plies = visit(after)
                else:
                    verdict, plies = ("loss" if after.winner == state.seat else "win"), 0
                (wins if verdict == "loss" else losses).append(plies + 1)
            values[state] = ("win", min(wins)) if wins else ("loss", max(losses))
        return values[state]

    visit(game.start())
    return values


@pytest.mark.slow
@pytest.mark.parametrize("game_id", parted(POSITIONS, LONG))
def test_every_position_of_the_game(game_id: str) -> None:
    """Verdict and plies of all positions are those of the naive search, and neither knows a position more."""
    solution = solve(load_game(game_id))
    states = every_state(naive.GAMES[game_id])
    listed = 0
    for position, value in solution.everything():
        state = naive.State(position.pool, position.totals, position.seat.value)
        assert plain(value) == states.pop(state), position  # A position told twice is missing the second time.
        assert listed % 5 or solution.value(position) == value
        listed += 1
    assert states == {}
    assert listed == solution.count == POSITIONS[game_id]


@pytest.mark.parametrize("game_id", ["zero-sum-duel", "sum31"])
def test_every_move_of_every_position(game_id: str) -> None:
    """The value of each move, for whoever makes it, is the naive one."""
    solution = solve(load_game(game_id))
    game = naive.GAMES[game_id]
    value = naive.solver(game)
    for state, position in walk(game, solution):
        for option in solution.options(position):
            after = game.play(state, position.text_of(option.move))
            if after.winner is not None:
                assert plain(option.value) == ("win" if after.winner == state.seat else "loss", 1)
            else:
                verdict, plies = value(after)
                assert plain(option.value) == ("loss" if verdict == "win" else "win", plies + 1)
