"""Promise 22: the memory of a server whose very long tables are opened all at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from tests.reliability.long_tables import open_all, played, recorded
from tests.reliability.report import Report
from tests.reliability.wrapped import limited, planted
from tests.server.running import served
from zerosum.server import limits
from zerosum.tables.events import Event

LIMIT: Final = 24 * 1024 * 1024
TABLES: Final = 8
EVENTS: Final = 10_000
_LOADING: Final = LIMIT * limits.LOADING_BYTES // limits.TABLE_BYTES_IN_MEMORY
SMALL: Final = limited(TABLE_BYTES_IN_MEMORY=LIMIT, LOADING_BYTES=_LOADING)
RECORDS: Final = 150
AT_ONCE: Final = 32


def _opened(command: Sequence[str], kinds: Sequence[Sequence[Event]], tables: int) -> Report:
    with served(command=command) as server:
        database = f"sqlite:///{server.home / 'tables.sqlite3'}"
        return open_all(server, database, kinds, tables, limit=LIMIT, at_once=AT_ONCE)


@pytest.mark.slow
def test_long_tables_opened_by_every_door_stay_within_the_limit() -> None:
    _opened(SMALL, played(EVENTS), TABLES).hold()


@pytest.mark.full
def test_tables_that_go_on_from_long_records_stay_within_the_limit() -> None:
    _opened(SMALL, recorded(), RECORDS).hold()


@pytest.mark.full
def test_the_harness_finds_tables_that_keep_every_event_and_tables_that_are_never_let_go() -> None:
    found = _opened(planted("hoarding"), played(EVENTS), TABLES).broken
    assert any("has grown" in one for one in found), found
    found = _opened(planted("boundless"), recorded(), RECORDS).broken
    assert any("has grown" in one for one in found), found
