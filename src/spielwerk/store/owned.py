"""A store that this process owns: no other server writes to it."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy import func, select

from spielwerk.store.migrating import bring_up_to_date
from spielwerk.store.problems import StoreUnavailable, explained
from spielwerk.store.schema import index_steps, names, wires

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    from sqlalchemy import Connection, Engine

PATIENCE: Final = 2.0
"""Seconds that a lock held by somebody else is waited for."""

NUMBERED: Final = (names, wires, index_steps)

LAST_COMMIT: Final = 0.5
"""Seconds that a transaction may still take when the store is closed."""


class Store(ABC):
    """Read from any thread, written by one thread at a time.

    Everything is written through one connection. On PostgreSQL that connection holds the lock that
    makes the store ours, so that with the lock the ability to write is gone, too.
    """

    def __init__(self, label: str, engine: Engine, readers: Engine) -> None:
        self.label = label
        self._engine = engine
        self._readers = readers
        self._writer: Connection | None = None
        self._writing = threading.Lock()
        self._closed = False
        self._numbering = threading.Lock()
        self._next_number = 0  # of a row without another key; 0 while it is not known
        try:
            with self.writing() as connection:
                bring_up_to_date(connection, label)
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _connect(self) -> Connection:
        """A connection to write through, with whatever makes this process the only writer."""

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction in which everything is read as it was at one moment."""
        self._check_open()
        with explained(self.label), self._readers.begin() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction of the only writer; a lost connection is made anew the next time."""
        with self._writing, explained(self.label):
            self._check_open()
            if self._writer is None:
                self._writer = self._connect()
            try:
                with self._writer.begin():
                    yield self._writer
            except BaseException:
                if self._writer.invalidated or self._writer.in_transaction():
                    self._give_up_writer()
                raise

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
        """Close all connections; the store belongs to nobody then."""
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

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(self.label, "it has been closed")

    def _give_up_writer(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
