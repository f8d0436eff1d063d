"""Sampling a large space: an archive of niches, each with the best game found in it.

One sample in ten is drawn at random. Every other one is an elite with one key changed: of three elites taken at random,
the best. A generation is drawn before any game of it is judged, and judged in the order it was drawn, so how the work
is shared out changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from random import Random
from typing import Final

from zerosum.lab.spaces import Axis, Choices, Free, Point, Ranged, Space, SpaceError, Value
from zerosum.rules.model import Rules

GENERATION: Final = 50
"""Samples that are drawn before the archive learns of them."""
_AT_RANDOM: Final = 0.1
_COMPARED: Final = 3
_NEAR: Final = 0.7
"""How often a number changes by a little, and not to any other of its range."""
_STEP: Final = 3
_TRIES: Final = 50
_FIFTHS: Final = 5

Niche = tuple[object, ...]
Fitness = tuple[int, float, float]
"""How many stages of the funnel a game has passed; how far it is from the goal, negated; then its score."""


def niche_of(rules: Rules, plies: int | None, share: float) -> Niche:
    """Return the cell of the archive that a game belongs to."""
    fifth = min(int(share * _FIFTHS), _FIFTHS - 1)
    return (plies, fifth, rules.reaching, rules.operations, rules.totals)


@dataclass(slots=True)
class Archive:
    """The best game of each niche so far."""

    elites: dict[Niche, tuple[Fitness, Point]] = field(default_factory=dict)

    def add(self, niche: Niche, fitness: Fitness, point: Point) -> None:
        """Take a game in if it is better than the elite of its niche."""
        held = self.elites.get(niche)
        if held is None or fitness > held[0]:
            self.elites[niche] = fitness, point

    def draw(self, space: Space, seed: str) -> Point:
        """Return the next point to look at."""
        dice = Random(seed)
        if not self.elites or dice.random() < _AT_RANDOM:
            return random_point(space, dice)
        elites = list(self.elites.values())
        _, elite = max((dice.choice(elites) for _ in range(_COMPARED)), key=itemgetter(0))
        return mutated(space, elite, dice)


def random_point(space: Space, dice: Random) -> Point:
    """Return any point; raise if the ranges are empty almost everywhere."""
    for _ in range(_TRIES):
        point: Point = {}
        for key, axis in (*space.parameters, *space.axes):
            value = _drawn(axis, _names(space, point), dice)
            if value is None:
                break
            point[key] = value
        else:
            return point
    raise SpaceError("vary: for almost all values of the parameters a range is empty.")


def mutated(space: Space, point: Point, dice: Random) -> Point:
    """Return a point with one key changed; keys whose range moved with a parameter are moved into it."""
    axes = dict((*space.parameters, *space.axes))
    for _ in range(_TRIES):
        key = dice.choice(list(axes))
        value = _changed(axes[key], point[key], _names(space, point), dice)
        if value is None:
            continue
        after = _fitted(space, {**point, key: value})
        if after is not None:
            return after
    return random_point(space, dice)


def _names(space: Space, point: Point) -> dict[str, int]:
    return {name: int(str(point[name])) for name, _ in space.parameters if name in point}


def _drawn(axis: Axis, names: Mapping[str, int], dice: Random) -> Value | None:
    """Return any value of an axis, None if it has none."""
    if isinstance(axis, Free):
        return _pool(axis, dice.choice(axis.sizes), dice)
    values = axis.all(names)
    return dice.choice(values) if values else None


def _pool(axis: Free, size: int, dice: Random) -> tuple[int, ...]:
    return tuple(sorted(dice.sample([one for one in axis.numbers for _ in range(axis.repeats)], size)))


def _changed(axis: Axis, value: Value, names: Mapping[str, int], dice: Random) -> Value | None:
    """Return another value of an axis, None if there is none."""
    if isinstance(axis, Free):
        return _other_pool(axis, tuple(map(int, value)), dice)  # type: ignore[arg-type]  # its values are pools
    values = axis.all(names)
    if isinstance(axis, Ranged) and dice.random() < _NEAR:
        near = int(str(value)) + dice.choice([step for step in range(-_STEP, _STEP + 1) if step])
        return near if near in values else None
    other = dice.choice(values) if values else value
    return None if other == value else other


def _other_pool(axis: Free, pool: tuple[int, ...], dice: Random) -> tuple[int, ...] | None:
    """Return a pool with a number added, removed or replaced."""
    numbers = list(pool)
    how = dice.choice(("add", "remove", "replace"))
    if how != "add":
        numbers.remove(dice.choice(numbers))
    if how != "remove":
        room = [one for one in axis.numbers if numbers.count(one) < axis.repeats]
        if not room:
            return None
        numbers.append(dice.choice(room))
    after = tuple(sorted(numbers))
    return after if after != pool and len(after) in axis.sizes else None


def _fitted(space: Space, point: Point) -> Point | None:
    """Return a point whose values are all in their ranges, None if a range is empty."""
    names = _names(space, point)
    after = dict(point)
    for key, axis in (*space.parameters, *space.axes):
        if isinstance(axis, (Free, Choices)):
            continue
        values = axis.all(names)
        if not values:
            return None
        if isinstance(values, range):
            after[key] = min(max(int(str(after[key])), values[0]), values[-1])
        else:
            after[key] = values[0]
        if key in names:
            names[key] = int(str(after[key]))
    return after
