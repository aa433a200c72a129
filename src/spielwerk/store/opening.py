"""Opening a store by its URL.

games.db or sqlite:///games.db                  a file
postgresql://user:password@host:5432/database   a PostgreSQL server
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from spielwerk.store.problems import StoreError

if TYPE_CHECKING:
    from spielwerk.store.owned import Store


def open_store(url: str | os.PathLike[str]) -> Store:
    """The store, owned by this process until it is closed; StoreError says why it cannot be had."""
    if isinstance(url, os.PathLike) or "://" not in url:
        return _open_file(Path(url))
    parsed = _parse(url)
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        return _open_url_file(parsed)
    if kind in {"postgres", "postgresql"}:
        return _open_server(parsed)
    raise StoreError(f"{kind}:", "unknown kind of database; there are sqlite and postgresql")


def _parse(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        # Not quoted: there may be a password in it.
        raise StoreError(
            f"{url.split('://', maxsplit=1)[0]}:",
            "the URL cannot be read; expected something like "
            "sqlite:///games.db or postgresql://user:password@host:5432/database",
        ) from None
    if "@" in (parsed.host or ""):
        raise StoreError(f"{parsed.drivername}:", "write a @ in the password as %40")
    return parsed


def _open_url_file(url: URL) -> Store:
    if not url.database or url.query:
        raise StoreError("sqlite:", "the URL must name a file and nothing else: sqlite:///games.db")
    return _open_file(Path(url.database))


def _open_file(path: Path) -> Store:
    from spielwerk.store.sqlite import SQLiteStore

    if str(path) == ":memory:":
        raise StoreError(":memory:", "a store must survive a crash; name a file")
    return SQLiteStore(path)


def _open_server(url: URL) -> Store:
    try:
        from spielwerk.store.postgres import PostgresStore
    except ImportError:
        raise StoreError(
            "postgresql:", "its driver is missing; pip install 'spielwerk[postgres]'"
        ) from None
    return PostgresStore(url)
