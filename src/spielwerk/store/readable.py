"""What can be read: a store that is ours, or one that another process owns."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from spielwerk.store.migrating import check_revision
from spielwerk.store.problems import StoreUnavailable, explained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from types import TracebackType
    from typing import Self

    from sqlalchemy import Connection, Engine


class Readable(Protocol):
    """Something that can be read in transactions."""

    def reading(self) -> AbstractContextManager[Connection]:
        """A transaction in which everything is read as it was at one moment."""


class ReadOnly:
    """A store that is only looked at, from any thread, while somebody else may write to it."""

    def __init__(self, label: str, engine: Engine) -> None:
        self.label = label
        self._engine = engine
        self._closed = False
        try:
            with self.reading() as connection:
                check_revision(connection, label)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction in which everything is read as it was at one moment."""
        if self._closed:
            raise StoreUnavailable(self.label, "it has been closed")
        with explained(self.label), self._engine.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
