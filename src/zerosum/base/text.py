"""The one sanitiser and the one number grammar, used at every door.

Which text may be a name, when two names are the same, and how any text is shown; numbers are `[+-]?[0-9]+`, with the
Unicode minus accepted on input.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

from zerosum.base import limits
from zerosum.base.errors import BadNameError, InvalidTextError

MINUS = "\N{MINUS SIGN}"
_NUMBER = re.compile(r"([+-]?)([0-9]+)")
_SHOWN = 40

# Characters that Unicode calls printable although they show nothing: fillers, and marks of no width.
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
_NO_WIDTH = "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
_SELECTORS = [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
_LONGEST = 4
_BLANK_LOOKALIKES = frozenset(_FILLERS + _NO_WIDTH).union(map(chr, _SELECTORS))


def _is_plain(character: str) -> bool:
    # str.isprintable is false for control, format (bidi, zero-width), surrogate, private and unassigned characters.
    return character.isprintable() and character not in _BLANK_LOOKALIKES


def printable(text: str) -> str:
    r"""Return `text` with everything a terminal might act on written as an escape.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable() and _BLANK_LOOKALIKES.isdisjoint(text):
        return text
    return "".join(c if _is_plain(c) else c.encode("unicode_escape").decode() for c in text)


def check_name(text: str, what: str = "name", limit: int = limits.NAME_LENGTH) -> str:
    r"""Return `text`, normalised to NFC, if it may be shown as a name; else raise.

    >>> check_name("Zoe\u0308") == "Zo\xeb"
    True
    """
    # NFC turns one character into at most three, or a few into one: much longer text is refused without normalising.
    name = _normalised("NFC", text) if len(text) <= _LONGEST * limit else text
    if len(name) > limit:
        raise BadNameError(f"The {what} has {len(name)} characters; at most {limit} are allowed.")
    if not name.strip():
        raise BadNameError(f"The {what} is empty; give at least one visible character.")
    if name != name.strip():
        raise BadNameError(f"The {what} '{printable(name)}' begins or ends with a space.")
    for character in name:
        if not _is_plain(character):
            raise BadNameError(
                f"The {what} '{printable(name)}' has a character that cannot be shown, U+{ord(character):04X}."
            )
    # Only spaces and marks show nothing by themselves, so this also refuses a name without a base character.
    if _is_mark(name[0]):
        raise BadNameError(f"The {what} begins with a combining mark, U+{ord(name[0]):04X}; begin it with a character.")
    return name


def same_name(one: str, two: str) -> bool:
    """Whether two names are the same to a reader: however they are encoded, and in capitals or not."""
    return _folded(one) == _folded(two)


def _folded(name: str) -> str:
    # Folding can undo the normal form, and normalising can uncover capitals: doing both twice is enough.
    for _ in range(2):
        name = _normalised("NFKC", name).casefold()
    return _normalised("NFKC", name)


def _normalised(form: Literal["NFC", "NFKC"], text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize(form, text)


def _is_mark(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.category(character).startswith("M")


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a sentence that names the known word nearest to `word`, or `otherwise` if none is near.

    >>> did_you_mean("sum13", ["sum31", "zero-sum-duel"])
    "Did you mean 'sum31'?"
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it, and it loads slowly

    near = get_close_matches(word, list(known), n=1)
    return f"Did you mean '{near[0]}'?" if near else otherwise


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
