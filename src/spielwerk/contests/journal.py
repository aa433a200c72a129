"""The journal of a contest: every entry is tried until it is in the store, or the contest stops."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

from spielwerk.errors import SpielwerkError
from spielwerk.store.problems import NotRunning, StoreConflict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.store.contest_records import ContestEntry
    from spielwerk.store.problems import StoreError

    Write = Callable[[Sequence[ContestEntry]], list[StoreError | None]]
    Observe = Callable[[int, float], None]

T = TypeVar("T", bound="ContestEntry")

log = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds before an entry that could not be written is tried again
TRIES: Final = 3  # after which something else is written in its place, if others are written
MANY: Final = 60  # the same if nothing is written: a full disk is waited for, but not for ever
LAST: Final = 5.0  # seconds for each entry when the contest stops, if the store fails


class NotWritten(SpielwerkError):
    """An entry could not be written before the contest had to stop."""


class ContestJournal:
    """Writes entries in a thread of its own; all that wait are written together.

    `write` is that of a ScheduleWriter; `observe` is told how many entries were written together,
    and how many seconds that took.
    """

    def __init__(self, write: Write, observe: Observe = lambda _size, _seconds: None) -> None:
        self.problem = ""  # why nothing can be written at the moment
        self._write = write
        self._observe = observe
        self._thread = ThreadPoolExecutor(1, "contest-journal")
        self._waiting: list[tuple[ContestEntry, asyncio.Future[StoreError | None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._written = 0  # entries
        self._hurried = False
        self._limits: set[asyncio.Timeout] = set()  # of the entries that are being added

    def hurry(self) -> None:
        """The contest stops: what cannot be written soon is not written at all."""
        if not self._hurried:
            self._hurried = True
            for limit in self._limits:
                limit.reschedule(asyncio.get_running_loop().time() + LAST)

    async def add(self, entry: T, instead: Callable[[str], T] | None = None) -> T | None:
        """Have the entry written, or, if it alone is refused, what `instead` makes of the problem.

        The result is what was written; None if it came at the wrong time.
        """
        limit = asyncio.timeout(LAST if self._hurried else None)
        self._limits.add(limit)
        try:
            async with limit:
                return await self._add(entry, instead)
        except TimeoutError:
            raise NotWritten(self.problem or "the journal does not answer any more") from None
        finally:
            self._limits.discard(limit)

    async def _add(self, entry: T, instead: Callable[[str], T] | None) -> T | None:
        other: T | None = None
        tries, before = 0, self._written
        while error := await self._try(entry):
            if isinstance(error, NotRunning):
                log.warning("came at the wrong time error=%r", str(error))
                return None
            if not self.problem:
                log.warning("cannot write error=%r", str(error))
            self.problem = str(error)
            tries += 1
            alone = tries >= (TRIES if self._written > before else MANY)  # in being refused
            if instead and (alone or isinstance(error, StoreConflict)):
                other = other or instead(self.problem)
                if await self._try(other) is None:
                    entry = other
                    break
            await asyncio.sleep(PAUSE)
        self.problem = ""
        self._written += 1
        return entry

    async def _try(self, entry: ContestEntry) -> StoreError | None:
        """Write the entry once; the result is why it could not be written."""
        written: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, written))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        return await written

    async def _write_all(self) -> None:
        """Write what waits, and what comes meanwhile."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            began, entries = time.monotonic(), [entry for entry, _ in batch]
            errors = await loop.run_in_executor(self._thread, self._write, entries)
            self._observe(len(batch), time.monotonic() - began)
            for (_, written), error in zip(batch, errors, strict=True):
                if not written.done():  # else it is not waited for any more
                    written.set_result(error)
        self._writing = None
