"""Moves, and how they are written.

Where a game only adds, a move's sign is its number's own: `-3` adds the number -3. Where a game adds or
subtracts, the sign is the operation: `-5` subtracts 5, `+-3` adds the number -3.
"""

from dataclasses import dataclass
from functools import lru_cache

from zerosum.base import limits
from zerosum.base.enums import StrChoice
from zerosum.base.errors import BadValueError, InvalidTextError
from zerosum.base.text import parse_number, plain_minus, shorten, signed


class Operation(StrChoice):
    """How a move is applied."""

    ADD = "add"
    SUBTRACT = "subtract"
    SWAP = "swap"

    @property
    def sign(self) -> str:
        """`+` or `-`; a swap has none."""
        return _SIGNS[self]


_SIGNS = {Operation.ADD: "+", Operation.SUBTRACT: "-", Operation.SWAP: ""}
_SWAP = Operation.SWAP  # looking a member up in its class costs as much as writing a move
_BY_SIGN = {"+": Operation.ADD, "-": Operation.SUBTRACT}


@dataclass(frozen=True, slots=True)
class Move:
    """A number and how it is applied; `SWAP` is the one move without a number."""

    number: int
    operation: Operation = Operation.ADD

    def __post_init__(self) -> None:
        """Refuse what no text could write; only a position knows whether its pool has the number."""
        if type(self.number) is not int or abs(self.number) > limits.VALUE:
            raise BadValueError(f"The number of a move is a whole number from {-limits.VALUE} to {limits.VALUE}.")
        if type(self.operation) is not Operation:
            raise BadValueError("The operation of a move is an Operation, such as Operation.ADD.")
        if self.operation is Operation.SWAP and self.number:
            raise BadValueError("A swap has no number; its number is 0.")

    @property
    def amount(self) -> int:
        """What the move adds to a total."""
        return -self.number if self.operation is Operation.SUBTRACT else self.number


SWAP = Move(0, Operation.SWAP)

Operations = tuple[Operation, ...]
ADD_ONLY: Operations = (Operation.ADD,)


@lru_cache(maxsize=1 << 14)
def number_moves(pool: tuple[int, ...], operations: Operations) -> tuple[Move, ...]:
    """Return every number of a pool once, with every operation; cached, as the same few pools return all the time."""
    return tuple(Move(number, operation) for number in dict.fromkeys(pool) for operation in operations)


def format_move(move: Move, operations: Operations) -> str:
    """Return the text of a move in a game with these operations."""
    if move.operation is _SWAP:
        return "swap"
    return signed(move.number) if operations == ADD_ONLY else f"{move.operation.sign}{move.number}"


@lru_cache(maxsize=1 << 14)
def number_move_texts(pool: tuple[int, ...], operations: Operations) -> tuple[str, ...]:
    """Return the texts of `number_moves`; cached like them."""
    return tuple(format_move(move, operations) for move in number_moves(pool, operations))


def parse_move(text: str, operations: Operations) -> Move:
    """Return the move that `text` writes in a game with these operations.

    >>> parse_move("-3", (Operation.ADD,))
    Move(number=-3, operation=Operation.ADD)
    >>> parse_move("-3", (Operation.ADD, Operation.SUBTRACT)).amount
    -3
    """
    plain = plain_minus(text)
    if plain == "swap":
        return SWAP
    if operations == ADD_ONLY:
        return Move(parse_number(plain))
    operation = _BY_SIGN.get(plain[:1])
    if operation is None:
        raise InvalidTextError(f"'{shorten(text)}' is not a move here: write +5 to add 5 or -5 to subtract it.")
    return Move(parse_number(plain[1:]), operation)


def read_move(text: object, operations: Operations) -> Move:
    """Return the move that `text` writes; anything but text is refused."""
    if not isinstance(text, str):
        raise BadValueError(f"A move is a Move or a text such as '+5', not {shorten(repr(text))}.")
    return parse_move(text, operations)
