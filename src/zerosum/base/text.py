"""The one sanitiser and the one number grammar, used at every door.

Which text may be a name, when two names are the same, and how any text is shown; numbers are `[+-]?[0-9]+`, with the
Unicode minus accepted on input. `check_player_name` is for names that people give now; `check_name` also reads titles,
and the names in matches that earlier versions kept.

Two look-alikes have the same skeleton of UTS #39 (Unicode Security Mechanisms). Its table, beside this file, is written
by `tools/make_confusables.py`, and read when the first name with a character beyond ASCII is compared.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Final, Literal

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

# Pictures that a joiner or a selector may follow, those of later Unicode versions too: their blocks are set aside.
_PICTURES = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_PICTURE = f"[{_PICTURES}]\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_FLAG = (
    "\U0001f3f4\U000e0067\U000e0062"
    "(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""The flag of England, Scotland or Wales."""
_EMOJI = re.compile(f"{_FLAG}|[0-9#*]\ufe0f\u20e3|{_PICTURE}(?:\u200d{_PICTURE})*")
_PIECE = re.compile(f"(?P<emoji>{_EMOJI.pattern})|.", re.DOTALL)
_MARKS = 2
"""Combining marks that a letter of a name may have."""

LOOK_ALIKES: Final = os.path.join(os.path.dirname(__file__), "confusables.txt")
ASCII_LOOK_ALIKES: Final = {"`": "'", '"': "''", "|": "l", "1": "l", "I": "l", "0": "O", "m": "rn"}
"""The entries of the table for characters in ASCII."""
_JOINERS: Final = dict.fromkeys((0x200D, 0xFE0F))


def _is_plain(character: str) -> bool:
    # str.isprintable is false for control, format (bidi, zero-width), surrogate, private and unassigned characters.
    return character.isprintable() and character not in _BLANK_LOOKALIKES


def printable(text: str) -> str:
    r"""Return `text` with everything a terminal might act on written as an escape; emoji stay whole.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    if text.isprintable() and _BLANK_LOOKALIKES.isdisjoint(text):
        return text
    return _PIECE.sub(_shown, text)


def _shown(piece: re.Match[str]) -> str:
    text = piece[0]
    return text if piece["emoji"] or _is_plain(text) else text.encode("unicode_escape").decode()


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
    for character in _EMOJI.sub("", name):
        if not _is_plain(character):
            raise BadNameError(
                f"The {what} '{printable(name)}' has a character that cannot be shown, U+{ord(character):04X}."
            )
    # Only spaces and marks show nothing by themselves, so this also refuses a name without a base character.
    if unicodedata.category(name[0]).startswith("M"):
        raise BadNameError(f"The {what} begins with a combining mark, U+{ord(name[0]):04X}; begin it with a character.")
    return name


def check_player_name(text: str, limit: int = limits.NAME_LENGTH) -> str:
    r"""Return `text`, normalised to NFC, if somebody may be called so from now on; else raise.

    >>> check_player_name("Zoe\u0308") == "Zo\xeb"
    True
    """
    name = check_name(text, limit=limit)
    marks = marked = 0
    for character in "" if name.isascii() else _EMOJI.sub("", name):
        parts = unicodedata.normalize("NFD", character)
        if _stacks(character):
            marks, marked = marks + len(parts), marked + 1
        else:
            marks, marked = sum(map(_stacks, parts)), 0
        # A letter such as \u1f82 has three marks of its own, and is one character.
        if marked and marks > _MARKS:
            raise BadNameError(
                f"A letter in the name has more than {_MARKS} combining marks; give it {_MARKS} at most."
            )
    return name


def same_name(one: str, two: str) -> bool:
    """Whether two names are the same to a reader: however they are encoded, in capitals or not, or look-alikes."""
    return _folded(one) == _folded(two) or _folded(skeleton(one)) == _folded(skeleton(two))


def skeleton(text: str) -> str:
    r"""Return what `text` is compared by: look-alikes have the same skeleton. It is not text to show.

    >>> skeleton("\u0410nn") == skeleton("Ann"), skeleton("Bob") == skeleton("8ob")
    (True, False)
    """
    if text.isascii():
        return text.translate(_ASCII)
    table = _table()
    # Compatibility forms are resolved between two passes, so the table needs no entries for most of them.
    for form in ("NFD", "NFKD"):
        text = unicodedata.normalize(form, text).translate(table)
    return unicodedata.normalize("NFKD", text)


_ASCII: Final = str.maketrans(ASCII_LOOK_ALIKES)


@cache
def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {**_JOINERS}
    with open(LOOK_ALIKES, encoding="ascii") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            looks, *characters = line.split()
            table |= dict.fromkeys((int(one, 16) for one in characters), read_characters(looks))
    return table


def read_characters(text: str) -> str:
    """Return the characters that hexadecimal numbers with dashes between them write."""
    return "".join(chr(int(one, 16)) for one in text.split("-"))


def _folded(name: str) -> str:
    # Folding can undo the normal form, and normalising can uncover capitals: doing both twice is enough.
    for _ in range(2):
        name = _normalised("NFKC", name).casefold()
    return _normalised("NFKC", name)


def _normalised(form: Literal["NFC", "NFKC"], text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize(form, text)


def _stacks(character: str) -> bool:
    """Whether a character is drawn over or under the one before it, and takes no room of its own."""
    return unicodedata.category(character) in ("Mn", "Me")


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
