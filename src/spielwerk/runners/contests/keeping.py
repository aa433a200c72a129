"""Writing to the journal until it is written: a store may fail for a while, a contest goes on."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.errors import SpielwerkError
from spielwerk.store.problems import NotRunning, StoreConflict

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry
    from spielwerk.tables.parts import Journal

T = TypeVar("T", bound="Entry")

log = logging.getLogger(__name__)

PAUSE: Final = 1.0  # seconds before what could not be written is tried again
TRIES: Final = 3  # after which something else is written in its place, if others are written
MANY: Final = 60  # and if nothing is: a full disk is waited for, but not for ever
OFTEN: Final = 60  # tries between two lines in the log
LAST: Final = 5.0  # seconds that a store which fails is given when the contest stops


class NotKept(SpielwerkError):
    """What was to be written could not be, and nobody waits any longer."""


class Keeper:
    """Writes entries, again and again if need be."""

    def __init__(self, journal: Journal) -> None:
        self.problem = ""  # why nothing can be written at the moment
        self._journal = journal
        self._written = 0  # entries
        self._deadline: float | None = None
        self._late = asyncio.Event()

    def hurry(self) -> None:
        """The contest stops: what cannot be written soon is not written at all."""
        if self._deadline is None:
            loop = asyncio.get_running_loop()
            self._deadline = loop.time() + LAST
            loop.call_later(LAST, self._late.set)

    async def keep(self, entry: T, instead: Callable[[str], T] | None = None) -> T | None:
        """Have the entry written, or, if only that one cannot be, something in its place.

        What comes back is what was written; None if it came at the wrong time.
        """
        other: T | None = None
        tries, before = 0, self._written
        while error := await self._add(entry):
            if isinstance(error, NotRunning):
                log.warning("came at the wrong time error=%r", str(error))
                return None
            tries += 1
            self.problem = str(error)
            if tries % OFTEN == 1:
                log.warning("cannot write tries=%d error=%r", tries, self.problem)
            alone = tries >= (TRIES if self._written > before else MANY)  # in being refused
            if instead and (alone or isinstance(error, StoreConflict)):
                other = other or instead(self.problem)
                if await self._add(other) is None:
                    entry = other
                    break
            await self._rest()
        self.problem = ""
        self._written += 1
        return entry

    async def _rest(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._deadline is not None and now + PAUSE > self._deadline:
            raise NotKept(self.problem)
        await asyncio.sleep(PAUSE)

    async def _add(self, entry: Entry) -> BaseException | None:
        """Why it could not be written, if it could not."""
        written: asyncio.Future[BaseException | None]
        written = asyncio.get_running_loop().create_future()

        def done(error: BaseException | None) -> None:
            if not written.done():
                written.set_result(error)

        self._journal.add(entry, done)
        late = asyncio.create_task(self._late.wait())
        either: list[asyncio.Future[Any]] = [written, late]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
        if not written.done():
            raise NotKept("the journal does not answer any more")
        return written.result()
