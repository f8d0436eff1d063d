"""Rules of the vocabulary in a few words, as they stand in a sentence about either side."""

from __future__ import annotations

from typing import Final

from zerosum.rules.model import Reaching, Rules
from zerosum.strategy.card import Rule

_SHORT: Final = {
    "make": "make {target}",
    "guard": "guard",
    "squeeze": "squeeze",
    "shut": "shut the door",
    "squeeze-in-two": "squeeze in two",
    "shut-in-two": "shut the door in two",
    "fewest": "leave the fewest safe numbers",
    "threat": "threaten",
    "quiet-threat": "make a quiet threat",
    "furthest-threat": "make the furthest threat",
    "in-reach": "stay in reach",
    "out-of-reach": "stay out of reach",
    "further": "be the further from {target}",
    "toward": "go toward {target}",
    "nearest": "stay nearest {target}",
    "away": "go furthest from {target}",
    "largest": "take the largest",
    "smallest": "take the smallest",
    "open": "open with {n}",
    "take": "take {n}",
    "leave": "leave {n}",
    "multiple": "leave a multiple of {n} to go",
    "pairs": "leave pairs that make {n}",
    "even-left": "leave an even sum",
}


_SAFE: Final = "A number is safe if taking it neither loses at once nor lets the other win at once."


def safe_words(told: str) -> str:
    """Return what *safe* means, where rules as they are told use the word; else nothing."""
    return _SAFE if "safe" in told else ""


def short(rule: Rule, rules: Rules) -> str:
    """Return a rule in a few words, without a full stop."""
    if rule.name == "make" and rules.reaching is not Reaching.WINS:
        return "win at once"
    late = "" if rule.most_left is None else f" once {rule.most_left} are left"
    return _SHORT[rule.name].format(target=rules.target, n=rule.argument) + late
