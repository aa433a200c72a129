"""Standing in the writer's way."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg


@contextmanager
def locked(url: str) -> Iterator[None]:
    """Nobody can write to the store while another program holds the lock."""
    scheme, _, rest = url.partition(":///")
    with _lock_file(rest) if scheme == "sqlite" else _lock_tables(url):
        yield


@contextmanager
def _lock_file(path: str) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def _lock_tables(url: str) -> Iterator[None]:
    with psycopg.connect(url.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE games, seats, moves, results, wires IN EXCLUSIVE MODE")
        yield
        other.rollback()
