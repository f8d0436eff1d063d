"""What a lesson says beside its rules: what a step is called, why it holds, and what to expect of a match."""

from __future__ import annotations

from typing import Final

from zerosum.rules.model import Reaching, Rules
from zerosum.strategy.card import Rule, short
from zerosum.strategy.phrases import literal, thing

_WHY: Final = {
    "make": "A win at once ends the match: there is nothing they can answer.",
    "guard": "Any other {thing} loses at once, or they win at once.",
    "hold": "If no safe {thing} is left for you, you lose at once or let them win at once. Two answers are usually "
    "enough, since they can take only one of them.",
    "squeeze": "Without a safe {thing} they lose at once or let you win at once.",
    "shut": "Whatever they play then loses at once.",
    "squeeze-in-two": "They play safe, or lose sooner. Then you leave them no safe {thing}: they lose at once or let "
    "you win at once.",
    "shut-in-two": "They play safe, or lose sooner. Then whatever they play loses at once.",
    "threat": "They must take your number, or you make {target} next.",
    "quiet-threat": "They must take your number, or you make {target} next. And once they have taken it, they threaten "
    "nothing.",
    "furthest-threat": "They must take your number, or you make {target} next.",
    "out-of-reach": "No number left takes them to {target}, so they cannot make it now.",
}
_NO_WHY: Final = "No short reason is known; the computer has played every exercise to the end."
_TENTHS: Final = 10


def step_title(rule: Rule | None, rules: Rules) -> str:
    """Return what a step is called."""
    return "the law" if rule is None else short(rule, rules)


def why_it_holds(rule: Rule, rules: Rules) -> str:
    """Return why a rule holds, or that no short reason is known."""
    if rule.name == "guard" and literal(rules):
        return f"If you pass {rules.target}, you lose. If you leave the number that makes it, they take it and win."
    if rule.name == "make" and rules.reaching is Reaching.WINS and literal(rules):
        return f"Making {rules.target} ends the match: there is nothing they can answer."
    return _WHY.get(rule.name, _NO_WHY).format(thing=thing(rules), target=rules.target)


def expectation(share: float, who: str) -> str:
    """Return what to expect of matches against a player: "expect to win 7 of 10 against level 6".

    >>> expectation(0.684, "level:6"), expectation(1, "")
    ('expect to win 7 of 10 against level 6', 'expect to win every match')
    """
    against = f" against {who.replace('level:', 'level ').replace('perfect', 'perfect play')}" if who else ""
    won = round(share * _TENTHS)
    if share == 1:
        return f"expect to win every match{against}"
    if won in (0, _TENTHS):
        return f"expect to win {'nearly every match' if won else 'fewer than 1 match of 10'}{against}"
    return f"expect to win {won} of {_TENTHS}{against}"
