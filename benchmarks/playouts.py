"""Random playouts of Zero Sum Duel through the public, checked face, against OpenSpiel stepping the same game."""

from __future__ import annotations

import random

import pyspiel

from benchmarks.measure import at_least, best
from tests.solver.peers import openspiel
from zerosum import load_game, start_position

_PLAYOUTS = 2_000


def ours() -> None:
    """Play with checked moves."""
    chance = random.Random(1)
    start = start_position(load_game("zero-sum-duel"))
    for _ in range(_PLAYOUTS):
        position = start
        while position.outcome is None:
            position = position.play(chance.choice(position.legal_moves()))


def theirs() -> None:
    """Play the same game as OpenSpiel does."""
    chance = random.Random(1)
    game = pyspiel.load_game(openspiel.name_of("zero-sum-duel"))
    for _ in range(_PLAYOUTS):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))


def main() -> None:
    """Print the ratio."""
    at_least("playouts of Zero Sum Duel", best(theirs) / best(ours), 4, "as many as an OpenSpiel Python game")


if __name__ == "__main__":
    main()
