"""Garbage in cycles is found soon if it is new; if it is old, once memory has grown."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import Iterator

import pytest

from tests.patience import PATIENCE
from zerosum.server import garbage

LOOKS = 0.5
"""Seconds in which garbage is looked for several times."""


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
    """Leave Python to look for garbage by itself again."""
    yield
    gc.unfreeze()
    gc.enable()


async def goes(*, old: bool, within: float) -> bool:
    """Whether a cycle goes while garbage is looked for."""
    collecting = asyncio.create_task(garbage.collect_garbage())
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


def test_a_new_cycle_goes_soon() -> None:
    assert asyncio.run(goes(old=False, within=PATIENCE))


def test_an_old_cycle_goes_once_memory_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "memory", lambda: 1_000)
    assert not asyncio.run(goes(old=True, within=LOOKS))
    growing = iter(range(1_000, 1_000_000, 100))
    monkeypatch.setattr(garbage, "memory", lambda: next(growing))
    assert asyncio.run(goes(old=True, within=PATIENCE))


def test_the_system_tells_of_memory() -> None:
    before = garbage.memory()
    held = bytearray(b"x" * 200_000_000)
    assert garbage.memory() > before > 0
    assert len(held) == 200_000_000
