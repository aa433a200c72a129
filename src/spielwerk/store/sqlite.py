"""A store in a file: SQLite with a write-ahead log, owned through a lock file beside it.

The lock ends with the process, however that ends; only there systems differ.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import time
from contextlib import closing
from functools import partial
from typing import IO, TYPE_CHECKING, Final

from sqlalchemy import URL, QueuePool, create_engine, event

from spielwerk.store.opening import PATIENCE, Readable, Store, explained
from spielwerk.store.problems import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Engine

APPLICATION_ID: Final = int.from_bytes(b"SPWK", "big")
"""Stands in the file's header and says whose it is."""

PRIVATE: Final = 0o600  # Game-IDs give access to the games
MOMENT: Final = 0.5  # seconds after which a process that only checked the lock has released it
PAUSE: Final = 0.01  # seconds

GONE: Final = "the file was deleted or replaced while it was in use; put it back if you can"


class SQLiteStore(Store):
    """A store in a file, which is made if it is not there."""

    def __init__(self, path: Path) -> None:
        path = path.expanduser().resolve()
        with explained(str(path)):
            _refuse_foreign(path, os.R_OK | os.W_OK)
            _make_folder(path)
            self._lock = _lock(path)
            try:
                _prepare(path)
            except BaseException:
                self._lock.close()
                raise
        engine = _engine(path)
        self._path, self._file = path, _identity(path)
        super().__init__(str(path), engine, readers=engine)

    def _connect(self) -> Connection:
        # The lock to write is taken with the first word: a reader that became a writer in the
        # middle of its transaction could find that it may not.
        return self._engine.connect().execution_options(begin="BEGIN IMMEDIATE")

    def _check_open(self) -> None:
        super()._check_open()
        if _identity(self._path) != self._file:  # SQLite would write on, to a file without a name
            raise StoreUnavailable(self.label, GONE)

    def _release(self) -> None:
        super()._release()
        self._lock.close()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file that is, whatever it is called; None if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def read_only_file(path: Path) -> Readable:
    """The store in a file that another process may have open, without its lock."""
    path = path.expanduser().resolve()
    with explained(str(path)):
        if not path.exists():
            raise StoreError(str(path), "there is no such file")
        _refuse_foreign(path, os.R_OK)
    engine = _read_only_engine(path)
    return Readable(str(path), engine, engine)


def _refuse_foreign(path: Path, rights: int) -> None:
    """Look at the file without changing it."""
    if not path.exists():
        return
    if not path.is_file():
        raise StoreError(str(path), "it is no file; choose another name")
    # Says more clearly what is not permitted. Not tried by opening it: when the file is closed
    # again, another connection of this process would lose SQLite's locks.
    if not os.access(path, rights, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    try:
        owner, tables = _owner(_connect_read_only(path))
    except sqlite3.OperationalError as error:
        if not (rights & os.W_OK and error.sqlite_errorname.startswith("SQLITE_READONLY")):
            raise
        # A process was killed in the middle of its first transaction; only a writer undoes that.
        owner, tables = _owner(sqlite3.connect(path))
    if owner != APPLICATION_ID and (owner or tables):
        raise StoreError(str(path), "it is another program's database; choose another file")


def _owner(file: sqlite3.Connection) -> tuple[int, int]:
    """Whose database that is, and how many tables it has."""
    with closing(file):
        (owner,) = file.execute("PRAGMA application_id").fetchone()
        (tables,) = file.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return owner, tables


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise StoreError(str(path), f"{error.filename} is no folder") from None


def _lock(path: Path) -> IO[str]:
    """The lock file, locked until it is closed or this process ends, however it ends."""
    beside = path.with_name(f"{path.name}.lock")
    file = os.fdopen(_open_private(beside), "r+")
    if not _locked_soon(file):
        owner = file.read(20).strip() or "unknown"
        file.close()
        raise StoreUnavailable(
            str(path), f"another Spielwerk server (process {owner}) has it open; stop that one"
        )
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file


def _locked_soon(file: IO[str]) -> bool:
    """Lock the file; False if another process holds it for longer than a check takes."""
    latest = time.monotonic() + MOMENT
    while not (locked := try_to_lock(file)) and time.monotonic() < latest:
        time.sleep(PAUSE)
    return locked


def _open_private(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)


def _prepare(path: Path) -> None:
    """Make the file if need be, sign it, and switch it to the write-ahead log."""
    os.close(_open_private(path))
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as file:
        if file.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        (mode,) = file.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise StoreError(
            str(path), f"no write-ahead log is possible there, only {mode!r}; use a local disk"
        )


def _engine(path: Path) -> Engine:
    url = URL.create("sqlite", database=str(path))
    engine = create_engine(url, connect_args={"timeout": PATIENCE}, hide_parameters=True)
    event.listen(engine, "connect", _configure)
    event.listen(engine, "begin", _begin)
    return engine


def _read_only_engine(path: Path) -> Engine:
    connect = partial(_connect_read_only, path)
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, hide_parameters=True)
    event.listen(engine, "connect", _leave_transactions)
    event.listen(engine, "begin", _begin)
    return engine


def _connect_read_only(path: Path) -> sqlite3.Connection:
    address = f"{path.as_uri()}?mode=ro{'&immutable=1' if _is_shut(path) else ''}"
    return sqlite3.connect(address, timeout=PATIENCE, uri=True, check_same_thread=False)


def _is_shut(path: Path) -> bool:
    """Whether no process writes and we cannot make files beside it, as SQLite would like to."""
    log = path.with_name(f"{path.name}-wal")
    return not log.exists() and not os.access(path.parent, os.W_OK)


def _configure(connection: sqlite3.Connection, record: object) -> None:
    _leave_transactions(connection, record)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")  # a commit is on the disk


def _leave_transactions(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # they begin where `_begin` says


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


if sys.platform == "win32":
    import msvcrt

    AWAY: Final = 2**30  # a byte that is never read: locked ones cannot be

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if another has it."""
        file.seek(AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True

    def is_locked(file: IO[str]) -> bool:
        """Whether another has locked the file; while this is asked none can."""
        if not try_to_lock(file):
            return True
        file.seek(AWAY)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        return False

else:
    import fcntl

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if another has it."""
        return _takes(file, fcntl.LOCK_EX)

    def is_locked(file: IO[str]) -> bool:
        """Whether another has locked the file; while this is asked none can."""
        free = _takes(file, fcntl.LOCK_SH)  # shared: two checks must not see each other
        if free:
            fcntl.flock(file, fcntl.LOCK_UN)
        return not free

    def _takes(file: IO[str], kind: int) -> bool:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
