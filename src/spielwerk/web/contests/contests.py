"""The contests of this server: which there are, and those that were looked at lately."""

from __future__ import annotations

import asyncio
import logging
import re
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.contests.book import read
from spielwerk.contests.contest import unpack
from spielwerk.contests.schedule import to_come
from spielwerk.store import contests as reading
from spielwerk.store import reviews
from spielwerk.store.contests import Far
from spielwerk.store.records import PairingState
from spielwerk.web.contests import shown
from spielwerk.web.contests.shown import Now
from spielwerk.web.viewers import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from spielwerk.store.opening import Readable
    from spielwerk.store.records import ContestRecord, Pairing
    from spielwerk.web.contests.audience import ContestAudience
    from spielwerk.web.site import RunningContest, Site

    Row = dict[str, Any]
    Played = Mapping[str, Now]  # the contest that is played here by its ID, or nothing

log = logging.getLogger(__name__)

ID: Final = re.compile(r"[A-Za-z0-9-]{1,100}")
KEPT: Final = 8  # contests that are followed without viewers: those that were asked for last
MOMENT: Final = 2.0  # seconds that a newcomer waits for tables that are being made
EVERY: Final = 1.0  # seconds between two looks at how far it is
PAUSE: Final = 2.0  # seconds from one ranking to the next, at least,
TIMES: Final = 4  # and so many times as long as the last one took
NEWEST: Final = 10  # that are told of, besides what is played here; /contests has all

_SETTLED: Final = (PairingState.DONE, PairingState.REPEAT, PairingState.FAILED)


class Contests:
    """All of them."""

    def __init__(self, site: Site) -> None:
        self.audiences: set[ContestAudience] = set()  # those who look just now
        self.store = site.store
        self._site = site
        self._followed: dict[str, Followed] = {}  # the one that was asked for last at the end
        self._one_at_a_time = asyncio.Lock()

    @property
    def running(self) -> RunningContest | None:
        """The one that is played here."""
        return self._site.contest()

    async def find_id(self, contest: str) -> str | None:
        """The ID itself, if there is a contest that has it."""
        return contest if await self.record(contest) else None

    async def record(self, contest: str) -> ContestRecord | None:
        """The contest of this ID, as it is kept."""
        if not ID.fullmatch(contest):
            return None
        return await asyncio.to_thread(reading.contest, self.store, contest)

    async def follow(self, contest: str, *, comes: bool = True) -> Followed | None:
        """The contest of this ID, up to date; nothing if there is none.

        The tables from before may be as old as the last visit, so a viewer who `comes` waits a
        moment for new ones; those who are here will hear of them anyway.
        """
        record = await self.record(contest)
        if record is None:
            return None
        followed = self._followed.pop(contest, None)
        if followed is None or followed.record != record:  # its description may have grown
            look, make = partial(_look, self.store, record), partial(_tables, self.store, record)
            followed = Followed(record, look, make, self._site.contest, self._one_at_a_time)
        self._followed[contest] = followed
        self._forget()
        await followed.refresh(MOMENT if comes else 0.0)
        return followed

    def _forget(self) -> None:
        looked_at = {audience.contest for audience in self.audiences}
        idle = [one for one in self._followed if one not in looked_at]
        for one in idle[:-KEPT]:
            del self._followed[one]

    async def conclude(self) -> None:
        """Tell all viewers how it stands: nothing more will happen here."""
        told = (audience.conclude() for audience in list(self.audiences))
        for failure in await asyncio.gather(*told, return_exceptions=True):
            if isinstance(failure, Exception):
                log.error("cannot tell how a contest ended", exc_info=failure)

    async def listed(self) -> list[dict[str, Any]]:
        """All contests, the newest first, with how far they are."""
        running = self.running
        now = {running.id: Now(shown.live(running), running.playing)} if running else {}
        return await asyncio.to_thread(_listed, self.store, now)

    async def place_of(self, game_id: str) -> dict[str, Any] | None:
        """Which game of which contest a game is, if it is one of one."""
        running = self.running
        # While it is played its Game-ID is not in the store.
        number = running.running().get(game_id) if running else None
        playing = None if running is None or number is None else (running.id, number)
        return await asyncio.to_thread(_place, self.store, game_id, playing)


class Seen(NamedTuple):
    """What one look at a contest finds."""

    far: Far = Far({}, 0, 0, 0)
    growing: bool = False
    last: Sequence[Pairing] = ()
    replaced: int = 0  # programs
    reviewed: int = 0  # tenths of the games that are done


class Followed:
    """The contest as it was last read; `one_at_a_time` is shared by all that are followed.

    `look` is quick and says what can be seen of it, `make` takes long and makes the tables, as the
    inside of an object; both are called in threads.
    """

    def __init__(
        self,
        record: ContestRecord,
        look: Callable[[], Seen],
        make: Callable[[], str],
        running: Callable[[], RunningContest | None],
        one_at_a_time: asyncio.Lock,
    ) -> None:
        self.record = record
        self.version = 0  # of the tables
        self.tables = ""
        self._seen = Seen()  # at the last look
        self._look_in_thread, self._make_in_thread = look, make
        self._running = running
        self._one_at_a_time = one_at_a_time
        self._looked = -EVERY
        self._looking: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._read: tuple[int, ...] = ()  # the key of what the tables were made from
        self._failure: Exception | None = None
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

    async def refresh(self, patience: float = 0.0, *, at_once: bool = False) -> None:
        """Bring it up to date; tables that are being made are waited for so many seconds.

        Only the first ones are waited for however long they take. How far it is can be seen
        `at_once`, however lately that was looked at.
        """
        while at_once and self._looking:  # begun before this moment
            await asyncio.wait([self._looking])
        if self._looking is None and (at_once or self._now - self._looked >= EVERY):
            self._looked = self._now
            self._looking = asyncio.create_task(self._look(), name="contest")
        if self._looking:
            await asyncio.shield(self._looking)
        if self._reading:
            await asyncio.wait([self._reading], timeout=patience if self.version else None)
        if not self.version and self._failure:
            raise self._failure

    async def make_now(self) -> None:
        """Have tables of all that was seen, however lately some were made."""
        self._failure = None
        while self._key() != self._read and not self._failure:
            await asyncio.wait([self._reading or self._begin_to_make()])

    async def _look(self) -> None:
        try:
            self._seen = await asyncio.to_thread(self._look_in_thread)
        finally:
            self._looking = None
        due = self._now >= self._again or self._over  # the last ones are not waited for
        if self._reading is None and self._key() != self._read and due:
            self._begin_to_make()

    def _begin_to_make(self) -> asyncio.Task[None]:
        self._reading = asyncio.create_task(self._make(), name="contest tables")
        return self._reading

    @property
    def _over(self) -> bool:
        """Whether all games are played, so that no later tables will come."""
        counts, growing = self._seen.far.counts, self._seen.growing
        over = counts.get(PairingState.DONE, 0) + counts.get(PairingState.FAILED, 0)
        return not growing and not self._failure and over == sum(counts.values())

    def _key(self) -> tuple[int, ...]:
        """What changes when the tables do; how many are just being played is no matter.

        A disqualification is written after the game, and may drop no other; a newcomer may have
        no game yet; and that a program was replaced is known when all is played.
        """
        counts, _, entrants, disqualified = self._seen.far
        settled = (counts.get(state, 0) for state in _SETTLED)
        seen = self._seen
        return sum(counts.values()), *settled, entrants, disqualified, seen.replaced, seen.reviewed

    async def _make(self) -> None:
        key, took = self._key(), 0.0
        try:
            async with self._one_at_a_time:
                started = perf_counter()
                self.tables = await asyncio.to_thread(self._make_in_thread)
                took = perf_counter() - started
            self.version += 1
            self._read, self._failure = key, None
        except Exception as failure:
            self._failure = failure
            log.exception("cannot read contest=%s", self.record.id)
        finally:
            self._reading = None
            self._again = self._now + max(PAUSE, TIMES * took)


class Notices:
    """The rows of the newest contests for the lobby, as they were last read."""

    def __init__(self, site: Site) -> None:
        self.text = "[]"  # for pages, the newest first
        self._site = site
        self._rows: Mapping[str, Row] | None = None  # by the contests' IDs
        self._played: Played = {}  # at the last look

    async def look(self) -> None:
        """Bring the rows up to date."""
        now = self._now()
        changed = now.keys() | self._played.keys()  # one that is over is read once more
        if changed or self._rows is None:
            known = {key: row for key, row in (self._rows or {}).items() if key not in changed}
            here = frozenset(self._site.contests_here)
            self._rows = await asyncio.to_thread(_newest, self._site.store, known, here, now)
            self.text = encode([row | {"here": key in here} for key, row in self._rows.items()])
        self._played = now

    def _now(self) -> Played:
        running = self._site.contest()
        return {running.id: Now({"jobs": running.jobs}, running.playing)} if running else {}


# in a thread


def _look(store: Readable, record: ContestRecord) -> Seen:
    far = reading.far(store, record.id)
    return Seen(
        far,
        _is_growing(store, record),
        reading.latest(store, record.id, shown.LAST),
        len(reading.replaced(store, record.id)),
        10 * reviews.count(store, record.id) // max(1, far.counts.get(PairingState.DONE, 0)),
    )


def _is_growing(store: Readable, record: ContestRecord) -> bool:
    """Whether games will still be drawn up."""
    contest = unpack(record.description)
    return to_come(contest, lambda: reading.meetings(store, record.id)) != 0


def _tables(store: Readable, record: ContestRecord) -> str:
    """All that is told of the contest besides how far it is."""
    book = read(store, record)
    told = {
        **shown.titled(record),
        **shown.rules(book.contest),
        "entrants": [shown.entrant(one) for one in book.entrants],
        **shown.tables(book.ranking, book.pairings, book.regrets),
    }
    return encode(told)[1:-1]


def _listed(store: Readable, now: Played) -> list[Row]:
    return [
        _row(store, record, now) | shown.rules(unpack(record.description))
        for record in reading.contests(store)
    ]


def _newest(
    store: Readable, known: Mapping[str, Row], here: Collection[str], now: Played
) -> Mapping[str, Row]:
    """The rows of the newest contests and of those played here; what is known stays."""
    records = reading.contests(store)
    told = [one for place, one in enumerate(records) if place < NEWEST or one.id in here]
    return {one.id: known.get(one.id) or _row(store, one, now) for one in told}


def _row(store: Readable, record: ContestRecord, now: Played) -> Row:
    far, growing = reading.far(store, record.id), _is_growing(store, record)
    return shown.row(record, far, now.get(record.id, Now()), growing=growing)


def _place(store: Readable, game_id: str, playing: tuple[str, int] | None) -> Row | None:
    if playing:
        pairing = reading.pairing(store, *playing)
    else:
        pairing = reading.pairing_of_game(store, game_id)
    record = reading.contest(store, pairing.contest) if pairing else None
    if pairing is None or record is None:
        return None
    return {
        "id": record.id,
        "name": record.name,
        "number": pairing.number,
        "round": pairing.round,
        "opening": len(pairing.opening),  # plies that none of the players has chosen
    }
