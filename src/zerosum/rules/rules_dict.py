"""The keys of a rules file: which exist, which are required, and how rules become a table and back."""

from __future__ import annotations

from typing import Any, Final

from zerosum.base import limits
from zerosum.base.errors import RulesError
from zerosum.base.text import did_you_mean, shorten
from zerosum.rules.model import FORMAT, READERS, Rules, from_file

RulesDict = dict[str, Any]

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
