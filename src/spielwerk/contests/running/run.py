"""The coordinator of a contest: what is played when, and what is written down of it.

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

from spielwerk.contests.contest import Entrant
from spielwerk.contests.running.assigning import assign
from spielwerk.contests.running.keeping import Keeper, NotKept
from spielwerk.contests.running.pace import Pace
from spielwerk.contests.running.places import Places
from spielwerk.contests.running.settling import Judge
from spielwerk.contests.running.trouble import Trouble
from spielwerk.contests.workers.slot import NoWorker, WorkerLost
from spielwerk.errors import SpielwerkError
from spielwerk.store.contest_records import Begun, EntrantRecord, Kind, Scheduled, State

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Coroutine
    from typing import Any

    from spielwerk.contests.assignment import Assignment, Played, Progress
    from spielwerk.contests.contest import Contest
    from spielwerk.contests.running.agenda import Agenda
    from spielwerk.contests.running.climbing import Climbing
    from spielwerk.contests.running.guests import Guests
    from spielwerk.contests.running.mirroring import Mirrors
    from spielwerk.contests.workers.local import Pool
    from spielwerk.store.contest_records import Disqualified, Pairing, Settled
    from spielwerk.tables.parts import Journal

log = logging.getLogger(__name__)

AHEAD: Final = 2  # games that are begun before there is room for them
MOST: Final = 1000  # entrants, newcomers included
GRACE: Final = 5.0  # seconds that running games have to come to their end when the contest stops


class NothingPlays(SpielwerkError):
    """No game could be played here for some time, by our own fault."""


class ContestRun:
    """A contest that is being played."""

    def __init__(
        self,
        contest: Contest,
        identity: str,
        agenda: Agenda,
        journal: Journal,
        pool: Pool,
        mirrors: Mirrors | None = None,
        *,
        climbing: Climbing | None = None,
        guests: Guests | None = None,
        sandbox: bool = False,
    ) -> None:
        self.id = identity
        self.contest = contest
        self.agenda = agenda
        self.keeper = Keeper(journal)
        self.invitations: tuple[str, ...] = ()  # to those who come by themselves: where, and how
        self.stopped = asyncio.Event()  # somebody has asked for that
        self._pool = pool
        self._mirrors = mirrors
        self._climbing = climbing
        self._guests = guests
        self._sandbox = sandbox
        self._judge = Judge(contest, identity)
        self._trouble = Trouble(contest.entrants, sandbox=sandbox)
        self._pace = Pace()
        self._tasks: set[asyncio.Task[None]] = set()  # for every game that is being played or kept
        self._places = Places()
        self._patience: asyncio.TimerHandle | None = None  # with running games, when it stops
        self._failure: BaseException | None = None
        self._over = False
        self._held = False  # somebody has said so
        self._news = asyncio.Event()

    # what others see and do

    @property
    def jobs(self) -> int:
        """How many games are played at once."""
        return self._pool.jobs

    def set_jobs(self, jobs: int) -> None:
        """Play so many at once from now on; 0: begin none, until there are more."""
        self._pool.jobs = jobs
        self._held = jobs == 0
        self._pace.pause()

    @property
    def lacks_workers(self) -> bool:
        """Whether nothing can be begun because a cluster has no worker at the moment."""
        return not self.jobs and not self._held

    @property
    def playing(self) -> int:
        """How many games are being played now."""
        return self._places.playing

    def absent(self) -> list[str]:
        """Those whom everything waits for, if it does."""
        if self._places or not self._guests:
            return []
        return self._guests.names(self._missing())

    def running(self) -> dict[str, int]:
        """The numbers of the games that can be watched, by Game-ID."""
        return self._mirrors.running() if self._mirrors else {}

    @property
    def rate(self) -> float | None:
        """Games a minute; None if that is not known, or all wait for somebody, or for the disk."""
        held = self.keeper.problem or self.absent()
        return None if held else self._pace.rate(self.jobs)

    @property
    def eta(self) -> float | None:
        """Seconds until all games are played; None also if nobody knows how many there will be."""
        coming = self.coming
        if coming is None or self.keeper.problem or self.absent():
            return None
        return self._pace.left(self.agenda.waiting + len(self._places) + coming, self.jobs)

    @property
    def endless(self) -> bool:
        """Whether it goes on until somebody stops it."""
        return self._climbing is not None and self._climbing.endless

    @property
    def coming(self) -> int | None:
        """About how many games will still be drawn up; None if nobody can know."""
        return self._climbing.coming if self._climbing else 0

    def counts(self) -> Counter[State]:
        """How many games are in each state; those that are begun ahead count as new."""
        counts = self.agenda.counts()
        ahead = self._places.ahead
        counts.update({State.NEW: ahead, State.RUNNING: -ahead})
        return +counts

    @property
    def unwritten(self) -> int:
        """How many of the running games are over, and wait to be written."""
        return self.agenda.counts()[State.RUNNING] - len(self._places)

    def blamed(self) -> list[str]:
        """Those whose programs seem to end their workers."""
        return self._trouble.names(self._trouble.blamed)

    def stop(self) -> None:
        """Begin nothing any more; running games have a moment to end, and at a second call none."""
        if self.stopped.is_set():
            self._break_off()
        else:
            self.stopped.set()
            self._patience = asyncio.get_running_loop().call_later(GRACE, self._break_off)
        self._stir()

    # playing

    async def run(self) -> None:
        """Play until there is nothing left to be played, or somebody stops it."""
        self._pool.changed = self._stir
        if self._guests:
            self._guests.watch(self._look_around)
            self._guests.welcome(self._is_welcome)
        try:
            await self._make_up()
            while not self._finished():
                await self._news.wait()
                self._news.clear()
        finally:
            await self._wind_up()
        if self._failure:
            raise self._failure

    async def _make_up(self) -> None:
        """Disqualify those for whom that was not written any more when the contest was ended."""
        for pairing in list(self.agenda):
            await self._disqualify(self._expelled(pairing, pairing))

    def _finished(self) -> bool:
        self._failure = self._failure or self._pool.lost
        self._fill()
        if self._failure or self._tasks:
            return self._failure is not None
        return self.stopped.is_set() or self._is_played()

    def _is_played(self) -> bool:
        """Whether nothing is left to be begun."""
        return not self.agenda.waiting and (self._climbing is None or self._climbing.exhausted)

    @property
    def _closing(self) -> bool:
        """Whether nothing is begun any more."""
        return self.stopped.is_set() or self._failure is not None or self._over

    def _fill(self) -> None:
        """Begin as many games as there is room for, of quick ones more: the disk takes its time."""
        room = self.jobs * 2 + AHEAD if self._pace.quick and self.jobs else self.jobs
        while not self._closing and len(self._places) < room:
            pairing = self._next()
            if pairing is None:
                self._climb_on()
                return
            self._places.begin(pairing.number)
            self._work(self._attend(pairing))

    def _next(self) -> Pairing | None:
        """The next game that can be begun; of those whose games are always lost only if need be."""
        missing, avoided = self._missing(), self._trouble.avoided
        found = self.agenda.take(missing | avoided) if avoided else None
        return found or self.agenda.take(missing)

    def _missing(self) -> set[int]:
        """The guests that have not come, or play just now."""
        if self._guests is None:
            return set()
        return self._guests.missing({seat for n in self._places for seat in self.agenda[n].seats})

    def _climb_on(self) -> None:
        """Have the next games of a ladder drawn up, unless that is being done, or cannot be."""
        if self._climbing and self._climbing.ready:
            self._work(self._climbing.climb(self.keeper, self._available))

    def _available(self) -> set[int]:
        """Those who can play just now."""
        known = {one.number for one in self.agenda.entrants}
        return known - self.agenda.disqualified - self._missing()

    def _look_around(self) -> None:
        """A guest has come or gone, or a place is free."""
        if self._climbing:
            self._climbing.wake()
        self._stir()

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._worked)

    def _worked(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._stir()
        if not task.cancelled() and (error := task.exception()):
            self._failure = self._failure or error

    async def _attend(self, pairing: Pairing) -> None:
        """A game from its beginning until it is written down."""
        try:
            settled = await self._attempt(pairing)
            if settled:
                if not self._expelled(pairing, settled):  # else its next game must wait for that
                    self._make_room(pairing)
                await self._keep(pairing, settled)
        finally:
            self._make_room(pairing)

    def _make_room(self, pairing: Pairing) -> None:
        if self._places.leave(pairing.number):
            self._look_around()

    def _stir(self) -> None:
        """Something has changed: perhaps a game can begin."""
        self._news.set()
        self._places.stir()

    async def _attempt(self, pairing: Pairing) -> Settled | None:
        """What became of the game; None if it is not ours to play."""
        if not await self.keeper.keep(Begun(self.id, pairing.number, pairing.attempt)):
            return None
        if not await self._places.admitted(self._most):
            return self._judge.put_back(pairing)
        game = await self._play(pairing)
        if game.cancelled():
            return self._judge.put_back(pairing)
        error = game.exception()
        if isinstance(error, WorkerLost) and not isinstance(error, NoWorker):
            return self._lost(pairing, str(error))
        if error:
            self._failure = self._failure or error
            return self._judge.put_back(pairing)
        played = self._noted(game.result())
        if played.broken:
            self._note_fault(pairing, played.outcome.detail)
        else:
            self._trouble.played(pairing.seats)
        return self._judge.settle(pairing, played)

    def _lost(self, pairing: Pairing, why: str) -> Settled:
        """What becomes of a game whose worker was lost; whoever stops us may have stopped both."""
        if self._closing:
            return self._judge.put_back(pairing)
        log.warning("worker lost game=%d why=%r", pairing.number, why)
        self._note_fault(pairing, why)
        return self._judge.lose(pairing, why)

    def _note_fault(self, pairing: Pairing, why: str) -> None:
        """Count games that we could not play; a machine in trouble must not give up all of them.

        What players do to each other is no sign of that, so errors of ours alone are counted.
        """
        self._trouble.lost(pairing.seats)
        if self._trouble.is_hopeless(self.jobs):
            told = f"nothing can be played here: {why}{self._trouble.hint}"
            self._failure = self._failure or NothingPlays(told)

    def _most(self) -> int:
        """How many games may be played at once; none if it is about to end."""
        return 0 if self._closing else self.jobs

    def _noted(self, played: Played) -> Played:
        """The game, whose duration is noted; by the clock of whoever played it."""
        seconds = (played.outcome.ended - played.outcome.started) / 1000
        self._pace.note(monotonic(), seconds, self.jobs)
        return played

    async def _play(self, pairing: Pairing) -> asyncio.Task[Played]:
        """The game, played or not."""
        here = self._guests is not None and self._guests.concerned(pairing)
        place = self._guests if here and self._guests else self._pool
        return await self._places.play(
            pairing.number, place.play(self._assign(pairing), self._tell)
        )

    def _assign(self, pairing: Pairing) -> Assignment:
        return assign(self.contest, pairing, sandbox=self._sandbox)

    def _tell(self, news: Progress) -> None:
        known = self.agenda[news.number]
        if self._mirrors and (known.state, known.attempt) == (State.RUNNING, news.attempt):
            self._mirrors.tell(news)

    # what came of it

    async def _keep(self, pairing: Pairing, settled: Settled) -> None:
        """Write down what became of a game, and draw the consequences."""
        instead = partial(self._judge.unwritable, settled) if settled.record else None
        kept = await self.keeper.keep(settled, instead)
        if self._mirrors:
            self._mirrors.finish(pairing.number, kept.record if kept else None)
        if kept:
            self.agenda.settle(kept)
            await self._disqualify(self._expelled(pairing, kept))

    def _expelled(self, pairing: Pairing, now: Pairing | Settled) -> list[Disqualified]:
        """Who is out after this game."""
        return self._judge.disqualified(pairing, now.state, now.outcome)

    async def _disqualify(self, found: list[Disqualified]) -> None:
        for one in found:
            if one.entrant not in self.agenda.disqualified:
                log.info("disqualified entrant=%d why=%r", one.entrant, one.why)
                self.agenda.disqualify(one)
                await self.keeper.keep(one)

    # newcomers

    def _is_welcome(self, name: str) -> bool:
        """Whether somebody whom nobody knows takes part; if so, from the next game on."""
        names = {one.name.casefold() for one in self.contest.entrants}
        full = len(names) >= MOST or self._closing
        if not self.contest.newcomers or full or name.casefold() in names:
            return False
        number, entrants = len(names), self.contest.entrants
        self.contest = replace(self.contest, entrants=(*entrants, Entrant(name, Kind.OPEN)))
        self._work(self._enrol(EntrantRecord(self.id, number, name, Kind.OPEN, "")))
        return True

    async def _enrol(self, entrant: EntrantRecord) -> None:
        log.info("somebody new takes part name=%r", entrant.name)
        await self.keeper.keep(Scheduled(self.id, entrants=(entrant,)))
        self.agenda.enrol(entrant)
        if self._guests:
            self._guests.admit(entrant)
        self._look_around()

    # stopping

    def _break_off(self) -> None:
        self.keeper.hurry()
        self._places.break_off()

    async def _wind_up(self) -> None:
        """Put back what is still running, and wait until that is written, but not for ever."""
        self._over = True
        self._stir()
        self._break_off()
        if self._patience:
            self._patience.cancel()
        while self._tasks:
            await asyncio.wait(self._tasks)
        if isinstance(self._failure, NotKept):
            log.error("not everything was written error=%r", str(self._failure))
