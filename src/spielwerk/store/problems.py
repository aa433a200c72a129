"""What can go wrong with a store, in one line that names the store and never a password."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from spielwerk.errors import SpielwerkError

LONGEST: Final = 300  # characters of a database's own words

FULL: Final = "the disk is full; make room"
ROOM: Final = 1 << 18  # bytes; SQLite needs some for its log, and cannot always tell

LOCKED: Final = "another process has locked it; end that process, or wait until it is done"

# By the names of SQLite's result codes; a longer name says more and is looked for first.
SQLITE_PROBLEMS: Final = {
    "SQLITE_BUSY": LOCKED,
    "SQLITE_LOCKED": LOCKED,
    "SQLITE_FULL": FULL,
    "SQLITE_NOTADB": "it is no SQLite database; choose another file",
    "SQLITE_CORRUPT": "the file is damaged; restore it from a copy",
    "SQLITE_READONLY": "no permission to write; check the rights of the file and of its folder",
    "SQLITE_CANTOPEN": "cannot be opened; check the rights of the file and of its folder",
    "SQLITE_PERM": "no permission; check the rights of the file and of its folder",
    "SQLITE_IOERR": "the disk does not read or write as it should",
}

# By PostgreSQL's SQLSTATE.
POSTGRES_PROBLEMS: Final = {
    "55P03": LOCKED,
    "53100": "the database server's disk is full; make room",
    "42501": "the database user has not the rights to do this",
    "25006": "the database server accepts no changes (read-only)",
}

DATABASE_ERRORS: Final = (SQLAlchemyError, sqlite3.Error, OSError)
UNAVAILABLE: Final = {"SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "25006"}


@dataclass(eq=False)
class StoreError(SpielwerkError):
    """A store that cannot be opened, read or written, and why."""

    store: str
    problem: str

    def __str__(self) -> str:
        return f"store {self.store}: {self.problem}"


class StoreUnavailable(StoreError):
    """At the moment nothing at all can be written: the store is locked or out of reach."""


class StoreConflict(StoreError):
    """What was to be written contradicts what is there."""


class NotRunning(StoreConflict):
    """It came for an attempt at a contest's game that is not, or not yet, or no more under way."""


def explain(store: str, error: BaseException) -> StoreError:
    """The StoreError for what a database, its driver or the system raised."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    code = _code(cause)
    if _disk_is_full(store, cause, code):
        problem = FULL
    elif isinstance(cause, OSError):
        problem = one_line(f"{cause.strerror}: {cause.filename}" if cause.filename else str(cause))
    else:
        problem = _known(code) or one_line(_own_words(cause))
    if code in UNAVAILABLE or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return StoreUnavailable(store, problem)
    if code.startswith(("SQLITE_CONSTRAINT", "23")):
        return StoreConflict(store, problem)
    return StoreError(store, problem)


def _disk_is_full(store: str, cause: BaseException, code: str) -> bool:
    """Whether that is the reason, also where the database knows only that a write failed."""
    if isinstance(cause, OSError):
        return cause.errno in (errno.ENOSPC, errno.EDQUOT)
    folder = Path(store).parent
    failed = code.startswith("SQLITE_IOERR") and folder.is_dir()
    return failed and shutil.disk_usage(folder).free < ROOM


def one_line(text: str) -> str:
    """The text without line breaks, cut when it is long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def _code(cause: BaseException) -> str:
    """SQLite's name for the problem or PostgreSQL's number, or nothing."""
    name = getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None)
    return str(name or "")


def _own_words(cause: BaseException) -> str:
    """PostgreSQL's details are left out: they quote Game-IDs, which open the games."""
    primary = getattr(getattr(cause, "diag", None), "message_primary", None)
    return str(primary or cause)


def _known(code: str) -> str | None:
    if code in POSTGRES_PROBLEMS:
        return POSTGRES_PROBLEMS[code]
    return next((told for name, told in SQLITE_PROBLEMS.items() if code.startswith(name)), None)
