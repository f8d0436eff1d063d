"""Ideas: what laws and exercises cost, a proof of each card, and the search of a card for twelve numbers."""

from __future__ import annotations

from functools import partial
from random import Random
from time import perf_counter

from benchmarks.measure import at_most, best
from zerosum.coach.exercises import choices_of, exercises_of
from zerosum.rules.game_files import RULEBOOK_IDS, built_in, load_text
from zerosum.solver import Solution, solve
from zerosum.strategy.card import Card, bundled_card
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_search import SECONDS, search
from zerosum.strategy.lookahead import Sight

_PROOF = 5.0
_EXERCISES, _SOLVES = 5.0, 20
"""The exercises of a game may take so many seconds, or so many times its solution."""
_TWELVE = 'id = "twelve"\nname = "Twelve"\npool = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]'
_VARIANTS = ('like = "sum31"\ntarget = 50', 'like = "zero-sum-duel"')


def main() -> None:
    """Print the figures."""
    for game in RULEBOOK_IDS:
        solution = solve(built_in(game))
        seconds = best(solution.solved.laws)
        at_most(f"{game}, the law ({1000 * seconds:.2f} ms)", seconds / solution.seconds, 0.5, "the solution")
    for game in RULEBOOK_IDS:
        found = bundled_card(built_in(game))
        if found is not None:
            seconds = best(partial(prove, found.card, built_in(game)), 1)
            at_most(f"{game}, the proof of its card ({seconds:.2f} s)", seconds / _PROOF, 1, "5 s")
            solution = solve(built_in(game))
            seconds = best(partial(_exercises, found.card, solution), 1)
            allowed = max(_EXERCISES, _SOLVES * solution.seconds)
            at_most(f"{game}, all its exercises ({seconds:.2f} s)", seconds / allowed, 1, f"{allowed:.0f} s")
    for keys in _VARIANTS:
        rules = load_text(f"{keys}\n{_TWELVE}")
        solution = solve(rules)
        began = perf_counter()
        card = search(solution, Sight(rules))
        seconds = perf_counter() - began
        at_most(
            f"{keys.split()[2]} on 1 to 12, {len(card.rules)} rules ({seconds:.1f} s)", seconds / SECONDS, 1.25, "25 s"
        )


def _exercises(card: Card, solution: Solution) -> None:
    """Find the exercises of every rule."""
    choices, sight = list(choices_of(card, solution, Random("lessons"))), Sight(solution.rules)
    for count in range(1, len(card.rules) + 1):
        exercises_of(card.prefix(count), choices, sight)


if __name__ == "__main__":
    main()
