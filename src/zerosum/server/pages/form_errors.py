"""What is wrong with an address or a form, in words for people; programs are told the field (`http/fields.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from zerosum.server.domain.problems import Problem

_LABELS: Final = {
    "best_of": "The number of matches",
    "code": "The personal code",
    "first": "Who moves first",
    "game": "The game",
    "increment": "The number of seconds",
    "match": "The number of the match",
    "minutes": "The number of minutes",
    "move": "The move",
    "n": "The number of the puzzle",
    "name": "Your name",
    "opponent": "The opponent",
    "opponent_name": "The other name",
    "position": "The position",
    "record": "The record",
    "set": "The number of the set",
    "step": "The number of the move",
    "variant": "The text of the rules",
}
_OTHER: Final = "Something in this address or form"
"""A field that people do not know by any name; what was sent is not repeated."""
_WORDS: Final = {
    "missing": "is missing",
    "string_too_short": "is missing",
    "string_too_long": "may have at most {max_length:,} characters",
    "greater_than_equal": "must be {ge:,} or more",
    "less_than_equal": "must be {le:,} or less",
    "literal_error": "is none of the choices",
    "value_error": "must be a whole number",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
}
_WHOLE: Final = {
    "give exactly one of game, variant and record": "Choose a game.",
    "best_of must be odd": "The number of matches must be odd.",
}
"""What is wrong with a whole form, by the words of its own check."""


def field_label(name: str) -> str:
    """Return what people call a field."""
    return _LABELS.get(name, _OTHER)


def form_problem(errors: Sequence[Any]) -> Problem:
    """Return what is wrong with which field, a sentence each; the same sentence once."""
    told = dict.fromkeys(map(_sentence, errors))
    return Problem("bad-field", " ".join(told))


def _sentence(error: Mapping[str, Any]) -> str:
    where = [part for part in error["loc"] if isinstance(part, str)]
    if not where:
        return _WHOLE.get(str(error["msg"]).removeprefix("Value error, "), f"{_OTHER} cannot be read.")
    words = _WORDS.get(error["type"], "cannot be read")
    return f"{field_label(where[-1])} {words.format(**error.get('ctx', {}))}."
