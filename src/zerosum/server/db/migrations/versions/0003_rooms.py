"""Classrooms, who may enter them, and what was deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables for rooms, and let a table belong to one."""
    op.add_column("tables", sa.Column("room_id", sa.String(16)))
    op.create_index("tables_by_room", "tables", ["room_id"])
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("rooms_by_code", "rooms", ["code"], unique=True)
    op.create_table(
        "room_keys",
        sa.Column("room_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("pupil", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("room_id", "token_hash"),
    )
    op.create_index("room_keys_by_token", "room_keys", ["token_hash", "at"])
    op.create_table(
        "room_links",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("room_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("pupil", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "gone", sa.Column("id", sa.String(16), primary_key=True), sa.Column("at", sa.BigInteger, nullable=False)
    )
