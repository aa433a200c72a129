"""The tables. Rows are only ever added: what has been written once is never changed.

A game's row says how it was set up, its moves and its result are rows of their own, and so is a new
name for a seat. So a row that is written again after a lost connection either is there already,
with the same content, or is new. What has left the index server's list is of no use to anybody: it
is forgotten when that server starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Enum,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    text,
)

from spielwerk.store.records import IndexStep, Reason, SeatKind

if TYPE_CHECKING:
    from enum import StrEnum

REVISION: Final = "0002"
"""The newest of the migrations."""

VERSION_TABLE: Final = "spielwerk_version"
"""Where the database's own revision stands; also the sign that the database is ours."""

metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _words(kind: type[StrEnum], name: str) -> Enum:
    """One of a fixed set of words, kept as text that people can read."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=32,
        values_callable=lambda kind: [member.value for member in kind],
    )


def _game(*, primary_key: bool = False) -> Column[str]:
    whole = ForeignKey("games.id", ondelete="CASCADE")
    return Column("game", Text, whole, primary_key=primary_key, nullable=False)


def _number() -> Column[int]:
    """A number that the writer counts, so that a row written twice is recognised."""
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column("number", kind, primary_key=True, autoincrement=False)


def _owner() -> Column[str]:
    """Whose seat it is, if it is a person's and taken."""
    return Column("owner", Text, nullable=False, server_default=text("''"))


games: Final = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("name", Text, nullable=False),
    Column("move_time", BigInteger, nullable=False),
    Column("tournament", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("pause", BigInteger, nullable=False, server_default="0"),
    Index(None, "created", "id"),
    sqlite_with_rowid=False,
)

seats: Final = Table(
    "seats",
    metadata,
    _game(primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("kind", _words(SeatKind, "kind"), nullable=False),
    Column("name", Text, nullable=False),
    Column("player", Text, nullable=False),
    _owner(),
    sqlite_with_rowid=False,
)

# The names that the players of a seat brought with them, and whose it is; the last one counts.
names: Final = Table(
    "names",
    metadata,
    _number(),
    Column("game", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("name", Text, nullable=False),
    _owner(),
    ForeignKeyConstraint(["game", "seat"], ["seats.game", "seats.seat"], ondelete="CASCADE"),
    Index(None, "game", "seat"),
)

moves: Final = Table(
    "moves",
    metadata,
    _game(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("took", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

results: Final = Table(
    "results",
    metadata,
    _game(primary_key=True),
    Column("reason", _words(Reason, "reason"), nullable=False),
    Column("winner", Integer),
    Column("detail", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("culprit", Integer),
    Index(None, "at"),
    sqlite_with_rowid=False,
)

# A client may have asked for a game that does not exist: `game` refers to nothing here.
wires: Final = Table(
    "wires",
    metadata,
    _number(),
    Column("game", Text, nullable=False),
    Column("seat", Integer),
    Column("service", Text, nullable=False),
    Column("peer", Text, nullable=False),
    Column("opened", BigInteger, nullable=False),
    Column("traffic", LargeBinary, nullable=False),
    Index(None, "game"),
)

# What the server must know again after a restart and nobody else may ever know.
keys: Final = Table(
    "keys",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The index server's list. A game stays in it until a step says that it was removed.
index_games: Final = Table(
    "index_games",
    metadata,
    Column("guid", Text, primary_key=True),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("depth", Integer, nullable=False),
    Column("address", Text, nullable=False),
    Column("port", Integer, nullable=False),
    Column("owner", Text, nullable=False),
    Column("registered", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

index_steps: Final = Table(
    "index_steps",
    metadata,
    Column("guid", Text, ForeignKey("index_games.guid", ondelete="CASCADE"), primary_key=True),
    _number(),
    Column("step", _words(IndexStep, "step"), nullable=False),
    sqlite_with_rowid=False,
)
