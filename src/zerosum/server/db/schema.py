"""The tables of the database. Events are the truth, and are only ever added; only a room is deleted, as a whole.

A room is a stream of events like a table: its id is in `tables` too, and its events are in `events`.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

STEP: Final = "0004"
"""The latest migration in `migrations/versions`; it results in this schema."""

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("room_id", sa.String(16)),  # the room that a table belongs to, if it does to one
    sa.Index("tables_by_room", "room_id"),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("person", sa.Integer, nullable=False),  # 0 if no person did it
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("move_id", sa.String(64), nullable=False),
    # The version decides every race; the move_id is the idempotency key of a command.
    sa.UniqueConstraint("table_id", "person", "move_id"),
    sqlite_with_rowid=False,
)

seats = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("person", sa.Integer, primary_key=True),
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("code_hash", sa.String(64), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("seats_by_token", "token_hash", "at"),
    sa.Index("seats_by_code", "code_hash", unique=True),
)

invitations = sa.Table(
    "invitations",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("person", sa.Integer, nullable=False),
    sa.Column("used_by", sa.String(64)),
)

seen = sa.Table(
    "seen",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("person", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

heartbeats = sa.Table(
    "heartbeats",
    metadata,
    sa.Column("replica", sa.String(32), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

outages = sa.Table(
    "outages",
    metadata,
    sa.Column("began", sa.BigInteger, primary_key=True),
    sa.Column("ended", sa.BigInteger, primary_key=True),
)

rooms = sa.Table(
    "rooms",
    metadata,
    sa.Column("id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("code", sa.String(8), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Index("rooms_by_code", "code", unique=True),
)

room_keys = sa.Table(
    "room_keys",
    metadata,
    sa.Column("room_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("pupil", sa.Integer, nullable=False),  # 0 opens the desk
    sa.Column("at", sa.BigInteger, nullable=False),
    # A key is one pupil or the teacher of a room, never two of them.
    sa.Index("room_keys_by_token", "token_hash", "at"),
)

room_links = sa.Table(
    "room_links",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("room_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
    sa.Column("pupil", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

gone = sa.Table(
    "gone",
    metadata,
    # The id of a deleted room or table, or the code of a deleted room: no name, and nothing that was played.
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

dailies = sa.Table(
    "dailies",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    sa.Column("day", sa.String(10), primary_key=True),
    sa.Column("moves", sa.Integer, primary_key=True),  # made in all tries
    sa.Column("tries", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    # Of two tabs, at one replica or two, that make the same move of a daily, one comes first.
    sa.Index("dailies_by_time", "at"),
)
