"""Bringing a database up to date, or refusing it.

The schema only ever grows: by tables, by indexes, and by columns that may be empty or have a
default. So whatever a database of an older revision lacks is added from the schema itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, MetaData, String, Table, delete, insert, inspect, select, text
from sqlalchemy.schema import CreateColumn

from spielwerk.store.problems import StoreError
from spielwerk.store.schema import OLDER, REVISION, metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection

VERSIONS: Final = Table(
    "spielwerk_version",
    MetaData(naming_convention={"pk": "%(table_name)s_pkc"}),
    Column("version_num", String(32), primary_key=True),
)
"""Where the database's own revision stands; also the sign that the database is ours."""


def bring_up_to_date(connection: Connection, store: str) -> None:
    """Add what is missing, in the transaction that the connection is in."""
    found = revision_of(connection, store)
    if found == REVISION:
        return
    _refuse_newer(found, store)
    _add_columns(connection)
    for kind in (metadata, VERSIONS.metadata):
        kind.create_all(connection)
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
