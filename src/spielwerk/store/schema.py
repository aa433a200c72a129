"""The tables. Rows are only added, but for moves taken back and for a contest's schedule.

A game's row says how it was set up, its moves and its result are rows of their own, and so is a new
name for a seat. So a row that is written again after a lost connection either is there already,
with the same content, or is new. What has left the index server's list is deleted when that server
starts.

A contest's games are rows from the beginning, and each changes as it is played; so does an entrant
that is disqualified. Which change may follow which is said in store.scheduling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

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
    TypeDecorator,
    false,
    text,
)

from spielwerk.store.records import ENDS, IndexStep, Kind, PairingState, Reason, SeatKind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    from sqlalchemy import Dialect

Row = tuple[Table, dict[str, Any]]  # a row to be added

REVISION: Final = "0006"
OLDER: Final = ("0001", "0002", "0003", "0004", "0005")  # can be brought up to date

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


class _Reason(TypeDecorator[Reason]):
    """Why a game ended, in the words of one table."""

    impl = Enum
    cache_ok = True

    def __init__(self, words: Mapping[Reason, str], name: str) -> None:
        super().__init__(
            *words.values(), name=name, native_enum=False, create_constraint=True, length=32
        )
        self.words = tuple(words.items())

    def process_bind_param(self, value: Reason | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The word for a reason."""
        return None if value is None else dict(self.words)[value]

    def process_result_value(self, value: str | None, dialect: Dialect) -> Reason | None:  # noqa: ARG002
        """The reason that a word stands for."""
        return next((reason for reason, word in self.words if word == value), None)


def _game(*, primary_key: bool = False) -> Column[str]:
    whole = ForeignKey("games.id", ondelete="CASCADE")
    return Column("game", Text, whole, primary_key=primary_key, nullable=False)


def _number() -> Column[int]:
    """A number that the writer counts, so that a row written twice is recognised."""
    kind = BigInteger().with_variant(Integer, "sqlite")
    return Column("number", kind, primary_key=True, autoincrement=False)


def _contest() -> Column[str]:
    whole = ForeignKey("contests.id", ondelete="CASCADE")
    return Column("contest", Text, whole, primary_key=True)


def _of_a_pairing() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["contest", "number"], ["pairings.contest", "pairings.number"], ondelete="CASCADE"
    )


def _counted(name: str) -> Column[int]:
    """A part of a key that the contest counts."""
    return Column(name, Integer, primary_key=True, autoincrement=False)


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
    Column("wire_options", JSON),  # none in games of older versions
    Column("start", Text, nullable=False, server_default=text("''")),
    Column("game_time", BigInteger, nullable=False, server_default="0"),
    Column("increment", BigInteger, nullable=False, server_default="0"),
    Column("training", Boolean, nullable=False, server_default=false()),
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
    Column("cpu", BigInteger),
    Column("hints", Integer, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)

# What was found out about finished games; the review with the most effort counts.
reviews: Final = Table(
    "reviews",
    metadata,
    _game(primary_key=True),
    Column("effort", Integer, primary_key=True, autoincrement=False),
    Column("found", JSON, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("regret", JSON),
    sqlite_with_rowid=False,
)

# A game of a contest that did not begin is kept as one that was aborted.
_REASONS: Final[dict[Reason, str]] = {
    reason: str(reason) for reason in Reason if reason is not Reason.NO_START
}

results: Final = Table(
    "results",
    metadata,
    _game(primary_key=True),
    Column("reason", _Reason(_REASONS, "reason"), nullable=False),
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

# What the server must know again after a restart: secrets, and small values of contests.
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

contests: Final = Table(
    "contests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("description", JSON, nullable=False),
    Column("created", BigInteger, nullable=False),
)

entrants: Final = Table(
    "entrants",
    metadata,
    _contest(),
    _counted("number"),
    Column("name", Text, nullable=False),
    Column("kind", _words(Kind, "kind"), nullable=False),
    Column("text", Text, nullable=False),
    Column("disqualified", Text, nullable=False),
    Column("disqualified_in", Integer),
    sqlite_with_rowid=False,
)

# The schedule. From `end` on it is the outcome; without an end there is none. A game that is
# removed takes only the link to it along. The link is looked at when all has been written: the
# state comes first, since it says whether the game may be written at all.
pairings: Final = Table(
    "pairings",
    metadata,
    _contest(),
    _counted("number"),
    Column("round", Integer, nullable=False),
    Column("bundle", Integer, nullable=False),
    Column("seats", JSON, nullable=False),
    Column("opening", JSON, nullable=False),
    Column("seed", Text, nullable=False),
    Column("state", _words(PairingState, "state"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("repeated", Boolean, nullable=False),
    Column(
        "game",
        Text,
        ForeignKey("games.id", ondelete="SET NULL", deferrable=True, initially="DEFERRED"),
    ),
    Column("end", _Reason(ENDS, "end")),
    Column("winner", Integer),
    Column("culprits", JSON(none_as_null=True)),
    Column("detail", Text),
    Column("overloaded", Boolean),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Index(None, "contest", "state", "ended"),
    Index(None, "game"),
    sqlite_with_rowid=False,
)

# Attempts at a game of the schedule that do not count, and what was played in them.
attempts: Final = Table(
    "attempts",
    metadata,
    Column("contest", Text, primary_key=True),
    _counted("number"),
    _counted("attempt"),
    _game(),
    Index(None, "game"),
    _of_a_pairing(),
    sqlite_with_rowid=False,
)

# What is known of the players after each attempt at a game of the schedule.
reports: Final = Table(
    "reports",
    metadata,
    Column("contest", Text, primary_key=True),
    _counted("number"),
    _counted("attempt"),
    _counted("seat"),
    Column("moves", Integer, nullable=False),
    Column("took", BigInteger, nullable=False),
    Column("cpu", BigInteger),
    Column("memory", BigInteger),
    Column("status", Text, nullable=False),
    Column("output", Text, nullable=False),
    _of_a_pairing(),
)
