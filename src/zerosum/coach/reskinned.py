"""Lessons in other numbers, so that a learner shows the idea and not a position they know.

A skin with a positive factor changes nothing but how a game looks: what holds in the game holds in its skin, move for
move. No two numbers give the same skin.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar, cast

from zerosum.coach.lessons import Course, Exercise
from zerosum.rules.model import Rules
from zerosum.rules.moves import Move
from zerosum.rules.position import Position
from zerosum.rules.skins import SAME, Skin
from zerosum.strategy.card import Rule

_FACTORS: Final = (2, 3, 4, 5)
_SHIFT: Final = 7
Worn = TypeVar("Worn")


class Reskin(NamedTuple):
    """A game in other numbers."""

    skin: Skin
    rules: Rules

    def exercise(self, one: Exercise) -> Exercise:
        """Return an exercise in these numbers."""
        return Exercise(self.skin.position(one.position, self.rules), tuple(map(self.skin.move, one.solutions)))

    def origin(self, position: Position, rules: Rules) -> Position:
        """Return the position of a game that stands behind one in these numbers."""
        back = self.skin
        return replace(
            position,
            rules=rules,
            pool=tuple(number // back.k for number in position.pool),
            totals=tuple((total - back.shift) // back.k for total in position.totals),
            previous=None if position.previous is None else self.move_behind(position.previous),
        )

    def move_behind(self, move: Move) -> Move:
        """Return the move of the game that stands behind one in these numbers."""
        return replace(move, number=move.number // self.skin.k)

    def rule(self, rule: Rule) -> Rule:
        """Return a rule in these numbers."""
        names, argument = rule.word.names, rule.argument
        if argument is not None:
            argument = self.skin.total(argument) if names == "total" else self.skin.k * argument
        return replace(rule, argument=argument)

    def words(self, rule: Rule) -> str:
        """Return a rule in these numbers as a sentence."""
        return self.rule(rule).words(self.rules)

    @property
    def told(self) -> str:
        """What has changed, as a sentence; nothing if nothing has."""
        if self.skin is SAME:
            return ""
        return f"New numbers: each is {self.skin.k} times as large, and the target is {self.rules.target}."

    def worn(self, value: Worn) -> Worn:
        """Return a reason, or a part of one, in these numbers."""
        return cast("Worn", self._worn(value))

    def _worn(self, value: object) -> object:
        from zerosum.solver import Law  # noqa: PLC0415 - no first question waits for the solver
        from zerosum.strategy.claims import Forced  # noqa: PLC0415 - as above

        if isinstance(value, Move):
            return self.skin.move(value)
        if isinstance(value, Position):
            return self.skin.position(value, self.rules)
        if isinstance(value, Law):
            return replace(value, target=self.skin.total(value.target))
        if isinstance(value, Forced):
            value = value._replace(number=self.skin.k * value.number)
        if isinstance(value, tuple):
            parts: list[Any] = [self._worn(one) for one in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value


def reskin(course: Course, number: int) -> Reskin:
    """Return the game of a course in the numbers that a number stands for; 0 is the game as it is."""
    skin = _skin(number if course.reskins else 0)
    return Reskin(skin, _worn_rules(course.rules, skin))


def rules_in(rules: Rules, number: int) -> Rules:
    """Return a game in the numbers that a number stands for."""
    return _worn_rules(rules, _skin(number))


def _skin(number: int) -> Skin:
    return Skin(_FACTORS[number % len(_FACTORS)], _SHIFT * number) if number else SAME


def _worn_rules(rules: Rules, skin: Skin) -> Rules:
    return rules if skin is SAME else skin.rules(rules, rules.id, rules.name)
