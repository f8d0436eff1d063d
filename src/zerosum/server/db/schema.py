"""The tables of the database. Events are the truth, and are only ever added."""

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

STEP: Final = "0002"
"""The latest migration in `migrations/versions`; it results in this schema."""

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
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
