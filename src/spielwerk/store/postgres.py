"""A store on a PostgreSQL server, owned through a lock that lives as long as its connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import psycopg.errors
from sqlalchemy import create_engine, func, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from spielwerk.store.opening import PATIENCE, Readable, Store
from spielwerk.store.problems import StoreUnavailable, one_line

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

LOCK: Final = int.from_bytes(b"SPIELWRK"[:7], "big")
"""The number of the advisory lock; a database holds one store."""

LOCK_TIMEOUT: Final = f"{PATIENCE}s"

# Seconds and milliseconds after which a server that does not answer counts as lost.
CONNECTING: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}

# What was acknowledged must be on the server's disk, also where the server is set up otherwise.
KEEP_PROMISES: Final = text(
    "SELECT set_config('synchronous_commit', 'on', false)"
    " WHERE current_setting('synchronous_commit') = 'off'"
)

ONE_MOMENT: Final = "REPEATABLE READ"
"""All queries of one transaction see the same, as SQLite's do anyway."""


class PostgresStore(Store):
    """A store in a database of its own, whose tables are made if they are not there."""

    def __init__(self, url: URL) -> None:
        engine = _engine(url)
        super().__init__(_label(url), engine, engine.execution_options(isolation_level=ONE_MOMENT))

    def _connect(self) -> Connection:
        connection = _reach(self._engine, self.label)
        connection.detach()  # closing it must end the session, and with it the lock
        try:
            with connection.begin():
                connection.execute(KEEP_PROMISES)
                connection.execute(select(func.set_config("lock_timeout", LOCK_TIMEOUT, False)))
                self._own(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _own(self, connection: Connection) -> None:
        """Take the lock; a predecessor that was killed a moment ago may still hold it."""
        try:
            connection.execute(select(func.pg_advisory_lock(LOCK)))
        except OperationalError as error:
            if not isinstance(error.orig, psycopg.errors.LockNotAvailable):
                raise
            raise StoreUnavailable(
                self.label, "another Spielwerk server has it open; stop that one"
            ) from None


def read_only_server(url: URL) -> Readable:
    """The store in a database that another process may write to, without its lock."""
    label, engine = _label(url), _engine(url)
    _reach(engine, label).close()
    looking = {"isolation_level": ONE_MOMENT, "postgresql_readonly": True}
    return Readable(label, engine, engine.execution_options(**looking))


def _label(url: URL) -> str:
    return url.set(drivername="postgresql", password=None, query={}).render_as_string()


def _reach(engine: Engine, label: str) -> Connection:
    try:
        return engine.connect()
    except DBAPIError as error:
        problem = f"no connection: {one_line(str(error.orig))}"
        raise StoreUnavailable(label, problem) from error


def _engine(url: URL) -> Engine:
    patience = {name: value for name, value in CONNECTING.items() if name not in url.query}
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args=patience,
        pool_pre_ping=True,
        hide_parameters=True,
    )
