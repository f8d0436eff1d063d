"""The form of a custom game: its fields from rules, rules from its fields, and what is wrong with each field.

A rules file writes the same; each can be turned into the other. Errors are in the words of the form, not of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from zerosum.base import limits
from zerosum.base.errors import BadNameError, InvalidTextError, RulesError
from zerosum.base.text import parse_number, plain_minus, shorten
from zerosum.rules.game_files import BUILT_IN_IDS, RULEBOOK_IDS, built_in
from zerosum.rules.model import READERS, Exhausted, Rules, rules_to_dict
from zerosum.screens.forms import Fields

_SEPARATORS: Final = re.compile(r"[\s,;]+")
_RANGE: Final = re.compile(r"\s*(?:\.\.+|\N{HORIZONTAL ELLIPSIS}|\N{EN DASH}|\bto\b)\s*", re.IGNORECASE)
_POOL_LENGTH: Final = 800
"""Characters of the numbers: room for the most and the longest. Looking for runs takes the square of it."""
_RUN: Final = 4
"""From how many numbers in a row on a run is written as `1 to 9`."""
_NAMELESS: Final = "my-game"
_NOT_SLUG: Final = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class RuleSwitch:
    """A rule with two values: the key, its value when it is on and when it is off, and its words."""

    key: str
    on: object
    off: object
    words: str
    more: str = ""


SWITCHES: Final = {
    "own": RuleSwitch("totals", "own", "shared", "Each player has a total of their own"),
    "subtract": RuleSwitch("operations", ["add", "subtract"], ["add"], "Numbers can be subtracted too"),
    "passing": RuleSwitch("overshoot", "loses", "play-on", "A player who passes the target loses"),
    "avoid": RuleSwitch("reaching", "loses", "wins", "A player who makes the target loses", "otherwise they win"),
}
MORE_SWITCHES: Final = {
    "forfeit": RuleSwitch("invalid-move", "forfeit", "ask-again", "A wrong number loses the match"),
    "mirror": RuleSwitch(
        "ban", "mirror", "none", "No move may undo the one before it", "such as +5 and then \N{MINUS SIGN}5"
    ),
    "swap": RuleSwitch(
        "swap", on=True, off=False, words="The second player may swap seats", more="instead of their first move"
    ),
}
_ALL_SWITCHES: Final = SWITCHES | MORE_SWITCHES
MORE: Final = ("id", "start2", *MORE_SWITCHES)
"""The fields that few games need."""
ENDS: Final = {
    "last-mover": "the player who moved last wins",
    "second-mover": "the closer total wins; a tie goes to the second player",
    "first-mover": "the closer total wins; a tie goes to the first player",
    "sudden-death": "the closer total wins; after a tie all numbers come back",
}
"""Who wins when the numbers run out: the keys `exhausted` and `tie` in one, so that they cannot contradict."""
LABELS: Final = {
    "name": "Name of the game",
    "pool": "Numbers",
    "target": "Target",
    "start": "Start",
    "start2": "Second player's start",
    "ends": "When the numbers run out",
    "id": "Short name",
    **{name: one.words for name, one in _ALL_SWITCHES.items()},
}
_CLASHES: Final = {
    "start": ("start2", "There is one total, so there is one start: leave this empty, or give each player a total."),
    "exhausted": ("ends", "The closer total can only win if each player has a total: switch that on."),
    "overshoot": ("passing", "Nobody can pass a target that they start on: change the start or the target."),
}
"""The field that shows a contradiction between rules, and its words, by the key that the error names."""


@dataclass(frozen=True, slots=True)
class ReadForm:
    """A form that was read: rules, or by field what is wrong."""

    rules: Rules | None
    errors: Fields


def fields_of_rules(rules: Rules, like: str) -> Fields:
    """Return the fields of the form for some rules."""
    table = rules_to_dict(rules)
    start, start2 = rules.start[0], rules.start[-1]
    switched = {name: "1" if table[one.key] == one.on else "" for name, one in _ALL_SWITCHES.items()}
    return {
        "like": like,
        "name": rules.name,
        "id": "" if rules.id == _slug(rules.name) else rules.id,
        "pool": _numbers_text(rules.pool),
        "target": str(rules.target),
        "start": str(start),
        "start2": "" if start == start2 else str(start2),
        "ends": table.get("tie", Exhausted.LAST_MOVER.value),
        **switched,
    }


def first_fields(like: str) -> Fields:
    """Return the fields of the form before anything was changed: those of a built-in game, under another name."""
    game = built_in(like if like in BUILT_IN_IDS else RULEBOOK_IDS[-1])
    return fields_of_rules(game, game.id) | {"name": f"My {game.name}", "id": ""}


def read_fields(fields: Fields) -> ReadForm:
    """Return the rules that a form asks for, or all that is wrong with its fields."""
    values: dict[str, Any] = {}
    errors: Fields = {}
    for field, key, read in _READ:
        try:
            value = read(fields)
            values[key] = READERS[key](value)
        except (RulesError, BadNameError, InvalidTextError) as error:
            errors[field] = str(error)
    for name, one in _ALL_SWITCHES.items():
        values[one.key.replace("-", "_")] = one.on if fields.get(name) else one.off
    ends = fields.get("ends", Exhausted.LAST_MOVER.value)
    if ends not in ENDS:
        errors["ends"] = "Choose one of these."
    values |= {"exhausted": ends} if ends == Exhausted.LAST_MOVER else {"exhausted": "closest", "tie": ends}
    return ReadForm(None, errors) if errors else _checked(values)


def _checked(values: dict[str, Any]) -> ReadForm:
    """Return rules, or at which field they contradict another."""
    try:
        return ReadForm(Rules(**values), {})
    except RulesError as error:
        field, words = _CLASHES[str(error).partition(":")[0]]
        return ReadForm(None, {field: words})


def _name(fields: Fields) -> str:
    name = fields.get("name", "").strip()
    if not name:
        raise RulesError("Give the game a name.")
    return name


def _id(fields: Fields) -> str:
    text = fields.get("id", "").strip() or _slug(fields.get("name", ""))
    try:
        READERS["id"](text)
    except RulesError:
        raise RulesError(f"Use small letters, digits and hyphens, at most {limits.ID_LENGTH}.") from None
    return text


def _slug(name: str) -> str:
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[: limits.ID_LENGTH].strip("-") or _NAMELESS


def _start(fields: Fields) -> object:
    first = _number(fields.get("start", ""), "0")
    second = fields.get("start2", "").strip()
    if not second:
        return first
    try:
        return [first, _number(second, "0")]
    except InvalidTextError:
        return first  # shown at its own field


def _start2(fields: Fields) -> object:
    """Read the second start alone, so that what is wrong with it stands at its own field."""
    text = fields.get("start2", "").strip()
    return _number(text, "0") if text else 0


def _number(text: str, example: str) -> int:
    if not text.strip():
        raise RulesError(f"Write a whole number, such as {example}.")
    return parse_number(text.strip())


def _pool(fields: Fields) -> list[int]:
    """Read numbers as people write them: `1, 2, 5` or `1 to 9`. A run leaves 0 out, which would move nothing."""
    text = plain_minus(fields.get("pool", ""))
    if len(text) > _POOL_LENGTH:
        raise RulesError(f"This is too long: write at most {_POOL_LENGTH} characters.")
    words = [word for word in _SEPARATORS.split(_RANGE.sub("..", text)) if word]
    if not words:
        raise RulesError("Write the numbers to take, such as 1, 2, 5 or 1 to 9.")
    if len(words) > limits.POOL_NUMBERS:
        raise _too_many(len(words))
    numbers = [number for word in words for number in _run(word)]
    if len(numbers) > limits.POOL_NUMBERS:
        raise _too_many(len(numbers))
    if 0 in numbers:
        raise RulesError("0 cannot be one of the numbers: it would move nothing.")
    return numbers


def _run(word: str) -> list[int]:
    first, dots, last = word.partition("..")
    if not dots:
        return [parse_number(word)]
    low, high = parse_number(first), parse_number(last)
    if low > high:
        raise RulesError(f"'{shorten(first)} to {shorten(last)}' runs backwards.")
    if high - low > limits.POOL_NUMBERS:
        raise _too_many(high - low + 1)
    return [number for number in range(low, high + 1) if number]


def _too_many(count: int) -> RulesError:
    return RulesError(f"These are {count} numbers; at most {limits.POOL_NUMBERS} are allowed.")


def _numbers_text(pool: tuple[int, ...]) -> str:
    """Return a pool as it is typed, runs in short: `-2, 1 to 9`."""
    runs: list[list[int]] = []
    for number in pool:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [[f"{run[0]} to {run[-1]}"] if len(run) >= _RUN else [*map(str, run)] for run in runs]
    return ", ".join(text for texts in shown for text in texts)


_READ: Final[tuple[tuple[str, str, Callable[[Fields], object]], ...]] = (
    ("name", "name", _name),
    ("id", "id", _id),
    ("pool", "pool", _pool),
    ("target", "target", lambda fields: _number(fields.get("target", ""), "31")),
    ("start2", "start", _start2),
    ("start", "start", _start),
)
"""The fields that are typed: the key of each, and how it is read. The second start is read again with the first."""
