"""A contest being played: what begins when, and what is written of it.

The schedule is in the store, and every step is there before the next one is made. So the process
may end at any moment: what was running is played again, and nothing is counted twice.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from spielwerk.contests.agenda import Arbiter, GamePace
from spielwerk.contests.contest import ContestError, Entrant, WorkerLost, assign
from spielwerk.store.records import Begun, EntrantRecord, Kind, PairingState, Scheduled
from spielwerk.store.scheduling import NotWritten

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Coroutine
    from typing import Any

    from spielwerk.contests.agenda import Agenda, LadderDraw
    from spielwerk.contests.contest import Contest, Played, Progress
    from spielwerk.contests.live import Guests, Mirrors
    from spielwerk.contests.pool import Pool
    from spielwerk.store.records import Disqualified, Pairing, Settled
    from spielwerk.store.scheduling import ContestJournal

log = logging.getLogger(__name__)

HOPELESS: Final = 10  # games in a row that we could not play, besides all that are lost at once
MOST: Final = 1000  # entrants, newcomers included
GRACE: Final = 5.0  # seconds that running games have to come to their end when the contest stops
HINT: Final = "; --sandbox keeps programs from ending their workers"


class ContestRun:
    """A contest that is being played."""

    def __init__(
        self,
        contest: Contest,
        identity: str,
        agenda: Agenda,
        journal: ContestJournal,
        pool: Pool,
        mirrors: Mirrors | None = None,
        *,
        ladder: LadderDraw | None = None,
        guests: Guests | None = None,
        sandbox: bool = False,
    ) -> None:
        self.id = identity
        self.contest = contest
        self.agenda = agenda
        self.journal = journal
        self.invitations: tuple[str, ...] = ()  # for open seats: where to come to, and how
        self.stopped = asyncio.Event()  # the user has asked for that
        self._pool = pool
        self._mirrors = mirrors
        self._ladder = ladder
        self._guests = guests
        self._sandbox = sandbox
        self._arbiter = Arbiter(contest)
        self._failed = 0  # games that we could not play since the last one that we could
        self._pace = GamePace()
        self._tasks: set[asyncio.Task[None]] = set()  # for every game that is played or written
        self._begun: dict[int, asyncio.Task[Played] | None] = {}  # None: that is being written
        self._grace: asyncio.TimerHandle | None = None  # for running games, when it stops
        self._failure: BaseException | None = None
        self._over = False
        self._held = False  # by the user, with 0 jobs
        self._news = asyncio.Event()  # perhaps a game can begin

    # what others see and do

    @property
    def jobs(self) -> int:
        """How many games are played at once."""
        return self._pool.jobs

    def set_jobs(self, jobs: int) -> None:
        """Play this many at once from now on; 0: begin none, until there are more."""
        self._pool.jobs = jobs
        self._held = jobs == 0
        self._pace.restart()

    @property
    def lacks_workers(self) -> bool:
        """Whether nothing can begin because a cluster has no worker at the moment."""
        return not self.jobs and not self._held

    @property
    def playing(self) -> int:
        """How many games are being played now."""
        return sum(game is not None for game in self._begun.values())

    @property
    def idle(self) -> int:
        """How many workers no game needs now."""
        return max(0, self.jobs - len(self._begun))

    def absent(self) -> list[str]:
        """The guests that everything waits for, if it does."""
        return [] if self._begun else [*self._missing().values()]

    def running(self) -> dict[str, int]:
        """The numbers of the games that can be watched, by Game-ID."""
        return self._mirrors.running() if self._mirrors else {}

    @property
    def rate(self) -> float | None:
        """Games a minute; None if that is not known, or all wait for guests, or for the disk."""
        held = self.journal.problem or self.absent()
        return None if held else self._pace.rate

    @property
    def eta(self) -> float | None:
        """Seconds until all games are played; None also if their number is not known."""
        coming = self.coming
        if coming is None or self.journal.problem or self.absent():
            return None
        return self._pace.left(self.agenda.waiting + len(self._begun) + coming)

    @property
    def coming(self) -> int | None:
        """About how many games will still be drawn up; None if that is not known."""
        return self._ladder.coming if self._ladder else 0

    def counts(self) -> Counter[PairingState]:
        """How many games are in each state."""
        return self.agenda.counts()

    def stop(self) -> None:
        """Begin nothing any more; running games have a moment to end, and at a second call none."""
        if self.stopped.is_set():
            self._break_off()
        else:
            self.stopped.set()
            self._grace = asyncio.get_running_loop().call_later(GRACE, self._break_off)
        self._stir()

    # playing

    async def run(self) -> None:
        """Play until nothing is left to be played, or the contest is stopped."""
        self._pool.changed = self._stir
        if self._guests:
            self._guests.door.watch(self._look_again)
            self._guests.door.welcome(self._is_welcome)
        try:
            for pairing in list(self.agenda):  # an earlier process may have ended before this
                await self._disqualify(self._arbiter.disqualified(pairing))
            while not self._finished():
                await self._news.wait()
                self._news.clear()
        finally:
            await self._wind_up()
        if self._failure:
            raise self._failure

    def _finished(self) -> bool:
        self._failure = self._failure or self._pool.lost
        self._fill()
        if self._failure or self._tasks:
            return self._failure is not None
        exhausted = self._ladder is None or self._ladder.exhausted
        return self.stopped.is_set() or (not self.agenda.waiting and exhausted)

    @property
    def _closing(self) -> bool:
        """Whether nothing begins any more."""
        return self.stopped.is_set() or self._failure is not None or self._over

    def _fill(self) -> None:
        """Begin as many games as there is room for."""
        while not self._closing and len(self._begun) < self.jobs:
            pairing = self.agenda.take(self._missing().keys())
            if pairing is None:
                if self._ladder and self._ladder.ready:
                    self._work(self._ladder.draw(self.journal, self._available))
                return
            self._begun[pairing.number] = None
            self._work(self._attend(pairing))

    def _missing(self) -> dict[int, str]:
        """The guests that have not come, or play just now, with their names."""
        if self._guests is None:
            return {}
        return self._guests.missing({seat for n in self._begun for seat in self.agenda[n].seats})

    def _available(self) -> set[int]:
        """The entrants that can play just now."""
        known = {one.number for one in self.agenda.entrants}
        return known - self.agenda.disqualified - self._missing().keys()

    def _look_again(self) -> None:
        """A guest has come or gone, or a seat is free."""
        if self._ladder:
            self._ladder.wake()
        self._stir()

    def _stir(self) -> None:
        """Something has changed: perhaps a game can begin."""
        self._news.set()

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._stir()
        if not task.cancelled() and (error := task.exception()):
            self._failure = self._failure or error

    # one game

    async def _attend(self, pairing: Pairing) -> None:
        """A game from its beginning until it is written."""
        try:
            settled = await self._attempt(pairing)
            if settled:
                if not self._arbiter.disqualified(settled.pairing):  # else the next game must wait
                    self._make_room(pairing)
                await self._write(settled)
        finally:
            self._make_room(pairing)

    def _make_room(self, pairing: Pairing) -> None:
        if pairing.number in self._begun:
            del self._begun[pairing.number]
            self._look_again()

    async def _attempt(self, pairing: Pairing) -> Settled | None:
        """What became of the game; None if it is not ours to play."""
        if not await self.journal.add(Begun(self.id, pairing.number, pairing.attempt)):
            return None
        if self._closing:
            return self._arbiter.put_back(pairing)
        game = await self._play(pairing)
        if game.cancelled():
            return self._arbiter.put_back(pairing)
        error = game.exception()
        if isinstance(error, WorkerLost):
            return self._lost(pairing, str(error))
        if error:
            self._failure = self._failure or error
            return self._arbiter.put_back(pairing)
        return self._played(pairing, game.result())

    async def _play(self, pairing: Pairing) -> asyncio.Task[Played]:
        """The game, played or broken off."""
        here = self._guests is not None and self._guests.concerned(pairing)
        place = self._guests if here and self._guests else self._pool
        assignment = assign(self.contest, pairing, sandbox=self._sandbox)
        game = asyncio.create_task(place.play(assignment, self._tell))
        self._begun[pairing.number] = game
        try:
            await asyncio.wait([game])
        finally:
            game.cancel()
        return game

    def _tell(self, news: Progress) -> None:
        known = self.agenda[news.number]
        if self._mirrors and (known.state, known.attempt) == (PairingState.RUNNING, news.attempt):
            self._mirrors.tell(news)

    def _played(self, pairing: Pairing, played: Played) -> Settled:
        now, ending = monotonic(), played.ending
        self._pace.note(now - (ending.at - played.started) / 1000, now)
        if played.broken:
            self._note_failure(ending.detail)
        else:
            self._failed = 0
        return self._arbiter.settle(pairing, played)

    def _lost(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost, perhaps by the signal that stops us."""
        if self._closing:
            return self._arbiter.put_back(pairing)
        log.warning("worker lost game=%d why=%r", pairing.number, why)
        self._note_failure(why)
        return self._arbiter.lose(pairing, why)

    def _note_failure(self, why: str) -> None:
        """Count games that we could not play; a machine in trouble must not give up all of them.

        What players do to each other is no sign of that, so errors of ours alone are counted.
        """
        self._failed += 1
        if self._failed >= HOPELESS + self.jobs:
            told = f"nothing can be played here: {why}{'' if self._sandbox else HINT}"
            self._failure = self._failure or ContestError(told)

    async def _write(self, settled: Settled) -> None:
        """Write what became of a game, and draw the consequences."""
        instead = partial(self._arbiter.unwritable, settled.pairing) if settled.record else None
        written = await self.journal.add(settled, instead)
        if self._mirrors:
            self._mirrors.finish(settled.pairing.number, written.record if written else None)
        if written:
            self.agenda.settle(written.pairing)
            await self._disqualify(self._arbiter.disqualified(written.pairing))

    async def _disqualify(self, found: list[Disqualified]) -> None:
        for one in found:
            if one.entrant not in self.agenda.disqualified:
                log.info("disqualified entrant=%d why=%r", one.entrant, one.why)
                self.agenda.disqualify(one)
                await self.journal.add(one)

    # newcomers

    def _is_welcome(self, name: str) -> bool:
        """Whether an unknown guest takes part; if so, from the next game on."""
        names = {one.name.casefold() for one in self.contest.entrants}
        full = len(names) >= MOST or self._closing
        if not self.contest.newcomers or full or name.casefold() in names:
            return False
        number, entrants = len(names), self.contest.entrants
        self.contest = replace(self.contest, entrants=(*entrants, Entrant(name, Kind.OPEN)))
        self._work(self._enrol(EntrantRecord(self.id, number, name, Kind.OPEN, "")))
        return True

    async def _enrol(self, entrant: EntrantRecord) -> None:
        log.info("a newcomer takes part name=%r", entrant.name)
        await self.journal.add(Scheduled(self.id, entrants=(entrant,)))
        self.agenda.enrol(entrant)
        if self._guests:
            self._guests.admit(entrant)
        self._look_again()

    # stopping

    def _break_off(self) -> None:
        self.journal.hurry()
        for game in self._begun.values():
            if game:
                game.cancel()

    async def _wind_up(self) -> None:
        """Put back what is still running, and wait until that is written, but not for ever."""
        self._over = True
        self._stir()
        self._break_off()
        if self._grace:
            self._grace.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)
        if isinstance(self._failure, NotWritten):
            log.error("not everything was written error=%r", str(self._failure))
