"""Planted: a command that is sent again is carried out again; its `move_id` says nothing."""

from __future__ import annotations

import dataclasses
import secrets

from sqlalchemy import Connection

from tests.reliability.wrapped import patch
from zerosum.server import statements
from zerosum.server.events import Event
from zerosum.server.kept import Kept

real = statements.append


def append(connection: Connection, table_id: str, event: Event) -> Event | None:
    """Store every event under an id of its own."""
    return real(connection, table_id, dataclasses.replace(event, move_id=secrets.token_hex(8)))


def plant() -> None:
    patch(statements, "append", append)
    patch(Kept, "first_answer", lambda *_: None)
