"""Databases of the first release, with matches that were played in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Column, Engine, MetaData, inspect, select, text

import zerosum.server.db.migrations
from tests.patience import PATIENCE
from tests.reliability.players import finish, start_players, wait_for
from tests.reliability.tables import Table, open_table
from tests.server.running import served
from zerosum.server.db.engine import open_database, read_url
from zerosum.server.db.schema import STEP, metadata

OLD_STEP = "0001"
NEW_COLUMNS = ("room_id",)
OLD_TABLES = ("tables", "events", "seats", "invitations")
Rows = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Sample:
    """What was played: the tables, for those who go on at them, and the rows as they were stored."""

    tables: Sequence[Table]
    rows: Rows


def play_sample(moves: int = 30) -> Sample:
    """Play some matches on a server of today, and return what it has stored that an old one would have too."""
    with served() as server:
        tables = [open_table(server.url) for _ in range(2)]
        players = start_players(tables, [server.url], seed=4)
        wait_for(lambda: sum(len(player.ledger) for player in players) >= moves, PATIENCE, f"{moves} moves")
        finish(players)
        return Sample(tables, read_rows(f"sqlite:///{server.home / 'tables.sqlite3'}"))


def make_old(database: str, sample: Sample) -> None:
    """Make a database as the first release would have left it."""
    engine = open_database(read_url(database))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(str(zerosum.server.db.migrations.__file__)).parent))
        config.attributes["connection"] = connection
        command.upgrade(config, OLD_STEP)
        for name in OLD_TABLES:
            rows = [dict(zip([one.name for one in _columns(name)], row, strict=True)) for row in sample.rows[name]]
            connection.execute(metadata.tables[name].insert(), rows)
    engine.dispose()


def _columns(name: str) -> list[Column[Any]]:
    """Return the columns that a table had in the first release."""
    return [one for one in metadata.tables[name].columns if one.name not in NEW_COLUMNS]


def read_rows(database: str) -> Rows:
    """Return what is in the tables that every release has."""
    engine = open_database(read_url(database))
    with engine.begin() as connection:
        found = {
            name: [tuple(row) for row in connection.execute(select(*_columns(name)).order_by(text("1, 2")))]
            for name in OLD_TABLES
        }
    engine.dispose()
    return found


def release_of(database: str) -> str:
    """Return whether a database is wholly an old one or wholly a new one, else what it is."""
    engine = open_database(read_url(database))
    try:
        with engine.begin() as connection:
            step = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
        names = set(inspect(engine).get_table_names()) - {"alembic_version"}
        new = set(metadata.tables)
        if step == OLD_STEP and names == set(OLD_TABLES):
            return "old"
        if step == STEP and names == new and _same_columns(engine):
            return "new"
        return f"step {step} with {sorted(names)}"
    finally:
        engine.dispose()


def _same_columns(engine: Engine) -> bool:
    found = MetaData()
    found.reflect(engine)
    return all(
        [column.name for column in table.columns] == [column.name for column in found.tables[name].columns]
        for name, table in metadata.tables.items()
    )
