"""Who thinks next: all that engines do for a server takes turns on a few threads.

Most thoughts are short. Each begins in the short lane, so it never waits for a long one; what is
not done after a first slice goes on in the long lane, beside it. In both lanes the most urgent come
first (`Urgency`), then those whose owner has used least time of late. An owner that has used more
than its share comes after all who have not, whatever they ask for.

Engines can be stopped at any moment and then return the best they have found. So a thought gives
way when its slice is over and another should have its place, and at once to what is more urgent.
It then waits and begins anew, with a slice twice as long, so that little is done twice. When its
time is up the best of its longest slice counts. On a server with little to do nothing is stopped.
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from itertools import count
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.engines.analysis import Interrupt
from spielwerk.net.rates import Memory
from spielwerk.tables.parts import real_timer

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from spielwerk.tables.parts import SetTimer, Timer

    Work = Callable[[Interrupt, float], Any]  # what is to be thought, and the seconds for it
    Standing = tuple[bool, int, float, float, int]  # the least comes first

FIRST: Final = 0.1  # seconds of the first slice: all but the highest levels need less
LONGEST: Final = 4.0  # and of a later one
LEAST: Final = 0.02  # seconds for a thought whose time was up before it began
HALF_LIFE: Final = 10.0  # seconds in which half of what an owner has used is forgotten
CREDIT: Final = 3.0  # seconds that an owner may have used before it comes after others
OWNERS: Final = 10_000  # that are remembered


class Urgency(IntEnum):
    """For whom something is thought about; the first come first."""

    PLAYER = 0  # a person or a client, at whose table an engine has to move
    HINT = 1
    WATCHED = 2  # spectators of a game between engines
    LOOK = 3
    REVIEW = 4
    DEEPER = 5
    UNWATCHED = 6  # engines among themselves, without a spectator
    SHOW = 7


class Asker(NamedTuple):
    """Who wants something to be thought about, and how urgent that is by now."""

    owner: Hashable
    urgency: Callable[[], Urgency]


ANYBODY: Final = Asker("", lambda: Urgency.PLAYER)


class Lane:
    """Thoughts that share so many places."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.waiting: list[Thought] = []
        self.running: list[Thought] = []


@dataclass(eq=False, slots=True)
class Thought:
    """A piece of work on its way through the lanes."""

    work: Work
    asker: Asker
    asked: float
    within: float
    began: Callable[[], None]
    whole: bool  # never stopped
    lane: Lane
    number: int
    done: asyncio.Future[Any]
    interrupt: Interrupt = field(default_factory=Interrupt)
    slice: float = FIRST
    since: float = 0.0  # what has been charged until then
    used: float = 0.0  # seconds in all slices
    ran: float = 0.0  # in this one
    stopped: bool = False
    best: tuple[float, Any] | None = None  # of the longest slice so far
    timer: Timer | None = None

    @property
    def deadline(self) -> float:
        """When its time is up."""
        return self.asked + self.within

    def cancel_timer(self) -> None:
        """Nothing is due any more."""
        if self.timer:
            self.timer.cancel()
            self.timer = None


class Thinking:
    """The threads, and what waits for them; all but the work itself is on the loop."""

    def __init__(
        self,
        threads: int = 0,
        *,
        clock: Callable[[], float] = time.monotonic,
        timer: SetTimer = real_timer,
    ) -> None:
        self.threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self.preempted: Callable[[], None] = lambda: None
        self.waited: Callable[[float], None] = lambda _seconds: None
        self._short, self._long = Lane(self.threads), Lane(self.threads)
        self._clock = clock
        self._set_timer = timer
        self._numbers = count()
        self._used: Memory[Hashable, tuple[float, float]] = Memory(OWNERS)  # seconds, and when
        self._todo: SimpleQueue[Thought | None] = SimpleQueue()
        self._begun = 0  # threads
        self._closed = False

    async def think(
        self,
        work: Work,
        asker: Asker = ANYBODY,
        within: float = float("inf"),
        began: Callable[[], None] = lambda: None,
        *,
        whole: bool = False,
    ) -> Any:
        """What the work returns, or the best it has returned when it was stopped, in this time.

        `began` is called when it gets a thread for the first time.
        """
        now, done = self._clock(), asyncio.get_running_loop().create_future()
        thought = Thought(
            *(work, asker, now, within, began, whole, self._short, next(self._numbers), done)
        )
        if self._closed:
            done.cancel()
        else:
            self._enter(thought)
        try:
            return await done
        finally:
            self._forget(thought)

    def close(self) -> None:
        """Stop all that is being thought, and take no more."""
        self._closed = True
        for lane in (self._short, self._long):
            for thought in (*lane.waiting, *lane.running):
                thought.interrupt.set()
                with suppress(RuntimeError):  # the loop has ended already
                    thought.done.cancel()
        for _ in range(self._begun):
            self._todo.put(None)

    # whose turn it is

    def _standing(self, thought: Thought) -> Standing:
        urgency, used = thought.asker.urgency(), self._recently_used(thought.asker.owner)
        last = used > CREDIT or urgency >= Urgency.UNWATCHED
        return last, urgency, used, thought.used, thought.number

    def _recently_used(self, owner: Hashable) -> float:
        seconds, then = self._used.get(owner) or (0.0, 0.0)
        return seconds * math.exp2((then - self._clock()) / HALF_LIFE)

    def _charge(self, thought: Thought) -> None:
        """Count what it has used since it was last looked at."""
        now, owner = self._clock(), thought.asker.owner
        spent, thought.since = now - thought.since, now
        thought.used += spent
        thought.ran += spent
        self._used.put(owner, (self._recently_used(owner) + spent, now))

    def _enter(self, thought: Thought) -> None:
        """A new thought; those that wait already had their chance."""
        lane = thought.lane
        lane.waiting.append(thought)
        if len(lane.running) < lane.places:
            self._start(thought)
        else:
            self._make_way(thought)

    def _fill(self, lane: Lane) -> None:
        """Give free places to the first who wait, and take one from what is less urgent."""
        while lane.waiting:
            first = min(lane.waiting, key=self._standing)
            if len(lane.running) == lane.places:
                self._make_way(first)
                return
            self._start(first)

    def _make_way(self, thought: Thought) -> None:
        """Stop what must not keep it waiting for the end of a slice; one at a time."""
        running = thought.lane.running
        if any(other.stopped for other in running):
            return
        last = max(running, key=self._standing)
        own, other = self._standing(thought), self._standing(last)
        used_less = own[2] + last.slice < other[2]  # by more than it would have to wait
        if own[:2] < other[:2] or (own[:2] == other[:2] and used_less):
            self._stop(last)

    # the way of a thought

    def _start(self, thought: Thought) -> None:
        thought.cancel_timer()
        thought.lane.waiting.remove(thought)
        thought.lane.running.append(thought)
        thought.since, thought.ran = self._clock(), 0.0
        thought.stopped, thought.interrupt = False, Interrupt()
        self._set_slice(thought)
        self._launch(thought)
        if thought.best is None:
            self.waited(thought.since - thought.asked)
            thought.began()

    def _set_slice(self, thought: Thought) -> None:
        if not thought.whole:
            due = self._clock() + thought.slice
            thought.timer = self._set_timer(due, partial(self._tire, thought))

    def _tire(self, thought: Thought) -> None:
        """Its slice is over: it goes on if no other thought should."""
        if thought.stopped:
            return
        self._charge(thought)
        if thought.lane is self._short and len(self._long.running) < self._long.places:
            self._short.running.remove(thought)
            self._long.running.append(thought)
            thought.lane = self._long
            self._fill(self._short)
        elif thought.lane is self._short or self._is_behind(thought):
            self._stop(thought)
            return
        self._set_slice(thought)

    def _is_behind(self, thought: Thought) -> bool:
        """Whether another that waits should have its place."""
        own = self._standing(thought)
        return any(self._standing(other) < own for other in thought.lane.waiting)

    def _stop(self, thought: Thought) -> None:
        if not (thought.whole or thought.stopped):
            thought.stopped = True
            thought.interrupt.set()
            self.preempted()

    def _return(self, thought: Thought, value: Any, error: BaseException | None) -> None:
        """Its thread has finished with it."""
        thought.cancel_timer()
        thought.lane.running.remove(thought)
        self._charge(thought)
        if thought.done.done():
            pass  # not waited for any more
        elif error:
            thought.done.set_exception(error)
        elif thought.stopped:
            self._put_back(thought, value)
        else:
            thought.done.set_result(self._better(thought, value))
        if not self._closed:
            self._fill(self._short)
            self._fill(self._long)

    def _better(self, thought: Thought, value: Any) -> Any:
        """What it has found, or what an earlier slice has if the time was up too soon."""
        best, late = thought.best, self._clock() >= thought.deadline
        return best[1] if best and late and best[0] > thought.ran else value

    def _put_back(self, thought: Thought, value: Any) -> None:
        """Let it wait for its next slice, until its time is up."""
        if thought.best is None or thought.ran >= thought.best[0]:
            thought.best = thought.ran, value
        if thought.ran >= thought.slice:
            thought.slice = min(LONGEST, 2 * thought.ran)
            thought.lane = self._long
        thought.lane.waiting.append(thought)
        if thought.within < float("inf"):
            thought.timer = self._set_timer(thought.deadline, partial(self._settle, thought))

    def _settle(self, thought: Thought) -> None:
        """Its time is up while it waits."""
        if thought.best and not thought.done.done():
            thought.done.set_result(thought.best[1])

    def _forget(self, thought: Thought) -> None:
        """It is done, or no longer waited for."""
        if thought in thought.lane.waiting:
            thought.cancel_timer()
            thought.lane.waiting.remove(thought)
        thought.interrupt.set()

    # the threads

    def _launch(self, thought: Thought) -> None:
        """Have it thought about in a thread, and then `_return` called on the loop."""
        if len(self._short.running) + len(self._long.running) > self._begun:
            self._begun += 1
            # A daemon: the program may end while it thinks.
            threading.Thread(target=self._work, name="thinking", daemon=True).start()
        self._todo.put(thought)

    def _work(self) -> None:
        while (thought := self._todo.get()) is not None:
            left = max(thought.deadline - self._clock(), min(LEAST, thought.within))
            value, error = None, None
            try:
                value = thought.work(thought.interrupt, left)
            except BaseException as problem:  # raised again where it is waited for
                error = problem
            with suppress(RuntimeError):  # the loop has ended meanwhile
                thought.done.get_loop().call_soon_threadsafe(self._return, thought, value, error)
            del thought, value, error  # they may be large
