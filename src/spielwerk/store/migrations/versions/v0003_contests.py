"""Contests with their entrants, schedules and reports; the CPU time of a move."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

KINDS = ("engine", "command", "remote", "open")

STATES = ("new", "running", "done", "repeat", "failed")

ENDS = (
    "win",
    "draw",
    "time-out",
    "illegal move",
    "protocol error",
    "crash",
    "stall",
    "no start",
    "server error",
)


def _words(*words: str, name: str) -> sa.Enum:
    return sa.Enum(*words, name=name, native_enum=False, create_constraint=True, length=32)


def _of_a_contest() -> sa.Column[str]:
    whole = sa.ForeignKey("contests.id", ondelete="CASCADE")
    return sa.Column("contest", sa.Text, whole, primary_key=True, nullable=False)


def _counted(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def upgrade() -> None:
    """Add what is missing; how much CPU time older moves took is not known."""
    op.add_column("moves", sa.Column("cpu", sa.BigInteger))
    _create_contests()
    _create_pairings()
    _create_attempts()
    _create_reports()


def downgrade() -> None:
    """Drop it again; the games that were played in contests stay."""
    for table in ("reports", "attempts", "pairings", "entrants", "contests"):
        op.drop_table(table)
    op.drop_column("moves", "cpu")


def _create_contests() -> None:
    op.create_table(
        "contests",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.JSON, nullable=False),
        sa.Column("description", sa.JSON, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "entrants",
        _of_a_contest(),
        _counted("number"),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", _words(*KINDS, name="kind"), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("disqualified", sa.Text, nullable=False),
        sa.Column("disqualified_in", sa.Integer),
        sqlite_with_rowid=False,
    )


def _create_pairings() -> None:
    game = sa.ForeignKey("games.id", ondelete="SET NULL", deferrable=True, initially="DEFERRED")
    op.create_table(
        "pairings",
        _of_a_contest(),
        _counted("number"),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("bundle", sa.Integer, nullable=False),
        sa.Column("seats", sa.JSON, nullable=False),
        sa.Column("opening", sa.JSON, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("state", _words(*STATES, name="state"), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("repeated", sa.Boolean, nullable=False),
        sa.Column("game", sa.Text, game),
        sa.Column("end", _words(*ENDS, name="end")),
        sa.Column("winner", sa.Integer),
        sa.Column("culprits", sa.JSON),
        sa.Column("detail", sa.Text),
        sa.Column("overloaded", sa.Boolean),
        sa.Column("started", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index(None, "pairings", ["contest", "state", "ended"])
    op.create_index(None, "pairings", ["game"])


def _of_a_pairing() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["contest", "number"], ["pairings.contest", "pairings.number"], ondelete="CASCADE"
    )


def _create_attempts() -> None:
    op.create_table(
        "attempts",
        sa.Column("contest", sa.Text, primary_key=True, nullable=False),
        _counted("number"),
        _counted("attempt"),
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        _of_a_pairing(),
        sqlite_with_rowid=False,
    )
    op.create_index(None, "attempts", ["game"])


def _create_reports() -> None:
    op.create_table(
        "reports",
        sa.Column("contest", sa.Text, primary_key=True, nullable=False),
        _counted("number"),
        _counted("attempt"),
        _counted("seat"),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("took", sa.BigInteger, nullable=False),
        sa.Column("cpu", sa.BigInteger),
        sa.Column("memory", sa.BigInteger),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("output", sa.Text, nullable=False),
        _of_a_pairing(),
    )
