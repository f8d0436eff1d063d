"""What a game is: the values of a rules file, each checked by itself, then all together."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any, Final

from zerosum.base import limits
from zerosum.base.enums import IntChoice, StrChoice, one_of
from zerosum.base.errors import BadNameError, BadValueError, RulesError
from zerosum.base.text import check_name, did_you_mean, shorten
from zerosum.rules.examples import Example, examples_table, read_examples
from zerosum.rules.moves import ADD_ONLY, SWAP, Move, Operation, Operations, number_moves

RulesDict = dict[str, Any]
FORMAT: Final = 1
"""The format of rules files."""


class Seat(IntChoice):
    """A place at the table; seat 1 moves first."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return _SECOND if self is _FIRST else _FIRST


_FIRST, _SECOND = Seat.FIRST, Seat.SECOND


class Totals(StrChoice):
    """One running total, or one per seat."""

    SHARED = "shared"
    OWN = "own"


class Reaching(StrChoice):
    """What happens to the seat whose move lands exactly on the target."""

    WINS = "wins"
    LOSES = "loses"


class Overshoot(StrChoice):
    """What happens to the seat whose move passes the target, seen from the start's side."""

    PLAY_ON = "play-on"
    LOSES = "loses"


class Exhausted(StrChoice):
    """Who wins when the pool is empty and nobody has won yet."""

    LAST_MOVER = "last-mover"
    CLOSEST = "closest"


class Tie(StrChoice):
    """Who wins when both are equally close."""

    SECOND_MOVER = "second-mover"
    FIRST_MOVER = "first-mover"
    SUDDEN_DEATH = "sudden-death"


class InvalidMove(StrChoice):
    """What the referee does about an invalid move."""

    ASK_AGAIN = "ask-again"
    FORFEIT = "forfeit"


class Ban(StrChoice):
    """Moves that are not allowed."""

    NONE = "none"
    MIRROR = "mirror"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rules:
    """A game. Values beyond a limit or that contradict each other are refused; pointless ones are not.

    A field also takes what a rules file may hold: lists, the words of an enum, one start for both totals.
    """

    id: str
    name: str
    pool: tuple[int, ...]
    target: int
    operations: Operations = ADD_ONLY
    totals: Totals = Totals.SHARED
    start: tuple[int, ...] = (0,)
    reaching: Reaching = Reaching.WINS
    overshoot: Overshoot = Overshoot.PLAY_ON
    exhausted: Exhausted = Exhausted.LAST_MOVER
    tie: Tie | None = None
    invalid_move: InvalidMove = InvalidMove.ASK_AGAIN
    ban: Ban = Ban.NONE
    swap: bool = False
    remembers: bool = field(init=False, compare=False)
    """Whether a position depends on the move before it. It is read at every move, so it is worked out once."""
    examples: tuple[Example, ...] = field(init=False, compare=False, default=())
    """The worked examples of the rules file; changed rules have none."""
    left_out: frozenset[str] = field(init=False, compare=False, default=frozenset())
    """The keys that the rules file leaves to their defaults; none are known of rules that code has made."""
    unknown: tuple[str, ...] = field(init=False, compare=False, default=())
    """The keys with a value that `KNOWN` does not name: only playing moves shows what they do."""

    def __post_init__(self) -> None:
        """Read every field, write one start for each total, then refuse what contradicts itself."""
        for name, read in READERS.items():
            value = getattr(self, name)
            if name == "tie" and value is None:
                continue
            try:
                object.__setattr__(self, name, read(value))
            except (RulesError, BadNameError) as error:
                raise RulesError(f"{name.replace('_', '-')}: {error}") from None
        if self.totals is Totals.OWN and len(self.start) == 1:
            object.__setattr__(self, "start", self.start * 2)
        object.__setattr__(self, "remembers", self.swap or self.ban is not Ban.NONE)
        object.__setattr__(self, "unknown", tuple(unknown_keys(KNOWN, self)))
        _refuse_clashes(self)

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every move of the game, legal at a position or not; the index of each never changes.

        >>> rules = Rules(id="mine", name="Mine", pool=(2, 1), target=3, swap=True)
        >>> [move.number for move in rules.moves], rules.index_of(SWAP)
        ([1, 2, 0], 2)
        """
        moves = number_moves(self.pool, self.operations)
        return (*moves, SWAP) if self.swap else moves

    def index_of(self, move: Move) -> int:
        """Return the index of a move in `moves`."""
        if move not in self.moves:
            raise BadValueError(f"{self.name} has no move {move!r}.")
        return self.moves.index(move)

    def to_dict(self) -> dict[str, Any]:
        """Return the table of these rules, every key but the examples written out, in the order of the documentation.

        >>> Rules(id="mine", name="Mine", pool=(1, 2), target=3).to_dict()["pool"]
        [1, 2]
        """
        table: dict[str, Any] = {"format": FORMAT}
        for name in READERS:
            value = getattr(self, name)
            if value is not None:
                table[name.replace("_", "-")] = _plain(value)
        if len(set(self.start)) == 1:
            table["start"] = self.start[0]
        return table

    def to_toml(self) -> str:
        """Return these rules as the text of a rules file, which `load_text` reads back."""
        return as_toml(self.to_dict(), self.examples)

    def __repr__(self) -> str:
        """Return code that makes these rules, without the defaults."""
        given = ((one.name, getattr(self, one.name), one.default) for one in fields(self) if one.init)
        changed = (f"{name}={value!r}" for name, value, default in given if default is MISSING or value != default)
        return f"Rules({', '.join(changed)})"


def as_toml(table: Mapping[str, Any], examples: Sequence[Example]) -> str:
    """Return the table of some rules as the text of a rules file."""
    return "".join([_lines(table), *(f"\n[[examples]]\n{_lines(examples_table(one))}" for one in examples)])


def _lines(table: Mapping[str, Any]) -> str:
    # What a rules file holds is written the same in TOML and in JSON: names have no control characters.
    return "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in table.items())


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value.value if isinstance(value, StrEnum) else value


def from_file(rules: Rules, examples: object, left_out: frozenset[str]) -> Rules:
    """Return rules that were just made, with what only a file says: its examples, and the keys that it leaves out."""
    read = read_examples(examples, rules.operations, len(rules.start))
    object.__setattr__(rules, "examples", read)
    object.__setattr__(rules, "left_out", left_out)
    return rules


def kept_unwritten(base: Rules, game: Rules) -> Rules:
    """Return a game that leaves out the keys that `base` leaves out, but for those with another value."""
    same = (key for key in base.left_out if _value(game, key) == _value(base, key))
    # One start that nobody wrote serves for two totals too.
    starts = {"start"} if "start" in base.left_out and set(game.start) == set(base.start) else set()
    return from_file(game, (), frozenset(same) | starts)


def _value(rules: Rules, key: str) -> object:
    return getattr(rules, key.replace("-", "_"))


Reader = Callable[[object], object]

_ID = re.compile(rf"[a-z0-9-]{{1,{limits.ID_LENGTH}}}")
_WORD = re.compile(r"[a-z0-9:-]{1,40}")
_OPERATIONS = ((Operation.ADD,), (Operation.ADD, Operation.SUBTRACT))
_SEATS = 2


def is_word(value: object) -> bool:
    """Whether this may be the name of a kind of player, or of a series."""
    return isinstance(value, str) and _WORD.fullmatch(value) is not None


def identifier(value: object) -> str:
    """Read the id of a game."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RulesError(f"must be 1 to {limits.ID_LENGTH} characters out of a-z, 0-9 and -, in quotes.")
    return value


def title(value: object) -> str:
    """Read the name of a game."""
    if not isinstance(value, str):
        raise RulesError("must be text, in quotes.")
    return check_name(value, "name", limits.TITLE_LENGTH)


def whole_number(value: object) -> int:
    """Read a number."""
    # bool is an int in Python; `true` is not a number in a rules file.
    if type(value) is not int or abs(value) > limits.VALUE:
        raise RulesError(f"must be a whole number from {-limits.VALUE} to {limits.VALUE}.")
    return value


def pool(value: object) -> tuple[int, ...]:
    """Read a pool, and sort it."""
    if not isinstance(value, (list, tuple)) or not 1 <= len(value) <= limits.POOL_NUMBERS:
        raise RulesError(f"must be a list of 1 to {limits.POOL_NUMBERS} numbers.")
    numbers = tuple(sorted(_number_of(n, one) for n, one in enumerate(value, 1)))
    if 0 in numbers:
        raise RulesError("0 is not allowed in a pool.")
    return numbers


def starts(value: object) -> tuple[int, ...]:
    """Read one start, or one for each seat; code may also give one start as a tuple."""
    if not isinstance(value, (list, tuple)):
        return (whole_number(value),)
    if len(value) != _SEATS and not (isinstance(value, tuple) and len(value) == 1):
        raise RulesError("must be one number, or a pair of numbers where totals are own.")
    return tuple(_number_of(n, one) for n, one in enumerate(value, 1))


def _number_of(place: int, value: object) -> int:
    """Read a number of a list; an error says which."""
    try:
        return whole_number(value)
    except RulesError as error:
        raise RulesError(f"number {place} of the list, {_quoted(value)}, {error}") from None


def _quoted(value: object) -> str:
    try:
        return shorten(repr(value))
    except (ValueError, RecursionError):
        return "too large to show"


def operations(value: object) -> Operations:
    """Read the operations."""
    words = tuple(value) if isinstance(value, (list, tuple)) else ()
    if words not in _OPERATIONS:
        raise RulesError('must be ["add"] or ["add", "subtract"].')
    return tuple(map(Operation, words))


def flag(value: object) -> bool:
    """Read a yes or no."""
    if not isinstance(value, bool):
        raise RulesError("must be true or false.")
    return value


READERS: Final[dict[str, Reader]] = {
    "id": identifier,
    "name": title,
    "pool": pool,
    "operations": operations,
    "totals": one_of(Totals),
    "start": starts,
    "target": whole_number,
    "reaching": one_of(Reaching),
    "overshoot": one_of(Overshoot),
    "exhausted": one_of(Exhausted),
    "tie": one_of(Tie),
    "invalid_move": one_of(InvalidMove),
    "ban": one_of(Ban),
    "swap": flag,
}
"""How each field is read, in the order in which the keys of a rules file are documented."""


class _Anything:
    """Contains every value."""

    def __contains__(self, value: object) -> bool:
        return True


ANYTHING: Final = _Anything()
Shape = Mapping[str, Container[object]]
"""For each key of the rules, the values that some code supports, in any combination."""
KNOWN: Final[Shape] = {
    "id": ANYTHING,
    "name": ANYTHING,
    "pool": ANYTHING,
    "operations": (ADD_ONLY, (Operation.ADD, Operation.SUBTRACT)),
    "totals": (Totals.SHARED, Totals.OWN),
    "start": ANYTHING,
    "target": ANYTHING,
    "reaching": (Reaching.WINS, Reaching.LOSES),
    "overshoot": (Overshoot.PLAY_ON, Overshoot.LOSES),
    "exhausted": (Exhausted.LAST_MOVER, Exhausted.CLOSEST),
    "tie": (None, Tie.SECOND_MOVER, Tie.FIRST_MOVER, Tie.SUDDEN_DEATH),
    "invalid_move": (InvalidMove.ASK_AGAIN, InvalidMove.FORFEIT),
    "ban": (Ban.NONE, Ban.MIRROR),
    "swap": (False, True),
}
"""What `notation`, `describe`, `can_make` and `proof` know besides `Position`.

Until a new key or value is named here, they play moves or say that they do not know it. Teach them, then name it.
"""


def unknown_keys(shape: Shape, rules: Rules) -> list[str]:
    """Return the keys of some rules whose values a shape does not name."""
    kind: Any = type(rules)
    return [key for key in _keys(kind) if key not in shape or getattr(rules, key) not in shape[key]]


@cache
def _keys(kind: Any) -> list[str]:
    """Return the keys of rules: fields that are worked out from the others are none."""
    return [one.name for one in fields(kind) if one.init]


def key_text(rules: Rules, key: str) -> str:
    """Return a key of some rules with its value, in the way a rules file writes it.

    >>> key_text(Rules(id="mine", name="Mine", pool=(1, 2), target=3), "invalid_move")
    'invalid-move = "ask-again"'
    """
    return f"{key.replace('_', '-')} = {json.dumps(getattr(rules, key), ensure_ascii=False, default=str)}"


def _refuse_clashes(rules: Rules) -> None:
    """Refuse values that contradict each other."""
    closest, shared = rules.exhausted is Exhausted.CLOSEST, rules.totals is Totals.SHARED
    if shared and len(rules.start) != 1:
        raise RulesError('start: a pair needs totals = "own"; a shared total has one start.')
    if closest and shared:
        raise RulesError('exhausted: "closest" needs totals = "own"; with a shared total use "last-mover".')
    if closest and rules.tie is None:
        raise RulesError(f'tie: missing; exhausted = "closest" needs one of {", ".join(Tie)}.')
    if not closest and rules.tie is not None:
        raise RulesError('tie: only goes with exhausted = "closest".')
    if rules.overshoot is Overshoot.LOSES and rules.target in rules.start:
        raise RulesError('overshoot: "loses" needs a start that is not the target.')


KEYS: Final = ("format", *(name.replace("_", "-") for name in READERS))
"""The keys of a rules file, in the order they are documented."""
EXAMPLES: Final = "examples"
"""The key of the worked examples, which do not belong to the game itself."""
_WRITE: Final = {"format": f"; write `format = {FORMAT}` at the top"}
NEEDED: Final = ("format", "id", "name", "pool", "target")
"""The keys that every rules file has."""


def rules_from_dict(table: RulesDict) -> Rules:
    """Return the rules that a table of keys and values writes."""
    for key in table:
        if key not in KEYS and key != EXAMPLES:
            hint = did_you_mean(key, (*KEYS, EXAMPLES), f"The keys are {', '.join(KEYS)}, {EXAMPLES} and like.")
            raise RulesError(f"{shorten(key)}: unknown key. {hint}")
    for key in NEEDED:
        if key not in table:
            raise RulesError(f"{key}: missing{_WRITE.get(key, '')}.")
    _check_format(table["format"])
    # No key takes the null of JSON. No key takes an empty text either, and the error for that says what the key takes.
    values: RulesDict = {key.replace("-", "_"): "" if value is None else value for key, value in table.items()}
    del values["format"]
    examples = values.pop(EXAMPLES, ())
    return from_file(Rules(**values), examples, frozenset(KEYS).difference(table))


def rules_to_dict(rules: Rules) -> RulesDict:
    """Return the full table that `rules_from_dict` reads back, keys in the order they are documented.

    Examples are left out: they change no match.
    """
    return rules.to_dict()


def written_dict(rules: Rules) -> RulesDict:
    """Return the table of what a rules file wrote; what it left out stays out."""
    return {key: value for key, value in rules_to_dict(rules).items() if key not in rules.left_out}


def _check_format(value: object) -> None:
    if type(value) is int and FORMAT < value <= limits.VALUE:
        raise RulesError(f"format: {value} is newer than this zerosum reads, which is {FORMAT}.")
    if type(value) is not int or value != FORMAT:
        raise RulesError(f"format: must be {FORMAT}.")
