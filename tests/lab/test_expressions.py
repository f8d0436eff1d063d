"""Arithmetic as text, against the same arithmetic worked out while the text was written."""

from __future__ import annotations

import random

import pytest

from zerosum.base.errors import RulesError
from zerosum.lab import limits
from zerosum.lab.expressions import (
    ExpressionError,
    check_names,
    holds,
    numbers,
    parse,
    parse_condition,
    parse_range,
    value,
)
from zerosum.rules.game_files import parse_table

NAMES = {"n": 7, "T": -3, "long_name2": 12}


def _written(dice: random.Random, depth: int) -> tuple[str, int]:
    """Return an expression, with all its parentheses, and its value."""
    kind = dice.randrange(6) if depth else dice.randrange(2)
    if kind == 0:
        number = dice.randrange(50)
        return str(number), number
    if kind == 1:
        name = dice.choice(list(NAMES))
        return name, NAMES[name]
    left, one = _written(dice, depth - 1)
    if kind == 2:
        return f"(-{left})", -one
    right, two = _written(dice, depth - 1)
    if kind == 3:
        return f"({left} + {right})", one + two
    if kind == 4:
        return f"({left}-{right})", one - two
    return (f"({left}*{right})", one * two) if dice.random() < 0.5 or two == 0 else (f"({left}/{right})", one // two)


def test_random_expressions() -> None:
    dice = random.Random(12)
    for _ in range(500):
        text, expected = _written(dice, 3)
        assert value(parse(text), NAMES) == expected, text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("10-4-3", 3),
        ("100/5/2", 10),
        ("2*7/3", 4),
        ("-7/2", -4),
        ("7/-2", -4),
        ("--n", 7),
        ("3--n", 10),
        ("2*-3", -6),
        ("+5", 5),
        ("\N{MINUS SIGN}5", -5),
        ("  n * ( n + 1 ) / 2 ", 28),
        ("000012", 12),
    ],
)
def test_precedence_signs_and_rounding(text: str, expected: int) -> None:
    assert value(parse(text), NAMES) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "column 1: found the end; expected a number, a name or (."),
        ("1+", "column 3: found the end; expected a number"),
        ("(1", "column 3: found the end; expected the ) of column 1."),
        ("1)", "column 2: found ')'; expected an operator"),
        ("n n", "column 3: found 'n'; expected an operator"),
        ("2**9", "column 2: found '**'; powers are not allowed; multiply instead."),
        ("7//2", "column 2: found '//'; write /, which rounds down."),
        ("n%2", "column 2: '%' is not allowed; use + - * / ( )."),
        ("1.5", "column 2: '.' is not allowed"),
        ("__import__('os')", "column 12: ''' is not allowed"),
        ("n.real", "column 2: '.' is not allowed"),
        ("lambda: 1", "column 7: ':' is not allowed"),
        ("\x1b[31m", "column 1: '\\x1b' is not allowed"),
        ("9" * 14, f"column 1: '{'9' * 14}' is too large"),
        ("(" * 17 + "1" + ")" * 17, "column 17: nested more than 16 deep."),
        ("-" * 17 + "1", "column 17: nested more than 16 deep."),
        ("1+" * 100 + "1", "201 characters; at most 200 are allowed in an expression."),
        ("(" * 60_000, "60,000 characters; at most 200"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/0", "column 2: division by zero."),
        ("4/(n-7)", "column 2: division by zero where n = 7."),
        ("m+1", "column 1: there is no 'm'. The names are n, T, long_name2."),
        ("n+long_name", "column 3: there is no 'long_name'. Did you mean 'long_name2'?"),
        ("*".join(["999999"] * 20), "column 14: more than 1,000,000,000,000 in absolute value."),
        ("0-1000000*1000000*n", "column 18: more than 1,000,000,000,000 in absolute value where n = 7."),
    ],
)
def test_what_cannot_be_worked_out(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as error:
        value(parse(text), NAMES)
    assert str(error.value) == message


def test_ranges() -> None:
    assert list(numbers(parse_range("1..n"), NAMES)) == [1, 2, 3, 4, 5, 6, 7]
    assert list(numbers(parse_range("T..-1"), NAMES)) == [-3, -2, -1]
    assert list(numbers(parse_range("n+1"), NAMES)) == [8]
    assert list(numbers(parse_range("5..4"), NAMES)) == []
    check_names(parse_range("T..n*2"), NAMES)
    with pytest.raises(ExpressionError, match=r"^column 4: there is no 'm'\. The names are n, T, long_name2\.$"):
        check_names(parse_range("T..m*2"), NAMES)
    assert len(numbers(parse_range(f"1..{limits.RANGE_NUMBERS}"), {})) == limits.RANGE_NUMBERS
    with pytest.raises(ExpressionError, match=r"^a range of 1,000,000,000 numbers; at most 100,000 are allowed\.$"):
        numbers(parse_range("1..1000000000"), NAMES)
    with pytest.raises(ExpressionError, match=r"^a range of 7 numbers where n = 7; at most 6 are allowed\.$"):
        numbers(parse_range("1..n"), NAMES, 6)
    with pytest.raises(ExpressionError, match=r"^column 5: found '\.\.'; expected the end of"):
        parse_range("1..2..3")


def test_conditions() -> None:
    for text, expected in (
        ("n == 7", True),
        ("n != 7", False),
        ("T < -2", True),
        ("T <= -3 and n >= 8", False),
        ("n > T and n*2 == 14 and T+3 == 0", True),
    ):
        assert holds(parse_condition(text), NAMES) is expected, text
    check_names(parse_condition("n == 2 and T < n"), NAMES)
    with pytest.raises(ExpressionError, match=r"^column 16: there is no 'long'\."):
        check_names(parse_condition("n == 2 and T < long"), NAMES)
    for text, message in (
        ("n", "column 2: found the end; expected one of == != < <= > >="),
        ("n = 7", "column 3: '=' is not allowed; write == to compare."),
        ("n == 7 or T == 1", "column 8: found 'or'; expected `and`, or the end."),
        ("n == 7 and", "column 11: found the end; expected a number"),
        ("1 < n < 9", "column 7: found '<'; expected `and`, or the end."),
    ):
        with pytest.raises(ExpressionError) as error:
            parse_condition(text)
        assert message in str(error.value), text


def test_the_longest_texts_are_read() -> None:
    nested = "1" + "+(1" * 16 + ")" * 16 + "-1" * 67
    for text, expected in ((nested, -50), ("n*1" + "*1" * 98, 7), ("-n" + "/1" * 99, -7)):
        assert limits.EXPRESSION_CHARACTERS - 1 <= len(text) <= limits.EXPRESSION_CHARACTERS
        assert value(parse(text), NAMES) == expected


def test_tables_of_other_files_are_read_by_the_same_guarded_reader() -> None:
    assert parse_table('[parameters]\nn = "1..16"')["parameters"] == {"n": "1..16"}
    with pytest.raises(RulesError, match="nested too deeply"):
        parse_table("a = " + "[" * 5_000)
