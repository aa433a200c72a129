"""Games on this machine: a few worker processes, as many as games may be played at once."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import TYPE_CHECKING, Protocol

from spielwerk.contests.workers.slot import NoWorker, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from spielwerk.contests.assignment import Assignment, Played, Tell
    from spielwerk.errors import SpielwerkError

    Start = Callable[[], Coroutine[Any, Any, Slot]]


log = logging.getLogger(__name__)


class Pool(Protocol):
    """Where games are played; `jobs` is how many at once, and may change at any time."""

    jobs: int
    changed: Callable[[], None]  # called when there is room for more, or less
    lost: SpielwerkError | None  # why nothing will ever be played there again

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played, when there is room; WorkerLost if it has to be played again."""

    async def close(self) -> None:
        """End everything that was started."""


def usual_jobs() -> int:
    """How many games are played at once if nobody says: a processor is left for everything else."""
    allowed = getattr(os, "sched_getaffinity", None)  # not every system says
    return max(1, (len(allowed(0)) if allowed else os.cpu_count() or 1) - 1)


class LocalPool:
    """Worker processes that stay between games, so that engines stay warm."""

    def __init__(self, jobs: int, *, sandbox: bool = False, start: Start | None = None) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.lost: SpielwerkError | None = None
        self._jobs = jobs
        self._start = start or (lambda: Slot.start(sandbox=sandbox))
        self._running = 0
        self._idle: list[Slot] = []
        self._busy: set[Slot] = set()
        self._starting = 0
        self._ending: set[asyncio.Task[None]] = set()
        self._room = asyncio.Event()

    @property
    def jobs(self) -> int:
        """How many games are played at once."""
        return self._jobs

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Play so many from now on; what is being played comes to its end in any case."""
        self._jobs = jobs
        while self._idle and self._running + len(self._idle) > jobs:
            self._end(self._idle.pop())
        self._room.set()
        self.changed()

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played when there is room."""
        while self._running >= self._jobs:
            self._room.clear()
            await self._room.wait()
        self._running += 1
        try:
            return await self._play(assignment, tell)
        finally:
            self._running -= 1
            self._room.set()

    async def _play(self, assignment: Assignment, tell: Tell) -> Played:
        slot = await self._find()
        self._busy.add(slot)
        try:
            return await slot.play(assignment, tell)
        finally:
            self._busy.remove(slot)
            if slot.alive and self._running + len(self._idle) <= self._jobs:
                self._idle.append(slot)
            else:
                self._end(slot)

    async def _find(self) -> Slot:
        """A worker; if no other can be started, one of those that are there, when it is free."""
        while True:
            if slot := self._take():
                return slot
            self._starting += 1
            try:
                return await self._start()
            except NoWorker as error:
                if not self._busy and self._starting == 1:
                    raise
                log.warning("fewer games at once than wished: %s", error)
            finally:
                self._starting -= 1
            self._room.clear()
            await self._room.wait()

    def _take(self) -> Slot | None:
        """A worker that waits, if there is one; some may have died meanwhile."""
        while self._idle:
            slot = self._idle.pop()
            if slot.alive:
                return slot
            self._end(slot)
        return None

    def _end(self, slot: Slot) -> None:
        task = asyncio.create_task(slot.close())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all workers, and wait until they have ended."""
        while self._idle:
            self._end(self._idle.pop())
        while self._ending:
            await asyncio.wait(self._ending)
