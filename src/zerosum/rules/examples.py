"""Worked examples of a rules file: moves and the claims about them, which `zerosum audit` checks.

Reading refuses only what it cannot read; the audit says whether an example is true. Examples do not change a game: two
games that differ in them alone are equal, and a variant does not inherit them from the game it is like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, Final

from zerosum.base import limits
from zerosum.base.enums import StrChoice, one_of
from zerosum.base.errors import BadNameError, InvalidTextError, RulesError
from zerosum.base.text import check_name, did_you_mean, printable, shorten
from zerosum.rules.moves import Operations, parse_move

ENDINGS: Final = ("reached-target", "overshot", "last-mover", "closer", "tie-rule")
"""The reasons for which a move can end a match."""
_SEATS: Final = (1, 2)
_PAIR: Final = 2


class Expect(StrChoice):
    """Whether the rules allow what an example shows; a rulebook's own mistakes are illegal."""

    LEGAL = "legal"
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A line of play and what a text claims about it; empty if it claims nothing."""

    name: str
    start: str = ""
    """The position it begins from, as text; if empty, the start of a match. In a file the key is `from`."""
    moves: tuple[str, ...] = ()
    totals: tuple[tuple[int, ...], ...] = ()
    """The totals after each move: all of them, or that of the player who moved."""
    pools: tuple[tuple[int, ...], ...] = ()
    final: tuple[int, ...] = ()
    """The totals at the end of a match whose moves are not shown."""
    winner: int | None = None
    reason: str = ""
    expect: Expect = Expect.LEGAL
    ruling: str = ""
    """How we read a text that is wrong."""


def read_examples(value: object, operations: Operations, seats: int) -> tuple[Example, ...]:
    """Return the examples that a file holds, for a game with these operations and this many totals."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, Mapping) for one in value):
        raise RulesError("examples: must be tables, each headed [[examples]].")
    if len(value) > limits.EXAMPLES:
        raise RulesError(f"examples: there are {len(value)}; at most {limits.EXAMPLES} are allowed.")
    return tuple(_example(n, one, operations, seats) for n, one in enumerate(value, 1))


def examples_table(example: Example) -> dict[str, Any]:
    """Return the table that `read_examples` reads back, without the keys that say nothing."""
    table = {_KEY.get(one.name, one.name): getattr(example, one.name) for one in fields(example)}
    table["totals"] = [_one_or_pair(totals) for totals in example.totals]
    table["pools"] = [list(pool) for pool in example.pools]
    table["final"] = _one_or_pair(example.final) if example.final else ()
    table["expect"] = example.expect.value if example.expect is Expect.ILLEGAL else ""
    table["moves"] = list(example.moves)
    return {key: value for key, value in table.items() if value not in ("", (), [], None)}


def _one_or_pair(totals: tuple[int, ...]) -> int | list[int]:
    return totals[0] if len(totals) == 1 else list(totals)


def _example(n: int, table: Mapping[str, object], operations: Operations, seats: int) -> Example:
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _READERS:
            hint = did_you_mean(key, _READERS, f"The keys are {', '.join(_READERS)}.")
            raise RulesError(f"examples: example {n}, {shorten(key)}: unknown key. {hint}")
        try:
            values[_FIELD.get(key, key)] = _READERS[key](value)
        except (RulesError, BadNameError) as error:
            raise RulesError(f"examples: example {n}, {key}: {error}") from None
    if "name" not in values:
        raise RulesError(f"examples: example {n}, name: missing.")
    example = Example(**values)
    for wrong in chain(_wrong(example, seats), _unreadable(example, operations)):
        raise RulesError(f"examples: example {n}, {wrong}")
    return example


def _text(most: int) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or not 1 <= len(value) <= most or value != printable(value):
            raise RulesError(f"must be text of 1 to {most} characters that can be shown, in quotes.")
        return value

    return read


def _list(item: Callable[[object], Any], what: str) -> Callable[[object], tuple[Any, ...]]:
    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)) or len(value) > limits.EXAMPLE_MOVES:
            raise RulesError(f"must be a list of at most {limits.EXAMPLE_MOVES} {what}.")
        return tuple(map(item, value))

    return read


def _total(value: object) -> int:
    if type(value) is not int or abs(value) > limits.TOTAL:
        raise RulesError(f"must hold whole numbers from {-limits.TOTAL} to {limits.TOTAL}.")
    return value


def _totals(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        return (_total(value),)
    if len(value) != _PAIR:
        raise RulesError("totals are one number, or a pair of numbers where totals are own.")
    return tuple(map(_total, value))


def _moves(value: object) -> tuple[str, ...]:
    words = value.split() if isinstance(value, str) else value
    found: tuple[str, ...] = _list(_text(limits.EXAMPLE_MOVE_LENGTH), "moves such as '+5'")(words)
    return found


def _pool(value: object) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > limits.POOL_NUMBERS:
        raise RulesError(f"must hold lists of at most {limits.POOL_NUMBERS} numbers.")
    return tuple(sorted(map(_total, value)))


def _seat(value: object) -> int:
    if type(value) is not int or value not in _SEATS:
        raise RulesError("must be 1 or 2, the seat that wins.")
    return value


def _reason(value: object) -> str:
    if not isinstance(value, str) or value not in ENDINGS:
        raise RulesError(f"must be one of {', '.join(ENDINGS)}, in quotes.")
    return value


def _title(value: object) -> str:
    return check_name(_text(limits.LINE_CHARACTERS)(value), "name", limits.TITLE_LENGTH)


_KEY: Final = {"start": "from"}
_FIELD: Final = {"from": "start"}
_READERS: Final[dict[str, Callable[[object], Any]]] = {
    "name": _title,
    "from": _text(limits.LINE_CHARACTERS),
    "moves": _moves,
    "totals": _list(_totals, "totals, one for each move"),
    "pools": _list(_pool, "pools, one for each move"),
    "final": _totals,
    "winner": _seat,
    "reason": _reason,
    "expect": one_of(Expect),
    "ruling": _text(limits.EXAMPLE_RULING_LENGTH),
}
"""How each key of an example is read, in the order in which they are documented."""


def _wrong(example: Example, seats: int) -> Iterator[str]:
    """Yield what is wrong with an example, for a game with this many totals."""
    if not (example.moves or example.final or example.reason):
        yield "moves: missing; give moves, or the final totals, or the reason for an end."
    if example.final and example.moves:
        yield "final: goes with no moves; the totals after each move are `totals`."
    for key, given in (("totals", example.totals), ("pools", example.pools)):
        if given and len(given) != len(example.moves):
            yield f"{key}: has {len(given)} for {len(example.moves)} moves; give one for each move, or none."
    if any(len(totals) > seats for totals in example.totals):
        yield 'totals: a pair needs totals = "own".'
    if example.final and len(example.final) != seats:
        yield f"final: the game has {seats} total{'s' if seats > 1 else ''}; give {'each' if seats > 1 else 'it'}."


def _unreadable(example: Example, operations: Operations) -> Iterator[str]:
    for n, text in enumerate(example.moves, 1):
        try:
            parse_move(text, operations)
        except InvalidTextError as error:
            yield f"move {n}: {error}"
