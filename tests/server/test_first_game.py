"""Where a newcomer begins is chosen by what the solver finds, not by taste."""

from __future__ import annotations

from fractions import Fraction

import pytest

from zerosum.lab.bundled_odds import winning_seat
from zerosum.players.odds import odds_from
from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.rules.model import Seat
from zerosum.rules.position import Position, start_position
from zerosum.server.pages.home import FIRST_GAME, FIRST_OPPONENT
from zerosum.solver import Solution, Verdict, solution_of

pytestmark = pytest.mark.slow

SEATS = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND}


def share(solution: Solution, position: Position) -> Fraction:
    """Return which share of the moves of a position wins."""
    options = solution.options(position)
    return Fraction(sum(one.value.verdict is Verdict.WIN for one in options), len(options))


def winner(game: str) -> Seat:
    solution = solution_of(built_in(game))
    return SEATS[solution.value(solution.start).verdict]


def forgiveness(game: str) -> Fraction:
    """Return which share of the first moves in the winning seat still wins, whatever the other one has opened with."""
    solution = solution_of(built_in(game))
    start = solution.start
    if winner(game) is Seat.FIRST:
        return share(solution, start)
    return min(share(solution, start.play(one.move)) for one in solution.options(start))


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_winning_seat_is_what_the_solver_says(game: str) -> None:
    assert winning_seat(built_in(game)) is winner(game)


@pytest.mark.full
def test_the_first_game_forgives_most() -> None:
    found = {game: forgiveness(game) for game in GAME_IDS}
    best = [game for game in GAME_IDS if found[game] == max(found.values())]
    assert found[FIRST_GAME] == 1, "a newcomer who just clicks is not lost after the first click"
    assert max(best, key=_random_wins) == FIRST_GAME
    assert _random_wins(FIRST_GAME) > 0.8


def _random_wins(game: str) -> float:
    """Return how often random moves in the winning seat beat the newcomer's opponent."""
    pairing = ("random", FIRST_OPPONENT) if winner(game) is Seat.FIRST else (FIRST_OPPONENT, "random")
    wins = odds_from(start_position(built_in(game)), [pairing]).first_wins[pairing]
    return wins if winner(game) is Seat.FIRST else 1 - wins
