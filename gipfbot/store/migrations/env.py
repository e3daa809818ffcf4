"""Run by Alembic: brings the tables of the connection it is given up to date."""

from alembic import context

from gipfbot.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
