"""Whether a set was drawn from a salt: draw it again, and compare every byte."""

from __future__ import annotations

from zerosum.exam import limits
from zerosum.exam.items import ItemsError, options_of
from zerosum.exam.making import make_items
from zerosum.rules.progress import Progress, silent
from zerosum.rules.reading import read_bytes
from zerosum.rules.text import printable


def verify(path: str, salt: str, progress: Progress = silent) -> str:
    """Return the SHA-256 of a set that was drawn from this salt; raise where any byte says otherwise."""
    data = read_bytes(path, limits.SET_BYTES)
    source = printable(path)
    options = options_of(data, source)
    if options.seed is not None and options.seed != salt:
        raise ItemsError(f"{source}: says that it was drawn from the seed '{printable(options.seed)}', not this one.")
    drawn = make_items(options, salt, progress)
    if drawn.data == data:
        return drawn.sha256
    ours, theirs = drawn.data.split(b"\n"), data.split(b"\n")
    pairs = zip(ours, theirs, strict=False)
    row = next((row for row, (one, two) in enumerate(pairs, 1) if one != two), min(len(ours), len(theirs)) + 1)
    raise ItemsError(f"{source}: not drawn from this salt, or changed since: line {row} is another one.")
