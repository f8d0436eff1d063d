"""Sizes as a person reads them.

>>> count_text(420), count_text(1_234_567), count_text(2**64)
('420', 'about 1.2 million', 'more than 1,000 trillion')
>>> bytes_text(1 << 29), about(bytes_text(3_435_973_837)), about(bytes_text(1 << 90))
('512 MiB', 'about 3.2 GiB', 'more than 1,000 TiB')
"""

from __future__ import annotations

from typing import Final

_COUNTS: Final = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_BYTES: Final = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "bytes"))
_MOST: Final = 1_000
"""Of the largest unit; what is larger is only said to be more."""
_MORE: Final = "more than"


def count_text(count: int) -> str:
    """Return a count: exact below a million, then rounded."""
    return about(_text(count, _COUNTS)) if count >= _COUNTS[-1][0] else f"{count:,}"


def bytes_text(count: int) -> str:
    """Return an amount of memory."""
    return _text(count, _BYTES)


def about(size: str) -> str:
    """Return the text of a size that is rounded or estimated."""
    return size if size.startswith(_MORE) else f"about {size}"


def _text(count: int, units: tuple[tuple[int, str], ...]) -> str:
    largest, name = units[0]
    if count > _MOST * largest:
        return f"{_MORE} {_MOST:,} {name}"
    unit, name = next((unit for unit in units if count >= unit[0]), units[-1])
    return f"{count / unit:,.1f}".removesuffix(".0") + f" {name}"
