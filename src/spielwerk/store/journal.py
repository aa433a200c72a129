"""The journal: entries come from the event loop and are on the disk before they are confirmed.

One thread writes. It takes everything that waits, commits it at once, and reports back to the loop
in one call; so while a commit takes its time the next one gathers, and a busy server makes few
large commits instead of many small ones.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spielwerk.store.problems import StoreError, one_line
from spielwerk.store.writing import Writer, game_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.opening import Store
    from spielwerk.store.records import Entry

    Done = Callable[[BaseException | None], None]
    Observe = Callable[[int, float], None]

CLOSING: Final = 5.0
"""Seconds that closing may take."""


@dataclass(slots=True)
class _Waiting:
    entry: Entry
    done: Done
    error: StoreError | None = None  # an earlier entry of the game failed before this was written

    @property
    def game(self) -> str | None:
        return game_of(self.entry)


def _ignore(_size: int, _seconds: float) -> None:
    """For journals without an observer."""


class StoreJournal:
    """Writes entries in the order of `add`, for the event loop in which it was made.

    `observe` is called in the loop after each commit with the number of entries and the seconds.
    """

    def __init__(self, store: Store, observe: Observe = _ignore) -> None:
        self._store = store
        self._observe = observe
        self._loop = asyncio.get_running_loop()
        self._finished = asyncio.Event()
        self._writer = Writer(store)
        self._changed = threading.Condition()  # guards the three below
        self._waiting: deque[_Waiting] = deque()
        self._broken: dict[str, StoreError] = {}  # games with a failure not yet reported
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    def add(self, entry: Entry, done: Done) -> None:
        """Have the entry written; `done` hears, in the loop, None or why it was not."""
        with self._changed:
            if not self._closing:
                self._waiting.append(_Waiting(entry, done))
                self._changed.notify()
                return
        self._loop.call_soon(done, StoreError(self._store.label, "it is being closed"))

    async def close(self, patience: float = CLOSING) -> None:
        """Write everything that waits, and end; StoreError if that takes too long."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        try:
            await asyncio.wait_for(self._finished.wait(), patience)
        except TimeoutError:
            raise StoreError(
                self._store.label,
                f"what was last written may be lost: closing took longer than {patience} s",
            ) from None
        self._thread.join()

    # in the thread

    def _run(self) -> None:
        while batch := self._take():
            started = time.perf_counter()
            news = self._write(batch)
            self._tell(self._report, batch, news, time.perf_counter() - started)
        self._tell(self._finished.set)

    def _take(self) -> list[_Waiting]:
        """Everything that waits, at least one; nothing when all is done."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closing)
            batch = [*self._waiting]
            self._waiting.clear()
            for waiting in batch:
                waiting.error = waiting.error or self._broken.get(waiting.game or "")
            return batch

    def _write(self, batch: list[_Waiting]) -> dict[str, StoreError]:
        """Write what can be written; what comes back are the games that failed only now."""
        sound = [waiting for waiting in batch if waiting.error is None]
        errors = self._written([waiting.entry for waiting in sound])
        for waiting, error in zip(sound, errors, strict=True):
            waiting.error = error
        news = {waiting.game: waiting.error for waiting in sound if waiting.game and waiting.error}
        with self._changed:
            self._broken |= news
        return news

    def _written(self, entries: list[Entry]) -> list[StoreError | None]:
        """What became of each entry; a mistake of ours must not leave callers waiting."""
        try:
            return self._writer.write(entries)
        except Exception as error:
            problem = f"cannot be written: {type(error).__name__}: {one_line(str(error))}"
            return [StoreError(self._store.label, problem)] * len(entries)

    def _tell(self, function: Callable[..., None], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # the loop has been closed: the callers are gone
            return

    # in the loop

    def _report(self, batch: list[_Waiting], news: dict[str, StoreError], seconds: float) -> None:
        """Report to all callers; entries that they add from now on know of the failure."""
        with self._changed:
            for waiting in self._waiting:
                waiting.error = waiting.error or news.get(waiting.game or "")
            for game in news:
                del self._broken[game]
        for waiting in batch:
            self._call(waiting.done, waiting.error)
        self._call(self._observe, len(batch), seconds)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        """Call a caller's function, whose mistakes must not reach the others."""
        try:
            function(*arguments)
        except Exception as error:
            message = "a listener of the journal failed"
            self._loop.call_exception_handler({"message": message, "exception": error})
