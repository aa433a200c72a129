"""Bringing a database up to date, or refusing it.

Alembic is imported only when there is something to do: a server that starts on a database of its
own version does not pay for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Text, column, inspect, select, table

from spielwerk.store.problems import StoreError
from spielwerk.store.schema import REVISION, VERSION_TABLE

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

VERSIONS: Final = table(VERSION_TABLE, column("version_num", Text))


def bring_up_to_date(connection: Connection, store: str) -> None:
    """Run the migrations that are missing, in the transaction that the connection is in."""
    found = revision_of(connection, store)
    if found == REVISION:
        return
    _refuse_newer(connection, found, store)
    migrate(connection, "head")


def check_revision(connection: Connection, store: str) -> None:
    """Refuse what cannot be read as it is; nothing is changed."""
    found = revision_of(connection, store)
    if found == REVISION:
        return
    if found is None:
        raise StoreError(store, "it is empty; choose one that something has been written to")
    _refuse_newer(connection, found, store)
    raise StoreError(
        store,
        f"an older Spielwerk has written it (schema {found}, this one reads {REVISION}); "
        "it is brought up to date when a server or a contest is run with it",
    )


def revision_of(connection: Connection, store: str) -> str | None:
    """The schema's revision, None for an empty database; StoreError for somebody else's."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        return connection.scalar(select(VERSIONS.c.version_num))
    if tables:
        shown = ", ".join(sorted(tables)[:3])
        raise StoreError(
            store, f"it belongs to another program (tables {shown}); choose an empty one"
        )
    return None


def migrate(connection: Connection, revision: str) -> None:
    """Upgrade to the revision."""
    from alembic import command

    command.upgrade(configuration(connection), revision)


def configuration(connection: Connection) -> Config:
    """What Alembic has to know, without a file."""
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "spielwerk.store:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _refuse_newer(connection: Connection, found: str | None, store: str) -> None:
    if found is not None and found not in _known(connection):
        raise StoreError(
            store,
            f"a newer Spielwerk has written it (schema {found}, this one knows up to {REVISION}); "
            "update Spielwerk or choose another store",
        )


def _known(connection: Connection) -> set[str]:
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(configuration(connection))
    return {script.revision for script in scripts.walk_revisions()}
