"""How a position is dressed up: other numbers, another story, other names for the seats, another order of listing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from zerosum.entrants.prompt import NOUNS, PLAIN, Wording
from zerosum.measure.skins import Skin
from zerosum.rules.errors import RulesError
from zerosum.rules.model import Rules
from zerosum.rules.moves import ADD_ONLY

_FACTORS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13)
_SHIFT: Final = 300


@dataclass(frozen=True, slots=True)
class Story:
    """A game told otherwise: its name, and the nouns that stand for those of `NOUNS`, in their order."""

    name: str
    nouns: tuple[str, ...]
    seats: tuple[str, str]


STORIES: Final = {
    "harbour": Story("Harbour", ("quay", "crate", "load", "mark", "captain"), ("North", "South")),
    "orchard": Story("Orchard", ("basket", "pear", "weight", "goal", "picker"), ("Red", "Blue")),
    "counter": Story("Counter", ("drawer", "coin", "balance", "limit", "teller"), ("Left", "Right")),
    "railway": Story("Railway", ("yard", "wagon", "train", "signal", "driver"), ("East", "West")),
    "river": Story("River", ("bank", "stone", "level", "line", "keeper"), ("Sun", "Moon")),
    "workshop": Story("Workshop", ("rack", "rod", "length", "notch", "smith"), ("Gold", "Silver")),
    "tower": Story("Tower", ("heap", "block", "height", "ledge", "builder"), ("Fox", "Hare")),
    "kitchen": Story("Kitchen", ("shelf", "spoon", "dose", "measure", "cook"), ("Salt", "Pepper")),
}
"""Nouns begin with a consonant and take an -s in the plural: the sentences of the rules stay sentences."""


@dataclass(frozen=True, slots=True)
class Dress:
    """A skin, the story it comes with, and the order in which the pool is listed."""

    skin: Skin
    story: str
    listing: tuple[int, ...]

    @property
    def wording(self) -> Wording:
        """The words of the story."""
        story = STORIES[self.story]
        return Wording(story.seats, tuple(zip(NOUNS, story.nouns, strict=True)), self.listing)

    def rules(self, rules: Rules) -> Rules:
        """Return a game in these numbers, under the name of the story."""
        return self.skin.rules(rules, self.story, STORIES[self.story].name)


SAME: Final = Skin(1)
"""The skin of a game as it is."""


def wording_of(dress: Dress | None) -> Wording:
    """Return the words of a dress, ours where there is none."""
    return PLAIN if dress is None else dress.wording


def draw_dresses(rules: Rules, count: int, seed: str) -> tuple[Dress, ...]:
    """Return different dresses of a game.

    Where numbers are added or subtracted the factor is positive: a negative one would only change the two words.
    """
    dice = Random(seed)
    stories = dice.sample([*STORIES], count)
    factors = dice.sample(_FACTORS, count)
    found = []
    for story, factor in zip(stories, factors, strict=True):
        k = factor * dice.choice((1, -1)) if rules.operations == ADD_ONLY else factor
        skin = Skin(k, dice.choice((1, -1)) * dice.randint(1, _SHIFT))
        listing = [k * number for number in rules.pool]
        dice.shuffle(listing)
        found.append(Dress(skin, story, tuple(listing)))
    return tuple(found)


def dress_json(dress: Dress | None) -> dict[str, Any] | None:
    """Return a dress as JSON."""
    if dress is None:
        return None
    return {"k": dress.skin.k, "shift": dress.skin.shift, "story": dress.story, "listing": list(dress.listing)}


def dress_of(found: Mapping[str, Any] | None) -> Dress | None:
    """Return the dress that JSON writes."""
    if found is None:
        return None
    listing: Sequence[int] = found["listing"]
    if found["story"] not in STORIES or not all(type(number) is int for number in listing):
        raise RulesError("a skin has one of our stories, and lists whole numbers.")
    return Dress(Skin(found["k"], found["shift"]), found["story"], tuple(listing))
