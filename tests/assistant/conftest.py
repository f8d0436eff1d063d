"""One assistant for all tests that only ask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.assistant.asking import Assistant, assistant


@pytest.fixture(scope="session")
def talk() -> Iterator[Assistant]:
    """Return a client whose server has all tools."""
    with assistant() as one:
        yield one
