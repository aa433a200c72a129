"""How a table speaks on the wire: its pace, its words."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the choices; older games made none."""
    op.add_column("games", sa.Column("wire_options", sa.JSON))


def downgrade() -> None:
    """Drop them again."""
    op.drop_column("games", "wire_options")
