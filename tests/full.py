"""How much of the long tests is run: a part in `make test`, everything in `make full`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet

FULL: Final = os.environ.get("ZEROSUM_FULL") == "1"


def part(some: int, everything: int) -> int:
    """Return how many to try: some in `make test`, everything in `make full`."""
    return everything if FULL else some


def first(count: int, cases: Iterable[Any]) -> list[ParameterSet]:
    """Return parameters of a test, of which `make test` takes the first few; a tuple holds one for each name."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=[] if n < count else [pytest.mark.full])
        for n, one in enumerate(cases)
    ]


def parted(values: Iterable[str], long: Collection[str]) -> list[ParameterSet]:
    """Return parameters of a test, of which `make test` leaves out those that take long."""
    return [pytest.param(one, marks=[pytest.mark.full] if one in long else []) for one in values]
