"""A card of at most two rules that never lets the win go, if there is one.

Candidates are no rule at all, every rule of the vocabulary alone, and after *make*, *guard* or an opening. One is
dropped at the first position in which some move that it leaves gives the win away; what is left is proved as any card
is, without the solver.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Final

from zerosum.lab.findings import Finding, Severity, finding_kind
from zerosum.lab.lemmas import By, Evidence
from zerosum.rules.model import Seat, Tie
from zerosum.rules.position import Position, PositionKey
from zerosum.solver import Solution, SolverError, Verdict
from zerosum.strategy.card import Card, Rule, survivors
from zerosum.strategy.card_proof import prove
from zerosum.strategy.card_search import ALWAYS, words_for
from zerosum.strategy.lookahead import Sight

SIMPLE_STRATEGY: Final = finding_kind(
    "simple-strategy", Severity.WARNING, 160, "A [card](../ideas.md) of at most two rules always wins."
)

_FOLLOWED: Final = 3_000
"""Positions in which a candidate is looked at before it is worth a proof."""
_PROVED: Final = 60_000
_PROVED_OF_ROUNDS: Final = 2_000
"""Positions that a proof may visit; where pools are refilled, so that a match which runs away is soon given up."""
_SEATS: Final = {Seat.FIRST: "first", Seat.SECOND: "second"}
_WINNER: Final = {Verdict.WIN: Seat.FIRST, Verdict.LOSS: Seat.SECOND}


def simple_strategy(solution: Solution) -> Iterator[Finding]:
    """Yield the shortest card of at most two rules that always wins."""
    rules = solution.rules
    winner = _WINNER.get(solution.value(solution.start).verdict)
    if winner is None or rules.swap:
        return
    sight, most = Sight(rules), _PROVED_OF_ROUNDS if rules.tie is Tie.SUDDEN_DEATH else _PROVED
    for chosen in _candidates(solution, winner):
        card = Card(winner, chosen)
        if not _keeps_the_win(card, solution, sight):
            continue
        proof = prove(card, rules, sight, most=most)
        if proof.proved:
            said = " ".join(f"{n}. {rule.words(rules)}" for n, rule in enumerate(chosen, 1)) or "any move will do."
            words = f"A simple strategy always wins for the {_SEATS[winner]} player: {said}"
            why = Evidence(By.STRATEGY, "every move that it leaves was followed against every reply", proof.positions)
            yield Finding(SIMPLE_STRATEGY, Severity.WARNING, words, proof=why)
            return


def _candidates(solution: Solution, winner: Seat) -> Iterator[tuple[Rule, ...]]:
    """Yield lists of rules, the shortest first, the easiest of a length first."""
    words = sorted(words_for(solution.rules, openings=winner is Seat.FIRST), key=lambda rule: rule.cost)
    alone = [*ALWAYS, *words]
    yield ()
    yield from ((rule,) for rule in alone)
    yield ALWAYS
    openings = [rule for rule in words if rule.name == "open"]
    for first in (*ALWAYS, *openings):
        yield from ((first, rule) for rule in alone if rule != first and rule not in openings and rule not in ALWAYS)


def _keeps_the_win(card: Card, solution: Solution, sight: Sight) -> bool:
    """Return whether no surviving move gives the win away, as far as it is followed."""
    seen: set[PositionKey] = {solution.start.key}
    waiting: deque[Position] = deque([solution.start])
    while waiting and len(seen) < _FOLLOWED:
        position = waiting.popleft()
        mine = position.seat is card.seat
        for move in survivors(card, position, sight) if mine else position.legal_moves():
            after = position.play_unchecked(move)
            if after.outcome is not None:
                if after.outcome.winner is not card.seat:
                    return False
                continue
            if mine and not _lost(solution, after):
                return False
            if after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


def _lost(solution: Solution, position: Position) -> bool:
    try:
        return solution.value(position).verdict is Verdict.LOSS
    except SolverError:
        return False
