"""Alembic's entry point; all migrations run in the open transaction of the connection it is given."""

from alembic import context

from zerosum.server.db.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
