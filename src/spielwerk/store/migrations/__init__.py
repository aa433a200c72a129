"""How older databases become the present ones: Alembic scripts, run by store.migrating."""
