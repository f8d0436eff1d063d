"""Reads whole-number arithmetic: `n*(n+1)/2`, ranges such as `1..n`, conditions such as `winner == 2`.

Length, nesting and the size of numbers are limited; an error names the column.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from zerosum.base.errors import InvalidTextError
from zerosum.base.numbers import parse_number, plain_minus, shorten
from zerosum.lab import limits
from zerosum.lab.expressions import COMPARISONS, Condition, Expression, ExpressionError, Range, Step

_TOKEN: Final = re.compile(r"[0-9]+|[A-Za-z_][A-Za-z0-9_]*|\.\.|==|!=|<=|>=|\*\*|//|[-+*/()<>]")
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

    >>> from zerosum.lab.expressions import value
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

    >>> from zerosum.lab.expressions import numbers
    >>> list(numbers(parse_range("-1..n"), {"n": 2}))
    [-1, 0, 1, 2]
    """
    reader = _Reader(text)
    low = reader.expression()
    high = reader.expression() if reader.take("..") else low
    reader.end("the end of the range")
    return Range(text, low, high)


def parse_condition(text: str) -> Condition:
    """Read comparisons of expressions, joined by `and`.

    >>> from zerosum.lab.expressions import holds
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

    def _split(self) -> list[Step]:
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
            tokens.append(Step(found[0], at + 1))
            at = found.end()
        return tokens

    @property
    def _next(self) -> Step:
        return self._tokens[self._at] if self._at < len(self._tokens) else Step("", len(self._text) + 1)

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

    def comparison(self) -> tuple[Expression, str, Expression]:
        """Read two expressions and what is between them."""
        left = self.expression()
        how = str(self._next.what)
        if how not in COMPARISONS:
            raise self._unexpected(f"one of {' '.join(COMPARISONS)}")
        self._at += 1
        return left, how, self.expression()

    def _sum(self, weight: int) -> list[Step]:
        """Read operands joined by operators of this weight or of one that binds more tightly."""
        if weight == len(_WEIGHTS):
            return self._operand()
        steps = self._sum(weight + 1)
        while self._next.what and str(self._next.what) in _WEIGHTS[weight]:
            sign = self._next
            self._at += 1
            steps += [*self._sum(weight + 1), sign]
        return steps

    def _operand(self) -> list[Step]:
        token = self._next
        word = str(token.what)
        self._at += 1
        if word.isdigit():
            return [Step(_number(word, token.column), token.column)]
        if word.isidentifier() and word != "and":
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

    def _inside(self, token: Step) -> list[Step]:
        """Read what follows a parenthesis or a sign."""
        if token.what == "(":
            steps = self._sum(0)
            if not self.take(")"):
                raise self._unexpected(f"the ) of column {token.column}")
            return steps
        return [Step(0, token.column), *self._operand(), token]

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
