"""Planted: a viewer who comes back is not told of the first event that was missed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tests.reliability.wrapped import patch
from zerosum.server.runtime.hub import Backlog

real = Backlog.messages


def messages(backlog: Backlog) -> Iterator[str]:
    """Leave the first event out."""
    return islice(real(backlog), 1, None)


def plant() -> None:
    patch(Backlog, "messages", messages)
