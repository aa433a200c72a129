"""One thread that analyses for spectators, so that players never wait for it.

Requests are done in the order of their urgency: hints, first looks, reviews, deeper looks. A more
urgent one interrupts what is being done, which then begins anew; a request is given up when all
who asked for it have gone.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import Future
from enum import IntEnum
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.analysis import Engines, Interrupt, judge_of
from spielwerk.errors import SpielwerkError
from spielwerk.messages import english
from spielwerk.net.rates import Memory

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from spielwerk.engines.analysis import Analysis
    from spielwerk.engines.review import Review
    from spielwerk.games import State

log = logging.getLogger(__name__)

QUEUED: Final = 24  # things that may wait to be done
ANALYSES: Final = 512  # that are remembered
REVIEWS: Final = 32  # that are remembered
LOOK: Final = 0.8  # seconds of a first look; a deeper one has twice or four times as many
DEEPEST: Final = 2
ATTENTION: Final = 20.0  # seconds that a review goes on without being asked for
FULL_STRENGTH: Final = "level=10"  # whose hints are the analysis's best moves
GLANCE: Final = 0.3  # seconds between two checks whether the caller still waits


class TooBusy(SpielwerkError):
    """More is asked for than can be done."""


class Urgency(IntEnum):
    """What is done first."""

    HINT = 0
    LOOK = 1
    REVIEW = 2
    DEEPER = 3


class Job:
    """A request, and how many wait for it."""

    def __init__(self, urgency: Urgency, key: Hashable, work: Callable[[Interrupt], Any]) -> None:
        self.urgency = urgency
        self.key = key
        self.work = work
        self.interrupt = Interrupt()
        self.waiting = 0
        self.done: Future[Any] = Future()
        self.done.set_running_or_notify_cancel()  # one caller may go, others wait on


class Analyst:
    """The thread, what waits for it, and what it remembers; all but its work is on the loop."""

    def __init__(self, look: float = LOOK) -> None:
        self._look = look
        self._engines = Engines()  # the thread's
        self._known: Memory[State[Any], tuple[int, Analysis]] = Memory(ANALYSES)
        self._reviews: Memory[str, tuple[Review, list[float]]] = Memory(REVIEWS)
        self._jobs: list[Job] = []  # waiting
        self._running: Job | None = None
        self._changed = threading.Condition()  # guards these two
        self._thread: threading.Thread | None = None

    # asked for on the loop

    async def analyse(
        self,
        state: State[Any],
        effort: int,
        gone: Callable[[], Awaitable[bool]],
        *,
        urgent: bool = False,
    ) -> Analysis:
        """What every move is worth there, found with at least this effort, from 0 to DEEPEST."""
        known = self._known.get(state)
        if known and (known[0] >= effort or known[1].proven):
            return known[1]
        seconds = self._look * 2**effort
        urgency = Urgency.HINT if urgent else Urgency.DEEPER if effort else Urgency.LOOK

        def work(interrupt: Interrupt) -> Analysis:
            judge = judge_of(state.game.name)
            return judge.analyse(self._engines, state, seconds, interrupt)

        found: Analysis = await self._wait(self._job(urgency, (state, effort), work), gone)
        self._known.put(state, (effort, found))
        return found

    async def hint(
        self, player: str, state: State[Any], gone: Callable[[], Awaitable[bool]]
    ) -> str:
        """The whole turn that the player described so would play there.

        At full strength that is the best of the analysis, which must not contradict it later.
        """
        if player == FULL_STRENGTH:
            found = await self.analyse(state, DEEPEST, gone, urgent=True)
            if found.moves:
                return found.moves[0].move

        def work(_interrupt: Interrupt) -> str:
            return judge_of(state.game.name).hint(self._engines, player, state)

        job = self._job(Urgency.HINT, (player, state, "hint"), work)
        text: str = await self._wait(job, gone)
        return text

    def review(self, game_id: str) -> Review | None:
        """The game's review that was begun last; asking makes it go on."""
        kept = self._reviews.get(game_id)
        if kept is None:
            return None
        review, asked = kept
        asked[0] = monotonic()
        if not (review.done or review.failed):
            self._grow(game_id, review, asked)
        return review

    def begin_review(self, game_id: str, review: Review) -> Review:
        """Have the game reviewed."""
        asked = [monotonic()]
        self._grow(game_id, review, asked)
        self._reviews.put(game_id, (review, asked))
        return review

    def _grow(self, game_id: str, review: Review, asked: list[float]) -> None:
        """Have it go on as long as it is asked for."""

        def work(interrupt: Interrupt) -> None:
            try:
                while not (review.done or interrupt.raised or monotonic() - asked[0] > ATTENTION):
                    review.advance(self._engines, interrupt)
            except Exception:
                log.exception("review failed game=%s", game_id)
                review.give_up()

        urgency = Urgency.DEEPER if review.effort else Urgency.REVIEW
        job = self._job(urgency, (game_id, review.effort), work)
        job.waiting = 1  # the review itself

    # the queue

    def _job(self, urgency: Urgency, key: Hashable, work: Callable[[Interrupt], Any]) -> Job:
        """The job that does this, an equal one that waits already, or TooBusy."""
        with self._changed:
            job = self._equal(key) or self._queued(Job(urgency, key, work))
            job.urgency = min(job.urgency, urgency)
            if self._running and self._running.urgency > urgency:
                self._running.interrupt.set()
            self._changed.notify()
        self._begin()
        return job

    def _equal(self, key: Hashable) -> Job | None:
        running = [self._running] if self._running else []
        jobs = (*self._jobs, *running)
        return next((job for job in jobs if job.key == key and not job.interrupt.raised), None)

    def _queued(self, job: Job) -> Job:
        if len(self._jobs) >= QUEUED:
            raise TooBusy(english("analysis-busy"))
        self._jobs.append(job)
        return job

    async def _wait(self, job: Job, gone: Callable[[], Awaitable[bool]]) -> Any:
        done = asyncio.wrap_future(job.done)
        job.waiting += 1
        try:
            while not done.done():
                await asyncio.wait([done], timeout=GLANCE)
                if not done.done() and await gone():
                    raise SpielwerkError("the caller has gone")
            return done.result()
        finally:
            done.cancel()
            job.waiting -= 1
            if not job.waiting:
                self._give_up(job)

    def _give_up(self, job: Job) -> None:
        with self._changed:
            job.interrupt.set()
            if job in self._jobs:
                self._jobs.remove(job)

    # the thread

    def _begin(self) -> None:
        if self._thread is None:
            # A daemon: the program may end during an analysis.
            self._thread = threading.Thread(target=self._work, name="analyst", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs)
                job = min(self._jobs, key=lambda job: job.urgency)
                self._jobs.remove(job)
                self._running = job
            self._do(job)

    def _do(self, job: Job) -> None:
        try:
            result = job.work(job.interrupt)
        except BaseException as error:
            self._finish(job)
            job.done.set_exception(error)
            return
        if self._finish(job):
            job.done.set_result(result)

    def _finish(self, job: Job) -> bool:
        """Whether the job is done; if it was interrupted and is waited for, it begins anew."""
        with self._changed:
            self._running = None
            interrupted = job.interrupt.raised and job.waiting > 0
            if interrupted:
                job.interrupt = Interrupt()
                self._jobs.append(job)
        return not interrupted
