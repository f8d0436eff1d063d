"""The idea behind a move, by its name: that of the rule of the game's card which decides there, or of the cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from zerosum.coach.causes import NAMES, Why, why
from zerosum.coach.exercises import exercise_at
from zerosum.coach.features import looks_of
from zerosum.coach.rule_words import short
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.solver import Solution, Verdict
from zerosum.strategy.card import Rule
from zerosum.strategy.card_files import shelved

IDEAS: Final = {
    "ends": "win at once",
    "leaves": "guard",
    "stuck": "shut the door",
    "settled": "settle it",
    "law": "the law",
    "no-safe-reply": "squeeze",
    "guarding": "safe moves",
    "forced": "force",
    "next-no-safe-reply": "squeeze in two",
}
"""What the idea behind a cause is called; a recipe and a card are lists of rules, and no idea that has a name."""
_ORDER: Final = list(NAMES.values())


def idea_held(found: Why, better: Sequence[Move], solution: Solution) -> str | None:
    """Return the name of the idea that would have held what a move let go; None where no short one would.

    Whoever lost at once, or left a win at once, lacked the guard, whatever else the better moves do; unless they could
    have won at once themselves.
    """
    best = min((why(found.position, move, solution) for move in better), key=lambda one: _ORDER.index(one.name))
    if best.verdict is not Verdict.WIN:
        return None
    if best.name != "ends" and found.name in ("ends", "leaves"):
        return IDEAS["leaves"]
    decides = _by_card(found.position, solution)
    return IDEAS.get(best.name) if decides is None else _name(decides[0], found.position)


def idea_used(position: Position, move: Move, solution: Solution) -> str | None:
    """Return the name of the idea by which a move keeps a win; None where it is no short one."""
    found = why(position, move, solution)
    if found.verdict is not Verdict.WIN:
        return None
    decides = _by_card(position, solution)
    return IDEAS.get(found.name) if decides is None or move not in decides[1] else _name(decides[0], position)


def _by_card(position: Position, solution: Solution) -> tuple[Rule, tuple[Move, ...]] | None:
    """Return the rule with which the card that comes with a game leaves only winning moves, and these moves."""
    found = shelved(solution.rules)
    if found is None:
        return None
    decides = exercise_at(found.card, position, solution, looks_of(solution).sight)
    if decides is None or decides[0] > len(found.card.rules_for(position.seat)):
        return None
    count, exercise = decides
    return found.card.rules[count - 1], exercise.picked


def _name(rule: Rule, position: Position) -> str:
    """Return the name of a rule that decides in a position, and so applies there."""
    return short(replace(rule, most_left=None), position.rules)
