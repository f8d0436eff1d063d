"""The reference of the library: every public name, with its signature and what its docstring says."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

import zerosum

GROUPS: Final = {
    "Games": """
        load_game load_text GAME_IDS RULEBOOK_IDS Rules Totals Reaching Overshoot Exhausted Tie InvalidMove Ban
        describe perft
    """,
    "Positions and moves": "start_position parse_position Position Move Operation SWAP Seat Outcome Reason",
    "What is true": "solve Solution Option Value Verdict",
    "Matches": "Match read_match Setup new_setup Person Series Referee Ending Undo",
    "The coach": "hint hint_sentences review Review",
    "Players": "register choose PLAYERS Player PlayerInfo Players",
    "Measuring players": "measure Measured BeatingLine Mistake levels Ladder",
    "Positions as arrays": "encoding_of Encoding game_table GameTable",
    "Measuring and making games": "metrics Metrics audit Audit repair Repairs search SearchResult card CardReport",
    "Errors": """
        ZerosumError BadAnswerError BadNameError BadValueError IllegalMoveError Clause IllegalPositionError
        InvalidTextError RecordError RulesError SetupError SolverError UnknownGameError UnknownPlayerError
    """,
}
"""The sections of the page, and the names of each in their order."""
_LEFT_OUT: Final = {"__version__"}


def library() -> str:
    """Return the reference of all names of `zerosum`."""
    groups = {title: names.split() for title, names in GROUPS.items()}
    listed = [name for names in groups.values() for name in names]
    wrong = set(zerosum.__all__) - _LEFT_OUT ^ set(listed)
    if wrong or len(listed) != len(set(listed)):
        raise SystemExit(f"tools/library_reference.py must list every name of zerosum.__all__ once: {sorted(wrong)}")
    return "\n".join(
        f"## {title}\n\n{''.join(_entry(name, getattr(zerosum, name)) for name in names)}"
        for title, names in groups.items()
    )


def _entry(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return f"### `{name}`\n\n{_text(value)}\n\n{''.join(f'- {line}{chr(10)}' for line in _parts(value))}\n"
    if callable(value):
        return f"### `{name}`\n\n    {name}{_signature(value)}\n\n{_text(value)}\n\n"
    kind = type(value).__name__
    return f"### `{name}`\n\nA value of the type `{kind}`.\n\n"


def _text(value: Any) -> str:
    """Return a docstring without its examples."""
    text = inspect.getdoc(value) or ""
    return text.partition("\n>>>")[0].rstrip()


def _sentence(value: Any) -> str:
    """Return the first paragraph of a docstring."""
    return " ".join(_text(value).partition("\n\n")[0].split())


def _signature(function: Any) -> str:
    """Return what a function takes and gives, annotations as they are written."""
    signature = inspect.signature(function)
    parts, starred = [], False
    for one in signature.parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        annotation = "" if one.annotation is one.empty else f": {_written(one.annotation)}"
        default = "" if one.default is one.empty else f"{' = ' if annotation else '='}{_default(one.default)}"
        parts.append(f"{one.name}{annotation}{default}")
    gives = "" if signature.return_annotation is signature.empty else f" -> {_written(signature.return_annotation)}"
    return f"({', '.join(parts)}){gives}"


def _written(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _default(value: object) -> str:
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    # What has no text of its own is shown by what it is.
    return type(value).__name__ if repr(value).startswith("<") else repr(value)


def _parts(kind: Any) -> Iterator[str]:
    """Yield a line for each public part of a class: its values, or its fields, properties and methods."""
    if issubclass(kind, Enum):
        yield from (f"`{one.name}` = `{one.value!r}`" for one in kind)
        return
    given = (
        {one.name for one in fields(kind) if one.repr and not one.name.startswith("_")} if is_dataclass(kind) else ()
    )
    if given:
        names = [one.name for one in fields(kind) if one.name in given]
        yield f"fields: {', '.join(f'`{name}`' for name in names)}"
    for name, member in vars(kind).items():
        if name.startswith("_") or name in given:
            continue
        function = getattr(member, "__func__", member)
        if isinstance(member, property) or hasattr(member, "attrname"):
            yield f"`{name}`: {_sentence(member)}"
        elif inspect.isfunction(function):
            yield f"`{name}{_signature(function)}`: {_sentence(function)}"
