"""Whole-number arithmetic that has been read, and its value: expressions, ranges and conditions.

An expression is a list of steps in postfix order, each with its column, run on a stack: nothing is ever handed to
Python. The size of every number on the way is limited. `lab/expression_parser.py` reads them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from zerosum.base.errors import ZerosumError
from zerosum.base.numbers import shorten
from zerosum.base.text import did_you_mean
from zerosum.lab import limits


class ExpressionError(ZerosumError):
    """An expression that cannot be read or worked out; the message names the column."""


class Step(NamedTuple):
    """A number, a name, or an operator that takes the two values before it, and where it stands."""

    what: int | str
    column: int


@dataclass(frozen=True, slots=True)
class Expression:
    """Arithmetic that has been read; `value` works it out."""

    text: str
    steps: tuple[Step, ...]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Itself: ranges and conditions hold several."""
        return (self,)


@dataclass(frozen=True, slots=True)
class Range:
    """All whole numbers between two expressions, both included; `numbers` works it out."""

    text: str
    low: Expression
    high: Expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Where it begins, and where it ends."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Condition:
    """Comparisons joined by `and`; `holds` works it out."""

    text: str
    parts: tuple[tuple[Expression, str, Expression], ...]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """What it compares."""
        return tuple(one for left, _, right in self.parts for one in (left, right))


COMPARISONS: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITHMETIC: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
}


def value(expression: Expression, names: Mapping[str, int]) -> int:
    """Work out an expression, given the values of its names."""
    stack: list[int] = []
    for what, column in expression.steps:
        if isinstance(what, int):
            stack.append(what)
        elif what in _ARITHMETIC:
            right, left = stack.pop(), stack.pop()
            if what == "/" and right == 0:
                raise ExpressionError(f"column {column}: division by zero{_where(expression, names)}.")
            stack.append(_ARITHMETIC[what](left, right))
        elif what in names:
            stack.append(names[what])
        else:
            raise _no_name(Step(what, column), names)
        if abs(stack[-1]) > limits.EXPRESSION_VALUE:
            raise ExpressionError(
                f"column {column}: more than {limits.EXPRESSION_VALUE:,} in absolute value{_where(expression, names)}."
            )
    return stack[0]


def numbers(given: Range, names: Mapping[str, int], most: int = limits.RANGE_NUMBERS) -> range:
    """Work out a range; one that ends before it begins is empty, one of more than `most` numbers is an error."""
    low, high = value(given.low, names), value(given.high, names)
    if high - low >= most:
        raise ExpressionError(
            f"a range of {high - low + 1:,} numbers{_where(given, names)}; at most {most:,} are allowed."
        )
    return range(low, high + 1)


def holds(condition: Condition, names: Mapping[str, int]) -> bool:
    """Work out whether a condition holds."""
    return all(COMPARISONS[how](value(left, names), value(right, names)) for left, how, right in condition.parts)


def check_names(given: Expression | Range | Condition, names: Collection[str]) -> None:
    """Raise where a name is used that is not among these."""
    for expression in given.expressions:
        for step in expression.steps:
            if isinstance(step.what, str) and step.what.isidentifier() and step.what not in names:
                raise _no_name(step, names)


def _no_name(step: Step, names: Collection[str]) -> ExpressionError:
    known = f"The names are {', '.join(names)}." if names else "No name is known here."
    what = str(step.what)
    return ExpressionError(f"column {step.column}: there is no '{shorten(what)}'. {did_you_mean(what, names, known)}")


def _where(what: Expression | Range, names: Mapping[str, int]) -> str:
    """Return for which values of its names something went wrong."""
    steps = {step.what for one in what.expressions for step in one.steps}
    used = [f"{name} = {number}" for name, number in names.items() if name in steps]
    return f" where {', '.join(used)}" if used else ""
