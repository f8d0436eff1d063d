"""Alembic's door: it is handed a connection with an open transaction, and every step runs in that one."""

from alembic import context

from zerosum.server.db.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
