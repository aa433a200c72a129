"""A contest as a process: a pool of workers, a server that shows it, and signals that stop it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.app.server import CannotStart, running
from spielwerk.app.settings import ServerSettings, Settings, StoreSettings, TableSettings
from spielwerk.contests import commands
from spielwerk.contests.agenda import Agenda, LadderDraw
from spielwerk.contests.cluster import DaskPool
from spielwerk.contests.contest import Format, Phase, options, terms
from spielwerk.contests.live import Guests, Mirrors
from spielwerk.contests.playing.facilities import Facilities
from spielwerk.contests.playing.seats.open import NoDoor, OpenDoor
from spielwerk.contests.pool import Pool, usual_jobs
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.reviewing import Reviewer
from spielwerk.contests.run import ContestRun
from spielwerk.contests.stored import reachable
from spielwerk.errors import SpielwerkError
from spielwerk.signals import StopSignals, with_hangup
from spielwerk.store import contests as reading
from spielwerk.store.contests import note_replaced, replaced
from spielwerk.store.problems import StoreError
from spielwerk.store.records import PairingState
from spielwerk.store.scheduling import ContestJournal, ScheduleWriter
from spielwerk.tables.parts import SystemClock
from spielwerk.web.site import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
    from typing import Any

    from spielwerk.app.server import Server
    from spielwerk.contests.stored import StoredContest
    from spielwerk.store.opening import Store

PORT: Final = 8000  # of the pages, unless another is given
HURRY: Final = 2  # signals after which spectators are not told how it ended,
ENOUGH: Final = 3  # and after which nothing is waited for
WATCH: Final = 60.0  # seconds between two looks at the programs of a competition
FAREWELL: Final = 4.0  # seconds for spectators to hear how it ended


@dataclass(frozen=True, slots=True)
class Plan:
    """How a contest is to be run."""

    store: str
    jobs: int | None = None
    sandbox: bool = False
    cluster: str = ""  # the scheduler's address; empty: on this machine
    bind: str = "127.0.0.1"
    port: int | None = None  # of the pages; None: the usual one, or any that is free
    web: bool = True
    doors: Mapping[str, int] = field(default_factory=dict)  # ports of open seats, by service
    stay: bool = False  # go on serving the pages when all games are played


@dataclass(frozen=True, slots=True)
class ContestVerdict:
    """What came of running a contest."""

    done: int
    left: int  # still to be played
    failed: int  # given up, by our own fault
    stopped: bool  # before it was done
    dropped: int = 0  # with those who are disqualified
    replaced: tuple[str, ...] = ()  # entrants whose programs were, in this run or an earlier one


class ContestDisplay(Protocol):
    """Shows a contest to the user that has started it."""

    async def follow(self, run: ContestRun, server: Server) -> None:
        """Show how it goes, until it is cancelled."""

    async def finished(self, run: ContestRun) -> None:
        """Say that all games are played and the pages stay."""


async def host(
    plan: Plan, taken: StoredContest, audience: ContestDisplay, earlier: StopSignals | None = None
) -> ContestVerdict:
    """Play the contest until it is done or stopped; cancelled, if it is before it has begun.

    `earlier` are the signals that came before this.
    """
    async with AsyncExitStack() as stack:
        stop = StopHandler(stack.enter_context(StopSignals(with_hangup(), ENOUGH)))
        if earlier:
            raise asyncio.CancelledError
        pool = await _pool(plan)
        stack.push_async_callback(pool.close)
        server = await stack.enter_async_context(_serving(plan))
        guests = await stack.enter_async_context(_guests(plan, taken, server))
        stop.run = run = await _run(plan, taken, server, pool, guests)
        if plan.web:
            place = server.addresses["web"][0]
            stack.enter_context(reachable(server.store, run.id, place, server.token))
        try:
            await _play(plan, run, server, pool, audience)
        finally:
            await stop.say_goodbye(server.conclude)
        return _verdict(run, await asyncio.to_thread(replaced, server.store, run.id))


async def _play(
    plan: Plan, run: ContestRun, server: Server, pool: Pool, audience: ContestDisplay
) -> None:
    """Play, while the audience follows."""
    server.contest = run
    watching = asyncio.create_task(_watch_programs(server.store, run))
    following = asyncio.create_task(audience.follow(run, server))
    reviewing = asyncio.create_task(_review(plan, run, server, pool))
    try:
        await run.run()
        await _cancelled(watching)
        await asyncio.to_thread(_check_programs, server.store, run)
        if plan.stay and not run.stopped.is_set():
            server.contest = None
            await _cancelled(following)
            following = asyncio.create_task(audience.finished(run))
            await run.stopped.wait()
    finally:
        server.contest = None
        for task in (watching, following, reviewing):
            await _cancelled(task)


async def _review(plan: Plan, run: ContestRun, server: Server, pool: Pool) -> None:
    """Have games reviewed by idle workers, while there are pages that show it."""
    if plan.web:
        reviewer = Reviewer(server.store, run.id, pool, server.arena.keep_review)
        await reviewer.run(lambda: run.idle)


async def _watch_programs(store: Store, run: ContestRun) -> None:
    """Look at the programs of a competition now and then: a killed process cannot do it later."""
    while run.contest.phase is Phase.COMPETITION:
        await asyncio.sleep(WATCH)
        with suppress(StoreError):  # the next look may be luckier
            await asyncio.to_thread(_check_programs, store, run)


def _check_programs(store: Store, run: ContestRun) -> None:
    """Note if programs of a competition are not those any more that it began with."""
    note_replaced(store, run.id, commands.replaced(run.contest))


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


async def _pool(plan: Plan) -> Pool:
    if plan.cluster:
        return await DaskPool.connect(plan.cluster, plan.jobs)
    return Pool(usual_jobs() if plan.jobs is None else plan.jobs)


async def _run(
    plan: Plan, taken: StoredContest, server: Server, pool: Pool, guests: Guests | None
) -> ContestRun:
    pairings = await asyncio.to_thread(reading.pairings, server.store, taken.id)
    entrants = await asyncio.to_thread(reading.entrants, server.store, taken.id)
    agenda = Agenda(pairings, entrants)
    ladder = taken.contest.format is Format.LADDER
    run = ContestRun(
        taken.contest,
        taken.id,
        agenda,
        ContestJournal(ScheduleWriter(server.store).write, server.metrics.committed),
        pool,
        Mirrors(server.arena, SystemClock()) if plan.web else None,
        ladder=LadderDraw(taken.contest, taken.id, agenda) if ladder else None,
        guests=guests,
        sandbox=plan.sandbox,
    )
    if guests:
        run.invitations = tuple(guests.invite(entrants, newcomers=taken.contest.newcomers))
    return run


@asynccontextmanager
async def _guests(plan: Plan, taken: StoredContest, server: Server) -> AsyncIterator[Guests | None]:
    """The open seats, if there are any; their games are played here, not by workers."""
    contest = taken.contest
    if not contest.has_open_seats:
        yield None
        return
    await asyncio.to_thread(clear_abandoned)  # what an earlier process could not
    own = await asyncio.to_thread(server.store.secret, f"door:{taken.id}")
    facilities = Facilities(usual_jobs())
    wishes = {entrant.name: entrant.options for entrant in contest.entrants}
    door = OpenDoor(facilities, contest.game, options(contest), terms(contest), own, wishes)
    guests = Guests(facilities, door)
    try:
        guests.places = await _opened(door, contest.name, plan)
        yield guests
    finally:
        await guests.close()


async def _opened(door: OpenDoor, name: str, plan: Plan) -> dict[str, tuple[str, int]]:
    """Where the door is; NoDoor if it cannot be opened there."""
    try:
        return await door.start(name, plan.bind, plan.doors)
    except NoDoor:
        raise
    except (SpielwerkError, OSError) as error:
        own = str(error).partition(";")[0]  # what follows is meant for others
        problem = f"cannot listen: {error.strerror}" if isinstance(error, OSError) else own
        hint = "choose another port with --door [NAME=]PORT"
        raise NoDoor(f"open seats: {problem}; {hint}") from None


def _verdict(run: ContestRun, replaced: tuple[str, ...]) -> ContestVerdict:
    counts = run.counts()
    left = counts[PairingState.NEW] + counts[PairingState.REPEAT] + counts[PairingState.RUNNING]
    early = run.stopped.is_set() and (left > 0 or run.contest.endless)
    lost = run.agenda.lost
    dropped = counts[PairingState.FAILED] - lost
    return ContestVerdict(counts[PairingState.DONE], left, lost, early, dropped, replaced)


async def review(plan: Plan, identity: str, follow: Callable[[Reviewer], None]) -> Reviewer:
    """Review all games that are over; `follow` is called now and then."""
    async with AsyncExitStack() as stack:
        pool = await _pool(plan)
        stack.push_async_callback(pool.close)
        server = await stack.enter_async_context(_serving(plan))
        reviewer = Reviewer(server.store, identity, pool, server.arena.keep_review)

        def room() -> int:
            follow(reviewer)
            return pool.jobs

        await reviewer.run(room, once=True)
        return reviewer


# the server


@asynccontextmanager
async def _serving(plan: Plan) -> AsyncIterator[Server]:
    """The server that keeps and shows the contest."""
    settings = Settings(
        server=ServerSettings(bind=plan.bind),
        store=StoreSettings(url=plan.store),
        tables=TableSettings(remote_hosts=()),
        web=WebSettings(ports=(str(_port(plan)),)),
    )
    try:
        services = ("web",) if plan.web else ()
        async with running(settings, services=services) as server:
            yield server
    except CannotStart as error:
        problem = str(error).partition(";")[0]
        raise CannotStart(f"{problem}; choose another with --port, or --no-web") from None


def _port(plan: Plan) -> int:
    """The port of the pages: the wished one, or the usual one if it is free, or any."""
    if plan.port is not None:
        return plan.port
    return PORT if _is_free(plan.bind, PORT) else 0


def _is_free(bind: str, port: int) -> bool:
    try:
        found = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        socket.create_server(address, family=family).close()
    except (OSError, UnicodeError):
        return False
    return True


# signals


class StopHandler:
    """Stops a contest at a signal; at the second one it breaks off what is going on."""

    def __init__(self, signals: StopSignals) -> None:
        self.run: ContestRun | None = None
        self._signals = signals
        self._task = asyncio.current_task()
        self._goodbye: asyncio.Task[None] | None = None
        signals.listen(self._stop)

    def _stop(self) -> None:
        if self._goodbye:
            self._goodbye.cancel()
        elif self.run:
            self.run.stop()
        elif self._task:
            self._task.cancel()

    async def say_goodbye(self, conclude: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Tell spectators how it ended; from now on a signal ends that."""
        if self._signals.count < HURRY:
            self._goodbye = asyncio.create_task(conclude())
            await asyncio.wait([self._goodbye], timeout=FAREWELL)
            self._goodbye.cancel()
