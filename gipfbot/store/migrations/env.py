"""Bring the tables up to date. Alembic runs this file, with the connection to use."""

from alembic import context

from gipfbot.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
