"""Garbage in cycles is collected soon if a request made it; all else, once memory has grown."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Callable, Iterator
from itertools import chain, count, repeat

import pytest

from tests.patience import PATIENCE
from zerosum.server import garbage

LOOKS = 0.5
"""Seconds in which garbage is collected several times."""


class Link:
    """A part of a cycle."""

    other: Link


def cycle() -> list[Link]:
    """Return both parts of a cycle."""
    one, two = Link(), Link()
    one.other, two.other = two, one
    return [one, two]


@pytest.fixture(autouse=True)
def as_elsewhere() -> Iterator[None]:
    """Leave Python to collect garbage by itself again."""
    yield
    gc.unfreeze()
    gc.enable()


async def goes(*, steps: Callable[[], int], within: float, old: bool = False) -> bool:
    """Whether a cycle goes while garbage is collected; `steps` counts those of requests."""
    collecting = asyncio.create_task(garbage.collect_garbage(steps))
    await asyncio.sleep(0)
    assert not gc.isenabled()
    parts = cycle()
    seen = weakref.ref(parts[0])
    if old:
        gc.collect()  # so it is among what has been in use for long
    parts.clear()
    deadline = time.monotonic() + within
    while seen() is not None and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    collecting.cancel()
    return seen() is None


def test_a_new_cycle_of_a_request_goes_soon() -> None:
    assert asyncio.run(goes(steps=count().__next__, within=PATIENCE))


def test_an_old_cycle_goes_once_memory_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "memory", lambda: 1_000)
    assert not asyncio.run(goes(steps=count().__next__, old=True, within=LOOKS))
    growing = count(1_000, 100)
    monkeypatch.setattr(garbage, "memory", lambda: next(growing))
    assert asyncio.run(goes(steps=count().__next__, old=True, within=PATIENCE))


def test_what_moves_alone_made_is_searched_once_a_request_came_and_memory_has_grown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    growing = count(1_000, 100)
    monkeypatch.setattr(garbage, "memory", lambda: next(growing))
    assert not asyncio.run(goes(steps=lambda: 0, within=LOOKS))
    # Nothing happens, then one request, then nothing again.
    first = chain(repeat(0, 4), repeat(1))
    assert asyncio.run(goes(steps=first.__next__, within=PATIENCE))


def test_the_system_tells_of_memory() -> None:
    before = garbage.memory()
    held = bytearray(b"x" * 200_000_000)
    assert garbage.memory() > before > 0
    assert len(held) == 200_000_000
