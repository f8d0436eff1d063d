"""The migrations of the database, and how they run: `env.py` is the file that Alembic loads."""

from __future__ import annotations

import os

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", os.path.dirname(__file__))
    return config


def steps() -> list[str]:
    """Return all migrations that this release knows."""
    return [step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()]


def run(connection: Connection) -> None:
    """Run the migrations that a database lacks, in the open transaction of this connection."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
