"""Examples of a card's rules: a position for each, the moves that it leaves, and why the first of them wins."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from zerosum.coach.causes import why, words
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Card, Moves
from zerosum.strategy.card_report import ExampleDocument
from zerosum.strategy.claims import NONE
from zerosum.strategy.lookahead import Sight, moves_of

_MATCHES: Final = 60
"""Matches of random moves that are looked through; an example may be missing after them."""
_DECIDES: Final = 2


def examples_of(card: Card, solution: Solution) -> dict[str, ExampleDocument]:
    """Return an example for each rule that has one among some random matches, the same ones every time."""
    dice, sight = Random("examples of a card"), Sight(solution.rules)
    found: dict[str, tuple[int, Position, Moves]] = {}
    for _ in range(_MATCHES):
        position = solution.start
        for _ in range(2 * len(position.pool)):
            if position.outcome is not None:
                break
            if card.seat in (None, position.seat):
                for rule, worth, left in _shown(card, position, solution, sight):
                    if rule not in found or worth > found[rule][0]:
                        found[rule] = worth, position, left
            position = position.play_unchecked(dice.choice(position.legal_moves()))
        if [worth for worth, _, _ in found.values()] == [_DECIDES] * len(card.rules):
            break
    return {rule: _example(position, left, solution) for rule, (_, position, left) in found.items()}


def _shown(card: Card, position: Position, solution: Solution, sight: Sight) -> Iterator[tuple[str, int, Moves]]:
    """Yield each rule that leaves fewer moves than it found, how good an example of it this is, and winning moves.

    The best example is a position in which the rule decides: what it leaves wins, and some move still in before it
    loses. Then come others in which what it leaves wins, and last those in which later rules must choose among that.
    """
    wins = {option.move for option in solution.options(position) if option.value.verdict is Verdict.WIN}
    steps: list[Moves] = [moves_of(position)]
    for rule in card.rules:
        steps.append(rule.keep(sight, position, steps[-1]))
    won = [all(move in wins for move, _ in left) for left in steps]
    for n, rule in enumerate(card.rules):
        if won[-1] and len(steps[n + 1]) < len(steps[n]):
            worth = _DECIDES - won[n] if won[n + 1] else 0
            yield str(rule), worth, steps[n + 1 if won[n + 1] else -1]


def _example(position: Position, left: Moves, solution: Solution) -> ExampleDocument:
    """Return an example, with a reason if the first of its moves has a short one."""
    reason = why(position, left[0][0], solution)
    told = "" if reason.name == NONE else " ".join(words(reason))
    return ExampleDocument(str(position), [position.text_of(move) for move, _ in left], told)
