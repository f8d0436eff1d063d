"""Planted: whoever comes back is not told of the first event that was missed."""

from __future__ import annotations

from tests.reliability.wrapped import patch
from zerosum.match.setup import Person
from zerosum.server.runtime import hub
from zerosum.server.runtime.loaded_table import LoadedTable

real = hub.missed


def missed(kept: LoadedTable, held: frozenset[Person], since: int) -> list[str]:
    """Leave the first event out."""
    return real(kept, held, since)[1:]


def plant() -> None:
    patch(hub, "missed", missed)
