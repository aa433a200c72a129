"""Opening a store by its URL.

games.db or sqlite:///games.db                  a file
postgresql://user:password@host:5432/database   a PostgreSQL server
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from spielwerk.store.problems import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.store.owned import Store
    from spielwerk.store.readable import ReadOnly


def open_store(url: str | os.PathLike[str]) -> Store:
    """The store, owned by this process until it is closed; StoreError says why it cannot be had."""
    place = _place(url)
    if isinstance(place, URL):
        with _driver():
            from spielwerk.store.postgres import PostgresStore
        return PostgresStore(place)
    from spielwerk.store.sqlite import SQLiteStore

    return SQLiteStore(place)


def open_reader(url: str | os.PathLike[str]) -> ReadOnly:
    """The store as it is, to be looked at while another process may own it and write to it.

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
