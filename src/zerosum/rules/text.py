"""The one sanitiser: what text may come in as a name, and how any text is shown."""

from zerosum.rules import limits
from zerosum.rules.errors import BadNameError

# Characters that Unicode calls printable although they show nothing: fillers, and marks of no width.
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
_NO_WIDTH = "\u034f\u17b4\u17b5\u180b\u180c\u180d\u180f"
_SELECTORS = [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
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
    """Return `text` if it may be shown as a name, else raise."""
    if len(text) > limit:
        raise BadNameError(f"The {what} has {len(text)} characters; at most {limit} are allowed.")
    if not text.strip():
        raise BadNameError(f"The {what} is empty; give at least one visible character.")
    if text != text.strip():
        raise BadNameError(f"The {what} '{printable(text)}' begins or ends with a space.")
    for character in text:
        if not _is_plain(character):
            raise BadNameError(
                f"The {what} '{printable(text)}' has a character that cannot be shown, U+{ord(character):04X}."
            )
    return text
