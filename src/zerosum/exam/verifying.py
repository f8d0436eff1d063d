"""Whether a set was drawn from a salt: draw it again, and compare every byte."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.base.files import read_bytes
from zerosum.base.progress import Progress, silent
from zerosum.base.text import printable
from zerosum.exam import limits
from zerosum.exam.draw_items import make_items
from zerosum.exam.items import ItemsError, ItemSet, options_of
from zerosum.exam.reskins import prove_skin
from zerosum.rules.model import Tie


def verify(path: str, salt: str, progress: Progress = silent) -> ItemSet:
    """Return the set in a file that was drawn from this salt; raise where any byte says otherwise."""
    data = read_bytes(path, limits.SET_BYTES)
    source = printable(path)
    options = options_of(data, source)
    if options.seed is not None and options.seed != salt:
        raise ItemsError(f"{source}: says that it was drawn from the seed '{printable(options.seed)}', not this one.")
    drawn = make_items(options, salt, progress)
    if drawn.data == data:
        return drawn
    ours, theirs = drawn.data.split(b"\n"), data.split(b"\n")
    pairs = zip(ours, theirs, strict=False)
    row = next((row for row, (one, two) in enumerate(pairs, 1) if one != two), min(len(ours), len(theirs)) + 1)
    raise ItemsError(f"{source}: not drawn from this salt, or changed since: line {row} is another one.")


@dataclass(frozen=True, slots=True)
class Proved:
    """The skins of a set that were proved by walking both games, the positions in them, and the skins that cannot be.

    A game with sudden death has no end of positions.
    """

    skins: int
    positions: int
    endless: int


def prove_skins(found: ItemSet, progress: Progress = silent) -> Proved:
    """Prove that every reskin of a set is the same game; raise at the first difference."""
    pairs = dict.fromkeys((item.origin, item.dress) for item in found.items if item.dress is not None)
    skins = positions = endless = 0
    for place, (origin, dress) in enumerate(pairs, 1):
        if origin.tie is Tie.SUDDEN_DEATH:
            endless += 1
            continue

        def say(words: str, where: str = f"skin {place} of {len(pairs)}") -> None:
            progress(f"{where}, {words}")

        proof = prove_skin(origin, dress.rules(origin), dress.skin, say)
        if not proof.proved:
            raise ItemsError(f"{origin.name} and its reskin {dress.story} differ: {proof.difference}.")
        skins, positions = skins + 1, positions + proof.positions
    return Proved(skins, positions, endless)
