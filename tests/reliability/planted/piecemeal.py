"""Planted: every statement of a migration is committed by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alembic import op

from tests.reliability.wrapped import patch


def committing(real: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operation after which everything so far stays."""

    def operation(*args: Any, **options: Any) -> Any:
        done = real(*args, **options)
        connection = op.get_bind()
        connection.exec_driver_sql("COMMIT")
        connection.exec_driver_sql("BEGIN")
        return done

    return operation


def plant() -> None:
    patch(op, "create_table", committing(op.create_table))
