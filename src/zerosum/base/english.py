"""Small pieces of English that every room uses: counts, lists, per cent, who wins; and numbers as a page shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from zerosum.base.numbers import MINUS

_THIRD: Final = {"are": "is", "do": "does", "have": "has", "pass": "passes"}
_LONG: Final = re.compile(r"[0-9]{4,}")
_HYPHEN: Final = re.compile(r"(?<!\w)-(?=-?[0-9])|(?<=[+-])-(?=[0-9])")
_WHOLE: Final = re.compile(r"(?<![\w.])[0-9]{4,}(?!\w)")


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
    return "".join(part if at % 2 else _WHOLE.sub(_apart, _HYPHEN.sub(MINUS, part)) for at, part in enumerate(parts))


def _apart(found: re.Match[str]) -> str:
    return f"{int(found[0]):,}"
