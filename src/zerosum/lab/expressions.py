"""Whole-number arithmetic: `n*(n+1)/2`, ranges such as `1..n`, pools such as `-3..n without 5`, and conditions.

An expression is read into a list of steps in postfix order, each with its column, and run on a stack: nothing is ever
handed to Python. Length, nesting and the size of every number on the way are limited. An error names the column.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from zerosum.base.errors import InvalidTextError, ZerosumError
from zerosum.base.text import did_you_mean, parse_number, plain_minus, shorten
from zerosum.lab import limits


class ExpressionError(ZerosumError):
    """An expression that cannot be read or worked out; the message names the column."""


class Token(NamedTuple):
    """A number, a name, or an operator that takes the two values before it, with its column."""

    what: int | str
    column: int


@dataclass(frozen=True, slots=True)
class Expression:
    """Arithmetic that has been read; `value` works it out."""

    text: str
    steps: tuple[Token, ...]

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
        """Its two ends."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class PoolRange:
    """The numbers of a range but 0, which no pool has, and but for one exception; `pool_numbers` works it out."""

    range: Range
    exception: Expression | None

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The ends of the range, and the exception."""
        return self.range.expressions + (() if self.exception is None else (self.exception,))


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
            raise _no_name(Token(what, column), names)
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


def pool_numbers(given: PoolRange, names: Mapping[str, int]) -> Iterator[int]:
    """Work out numbers of a pool; an exception that is none of them changes nothing."""
    but = 0 if given.exception is None else value(given.exception, names)
    return (number for number in numbers(given.range, names) if number not in (0, but))


def holds(condition: Condition, names: Mapping[str, int]) -> bool:
    """Work out whether a condition holds."""
    return all(COMPARISONS[how](value(left, names), value(right, names)) for left, how, right in condition.parts)


def check_names(given: Expression | Range | PoolRange | Condition, names: Collection[str]) -> None:
    """Raise if a name is used that is not among these."""
    for expression in given.expressions:
        for step in expression.steps:
            if isinstance(step.what, str) and step.what.isidentifier() and step.what not in names:
                raise _no_name(step, names)


def _no_name(step: Token, names: Collection[str]) -> ExpressionError:
    known = f"The names are {', '.join(names)}." if names else "No name is known here."
    what = str(step.what)
    return ExpressionError(f"column {step.column}: there is no '{shorten(what)}'. {did_you_mean(what, names, known)}")


def _where(what: Expression | Range, names: Mapping[str, int]) -> str:
    """Return for which values of its names something went wrong."""
    steps = {step.what for one in what.expressions for step in one.steps}
    used = [f"{name} = {number}" for name, number in names.items() if name in steps]
    return f" where {', '.join(used)}" if used else ""


_TOKEN: Final = re.compile(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*|\.\.|==|!=|<=|>=|\*\*|//|[-+*/()<>]")
WITHOUT: Final = "without"
WORDS: Final = ("and", WITHOUT)
"""Words that are no names."""
_WEIGHTS: Final = ("+-", "*/")
"""Operators, those that bind less tightly first."""
_HINTS: Final = {
    "**": "powers are not allowed; multiply instead",
    "//": "write /, which rounds down",
    "=": "write == to compare",
}


@lru_cache(maxsize=256)
def parse(text: str) -> Expression:
    """Read arithmetic on whole numbers and names: + - * / and parentheses; / rounds down.

    >>> value(parse("n*(n+1)/2"), {"n": 9})
    45
    """
    reader = _Reader(text)
    found = reader.expression()
    reader.end("an operator: +, -, * or /")
    return found


@lru_cache(maxsize=256)
def parse_range(text: str) -> Range:
    """Read a range with both ends included, or an expression, which is a range of one number.

    >>> list(numbers(parse_range("-1..n"), {"n": 2}))
    [-1, 0, 1, 2]
    """
    reader = _Reader(text)
    found = reader.range(text)
    reader.end("the end of the range")
    return found


@lru_cache(maxsize=256)
def parse_pool(text: str) -> PoolRange:
    """Read numbers of a pool: a range, and maybe one number that it is without.

    >>> list(pool_numbers(parse_pool("-2..n without n-1"), {"n": 4}))
    [-2, -1, 1, 2, 4]
    """
    reader = _Reader(text)
    found = reader.range(text)
    exception = reader.expression() if reader.take(WITHOUT) else None
    reader.end(f"`{WITHOUT}`, or the end")
    return PoolRange(found, exception)


def parse_condition(text: str) -> Condition:
    """Read comparisons of expressions, joined by `and`.

    >>> holds(parse_condition("winner == 2 and T < 10"), {"winner": 2, "T": 9})
    True
    """
    reader = _Reader(text)
    parts = [reader.comparison()]
    while reader.take("and"):
        parts.append(reader.comparison())
    reader.end("`and`, or the end")
    return Condition(text, tuple(parts))


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, text: str) -> None:
        if len(text) > limits.EXPRESSION_CHARACTERS:
            raise ExpressionError(
                f"{len(text):,} characters; at most {limits.EXPRESSION_CHARACTERS} are allowed in an expression."
            )
        self._text = plain_minus(text)
        self._tokens = list(self._split())
        self._at = 0
        self._depth = 0

    def _split(self) -> list[Token]:
        tokens, at = [], 0
        while at < len(self._text):
            if self._text[at].isspace():
                at += 1
                continue
            found = _TOKEN.match(self._text, at)
            if found is None:
                sign = self._text[at]
                raise ExpressionError(
                    f"column {at + 1}: '{shorten(sign)}' is not allowed; {_HINTS.get(sign, 'use + - * / ( )')}."
                )
            tokens.append(Token(found[0], at + 1))
            at = found.end()
        return tokens

    @property
    def _next(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else Token("", len(self._text) + 1)

    def take(self, token: str) -> bool:
        """Take the next token if it is this one."""
        found = self._next.what == token
        self._at += found
        return found

    def end(self, instead: str) -> None:
        """Raise unless everything has been read."""
        if self._at < len(self._tokens):
            raise self._unexpected(instead)

    def expression(self) -> Expression:
        """Read a sum."""
        began = self._next.column - 1
        steps = tuple(self._sum(0))
        return Expression(self._text[began : self._next.column - 1].strip(), steps)

    def range(self, text: str) -> Range:
        """Read one expression, or two with `..` between them."""
        low = self.expression()
        return Range(text, low, self.expression() if self.take("..") else low)

    def comparison(self) -> tuple[Expression, str, Expression]:
        """Read two expressions and what is between them."""
        left = self.expression()
        how = str(self._next.what)
        if how not in COMPARISONS:
            raise self._unexpected(f"one of {' '.join(COMPARISONS)}")
        self._at += 1
        return left, how, self.expression()

    def _sum(self, weight: int) -> list[Token]:
        """Read operands joined by operators of this weight or of one that binds more tightly."""
        if weight == len(_WEIGHTS):
            return self._operand()
        steps = self._sum(weight + 1)
        while self._next.what and str(self._next.what) in _WEIGHTS[weight]:
            sign = self._next
            self._at += 1
            steps += [*self._sum(weight + 1), sign]
        return steps

    def _operand(self) -> list[Token]:
        token = self._next
        word = str(token.what)
        self._at += 1
        if word.isdigit():
            return [Token(_number(word, token.column), token.column)]
        if word.isidentifier() and word not in WORDS:
            return [token]
        if word not in {"(", "-", "+"}:
            self._at -= 1
            raise self._unexpected("a number, a name or (")
        self._depth += 1
        if self._depth > limits.EXPRESSION_DEPTH:
            raise ExpressionError(f"column {token.column}: nested more than {limits.EXPRESSION_DEPTH} deep.")
        steps = self._inside(token)
        self._depth -= 1
        return steps

    def _inside(self, token: Token) -> list[Token]:
        """Read what follows a parenthesis or a sign."""
        if token.what == "(":
            steps = self._sum(0)
            if not self.take(")"):
                raise self._unexpected(f"the ) of column {token.column}")
            return steps
        return [Token(0, token.column), *self._operand(), token]

    def _unexpected(self, instead: str) -> ExpressionError:
        what, column = self._next
        found = f"'{what}'" if what else "the end"
        hint = _HINTS.get(str(what), f"expected {instead}")
        return ExpressionError(f"column {column}: found {found}; {hint}.")


def _number(digits: str, column: int) -> int:
    try:
        return parse_number(digits, limits.EXPRESSION_VALUE)
    except InvalidTextError as error:
        raise ExpressionError(f"column {column}: {error}") from None
