"""How far each browser has come with a daily."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table for dailies."""
    op.create_table(
        "dailies",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("tries", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", "day", "moves"),
    )
    op.create_index("dailies_by_time", "dailies", ["at"])
