"""How long a learner waits for a reason, in any of the five games, once the game is solved."""

from __future__ import annotations

import time
from random import Random

from benchmarks.measure import at_most
from zerosum.coach.explain import explain
from zerosum.coach.words import sentences
from zerosum.rules.files import GAME_IDS, load_game
from zerosum.solver import solution_of

_MATCHES = 40
_PLIES = 60
_LIMIT = 0.050


def main() -> None:
    """Print the longest wait of each game against the limit."""
    for game in GAME_IDS:
        solution = solution_of(load_game(game))
        chance, waits = Random(1), []
        for _ in range(_MATCHES):
            position = solution.start
            for _ in range(_PLIES):
                if position.outcome is not None:
                    break
                move = chance.choice(position.legal_moves())
                began = time.perf_counter()
                sentences(explain(position, move, solution), position)
                waits.append(time.perf_counter() - began)
                position = position.play_unchecked(move)
        longest = max(waits)
        at_most(f"{game}: the longest of {len(waits)} reasons ({longest * 1000:.1f} ms)", longest / _LIMIT, 1, "50 ms")


if __name__ == "__main__":
    main()
