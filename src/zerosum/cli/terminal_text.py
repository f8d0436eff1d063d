"""What commands write: lines that fit the terminal, notices and errors.

Wide characters take two columns, combining marks none.
"""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TextIO

from zerosum.base.text import printable

_WIDE: Final = frozenset({"W", "F"})
_MARKS: Final = frozenset({"Mn", "Me", "Cf"})
_JAMO: Final = range(0x1160, 0x1200)
"""Vowels and final consonants of Hangul, which terminals draw into the syllable before them."""
_DOTS: Final = "..."
_USUAL: Final = 80
"""Columns of a terminal that does not say."""
_PROSE: Final = 79
_WIDEST: Final = 24
"""Columns of a name in a table, at most."""
_WORD: Final = r" *[^ ]+ *$| *[^ ]+| +$"
_GAP: Final = r"^ +|  +(?=[^ ])"


def width(text: str) -> int:
    r"""Return how many columns a text takes.

    >>> width("Ann"), width("李小龍"), width("e\u0301")
    (3, 6, 1)
    """
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in _MARKS or ord(character) in _JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def pad(text: str, columns: int) -> str:
    """Return a text with spaces after it, up to `columns` columns, as an f-string's `:20` does for ASCII."""
    return text + " " * (columns - width(text))


def clip(text: str, columns: int) -> str:
    """Return a text that takes at most `columns` columns; a longer one ends in dots.

    >>> clip("李小龍李小龍", 8)
    '李小...'
    """
    return text if width(text) <= columns else _head(text, columns - len(_DOTS)) + _DOTS


def column(text: str, columns: int) -> str:
    """Return a text clipped and padded to exactly so many columns."""
    return pad(clip(text, columns), columns)


def table(widths: Sequence[int], *rows: Sequence[object]) -> list[str]:
    """Return rows of cells in columns: to the right, or to the left where a width is negative.

    >>> table((-5, 4), ("", "won"), ("Ann", 3))
    ['      won', 'Ann     3']
    """
    return ["".join(_cell(str(cell), wide) for cell, wide in zip(row, widths, strict=True)) for row in rows]


def _cell(text: str, wide: int) -> str:
    return pad(text, -wide) if wide < 0 else " " * (wide - width(text)) + text


def named_table(columns: Mapping[str, int], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return a table of names, the longest cut off at a tilde, and of figures in columns of some widths."""
    named = [(printable(str(name)), figures) for name, *figures in rows]
    wide = min(max((len(name) for name, _ in named), default=0), _WIDEST)
    cut = ((name if len(name) <= wide else f"{name[: wide - 1]}~", *figures) for name, figures in named)
    return table((-wide - 2, *columns.values()), ("", *columns), *cut)


def _head(text: str, columns: int) -> str:
    """Return as much of a text as fits into so many columns, its combining marks with it."""
    taken = 0
    for at, character in enumerate(text):
        taken += _columns_of(character)
        if taken > columns:
            return text[:at]
    return text


def terminal_columns(stream: TextIO) -> int | None:
    """Return the width of the terminal behind a stream, None if there is none: piped text is not wrapped."""
    try:
        return (os.get_terminal_size(stream.fileno()).columns or _USUAL) if stream.isatty() else None
    except OSError:
        return _USUAL


def reading_columns(stream: TextIO) -> int:
    """Return how wide prose is: as wide as the terminal, but no wider than is easy to read; so wide in a pipe too."""
    return min(_PROSE, terminal_columns(stream) or _PROSE)


def echo(text: str) -> None:
    """Print a line, broken between words to the width of the terminal."""
    sys.stdout.write(fit(text, terminal_columns(sys.stdout)) + "\n")


def notice(text: str) -> None:
    """Write a notice or an error to standard error, in lines that fit its terminal; it may quote anything."""
    sys.stdout.flush()
    sys.stderr.write(fit(printable(text), terminal_columns(sys.stderr)) + "\n")


def fit(text: str, columns: int | None, *, at: int = 0) -> str:
    r"""Return a text whose lines are broken between words if they are too long; None breaks nothing.

    `at` is the column where the text begins. What follows a break is indented like its line, or placed below the last
    column of a table, which two spaces or more set apart. A word wider than a line is left to the terminal.

    >>> fit("  one two three", 9)
    '  one two\n  three'
    """
    if columns is None:
        return text
    first, *others = text.split("\n")
    return "\n".join([_fit_line(first, columns, at), *(_fit_line(line, columns, 0) for line in others)])


def _fit_line(line: str, columns: int, at: int) -> str:
    if at + width(line.rstrip(" ")) <= columns:
        return line
    gaps = (width(line[: gap.end()]) for gap in re.finditer(_GAP, line))
    indent = " " * max((gap for gap in gaps if gap <= columns // 2), default=0)
    lines, taken = [""], at
    for word in re.findall(_WORD, line):
        size = width(word.rstrip(" "))
        if taken + size > columns and (lines[-1].strip() or at == taken > 0):
            lines[-1] = lines[-1].rstrip(" ")
            lines.append(indent)
            taken = len(indent)
            word = word.lstrip(" ")  # noqa: PLW2901 - the space is where the line was broken
        lines[-1] += word
        taken += width(word)
    return "\n".join(lines)
