"""Reskins: the same game in other numbers, so that nobody can know it by heart; and the proof that it is the same.

`rules/skins.py` says what a skin does. Walking both games in step from their starts
shows that they are one: at every pair of positions the same seat moves, each legal move has its counterpart, and
whatever ends one ends the other in the same way. So every verdict, distance and difficulty carries over.

A `Dress` is all that changes how a position looks: its skin, a story, names for the seats, the order of listing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from zerosum.arena.entrants.prompt import NOUNS, Wording
from zerosum.base.documents import inline
from zerosum.base.errors import RulesError
from zerosum.base.progress import Progress, silent
from zerosum.rules.model import Rules, Tie
from zerosum.rules.moves import ADD_ONLY
from zerosum.rules.position import Position, PositionKey, start_position
from zerosum.rules.skins import Skin
from zerosum.solver.supports import naming_unknown

_NOW_AND_THEN: Final = 5_000
_Key = tuple[PositionKey, PositionKey]


@dataclass(frozen=True, slots=True)
class SkinProof:
    """Whether two games are one: how many positions were compared, and the first difference, if any."""

    skin: Skin
    positions: int
    difference: str | None

    @property
    def proved(self) -> bool:
        """Whether the games are the same."""
        return self.difference is None


def skin_between(rules: Rules, other: Rules) -> Skin:
    """Return the only skin that could make one game of another; `prove_skin` says whether it does."""
    small, large = rules.pool, other.pool
    for ordered in (large, large[::-1]):
        k, rest = divmod(ordered[0], small[0])
        if len(small) == len(ordered) and not rest and all(k * a == b for a, b in zip(small, ordered, strict=True)):
            return Skin(k, other.start[0] - k * rules.start[0])
    raise RulesError(f"{other.name} is no reskin of {rules.name}: its pool is not the same numbers times one number.")


def prove_skin(rules: Rules, other: Rules, skin: Skin, progress: Progress = silent) -> SkinProof:
    """Walk two games in step and compare every position; the first difference is one of those nearest to the start."""
    if Tie.SUDDEN_DEATH in {rules.tie, other.tie}:
        why = f"so they cannot be walked through{naming_unknown(rules)}"
        raise RulesError(f"Games with sudden death have no end of positions, {why}.")
    start = start_position(rules), start_position(other)
    came: dict[_Key, tuple[_Key, str] | None] = {_key(start): None}
    ahead = deque([start])
    if difference := _difference(*start, skin):
        return SkinProof(skin, 1, f"{difference} at the start")
    while ahead:
        here, there = ahead.popleft()
        for move in here.legal_moves():
            pair = here.play_unchecked(move), there.play_unchecked(skin.move(move))
            key = _key(pair)
            if key in came:
                continue
            if difference := _difference(*pair, skin):
                line = [*_line(came, _key((here, there))), here.text_of(move)]
                return SkinProof(skin, len(came), f"{difference} after {' '.join(line)}")
            if pair[0].outcome is None:
                came[key] = _key((here, there)), here.text_of(move)
                ahead.append(pair)
                if len(came) % _NOW_AND_THEN == 0:
                    progress(f"{len(came):,} positions")
    return SkinProof(skin, len(came), None)


def _key(pair: tuple[Position, Position]) -> _Key:
    return pair[0].key, pair[1].key


def _line(came: dict[_Key, tuple[_Key, str] | None], key: _Key) -> list[str]:
    """Return the moves that led to a pair of positions."""
    line: list[str] = []
    while (before := came[key]) is not None:
        key, move = before
        line.insert(0, move)
    return line


def _state(position: Position) -> str:
    outcome = position.outcome
    return "goes on" if outcome is None else f"is won by seat {outcome.winner.value} ({outcome.reason.value})"


def _difference(here: Position, there: Position, skin: Skin) -> str | None:
    """Return what differs between two positions, None if nothing does."""
    if here.outcome != there.outcome:
        return f"one game {_state(here)}, the other {_state(there)}"
    if here.seat is not there.seat:
        return "different seats are to move"
    if {*map(skin.move, here.legal_moves())} != {*there.legal_moves()}:
        return "different moves are legal"
    return None


_FACTORS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13)
_SHIFT: Final = 300


@dataclass(frozen=True, slots=True)
class Story:
    """Another story for a game: its name, and the nouns that replace those of `NOUNS`, in their order."""

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

    skin: Skin = field(metadata=inline())
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


def draw_dresses(rules: Rules, count: int, seed: str) -> tuple[Dress, ...]:
    """Return different dresses of a game.

    If numbers are added or subtracted the factor is positive: a negative one would only change the two words.
    It is also positive if the rules have a key that the fast methods do not know; then each skin is proved.
    """
    dice = Random(seed)
    unknown = naming_unknown(rules)
    stories = dice.sample([*STORIES], count)
    factors = dice.sample(_FACTORS, count)
    found = []
    for story, factor in zip(stories, factors, strict=True):
        k = factor * dice.choice((1, -1)) if rules.operations == ADD_ONLY and not unknown else factor
        skin = Skin(k, dice.choice((1, -1)) * dice.randint(1, _SHIFT))
        listing = [k * number for number in rules.pool]
        dice.shuffle(listing)
        found.append(Dress(skin, story, tuple(listing)))
    for dress in found if unknown else ():
        if not prove_skin(rules, dress.rules(rules), dress.skin).proved:
            raise RulesError(f"{rules.name} is not the same game in other numbers{unknown}; ask for --reskin 0.")
    return tuple(found)


def dress_of(found: Mapping[str, Any] | None) -> Dress | None:
    """Return the dress that JSON writes."""
    if found is None:
        return None
    listing: Sequence[int] = found["listing"]
    if found["story"] not in STORIES or not all(type(number) is int for number in listing):
        raise RulesError("a skin has one of our stories, and lists whole numbers.")
    return Dress(Skin(found["k"], found["shift"]), found["story"], tuple(listing))
