"""Alembic runs this for every command; connection and transaction are the caller's."""

from alembic import context

from spielwerk.store.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
