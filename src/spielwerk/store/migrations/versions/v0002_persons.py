"""Owners of seats, the pause before an engine's move, and the server's own keys."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

OWNED = ("seats", "names")


def upgrade() -> None:
    """Add what is missing; nobody owns the seats of older games."""
    for table in OWNED:
        op.add_column(
            table, sa.Column("owner", sa.Text, nullable=False, server_default=sa.text("''"))
        )
    op.add_column("games", sa.Column("pause", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "keys",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("keys")
    op.drop_column("games", "pause")
    for table in OWNED:
        op.drop_column(table, "owner")
