"""Small pieces of English that every room uses: counts, sizes, lists, per cent, who wins; and numbers on pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from zerosum.base.text import MINUS

_THIRD: Final = {"are": "is", "do": "does", "have": "has", "pass": "passes"}
_LONG: Final = re.compile(r"[0-9]{4,}")
_HYPHEN: Final = re.compile(r"(?<!\w)-(?=-?[0-9])|(?<=[+-])-(?=[0-9])")
_WHOLE: Final = re.compile(r"(?<![\w.])[0-9]{4,}(?!\w)")
_COUNTS: Final = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_BYTES: Final = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "bytes"))
_MOST: Final = 1_000
"""Of the largest unit; what is larger is only said to be more."""
_MORE: Final = "more than"


def count(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun.

    >>> count(1, "move"), count(1200, "move"), count(2, "try", "tries")
    ('1 move', '1,200 moves', '2 tries')
    """
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def agree(number: int, verb: str) -> str:
    """Return a verb as it goes with a count: one wins, two win.

    >>> agree(1, "win"), agree(2, "win"), agree(1, "are")
    ('wins', 'win', 'is')
    """
    return third(verb) if number == 1 else verb


def third(verb: str) -> str:
    """Return a verb in the third person singular."""
    return _THIRD.get(verb, f"{verb}s")


def listing(items: Sequence[str], word: str = "and") -> str:
    """Return items as a sentence lists them.

    >>> listing(["a", "b", "c"]), listing(["a"]), listing(["a", "b"], "or")
    ('a, b and c', 'a', 'a or b')
    """
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def percent(share: float | None) -> str:
    """Return a share in per cent with one decimal, or a dash if there is none.

    >>> percent(0.6152), percent(None)
    ('61.5', '-')
    """
    return "-" if share is None else f"{100 * share:.1f}"


def whole(number: float) -> str:
    """Return a number without its fraction, and never a zero with a sign.

    >>> whole(-0.3), whole(41.6)
    ('0', '42')
    """
    return str(round(number))


def seat_name(seat: int) -> str:
    """Return `first` or `second`."""
    return "first" if seat == 1 else "second"


def winner_words(seat: int | None, plies: int | None) -> str:
    """Return who wins with perfect play, and how soon; without a seat nobody does.

    >>> winner_words(2, 1), winner_words(None, None)
    ('The second player wins, in 1 ply at the latest.', 'Neither side can force an end: a draw.')
    """
    if seat is None:
        return "Neither side can force an end: a draw."
    return f"The {seat_name(seat)} player wins, in {count(plies or 0, 'ply', 'plies')} at the latest."


def in_plies(plies: int) -> str:
    """Return how soon something happens.

    >>> in_plies(1), in_plies(5)
    ('at once', 'in 5')
    """
    return "at once" if plies == 1 else f"in {plies}"


def figure(value: object) -> str:
    """Return a number or a move.

    >>> figure(-1234567) == f"{MINUS}1,234,567", figure("+-1000") == f"+{MINUS}1,000"
    (True, True)
    """
    return _LONG.sub(_apart, str(value)).replace("-", MINUS)


def figures(text: str, names: Iterable[str] = ()) -> str:
    """Return a sentence with its numbers as figures; hyphens between words, and names, stay as they are.

    >>> figures("2000 plays -3000.", ["2000"]) == f"2000 plays {MINUS}3,000."
    True
    """
    kept = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name)
    parts = re.split(f"({kept})", text) if kept else [text]
    return "".join(part if at % 2 else _WHOLE.sub(_apart, minus_signs(part)) for at, part in enumerate(parts))


def minus_signs(text: str) -> str:
    """Return a sentence with a true minus sign before each number; other hyphens stay.

    >>> minus_signs("Jean-Luc plays -3.") == f"Jean-Luc plays {MINUS}3."
    True
    """
    return _HYPHEN.sub(MINUS, text)


def _apart(found: re.Match[str]) -> str:
    return f"{int(found[0]):,}"


def count_text(count: int) -> str:
    """Return a count: exact below a million, then rounded.

    >>> count_text(420), count_text(1_234_567), count_text(2**64)
    ('420', 'about 1.2 million', 'more than 1,000 trillion')
    """
    return about(_text(count, _COUNTS)) if count >= _COUNTS[-1][0] else f"{count:,}"


def bytes_text(count: int) -> str:
    """Return an amount of memory.

    >>> bytes_text(1 << 29), about(bytes_text(3_435_973_837)), about(bytes_text(1 << 90))
    ('512 MiB', 'about 3.2 GiB', 'more than 1,000 TiB')
    """
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
