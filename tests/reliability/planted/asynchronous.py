"""Planted: PostgreSQL decides by itself whether a commit waits for the disk."""

from __future__ import annotations

from typing import Any

import sqlalchemy

from tests.reliability.wrapped import patch
from zerosum.server.db import engine, upgrade

real = sqlalchemy.create_engine


def create_engine(*args: Any, connect_args: dict[str, Any], **options: Any) -> Any:
    """Leave out the setting."""
    given = connect_args["options"].replace("-c synchronous_commit=on", "")
    return real(*args, connect_args={**connect_args, "options": given}, **options)


def plant() -> None:
    patch(upgrade, "CHECKED", ())
    patch(engine, "create_engine", create_engine)
