"""A class behind one address, with few pupils and kills; `make reliability` has 200 pupils and 20 kills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reliability.lessons import play_lesson
from tests.server.running import Server, served

if TYPE_CHECKING:
    from tests.server.postgres import Cluster


def test_twenty_pupils_and_two_kills_on_a_file(server: Server) -> None:
    database = f"sqlite:///{server.home / 'tables.sqlite3'}"
    play_lesson([server], database, pupils=20, seconds=2, kills=2).hold()


@pytest.mark.full
def test_two_replicas(postgres: Cluster) -> None:
    database = postgres.database()
    with served(database) as one, served(database) as other:
        play_lesson([one, other], database, pupils=12, seconds=2, kills=2).hold()
