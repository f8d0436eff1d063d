"""The one number grammar, used at every door: `[+-]?[0-9]+`, with the Unicode minus accepted on input."""

import re

from zerosum.base import limits
from zerosum.base.errors import InvalidTextError
from zerosum.base.text import printable

MINUS = "\N{MINUS SIGN}"
_NUMBER = re.compile(r"([+-]?)([0-9]+)")
_SHOWN = 40


def plain_minus(text: str) -> str:
    """Return `text` with the Unicode minus as the ASCII one."""
    return text.replace(MINUS, "-")


def shorten(text: str) -> str:
    """Return `text` fit to be quoted in one line of an error."""
    return printable(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


def parse_number(text: str, limit: int = limits.VALUE) -> int:
    """Return the whole number that `text` writes, at most `limit` in size.

    >>> parse_number("-12"), parse_number("+007")
    (-12, 7)
    """
    found = _NUMBER.fullmatch(plain_minus(text))
    if found is None:
        raise InvalidTextError(f"'{shorten(text)}' is not a whole number.")
    # The length is looked at first: turning a million digits into an int takes minutes.
    digits = found[2].lstrip("0") or "0"
    if len(digits) > len(str(limit)) or int(digits) > limit:
        raise InvalidTextError(f"'{shorten(text)}' is too large; numbers go from {-limit} to {limit}.")
    return int(found[1] + digits)


def signed(number: int) -> str:
    """Return `number` with its sign always written."""
    return f"+{number}" if number >= 0 else str(number)
