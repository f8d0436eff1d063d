"""How long a learner waits for a cause, in any of the five games, once the game is solved."""

from __future__ import annotations

import time
from random import Random

from benchmarks.measure import at_most
from zerosum.coach.cause_words import words
from zerosum.coach.causes import why
from zerosum.rules.game_files import RULEBOOK_IDS, load_game
from zerosum.solver import solution_of

_MATCHES = 40
_PLIES = 60
_LIMIT = 0.050


def main() -> None:
    """Print the wait of each game at p99 against the limit."""
    for game in RULEBOOK_IDS:
        solution = solution_of(load_game(game))
        _ = solution.law  # Part of solving.
        chance, waits = Random(1), []
        for _ in range(_MATCHES):
            position = solution.start
            for _ in range(_PLIES):
                if position.outcome is not None:
                    break
                move = chance.choice(position.legal_moves())
                began = time.perf_counter()
                words(why(position, move, solution))
                waits.append(time.perf_counter() - began)
                position = position.play_unchecked(move)
        waits.sort()
        late, longest = waits[len(waits) * 99 // 100], waits[-1]
        what = f"{game}: p99 of {len(waits)} causes ({late * 1000:.1f} ms, the longest {longest * 1000:.1f} ms)"
        at_most(what, late / _LIMIT, 1, "50 ms")


if __name__ == "__main__":
    main()
