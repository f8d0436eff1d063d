"""All that is known of a game's card: the card itself, its proof and its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Rules, Seat, Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.strategy.card import Card, Kept, bundled_card, survivors
from zerosum.strategy.card_player import CARD
from zerosum.strategy.card_proof import MOST, CardProof, prove
from zerosum.strategy.card_search import TWENTY_SECONDS, SearchLimit, search
from zerosum.strategy.lookahead import Sight, won

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


# How good a card is, exactly: the share of real choices it keeps, and its score against every level

_NOW_AND_THEN: Final = 1_000


def kept(card: Card, solution: Solution, sight: Sight, progress: Progress = silent) -> Kept:
    """Return how many of all real choices of a game, of either seat, a card keeps.

    Where totals grow without end, these are the choices of the rounds near the target that the solver lays out.
    """
    key = sight.key if card.mirrors(solution.rules) else (lambda position: position.key)
    verdicts: dict[Hashable, Verdict] = {}
    places: dict[Hashable, Position] = {}
    times: Counter[Hashable] = Counter()
    for n, (position, value) in enumerate(solution.everything()):
        at = key(position)
        times[at] += 1
        places.setdefault(at, position)
        verdicts[at] = value.verdict
        if n % _NOW_AND_THEN == 0:
            progress(f"{n:,} positions found")
    good = choices = 0
    for n, (at, position) in enumerate(places.items()):
        if n % _NOW_AND_THEN == 0:
            progress(f"{n:,} of {len(places):,} positions")
        worth = {}
        for move in position.legal_moves():
            after = position.play_unchecked(move)
            if after.outcome is not None:
                worth[move] = Verdict.WIN if won(position, after) else Verdict.LOSS
            else:
                there = verdicts.get(key(after))
                worth[move] = (there or solution.value(after).verdict).opposite
        if len(set(worth.values())) > 1:
            choices += times[at]
            if all(worth[move] is verdicts[at] for move in survivors(card, position, sight)):
                good += times[at]
    return Kept(good, choices)


def guest_of(card: Card, sight: Sight) -> MovePolicy:
    """Return a card as a player whose chances are known: evenly among the survivors."""

    def chances(position: Position) -> list[float]:
        left = survivors(card, position, sight)
        share = 1 / len(left)
        return [share if move in left else 0.0 for move in position.legal_moves()]

    return MovePolicy(chances, card.mirrors(sight.rules))


def against(card: Card, sight: Sight, progress: Progress = silent) -> tuple[Score, ...]:
    """Return the exact score of a card against every level, from both seats."""
    if sight.rules.tie is Tie.SUDDEN_DEATH and any(rule.word.names == "divisor" for rule in card.rules):
        raise SolverError("The score of a card that counts in multiples is not known where totals grow without end.")
    odds = odds_from(
        start_position(sight.rules), [(CARD, who) for who in STRENGTHS], progress, {CARD: guest_of(card, sight)}
    ).first_wins
    return tuple(Score(who, odds[CARD, who], 1 - odds[who, CARD]) for who in STRENGTHS)
