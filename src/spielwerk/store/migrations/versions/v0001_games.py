"""Games with their seats, moves and results, transcripts of connections, the index's list."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KINDS = ("client", "engine", "person")

REASONS = (
    "rule win",
    "rule draw",
    "resignation",
    "time-out",
    "illegal move",
    "protocol error",
    "connection lost",
    "stalled",
    "aborted",
    "server error",
)

TABLES_OF_GAMES = ("wires", "results", "moves", "names", "seats", "games")

STEPS = ("sealed", "removed")


def _words(*words: str, name: str) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, create_constraint=True, length=32)


def _of_a_game() -> sa.Column[str]:
    whole = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game", sa.Text, whole, primary_key=True, nullable=False)


def _number() -> sa.Column[int]:
    kind = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    return sa.Column("number", kind, primary_key=True, autoincrement=False)


def upgrade() -> None:
    """Create everything."""
    _create_games()
    _create_names()
    _create_moves()
    _create_results()
    _create_wires()
    _create_index()


def downgrade() -> None:
    """Drop everything."""
    for table in ("index_steps", "index_games", *TABLES_OF_GAMES):
        op.drop_table(table)


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("move_time", sa.BigInteger, nullable=False),
        sa.Column("tournament", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index(None, "games", ["created", "id"])
    op.create_table(
        "seats",
        _of_a_game(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", _words(*KINDS, name="kind"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )


def _create_names() -> None:
    op.create_table(
        "names",
        _number(),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["game", "seat"], ["seats.game", "seats.seat"], ondelete="CASCADE"),
    )
    op.create_index(None, "names", ["game", "seat"])


def _create_moves() -> None:
    op.create_table(
        "moves",
        _of_a_game(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("took", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )


def _create_results() -> None:
    op.create_table(
        "results",
        _of_a_game(),
        sa.Column("reason", _words(*REASONS, name="reason"), nullable=False),
        sa.Column("winner", sa.Integer),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("culprit", sa.Integer),
        sqlite_with_rowid=False,
    )
    op.create_index(None, "results", ["at"])


def _create_wires() -> None:
    op.create_table(
        "wires",
        _number(),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("service", sa.Text, nullable=False),
        sa.Column("peer", sa.Text, nullable=False),
        sa.Column("opened", sa.BigInteger, nullable=False),
        sa.Column("traffic", sa.LargeBinary, nullable=False),
    )
    op.create_index(None, "wires", ["game"])


def _create_index() -> None:
    op.create_table(
        "index_games",
        sa.Column("guid", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("port", sa.Integer, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("registered", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
    whole = sa.ForeignKey("index_games.guid", ondelete="CASCADE")
    op.create_table(
        "index_steps",
        sa.Column("guid", sa.Text, whole, primary_key=True, nullable=False),
        _number(),
        sa.Column("step", _words(*STEPS, name="step"), nullable=False),
        sqlite_with_rowid=False,
    )
