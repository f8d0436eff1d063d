"""How good a card is, exactly: the share of real choices it keeps, and its score against every level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Final

from zerosum.base.progress import Progress, silent
from zerosum.players.levels import STRENGTHS, Score
from zerosum.players.odds import odds_from
from zerosum.players.policies import MovePolicy
from zerosum.rules.model import Tie
from zerosum.rules.position import Position, start_position
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.strategy.card import Card, survivors
from zerosum.strategy.card_files import Kept
from zerosum.strategy.card_player import CARD
from zerosum.strategy.lookahead import Sight, won

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
