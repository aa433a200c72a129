"""A server as a whole: store, journal, arena and services, started and stopped in their order.

async with running(Settings()) as server:
    table = await server.arena.create(NewTable(game))
    print(server.addresses)
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from spielwerk.app.metrics import Metrics, Pulse
from spielwerk.app.settings import WEB, store_url
from spielwerk.clients.players import make_remote
from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.games import kits
from spielwerk.net.addresses import written
from spielwerk.net.destinations import Destinations
from spielwerk.store import reading
from spielwerk.store.journal import StoreJournal
from spielwerk.store.opening import open_store
from spielwerk.store.problems import StoreError
from spielwerk.store.records import WireRecord
from spielwerk.tables.arena import Arena, ArenaRules
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.parts import SystemClock
from spielwerk.wire.mnm.words import STOPPING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
    from types import ModuleType

    from spielwerk.app.settings import Settings
    from spielwerk.net.connection import Line
    from spielwerk.store.opening import Store
    from spielwerk.web.site import RunningContest

log = logging.getLogger(__name__)

STOP: Final = 3.0  # seconds for a service to stop
CLOSE: Final = 1.5  # seconds for the journal to write what waits; all of it is under 5 s


class CannotStart(SpielwerkError):
    """The server cannot run as it was told to."""


class UncleanStop(SpielwerkError):
    """The server has stopped, but not everything was written."""


class Service(Protocol):
    """Something that listens."""

    async def start(self, bind: str) -> Sequence[tuple[str, int]]:
        """Listen, and say on which addresses; OSError if that is not possible."""

    async def stop(self) -> None:
        """Accept no more, and let those who are here take their leave."""


class CountedEngines(EnginePool):
    """Engines, and how many moves they owe."""

    def __init__(self, threads: int, metrics: Metrics) -> None:
        super().__init__(threads, remote=make_remote)
        self._metrics = metrics
        self.thinking.waited = metrics.thinking_waits.observe
        self.thinking.preempted = metrics.thinking_stops.inc

    async def choose(self, player: str, *situation: Any) -> Any:
        """The player's move."""
        with self._metrics.engine_moves.track_inprogress():
            return await super().choose(player, *situation)


class Server:
    """A running server."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        journal: StoreJournal,
        metrics: Metrics,
        own: bytes,
    ) -> None:
        self.settings = settings
        self.secret = own
        self.token = settings.web.token or secrets.token_urlsafe(16)
        self.metrics = metrics
        self.store = store
        self.journal = journal
        self.arena = Arena(
            self.journal,
            SystemClock(),
            _arena_rules(settings),
            engines=CountedEngines(settings.tables.engine_threads, metrics),
        )
        self.pulse = Pulse(self.journal, metrics, lambda: reading.games(store, 1))
        self.services: dict[str, Service] = {}
        self.addresses: dict[str, list[tuple[str, int]]] = {}
        self.destinations = Destinations(
            settings.tables.remote_hosts, lambda name: self.addresses.get(name, ())
        )
        self.contests_here: set[str] = set()  # all that were played since it began
        self._contest: RunningContest | None = None
        self.conclude: Callable[[], Coroutine[Any, Any, None]] = _no_spectators  # tells its end
        metrics.watch(self.arena)

    @property
    def contest(self) -> RunningContest | None:
        """The contest that is played here now."""
        return self._contest

    @contest.setter
    def contest(self, contest: RunningContest | None) -> None:
        self._contest = contest
        if contest:
            self.contests_here.add(contest.id)

    def confidences(self) -> list[str]:
        """What only the user who started the server may read."""
        return [f"operator token {self.token}"] if WEB in self.addresses else []

    async def start(self, name: str) -> None:
        """Make a service and have it listen."""
        service = make(name, self)
        self.services[name] = service
        try:
            self.addresses[name] = [*await service.start(self.settings.server.bind)]
        except OSError as error:
            problem = f"{name} cannot listen: {error.strerror or error}"
            raise CannotStart(f"{problem}; choose another port with --port {name}=PORT") from None

    async def change_port(self, name: str, port: int) -> None:
        """Have a service listen on another port from now on, if it can move."""
        change_port = getattr(self.services[name], "change_port", None)
        if change_port is None:
            raise UsageError(f"{name} cannot change its port while it runs")
        self.addresses[name] = [*await change_port(port)]
        log.info("listening %s", self.addresses[name])

    @property
    def dialects(self) -> Mapping[int, int]:
        """What the game server speaks, by its ports."""
        return getattr(self.services.get("mnm"), "dialects", {})

    def listing(self) -> list[str]:
        """The addresses it listens on, a line each: `mnm 127.0.0.1:1357 dialect 1`."""
        return [
            f"{name} {self._listed(name, *one)}"
            for name, addresses in self.addresses.items()
            for one in addresses
        ]

    def _listed(self, name: str, host: str, port: int) -> str:
        if name == WEB:
            return f"http://{written(host, port)}/"
        dialect = f" dialect {self.dialects[port]}" if name == "mnm" else ""
        return f"{written(host, port)}{dialect}"

    async def stop(self) -> None:
        """No new games; all are told, and get a moment to hear it."""
        self.arena.stop(STOPPING)
        # The index server comes last: our own host takes its games out of the list first.
        await asyncio.gather(*(self._stop(name) for name in self.services if name != "index"))
        if "index" in self.services:
            await self._stop("index")

    async def _stop(self, name: str) -> None:
        try:
            async with asyncio.timeout(STOP):
                await self.services[name].stop()
        except Exception:
            log.exception("service did not stop service=%s", name)

    def open_wires(self, game_id: str) -> list[WireRecord]:
        """The traffic of the connections that are open now, or whose traffic is being written."""
        table = self.arena.find(game_id)
        lines = [*self.lines(), *(table.lines() if table else ())]
        ours = {(line.peer, line.opened): line for line in lines if line.game == game_id}
        written = [wire for wire in self.journal.wires if wire.game == game_id]
        return written + [WireRecord.of(line) for line in ours.values()]

    def lines(self) -> list[Line]:
        """The transcripts of all connections to games that are open now."""
        services = [service for service in self.services.values() if hasattr(service, "lines")]
        return [line for service in services for line in service.lines()]

    @property
    def clients(self) -> dict[str, int]:
        """How many are connected to each service."""
        return {name: getattr(one, "clients", 0) for name, one in self.services.items()}

    def service(self, name: str) -> object | None:
        """The service of this name, if it runs here."""
        return self.services.get(name)

    def offer(self, game_id: str) -> Mapping[str, object] | None:
        """Where a table is offered to strangers, if it is."""
        offers = (getattr(service, "offer", None) for service in self.services.values())
        return next((found for offer in offers if offer and (found := offer(game_id))), None)

    async def sweep(self) -> None:
        """Clear tables away, for ever."""
        while True:
            await asyncio.sleep(self.settings.server.sweep)
            self.arena.sweep()


async def _no_spectators() -> None:
    """Without pages there are no spectators."""


def _arena_rules(settings: Settings) -> ArenaRules:
    return ArenaRules(
        reservation=settings.mnm.reservation,
        age_limit=settings.tables.age_limit,
        finished_kept=settings.tables.finished_kept,
        tables=settings.tables.limit,
        tables_each=settings.tables.limit_each,
        engine_tables=settings.tables.engine_tables,
    )


# start and stop


@asynccontextmanager
async def running(
    settings: Settings,
    services: Sequence[str] | None = None,
) -> AsyncIterator[Server]:
    """The server from accepting its first connection to having told all clients that it stops.

    `services` are others than the settings name, perhaps none.
    """
    names = settings.services if services is None else services
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        stack.callback(loop.set_exception_handler, loop.get_exception_handler())
        loop.set_exception_handler(_complain)
        store = stack.enter_context(await asyncio.to_thread(open_store, store_url(settings)))
        metrics = Metrics()
        journal = StoreJournal(store, metrics.committed)
        stack.push_async_callback(_close, journal)
        own = await asyncio.to_thread(store.secret, "web")
        server = Server(settings, store, journal, metrics, own)
        stack.push_async_callback(server.stop)
        await _restore(server, store)
        if WEB in names:  # takes a while, for which clients would have to wait later
            import_module("spielwerk.web.app")
        for task in (server.sweep, server.pulse.run):
            await stack.enter_async_context(_background(task))
        for name in names:
            await server.start(name)
        server.arena.wake()
        log.info("started store=%s tables=%d", store.label, len(server.arena))
        yield server
        log.info("stopping tables=%d", len(server.arena))


async def _close(journal: StoreJournal) -> None:
    try:
        await journal.close(CLOSE)
    except StoreError as error:
        raise UncleanStop(str(error)) from None


async def _restore(server: Server, store: Store) -> None:
    """Take up the games that were being played, and those whose end a player may not have heard."""
    moment = SystemClock().wall() - round(1000 * server.settings.tables.finished_kept)
    server.arena.restore(await asyncio.to_thread(reading.unfinished, store))
    server.arena.restore(await asyncio.to_thread(reading.finished_since, store, moment))


@asynccontextmanager
async def _background(work: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Have work done that never ends; whatever happens in it, it goes on."""

    async def for_ever() -> None:
        while True:
            try:
                await work()
            except Exception:
                log.exception("background work failed")
                await asyncio.sleep(1)

    task = asyncio.create_task(for_ever())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _complain(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What goes wrong in a callback is a line in the log, and the loop goes on."""
    log.error("%s", context.get("message"), exc_info=context.get("exception"))


# the services; each is imported only when it is to run


def make(name: str, server: Server) -> Service:
    """The service of this name, for this server."""
    if name == WEB:
        return _web(server)
    service: Service = import_module(f"spielwerk.servers.{name}").SERVICE.of(server)
    return service


def _web(server: Server) -> Service:
    from spielwerk.net.rates import Rates
    from spielwerk.web.app import make_app
    from spielwerk.web.browsers import Browsers
    from spielwerk.web.serving import WebService
    from spielwerk.web.site import Site, UsualTable

    settings, web, metrics = server.settings, server.settings.web, server.metrics
    pinned = _remote_players().pinned
    usual = UsualTable(
        settings.mnm.move_time,
        _move_times(settings),
        {game: one.table_options for game, one in _game_sections(settings)},
    )
    site = Site(
        server.arena,
        server.store,
        server.open_wires,
        server.pulse.problems,
        server.metrics.text,
        server,
        Browsers(server.secret, server.token, lambda: metrics.refused(WEB, "wrong token")),
        Rates(web.creation_burst, web.creation_rate),
        lambda: server.contest,
        server.contests_here,
        web,
        usual,
        lambda text: pinned(text, server.destinations),
    )
    app = make_app(site)
    server.conclude = app.state.hub.contests.conclude
    return WebService(
        app,
        web.numbers(),
        patience=web.patience,
        connections=web.connections,
        connections_each=web.connections_each,
        proxies=web.proxies,
        goodbye=app.state.hub.stop,
    )


def _remote_players() -> ModuleType:
    """The module of players on other machines, which says where visitors may have them."""
    remote = next(kit.remote for kit in kits().values() if kit.remote)
    return import_module(remote.partition(":")[0])


def _move_times(settings: Settings) -> dict[str, int]:
    """Milliseconds for a move at a new table, by game, where a service of the game says so."""
    return {
        game: section.move_time
        for game, section in _game_sections(settings)
        if hasattr(section, "move_time")
    }


def _game_sections(settings: Settings) -> Iterator[tuple[str, Any]]:
    for game, kit in kits().items():
        for name in kit.servers:
            yield game, settings.section(name)
