"""Games of a contest reviewed by workers that no game needs, and what that says of the entrants.

A review is the one that the game's page shows, so it is bounded by the nodes of each position, and
made once. What is left to do is in the store: reviewing may end at any moment and go on later.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import ContestError, Finished, WorkerLost
from spielwerk.engines.regret import PHASES, Regret
from spielwerk.store import reading, reviews
from spielwerk.store.problems import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from spielwerk.contests.pool import Pool
    from spielwerk.engines.analysis import Engines
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import Pairing

    Keep = Callable[[str, int, dict[str, Any]], Awaitable[object]]

log = logging.getLogger(__name__)

EFFORT: Final = 0
PAUSE: Final = 1.0  # seconds between two looks at whether there is room,
NOTHING: Final = 10.0  # and after one that has found nothing to do
HOPELESS: Final = 3  # games that cannot be reviewed, without one that can be


class Reviewer:
    """Has finished games reviewed while there is room; `keep` writes down what was found."""

    def __init__(self, store: Readable, contest: str, pool: Pool, keep: Keep) -> None:
        self.done = 0
        self.problem = ""  # why the last game could not be reviewed
        self._store = store
        self._contest = contest
        self._pool = pool
        self._keep = keep
        self._tried: set[str] = set()  # games that are being reviewed, or could not be
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, room: Callable[[], int], *, once: bool = False) -> None:
        """Review for ever, or `once` all games that are over now, until it is cancelled."""
        try:
            while self.done or len(self._tried) < HOPELESS or self._tasks:
                found = await self._fill(room())
                if once and not found and not self._tasks:
                    return
                pause = PAUSE if found or self._tasks else NOTHING
                sleeping = asyncio.create_task(asyncio.sleep(pause))
                await asyncio.wait({*self._tasks, sleeping}, return_when=asyncio.FIRST_COMPLETED)
                sleeping.cancel()
        finally:
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks)

    async def _fill(self, room: int) -> bool:
        """Begin as many reviews as there is room for; whether there is anything to review."""
        free = room - len(self._tasks)
        if free <= 0:
            return True
        found = await asyncio.to_thread(
            reviews.unreviewed, self._store, self._contest, free, self._tried
        )
        for game, opening in found.items():
            self._tried.add(game)
            task = asyncio.create_task(self._review(game, opening))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return bool(found)

    async def _review(self, game: str, opening: int) -> None:
        try:
            record = await asyncio.to_thread(reading.game, self._store, game)
            if record is None:
                return
            found = await self._pool.review(Finished(record, opening))
            if isinstance(found, str):
                self._cannot(game, found)
                return
            await self._keep(game, EFFORT, found)
            self.done += 1
            self._tried.discard(game)
        except (WorkerLost, ContestError, StoreError) as error:
            self._cannot(game, str(error))

    def _cannot(self, game: str, why: str) -> None:
        """The game stays without a review."""
        self.problem = why
        log.warning("cannot review game=%s error=%r", game, why)


# in a worker


async def review_here(order: Finished) -> dict[str, Any] | str:
    """The review of a game, made at the lowest priority; or why it cannot be made."""
    try:
        return await asyncio.get_running_loop().run_in_executor(_thread(), _reviewed, order)
    except Exception as error:
        log.exception("cannot review game=%s", order.record.id)
        return f"{type(error).__name__}: {error}"


@cache
def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "review", _yield_to_games)


def _yield_to_games() -> None:
    """Let everything else on this machine go first; on Linux a thread has its own priority."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)


@cache
def _engines() -> Engines:
    from spielwerk.engines.analysis import Engines

    return Engines()


def _reviewed(order: Finished) -> dict[str, Any]:
    from spielwerk.engines.analysis import Interrupt
    from spielwerk.engines.review import review_of
    from spielwerk.tables.parts import History

    history = History.of(order.record)
    states = [*(state for state, _ in history), history.state]
    moves = [move for _, move in history]
    review = review_of(order.record.game)(states, moves, EFFORT, order.opening)
    while not review.done:
        review.advance(_engines(), Interrupt())
    return review.told()


# what it says of the entrants


@dataclass(frozen=True)
class RegretTable:
    """What the decisions of the entrants cost, by phase, in the games that have been reviewed."""

    games: int = 0
    entrants: Mapping[int, Mapping[str, Regret]] = field(default_factory=dict)

    def phase(self, entrant: int, phase: str) -> Regret:
        """What an entrant's decisions cost in that phase of its games."""
        return self.entrants.get(entrant, {}).get(phase, Regret())

    def total(self, entrant: int) -> Regret:
        """What they cost in all."""
        return sum((self.phase(entrant, phase) for phase in PHASES), Regret())


def added_up(found: Mapping[int, Sequence[Any]], pairings: Sequence[Pairing]) -> RegretTable:
    """The reviews by the numbers of their games, added up for each entrant."""
    seats = {pairing.number: pairing.seats for pairing in pairings}
    entrants: dict[int, dict[str, Regret]] = defaultdict(lambda: dict.fromkeys(PHASES, Regret()))
    for number, players in found.items():
        for entrant, phases in zip(seats[number], players, strict=False):
            for phase in PHASES:
                entrants[entrant][phase] += Regret.from_told(phases[phase])
    return RegretTable(len(found), entrants)
