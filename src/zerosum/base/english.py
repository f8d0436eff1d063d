"""Numbers as a page shows them: a true minus sign, thousands apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zerosum.base.numbers import MINUS

_LONG: Final = re.compile(r"[0-9]{4,}")
_HYPHEN: Final = re.compile(r"(?<!\w)-(?=-?[0-9])|(?<=[+-])-(?=[0-9])")
_WHOLE: Final = re.compile(r"(?<![\w.])[0-9]{4,}(?!\w)")


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
