"""All that is known of a game's card: the card itself, its proof and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import Score
from zerosum.rules.model import Rules
from zerosum.solver import Solution, SolverError
from zerosum.strategy.card import Card
from zerosum.strategy.card_figures import against, kept
from zerosum.strategy.card_files import Kept, shelved
from zerosum.strategy.card_search import TWENTY_SECONDS, Limit, search
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.prover import MOST, Proof, prove

MOST_POSITIONS: Final = 150_000
"""Figures, and a proof to the end, of a variant with more positions come only on request: they take minutes."""
MOST_FOLLOWED: Final = 100_000
"""Positions that the proof of such a variant's card visits: some seconds."""
_SHORT_ROUNDS: Final = 8
"""The same where pools of more numbers are refilled."""


@dataclass(frozen=True, slots=True)
class CardReport:
    """A card, its proof, and its figures: None and nothing where they would take too long."""

    rules: Rules
    card: Card
    proof: Proof
    kept: Kept | None
    against: tuple[Score, ...]
    comes_with_the_game: bool
    """Whether it is the card that comes with a game; else it is the best that a search found."""


def report_of(
    solution: Solution, limit: Limit = TWENTY_SECONDS, progress: Progress = silent, *, recompute: bool = False
) -> CardReport:
    """Return the card of a game and prove it here and now.

    The figures of a card that comes with a game come with it too; `recompute` computes them again, and those of any
    variant, however long that takes.
    """
    rules = solution.rules
    sight, known = Sight(rules), shelved(rules)
    card = known.card if known else search(solution, sight, limit, progress)
    quick = recompute or _is_quick(solution)
    proof = prove(card, rules, sight, progress, MOST if known or quick else MOST_FOLLOWED)
    if known and not recompute:
        return CardReport(rules, card, proof, known.kept, known.against, comes_with_the_game=True)
    good = kept(card, solution, sight, progress) if quick else None
    scores = _scores(card, sight, progress) if quick else ()
    return CardReport(rules, card, proof, good, scores, comes_with_the_game=known is not None)


def _is_quick(solution: Solution) -> bool:
    if solution.positions is None:
        return len(solution.rules.pool) <= _SHORT_ROUNDS
    return solution.positions <= MOST_POSITIONS


def _scores(card: Card, sight: Sight, progress: Progress) -> tuple[Score, ...]:
    """Return the scores of a card; nothing where chances cannot be found exactly, as with bans in sudden death."""
    try:
        return against(card, sight, progress)
    except SolverError:
        return ()
