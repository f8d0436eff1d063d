"""How a seed makes a choice: the only source of chance. The same seed always gives the same choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")


def pick(choices: Mapping[T, float] | Sequence[T], seed: str) -> T:
    """Return one of the choices: a mapping gives the chance of each, in a sequence all are equally likely.

    >>> pick(["heads", "tails"], "seed/toss"), pick({"heads": 0.0, "tails": 1.0}, "seed")
    ('tails', 'tails')
    """
    from random import Random  # noqa: PLC0415 - people who play each other need no chance

    chance = Random(seed)
    if isinstance(choices, Mapping):
        return chance.choices(list(choices), list(choices.values()))[0]
    return chance.choice(choices)
