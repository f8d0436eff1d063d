"""What is known before the first match: the book, exact scores of built-in players, and how many pairs are needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from zerosum.arena import limits
from zerosum.arena.plan import ArenaPlan, PlanError
from zerosum.arena.strength.named_policies import Policy, policy_of
from zerosum.arena.strength.pairs import (
    Book,
    between_book,
    even_book,
    hard_book,
    pair_chances,
    pairs_needed,
    question,
    start_book,
)
from zerosum.arena.strength.ratings import EVEN_VARIANCE, pairs_expected, score_of
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Tie
from zerosum.rules.notation import parse_position
from zerosum.solver import solution_of

POSITIONS: Final = 100
"""Positions of a book, if a plan names no number."""


def book_of(
    kind: str,
    rules: Rules,
    count: int,
    seed: str,
    *,
    players: tuple[str, str] | None = None,
    progress: Progress = silent,
) -> Book:
    """Return the book of this kind; `players` are those that `between` is about."""
    if kind == "start":
        return start_book(solution_of(rules))
    if kind == "between":
        if players is None:
            raise PlanError("book: 'between' needs two players whose chances are known.")
        one, two = (policy_of(who, rules) for who in players)
        return between_book(rules, (one, two), count, seed, progress)
    return (even_book if kind == "even" else hard_book)(solution_of(rules), count, seed)


def with_books(plan: ArenaPlan, progress: Progress = silent) -> ArenaPlan:
    """Return a plan that names all its positions; no book is larger than the number of pairs."""
    count = min(plan.positions or POSITIONS, plan.pairs)
    players = (plan.entrants[0].who, plan.entrants[1].who) if plan.book == "between" else None
    books = []
    for rules in plan.games:
        progress(f"the positions of {rules.name}")
        found = book_of(plan.book, rules, count, plan.seed, players=players, progress=progress)
        if not found:
            raise PlanError(f"book: {rules.name} has no position for '{plan.book}'; take 'start'.")
        books.append(tuple(map(str, found)))
    return replace(plan, books=tuple(books))


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is known of a pairing in a game: A's exact share of the points, and the pairs that show who is stronger.

    `exact` is None if the chances of one of them are unknown, `needed` is None if no number of pairs would show it.
    """

    game: int
    a: int
    b: int
    exact: float | None
    needed: int | None


def expectations_of(plan: ArenaPlan, progress: Progress = silent) -> list[Expectation]:
    """Return what is known of every pairing."""
    return [_expectation(plan, game, a, b, progress) for game in range(len(plan.games)) for a, b in plan.pairings]


def _expectation(plan: ArenaPlan, game: int, a: int, b: int, progress: Progress) -> Expectation:
    rules, book = plan.games[game], plan.books[game]
    both = plan.entrants[a], plan.entrants[b]
    endless = rules.tie is Tie.SUDDEN_DEATH and len(book) > limits.ENDLESS_POSITIONS
    if endless or not all(one.is_policy for one in both):
        return Expectation(game, a, b, None, None)
    one, two = (_policy(entrant.who, rules) for entrant in both)
    progress(f"{one.name} against {two.name} in {rules.name}, exactly")
    mean, variance = question(pair_chances([parse_position(text, rules) for text in book], one, two, progress))
    return Expectation(game, a, b, mean, pairs_needed(mean, variance))


@cache
def _policy(who: str, rules: Rules) -> Policy:
    return policy_of(who, rules)


def needed_for(elo: float) -> int:
    """Return about how many pairs show which of two players is stronger who differ by this many Elo points."""
    return pairs_needed(score_of(elo), EVEN_VARIANCE) or 0


def shown_by(pairs: int) -> int:
    """Return by about how many Elo points two players must differ for this many pairs to show who is stronger."""
    return next((elo for elo in range(1, limits.ELO) if needed_for(elo) <= pairs), limits.ELO)


def question_words(plan: ArenaPlan, expectations: list[Expectation]) -> str:
    """Return how many pairs the question of a plan needs, in a sentence."""
    if plan.sprt is not None:
        low, high = plan.sprt
        about = pairs_expected(low, high)
        return (
            f"To tell {low:g} from {high:g} Elo takes about {about:,} pairs where one of them is true; "
            f"at most {plan.pairs:,} are played."
        )
    known = [expectation.needed for expectation in expectations if expectation.exact is not None]
    if len(known) == len(expectations):
        most = [one for one in known if one is not None]
        if not most:
            return "No number of pairs would show who is stronger: the exact scores are even."
        each = "" if len(expectations) == 1 else " of each two"
        return f"To see who is stronger takes about {max(most):,} pairs{each}; the plan has {plan.pairs:,}."
    enough = shown_by(plan.pairs)
    seen = f"{plan.pairs:,} pairs show who is stronger where two differ by about {enough} Elo or more"
    if enough == limits.ELO:
        seen = "So few pairs rarely show who is stronger"
    return f"{seen}; for 50 Elo it takes about {needed_for(50):,}."
