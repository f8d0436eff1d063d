"""All that is known of a game's card: the card itself, its proof and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import Score
from zerosum.rules.model import Rules, Seat
from zerosum.solver import Solution, SolverError
from zerosum.strategy.card import Card
from zerosum.strategy.card_figures import against, kept
from zerosum.strategy.card_files import Kept, bundled_card
from zerosum.strategy.card_proof import MOST, CardProof, prove
from zerosum.strategy.card_search import TWENTY_SECONDS, SearchLimit, search
from zerosum.strategy.lookahead import Sight

MOST_POSITIONS: Final = 150_000
"""Figures, and a proof to the end, of a variant with more positions come only on request: they take minutes."""
MOST_FOLLOWED: Final = 100_000
"""Positions that the proof of such a variant's card visits: some seconds."""
_SHORT_ROUNDS: Final = 8
"""The same limit, in numbers of a pool, if pools are refilled."""


@dataclass(frozen=True, slots=True)
class CardReport:
    """A card, its proof, and its figures, which are missing if they would take too long."""

    rules: Rules
    card: Card
    proof: CardProof
    kept: Kept | None
    against: tuple[Score, ...]
    comes_with_the_game: bool
    """Whether it is the card that comes with a game; else it is the best that a search found."""


def report_of(
    solution: Solution, limit: SearchLimit = TWENTY_SECONDS, progress: Progress = silent, *, recompute: bool = False
) -> CardReport:
    """Return the card of a game and prove it here and now.

    The figures of a card that comes with a game come with it too; `recompute` computes them again, and those of any
    variant, however long that takes.
    """
    rules = solution.rules
    sight, known = Sight(rules), bundled_card(rules)
    card = known.card if known else search(solution, sight, limit, progress)
    quick = recompute or _is_quick(solution)
    proof = prove(card, rules, sight, progress, MOST if known or quick else MOST_FOLLOWED)
    if known and not recompute:
        return CardReport(rules, card, proof, known.kept, known.against, comes_with_the_game=True)
    good = kept(card, solution, sight, progress) if quick else None
    scores = _scores(card, sight, progress) if quick else ()
    return CardReport(rules, card, proof, good, scores, comes_with_the_game=known is not None)


def _is_quick(solution: Solution) -> bool:
    if solution.count is None:
        return len(solution.rules.pool) <= _SHORT_ROUNDS
    return solution.count <= MOST_POSITIONS


def _scores(card: Card, sight: Sight, progress: Progress) -> tuple[Score, ...]:
    """Return the scores of a card; nothing if chances cannot be computed exactly, as with bans in sudden death."""
    try:
        return against(card, sight, progress)
    except SolverError:
        return ()


@dataclass(frozen=True, slots=True)
class ExampleDocument:
    """A position to go by a rule: the moves that the rules leave, and why the first wins; no words if it is long."""

    position: str
    moves: list[str]
    words: str


@dataclass(frozen=True, slots=True)
class RuleDocument:
    """A rule of a card: its name, what it says, and an example if one was found."""

    rule: str
    words: str
    example: ExampleDocument | None


@dataclass(frozen=True, slots=True)
class ExceptionDocument:
    """A position in which a card names the move."""

    position: str
    move: str


@dataclass(frozen=True, slots=True)
class AgainstDocument:
    """How often a card wins against a player, from either seat."""

    who: str
    as_first: float
    as_second: float

    @classmethod
    def of(cls, score: Score) -> AgainstDocument:
        """Return the document of a score, without digits that rounding errors reach."""
        return cls(score.who, round(score.as_first, 9), round(score.as_second, 9))


@dataclass(frozen=True, slots=True)
class CardDocument:
    """A strategy card, and how good it is."""

    game: str
    seat: Seat | None
    """The seat that always wins with it; None if that is not proved."""
    rules: list[RuleDocument]
    exceptions: list[ExceptionDocument]
    proved: bool
    positions: int | None
    kept: float | None
    against: list[AgainstDocument]
    for_other: int | None
    """How many of the rules, from the first on, the other seat goes by; None: all of them."""

    @classmethod
    def of(cls, report: CardReport, examples: Mapping[str, ExampleDocument]) -> CardDocument:
        """Return the document of a card; `examples` are by the names of its rules."""
        card, proved = report.card, report.proof.proved
        return cls(
            game=report.rules.id,
            seat=card.seat if proved else None,
            rules=[RuleDocument(str(rule), rule.words(report.rules), examples.get(str(rule))) for rule in card.rules],
            exceptions=[ExceptionDocument(position, move) for position, move in card.exceptions],
            proved=proved,
            positions=report.proof.positions if proved else None,
            kept=None if report.kept is None else round(report.kept.share, 6),
            against=[AgainstDocument.of(one) for one in report.against],
            for_other=card.for_other,
        )
