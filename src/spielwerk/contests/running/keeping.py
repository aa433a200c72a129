"""Writing to the journal until it is written: a store may fail for a while, a contest goes on."""

from __future__ import annotations

import asyncio
import logging
from math import inf
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
OFTEN: Final = 60.0  # seconds between two lines in the log of one problem
LAST: Final = 5.0  # seconds for each entry when the contest stops, if the store fails


class NotKept(SpielwerkError):
    """What was to be written could not be, and nobody waits any longer."""


class Keeper:
    """Writes entries, again and again if need be."""

    def __init__(self, journal: Journal) -> None:
        self.problem = ""  # why nothing can be written at the moment
        self._journal = journal
        self._written = 0  # entries
        self._hurried = asyncio.Event()
        self._since = -inf
        self._logged = ("", -inf)  # the last problem, and when that was

    def hurry(self) -> None:
        """The contest stops: what cannot be written soon is not written at all."""
        if not self._hurried.is_set():
            self._hurried.set()
            self._since = asyncio.get_running_loop().time()

    async def keep(self, entry: T, instead: Callable[[str], T] | None = None) -> T | None:
        """Have the entry written, or, if only that one cannot be, something in its place.

        What comes back is what was written; None if it came at the wrong time.
        """
        other: T | None = None
        tries, before = 0, self._written
        began = asyncio.get_running_loop().time()
        while error := await self._add(entry, began):
            if isinstance(error, NotRunning):
                log.warning("came at the wrong time error=%r", str(error))
                return None
            tries += 1
            self.problem = str(error)
            self._log()
            alone = tries >= (TRIES if self._written > before else MANY)  # in being refused
            if instead and (alone or isinstance(error, StoreConflict)):
                other = other or instead(self.problem)
                if await self._add(other, began) is None:
                    entry = other
                    break
            await self._rest(began)
        self.problem = ""
        self._written += 1
        return entry

    def _log(self) -> None:
        """Tell the log once in a while, however many wait for it."""
        (problem, moment), now = self._logged, asyncio.get_running_loop().time()
        if self.problem != problem or now - moment >= OFTEN:
            self._logged = (self.problem, now)
            log.warning("cannot write error=%r", self.problem)

    def _left(self, began: float) -> float:
        """Seconds for what began to be written then, now that nobody waits any longer."""
        return max(began, self._since) + LAST - asyncio.get_running_loop().time()

    async def _rest(self, began: float) -> None:
        if self._hurried.is_set() and self._left(began) < PAUSE:
            raise NotKept(self.problem)
        await asyncio.sleep(PAUSE)

    async def _add(self, entry: Entry, began: float) -> BaseException | None:
        """Why it could not be written, if it could not."""
        written: asyncio.Future[BaseException | None]
        written = asyncio.get_running_loop().create_future()

        def done(error: BaseException | None) -> None:
            if not written.done():
                written.set_result(error)

        self._journal.add(entry, done)
        hurried = asyncio.create_task(self._hurried.wait())
        either: list[asyncio.Future[Any]] = [written, hurried]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hurried.cancel()
        if not written.done():
            await asyncio.wait([written], timeout=self._left(began))
        if not written.done():
            raise NotKept("the journal does not answer any more")
        return written.result()
