"""A contest that somebody looks at: read again when something has happened there, not too often.

How far it is, and what ended last, costs a moment and is looked at every second. The tables take
the whole schedule and a ranking of it, which is long work when thousands of games have been played:
that is done in a thread, for everybody at once, and meanwhile the tables from before are shown.
"""

from __future__ import annotations

import asyncio
import logging
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.contests.archive import read
from spielwerk.contests.contest import unpack
from spielwerk.store.contest_records import State
from spielwerk.store.contests import Far
from spielwerk.web.contests import shown
from spielwerk.web.live.messages import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.contests.archive import ContestArchive
    from spielwerk.contests.contest import Contest
    from spielwerk.store.contest_records import ContestRecord, Pairing
    from spielwerk.web.site import RunningContest

    Key = tuple[int, ...]

log = logging.getLogger(__name__)

EVERY: Final = 1.0  # seconds between two looks at how far it is
PAUSE: Final = 2.0  # seconds from one ranking to the next, at least,
TIMES: Final = 4  # and so many times as long as the last one took

_SETTLED: Final = (State.DONE, State.REPEAT, State.FAILED)


class Seen(NamedTuple):
    """What one look finds."""

    far: Far = Far({}, 0, 0, 0)
    growing: bool = False
    last: Sequence[Pairing] = ()
    replaced: int = 0  # programs


class Followed:
    """The contest as it was last read; `one_at_a_time` is shared by all that are followed."""

    def __init__(
        self,
        archive: ContestArchive,
        record: ContestRecord,
        running: Callable[[], RunningContest | None],
        one_at_a_time: asyncio.Lock,
    ) -> None:
        self.record = record
        self.version = 0  # of the tables
        self.tables = ""  # as the inside of an object
        self._seen = Seen()  # at the last look
        self._contest = unpack(record.description)
        self._archive = archive
        self._running = running
        self._one_at_a_time = one_at_a_time
        self._looked = -EVERY
        self._looking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._read: Key = ()  # what the tables were made from
        self._failure: BaseException | None = None
        self._again = 0.0  # when they may be made anew

    @property
    def live(self) -> RunningContest | None:
        """The contest as it is played here; None if it is not."""
        running = self._running()
        return running if running and running.id == self.record.id else None

    @property
    def progress(self) -> str:
        """How far it is, and what ended last, as the inside of an object."""
        live, seen = self.live, self._seen
        told = {
            "progress": shown.progress(seen.far, live.playing if live else 0, growing=seen.growing),
            "live": shown.live(live),
            "last": [shown.game(one) for one in seen.last],
        }
        return encode(told)[1:-1]

    @property
    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def refresh(self, patience: float = 0.0) -> None:
        """Bring it up to date; tables that are being made are waited for so many seconds.

        Only the first ones are waited for however long they take.
        """
        if self._looking is None and self._now - self._looked >= EVERY:
            self._begin_to_look()
        if self._looking:
            await asyncio.shield(self._looking)
        if self._reading:
            await asyncio.wait([self._reading], timeout=patience if self.version else None)
        if not self.version and self._failure:
            raise self._failure

    async def look_now(self) -> None:
        """See how far it is at this moment, however lately that was looked at."""
        while self._looking:  # begun before this moment
            await asyncio.wait([self._looking])
        await asyncio.shield(self._begin_to_look())

    async def make_now(self) -> None:
        """Have tables of all that was seen, however lately some were made."""
        self._failure = None
        while self._key() != self._read and not self._failure:
            await asyncio.wait([self._reading or self._begin_to_make()])

    def _begin_to_look(self) -> asyncio.Task[None]:
        self._looked = self._now
        self._looking = asyncio.create_task(self._look(), name="contest")
        return self._looking

    async def _look(self) -> None:
        try:
            self._seen = await asyncio.to_thread(
                _look, self._archive, self.record.id, self._contest
            )
        finally:
            self._looking = None
        due = self._now >= self._again or self._over  # the last ones are not waited for
        if self._reading is None and self._key() != self._read and due:
            self._begin_to_make()

    def _begin_to_make(self) -> asyncio.Task[None]:
        self._reading = asyncio.create_task(self._make(), name="contest tables")
        self._reading.add_done_callback(self._made)
        return self._reading

    @property
    def _over(self) -> bool:
        """Whether all games are played, so that no later tables will come."""
        counts, growing = self._seen.far.counts, self._seen.growing
        over = counts.get(State.DONE, 0) + counts.get(State.FAILED, 0)
        return not growing and not self._failure and over == sum(counts.values())

    def _key(self) -> Key:
        """What changes when the tables do; how many are just being played is no matter.

        A disqualification is written after the game, and may drop no other; who is new may have
        no game yet; and that a program was replaced is known when all is played.
        """
        counts, _, entrants, disqualified = self._seen.far
        settled = (counts.get(state, 0) for state in _SETTLED)
        return sum(counts.values()), *settled, entrants, disqualified, self._seen.replaced

    async def _make(self) -> None:
        key = self._key()
        async with self._one_at_a_time:
            started = perf_counter()
            self.tables = await asyncio.to_thread(_tables, self._archive, self.record)
            took = perf_counter() - started
        self._read = key
        self.version += 1
        self._again = self._now + max(PAUSE, TIMES * took)

    def _made(self, task: asyncio.Task[None]) -> None:
        self._reading = None
        self._failure = None if task.cancelled() else task.exception()
        if self._failure:
            self._again = self._now + PAUSE
            log.error("cannot read contest=%s", self.record.id, exc_info=self._failure)


# in a thread


def _look(archive: ContestArchive, identity: str, contest: Contest) -> Seen:
    """What is quickly seen of the contest."""
    return Seen(
        archive.far(identity),
        archive.growing(identity, contest),
        archive.latest(identity, shown.LAST),
        len(archive.replaced(identity)),
    )


def _tables(archive: ContestArchive, record: ContestRecord) -> str:
    """All that is told of the contest besides how far it is."""
    book = read(archive, record)
    told = {
        **shown.titled(record),
        **shown.rules(book.contest),
        "entrants": [shown.entrant(one) for one in book.entrants],
        **shown.tables(book.ranking, book.pairings),
    }
    return encode(told)[1:-1]
