"""OpenSpiel's minimax, on the same games, gives the same verdict for every position."""

from __future__ import annotations

import pytest
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

from tests.solver.peers.openspiel import SHAPES, name_of
from zerosum import load_game
from zerosum.rules.position import Position
from zerosum.solver import Verdict, solve


def key_of(position: Position, game_id: str) -> str:
    used = sum(1 << at for at, number in enumerate(SHAPES[game_id].pool) if number not in position.pool)
    totals = position.totals if len(position.totals) > 1 else (position.totals[0], 0)
    return f"{used} {totals[0]} {totals[1]}"


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["sum31", "zero-sum-duel"])
def test_verdicts_agree_on_every_position(game_id: str) -> None:
    """Both know the same positions, and of each whether it is won."""
    table = MinimaxSolver(name_of(game_id)).solve()
    ours = {key_of(position, game_id): value.verdict for position, value in solve(load_game(game_id)).everything()}
    assert ours.keys() == table.keys()
    assert all((ours[key] is Verdict.WIN) == (entry.value > 0) for key, entry in table.items())
