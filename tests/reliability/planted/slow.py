"""No bug, but a large database: one statement of a migration takes longer than any request may."""

from __future__ import annotations

import time
from typing import Any

from alembic import op

from tests.reliability.wrapped import patch
from zerosum.server import limits

real = op.create_table


def create_table(*args: Any, **options: Any) -> Any:
    """Make a table, slowly."""
    seconds = limits.DATABASE_SECONDS + 1
    if op.get_bind().dialect.name == "postgresql":
        op.execute(f"SELECT pg_sleep({seconds})")
    else:
        time.sleep(seconds)
    patch(op, "create_table", real)
    return real(*args, **options)


def plant() -> None:
    patch(op, "create_table", create_table)
