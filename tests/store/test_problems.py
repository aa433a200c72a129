from __future__ import annotations

import errno
import pickle
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from spielwerk.errors import SpielwerkError
from spielwerk.store.opening import explained
from spielwerk.store.problems import (
    LONGEST,
    NotRunning,
    StoreConflict,
    StoreError,
    StoreUnavailable,
    explain,
)


def sqlite_error(name: str) -> sqlite3.Error:
    error = sqlite3.OperationalError("SQLite's own words")
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("name", "kind", "problem"),
    [
        ("SQLITE_BUSY", StoreUnavailable, "another process has locked it"),
        ("SQLITE_FULL", StoreError, "the disk is full"),
        ("SQLITE_READONLY_DIRECTORY", StoreError, "no permission to write"),
        ("SQLITE_IOERR_FSYNC", StoreError, "does not read or write as it should"),
        ("SQLITE_CONSTRAINT_UNIQUE", StoreConflict, "SQLite's own words"),
        ("SQLITE_SOMETHING_NEW", StoreError, "SQLite's own words"),
    ],
)
def test_sqlite_is_explained(name: str, kind: type[StoreError], problem: str) -> None:
    wrapped = OperationalError("INSERT", {}, sqlite_error(name))
    for error in (sqlite_error(name), wrapped):
        explanation = explain("games.db", error)
        assert type(explanation) is kind
        assert str(explanation).startswith("store games.db: ")
        assert problem in str(explanation)


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full; make room"),
        (OSError(errno.EIO, "Input/output error", "/x"), "Input/output error: /x"),
        (OSError("something\nelse"), "something else"),
    ],
)
def test_the_system_is_explained(error: OSError, problem: str) -> None:
    with pytest.raises(StoreError, match=rf"^store games\.db: {problem}$"), explained("games.db"):
        raise error


def test_a_write_that_fails_on_a_full_disk_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite cannot always tell: it says the same of a disk that is broken."""
    store = str(tmp_path / "games.db")
    assert "as it should" in str(explain(store, sqlite_error("SQLITE_IOERR_SHMSIZE")))
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=4096))
    assert "the disk is full" in str(explain(store, sqlite_error("SQLITE_IOERR_SHMSIZE")))


def test_long_words_are_cut() -> None:
    explanation = explain("games.db", sqlite3.DatabaseError("x " * 10_000))
    assert len(str(explanation)) < LONGEST + 50


@pytest.mark.parametrize("kind", [StoreError, StoreUnavailable, StoreConflict, NotRunning])
def test_errors_survive_pickling(kind: type[StoreError]) -> None:
    error = kind("games.db", "the disk is full")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert isinstance(again, SpielwerkError)
    assert (type(again), str(again)) == (kind, "store games.db: the disk is full")
