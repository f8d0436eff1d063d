"""Servers that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.server.running import Server, served

if TYPE_CHECKING:
    from tests.server.postgres import Cluster


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Return the installed server on a database in a file."""
    with served() as one:
        yield one


@pytest.fixture(scope="module")
def replicas(postgres: Cluster) -> Iterator[list[Server]]:
    """Return two servers on one PostgreSQL database."""
    database = postgres.database()
    with served(database) as one, served(database) as other:
        yield [one, other]
