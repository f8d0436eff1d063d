"""How long a learner waits for a cause and for the review of a match, in any game, once the game is solved."""

from __future__ import annotations

import time
from random import Random

from benchmarks.measure import at_most
from zerosum.coach.causes import why, words
from zerosum.coach.features import features_of
from zerosum.coach.review import review
from zerosum.coach.review_words import ReviewDocument
from zerosum.match.match import Match
from zerosum.match.setup import Setup
from zerosum.rules.game_files import GAME_IDS, load_game
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, solution_of

_MATCHES = 40
_PLIES = 60
_CAUSE = 0.020
_REVIEW = 0.5


def main() -> None:
    """Print the waits of each game against their limits, in processor time."""
    for game in GAME_IDS:
        solution = solution_of(load_game(game))
        _ = solution.law  # Part of solving.
        dice = Random(1)
        matches = [_match(solution, dice) for _ in range(_MATCHES)]
        waits = sorted(
            _seconds(position, move, solution)
            for match in matches
            for position, move in zip(match.positions, match.moves, strict=False)
        )
        late, longest = waits[len(waits) * 99 // 100], waits[-1]
        what = f"{game}: p99 of {len(waits)} causes ({late * 1000:.1f} ms, the longest {longest * 1000:.1f} ms)"
        at_most(what, late / _CAUSE, 1, "20 ms")
        reviewed = max(_review(match, solution) for match in matches)
        at_most(f"{game}: the longest of {len(matches)} reviews ({reviewed:.3f} s)", reviewed / _REVIEW, 1, "0.5 s")


def _match(solution: Solution, dice: Random) -> Match:
    match = Match.begin(Setup(rules=solution.rules))
    while match.outcome is None and len(match.moves) < _PLIES:
        match = match.after(dice.choice(match.position.legal_moves()))
    return match


def _seconds(position: Position, move: Move, solution: Solution) -> float:
    began = time.process_time()
    words(why(position, move, solution))
    return time.process_time() - began


def _review(match: Match, solution: Solution) -> float:
    """Return how long a review takes if nothing about the game is remembered but its solution."""
    features_of.cache_clear()
    began = time.process_time()
    ReviewDocument.of(review(match, solution))
    return time.process_time() - began


if __name__ == "__main__":
    main()
