"""The pool as tiles: every number of the game, with the moves it offers or whoever has taken it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from zerosum.base.english import figure
from zerosum.match.match import Match
from zerosum.match.scene import takers
from zerosum.match.setup import Person
from zerosum.rules.moves import ADD_ONLY, Move, Operation

CLASSES: Final = {Person.ONE: "p1", Person.TWO: "p2"}
_VERBS: Final = {Operation.ADD: "Add", Operation.SUBTRACT: "Subtract"}
_BY_COUNT: Final = {9: "nine", 10: "ten", 18: "nine"}
"""How many tiles stand in a row, where the size of the pool says so."""
_LARGE: Final = 100
"""From here on a number needs a wider tile."""


@dataclass(frozen=True, slots=True)
class Press:
    """One way to play a number; `text` is the move as it is sent, `objection` why it is not allowed now."""

    text: str
    shown: str
    name: str
    objection: str
    total: int | None = None
    """Where the move takes the total of whoever makes it; None where it is not allowed."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A number of the pool: free, with its moves, or taken."""

    number: str
    presses: tuple[Press, ...]
    taken_by: Person | None = None


def tiles(match: Match) -> Iterator[Tile]:
    """Yield a tile for each number of the game, equal ones too; a taken one keeps its moves, none of them allowed."""
    taken = takers(match)
    for number in match.setup.rules.pool:
        by = taken.get(number)
        yield Tile(figure(number), tuple(_presses(match, number)), by.pop(0) if by else None)


def layout(match: Match) -> str:
    """Return the class that says how the tiles are laid out."""
    pool = match.setup.rules.pool
    if max(map(abs, pool)) >= _LARGE:
        return "large"
    return _BY_COUNT.get(len(pool), "many")


def spoken(move: Move) -> str:
    """Return a move as it is said aloud.

    >>> spoken(Move(5, Operation.SUBTRACT)), spoken(Move(0, Operation.SWAP))
    ('Subtract 5', 'Swap seats')
    """
    return f"{_VERBS[move.operation]} {figure(move.number)}" if move.operation in _VERBS else "Swap seats"


def _presses(match: Match, number: int) -> Iterator[Press]:
    position, operations = match.position, match.setup.rules.operations
    for operation in operations:
        move = Move(number, operation)
        clause = position.objection(move)
        text = position.text_of(move)
        face = figure(number if operations == ADD_ONLY else text)
        total = None if clause else position.play_unchecked(move).total(position.seat)
        yield Press(text, face, spoken(move), clause.value if clause else "", total)
