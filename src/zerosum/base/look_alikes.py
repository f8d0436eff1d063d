"""What names look like: the skeleton of UTS #39 (Unicode Security Mechanisms), by which two look-alikes are the same.

The table beside this file is written by `tools/make_confusables.py`. It is read when the first name with a character
beyond ASCII is compared; names in ASCII need the few entries that stand here.
"""

from __future__ import annotations

import os
import unicodedata
from functools import cache
from typing import Final

TABLE: Final = os.path.join(os.path.dirname(__file__), "confusables.txt")
ASCII: Final = {"`": "'", '"': "''", "|": "l", "1": "l", "I": "l", "0": "O", "m": "rn"}
"""The entries of the table for characters in ASCII."""
_JOINERS: Final = dict.fromkeys((0x200D, 0xFE0F))


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


_ASCII: Final = str.maketrans(ASCII)


@cache
def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {**_JOINERS}
    with open(TABLE, encoding="ascii") as file:
        lines = file.read().splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            looks, *characters = line.split()
            table |= dict.fromkeys((int(one, 16) for one in characters), read_characters(looks))
    return table


def read_characters(text: str) -> str:
    """Return the characters that hexadecimal numbers with dashes between them write."""
    return "".join(chr(int(one, 16)) for one in text.split("-"))
