"""Events: all that ever happens at a table, in order. An event is never changed and never deleted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from zerosum.match.setup import Person


class Kind(StrEnum):
    """What can happen."""

    OPENED = "opened"
    """The table was opened: how matches are set up at it."""
    JOINED = "joined"
    """A person took the free seat."""
    PLAYED = "played"
    """An entry of the current match: a move, an undo, or an ending, as a journal writes it."""
    UNDO_ASKED = "undo-asked"
    UNDO_REFUSED = "undo-refused"
    REMATCH_ASKED = "rematch-asked"
    REMATCH_REFUSED = "rematch-refused"
    BEGAN = "began"
    """The next match began: another of the series, or a rematch."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; `at` is in milliseconds since 1970, `person` is None where no person did it."""

    version: int
    at: int
    kind: Kind
    person: Person | None
    data: Mapping[str, object] = field(default_factory=dict)
    move_id: str = ""


def data_text(data: Mapping[str, object]) -> str:
    """Return the data of an event as the store keeps it."""
    return json.dumps(data, separators=(",", ":"), sort_keys=True)
