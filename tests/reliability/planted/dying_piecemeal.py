"""Planted: every statement of a migration is committed by itself, and the process dies after the second."""

from __future__ import annotations

from alembic import op

from tests.reliability.planted import dying, piecemeal
from tests.reliability.wrapped import patch


def plant() -> None:
    patch(dying, "real", piecemeal.committing(dying.real))
    patch(op, "create_table", dying.create_table)
