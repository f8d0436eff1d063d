"""The tables of the database. Events are the truth, and are only ever added; only a room is deleted, as a whole.

A room is a stream of events like a table: its id is in `tables` too, and its events are in `events`.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

STEP: Final = "0004"
"""The latest migration in `migrations/versions`; it results in this schema."""

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    Column("room_id", String(16)),  # the room that a table belongs to, if it does to one
    Index("tables_by_room", "room_id"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("person", Integer, nullable=False),  # 0 if no person did it
    Column("data", Text, nullable=False),
    Column("move_id", String(64), nullable=False),
    # The version decides every race; the move_id is the idempotency key of a command.
    PrimaryKeyConstraint("table_id", "version"),
    UniqueConstraint("table_id", "person", "move_id"),
    sqlite_with_rowid=False,
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("person", Integer, nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("code_hash", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "person", "token_hash"),
    Index("seats_by_token", "token_hash", "at"),
    Index("seats_by_code", "code_hash", unique=True),
)

invitations = Table(
    "invitations",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("person", Integer, nullable=False),
    Column("used_by", String(64)),
)

seen = Table(
    "seen",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("person", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "person"),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("replica", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

outages = Table(
    "outages",
    metadata,
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    PrimaryKeyConstraint("began", "ended"),
)

rooms = Table(
    "rooms",
    metadata,
    Column("id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("code", String(8), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("rooms_by_code", "code", unique=True),
)

room_keys = Table(
    "room_keys",
    metadata,
    Column("room_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("token_hash", String(64), nullable=False),
    Column("pupil", Integer, nullable=False),  # 0 opens the desk
    Column("at", BigInteger, nullable=False),
    # A key is one pupil or the teacher of a room, never two of them.
    PrimaryKeyConstraint("room_id", "token_hash"),
    Index("room_keys_by_token", "token_hash", "at"),
)

room_links = Table(
    "room_links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("room_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("pupil", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

gone = Table(
    "gone",
    metadata,
    # The id of a deleted room or table, or the code of a deleted room: no name, and nothing that was played.
    Column("id", String(16), primary_key=True),
    Column("at", BigInteger, nullable=False),
)

dailies = Table(
    "dailies",
    metadata,
    Column("token_hash", String(64), nullable=False),
    Column("day", String(10), nullable=False),
    Column("moves", Integer, nullable=False),  # made in all tries
    Column("tries", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # Of two tabs, at one replica or two, that make the same move of a daily, one comes first.
    PrimaryKeyConstraint("token_hash", "day", "moves"),
    Index("dailies_by_time", "at"),
)
