"""Stores: opened by their URL, read by any process, written by one.

games.db or sqlite:///games.db                  a file
postgresql://user:password@host:5432/database   a PostgreSQL server

The schema only ever grows: by tables, by indexes, and by columns that may be empty or have a
default. So whatever a database of an older revision lacks is added from the schema itself.
"""

from __future__ import annotations

import os
import secrets
import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import (
    URL,
    Column,
    MetaData,
    String,
    Table,
    delete,
    func,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError
from sqlalchemy.schema import CreateColumn

from spielwerk.store.problems import DATABASE_ERRORS, StoreError, StoreUnavailable, explain
from spielwerk.store.schema import (
    OLDER,
    REVISION,
    index_steps,
    keys,
    metadata,
    names,
    reviews,
    wires,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from sqlalchemy import Connection, Engine

PATIENCE: Final = 2.0
"""Seconds that a lock of another process is waited for."""

VERSIONS: Final = Table(
    "spielwerk_version",
    MetaData(naming_convention={"pk": "%(table_name)s_pkc"}),
    Column("version_num", String(32), primary_key=True),
)
"""Where the database's own revision stands; also the sign that the database is ours."""

NUMBERED: Final = (names, wires, index_steps)

LAST_COMMIT: Final = 0.5
"""Seconds that a transaction may still take when the store is closed."""


SECRET: Final = 32  # bytes


@contextmanager
def explained(store: str) -> Iterator[None]:
    """Whatever the database or the system complains about becomes a StoreError."""
    try:
        yield
    except DATABASE_ERRORS as error:
        raise explain(store, error) from error


class Readable:
    """A store that can be read from any thread, whichever process writes to it."""

    def __init__(self, label: str, engine: Engine, readers: Engine) -> None:
        self.label = label
        self._engine = engine
        self._readers = readers
        self._closed = False
        try:
            self._check_schema()
        except BaseException:
            self.close()
            raise

    def _check_schema(self) -> None:
        """Refuse what cannot be read as it is."""
        with self.reading() as connection:
            check_revision(connection, self.label)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction in which everything is read as it was at one moment."""
        self._check_open()
        with explained(self.label), self._readers.begin() as connection:
            yield connection

    def value(self, name: str) -> str | None:
        """The small value that is kept by this name, if there is one."""
        with self.reading() as connection:
            return connection.scalar(select(keys.c.value).where(keys.c.name == name))

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        self._engine.dispose()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(self.label, "it has been closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Store(Readable, ABC):
    """A store that this process owns: written by one thread at a time, and by no other process.

    Everything is written through one connection. On PostgreSQL that connection holds the lock that
    makes the store ours, so that with the lock the ability to write is gone, too.
    """

    def __init__(self, label: str, engine: Engine, readers: Engine) -> None:
        self._writer: Connection | None = None
        self._writing = threading.Lock()
        self._numbering = threading.Lock()
        self._next_number = 0  # of a row without another key; 0 while it is not known
        super().__init__(label, engine, readers)

    def _check_schema(self) -> None:
        with self.writing() as connection:
            bring_up_to_date(connection, self.label)

    @abstractmethod
    def _connect(self) -> Connection:
        """A connection to write through, with whatever makes this process the only writer."""

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of the only writer; a lost connection is made anew the next time."""
        with self._writing:
            try:
                self._check_open()
                self._writer = self._writer or self._connect()
                with self._writer.begin():
                    yield self._writer
            except BaseException as error:
                if self._writer and (self._writer.invalidated or self._writer.in_transaction()):
                    self._give_up_writer()
                if isinstance(error, DATABASE_ERRORS):
                    raise explain(self.label, error) from error
                raise

    def keep(self, name: str, value: str) -> None:
        """Keep a small value by this name, in place of what was there."""
        with self.writing() as connection:
            connection.execute(delete(keys).where(keys.c.name == name))
            connection.execute(insert(keys).values(name=name, value=value))

    def forget(self, name: str) -> None:
        """Keep no value by this name."""
        with self.writing() as connection:
            connection.execute(delete(keys).where(keys.c.name == name))

    def secret(self, name: str) -> bytes:
        """The secret of this name; made and kept when it is asked for the first time."""
        with self.writing() as connection:
            value = connection.scalar(select(keys.c.value).where(keys.c.name == name))
            if value is None:
                value = secrets.token_hex(SECRET)
                connection.execute(insert(keys).values(name=name, value=value))
        return bytes.fromhex(value)

    def take_numbers(self, count: int) -> int:
        """The first of so many numbers for rows without another key; no row has had them."""
        with self._numbering:
            if not self._next_number:
                with self.reading() as connection:
                    highest = (select(func.max(table.c.number)) for table in NUMBERED)
                    self._next_number = 1 + max(connection.scalar(one) or 0 for one in highest)
            first = self._next_number
            self._next_number += count
        return first

    def close(self) -> None:
        """Close all connections and give the store up."""
        self._closed = True
        # A transaction that does not come to its end keeps the store ours until the process ends.
        if self._writing.acquire(timeout=LAST_COMMIT):
            try:
                self._release()
            finally:
                self._writing.release()

    def _release(self) -> None:
        self._give_up_writer()
        self._engine.dispose()

    def _give_up_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def open_store(url: str | os.PathLike[str]) -> Store:
    """The store, owned by this process until it is closed; StoreError says why it cannot be had."""
    place = _place(url)
    if isinstance(place, URL):
        with _driver():
            from spielwerk.store.postgres import PostgresStore
        return PostgresStore(place)
    from spielwerk.store.sqlite import SQLiteStore

    return SQLiteStore(place)


def open_reader(url: str | os.PathLike[str]) -> Readable:
    """The store as it is, to be read while another process may own it and write to it.

    It is neither made nor brought up to date; StoreError says why it cannot be read.
    """
    place = _place(url)
    if isinstance(place, URL):
        with _driver():
            from spielwerk.store.postgres import read_only_server
        return read_only_server(place)
    from spielwerk.store.sqlite import read_only_file

    return read_only_file(place)


def _place(url: str | os.PathLike[str]) -> Path | URL:
    """A file, or a database on a PostgreSQL server."""
    if isinstance(url, os.PathLike) or "://" not in url:
        return _file(Path(url))
    parsed = _parse(url)
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return _file_of(parsed)
    if kind in {"postgres", "postgresql"}:
        return parsed
    raise StoreError(kind, "unknown kind of database; there are sqlite and postgresql")


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Not quoted: there may be a password in it.
        raise StoreError(
            url.split("://", maxsplit=1)[0],
            "the URL cannot be read; expected something like "
            "sqlite:///games.db or postgresql://user:password@host:5432/database",
        ) from None
    if "@" in (parsed.host or ""):
        raise StoreError(f"{parsed.drivername}:", "write a @ in the password as %40")
    return parsed


def _file_of(url: URL) -> Path:
    if not url.database or url.query:
        raise StoreError("sqlite:", "the URL must name a file and nothing else: sqlite:///games.db")
    return _file(Path(url.database))


def _file(path: Path) -> Path:
    if str(path) == ":memory:":
        raise StoreError(":memory:", "a store must survive a crash; name a file")
    return path


@contextmanager
def _driver() -> Iterator[None]:
    """PostgreSQL's is not installed everywhere."""
    try:
        yield
    except ImportError:
        raise StoreError(
            "postgresql:", "its driver is missing; pip install 'spielwerk[postgres]'"
        ) from None


# bringing a database up to date, or refusing it


def bring_up_to_date(connection: Connection, store: str) -> None:
    """Add what is missing, in the transaction that the connection is in."""
    found = revision_of(connection, store)
    if found == REVISION:
        return
    _refuse_newer(found, store)
    _add_columns(connection)
    for kind in (metadata, VERSIONS.metadata):
        kind.create_all(connection)
    connection.execute(delete(reviews))  # those of older versions tell less; they are made again
    connection.execute(delete(VERSIONS))
    connection.execute(insert(VERSIONS).values(version_num=REVISION))


def _add_columns(connection: Connection) -> None:
    """Give the tables that are there the columns that they lack."""
    there = inspect(connection)
    known = set(there.get_table_names())
    for table in (table for table in metadata.sorted_tables if table.name in known):
        names = {column["name"] for column in there.get_columns(table.name)}
        for column in (column for column in table.columns if column.name not in names):
            described = CreateColumn(column).compile(dialect=connection.dialect)
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {described}"))


def check_revision(connection: Connection, store: str) -> None:
    """Refuse what cannot be read as it is; nothing is changed."""
    found = revision_of(connection, store)
    if found == REVISION:
        return
    if found is None:
        raise StoreError(store, "it is empty; choose one that something has been written to")
    _refuse_newer(found, store)
    raise StoreError(
        store,
        f"an older Spielwerk has written it (schema {found}, this one reads {REVISION}); "
        "it is brought up to date when a server or a contest is run with it",
    )


def revision_of(connection: Connection, store: str) -> str | None:
    """The revision, None for an empty database; StoreError for another program's."""
    tables = inspect(connection).get_table_names()
    if VERSIONS.name in tables:
        return connection.scalar(select(VERSIONS.c.version_num))
    if tables:
        shown = ", ".join(sorted(tables)[:3])
        raise StoreError(
            store, f"it belongs to another program (tables {shown}); choose an empty one"
        )
    return None


def _refuse_newer(found: str | None, store: str) -> None:
    if found is not None and found not in (*OLDER, REVISION):
        raise StoreError(
            store,
            f"a newer Spielwerk has written it (schema {found}, this one knows up to {REVISION}); "
            "update Spielwerk or choose another store",
        )
