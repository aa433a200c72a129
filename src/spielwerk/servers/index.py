"""The index server: requests over TCP, heartbeats over UDP, on one port."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Self

from prometheus_client.metrics_core import GaugeMetricFamily

from spielwerk.net.datagrams import Datagrams
from spielwerk.servers.index_session import IndexSession
from spielwerk.servers.sessions import TcpService, logged
from spielwerk.servers.settings import DAY, OneOf, Ports, ServiceSettings, setting
from spielwerk.store.journal import forget_removed
from spielwerk.store.reading import index_games
from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from spielwerk.wire.connect4.index import HEARTBEAT, Change, Entry, Index, Reply
from spielwerk.wire.connect4.index import IndexLimits as IndexLimits
from spielwerk.wire.connect4.messages import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prometheus_client.metrics_core import Metric

    from spielwerk.servers.sessions import RunningServer
    from spielwerk.store.opening import Store
    from spielwerk.store.records import Entry as JournalEntry
    from spielwerk.wire.connect4.initiators import Source

log = logging.getLogger(__name__)

TICK: Final = 0.1  # seconds between two looks at the time
ATTEMPTS: Final = 20  # to find a port that is free for TCP and UDP
OVERSIZED: Final = "oversized datagram"  # counted


class IndexSettings(ServiceSettings):
    """The index server of Connect Four; heartbeats come on the same ports (UDP)."""

    name: ClassVar = "index"
    ports: Ports = setting(("9090",), "Ports; 0 for any free one.", min_length=1)
    spelling: Annotated[str, OneOf(("document", "variant"))] = setting(
        "document",
        "Words of the answers: the document's, or the variant that some clients understand.",
    )
    silence: float = setting(
        60.0,
        "Seconds of silence after which an initiator's games fall away; "
        "0: never, for clients that send no heartbeats.",
        0,
        365 * DAY,
    )
    beat: float = setting(10.0, "Seconds between two heartbeats of ours.", 0.1, DAY)
    idle: float = setting(
        DAY, "Seconds that a connection may be silent; 0: for ever.", 0, 365 * DAY
    )
    reading: float = setting(10.0, "Seconds for a client to read what waits for it.", 0.1, 3600)
    entries: int = setting(10_000, "Most games in the list.", 1, 1_000_000)
    entries_each: int = setting(1000, "Most games of one host.", 1, 1_000_000)
    name_limit: int = setting(
        100, "Characters in the name of a player or a game, at most.", 1, 1000
    )
    side_limit: int = setting(255, "Width, height and depth of a board, at most.", 1, 1_000_000)
    line_limit: int = setting(1024, "Bytes in a client's line, at most.", 64, 1_048_576)
    backlog: int = setting(
        65_536, "Bytes that a client may send ahead of our answers.", 1024, 16_777_216
    )
    connections_each: int = setting(500, "Most connections of one host at once.", 1, 1_000_000)

    @property
    def transcript(self) -> int:
        """Nothing is kept of what is said here: it belongs to no game."""
        return 0

    def limits(self) -> IndexLimits:
        """What may stand in the list."""
        return IndexLimits(
            entries=self.entries,
            entries_each=self.entries_each,
            side=self.side_limit,
            name=self.name_limit,
            silence=self.silence,
            beat=self.beat,
        )


class IndexService(TcpService[IndexSettings]):
    """The list, its listeners, and its heartbeats."""

    name: ClassVar = "index"
    stopping: ClassVar = "the server stops"
    greeting: ClassVar = False

    def _prepare(self) -> None:
        self.senders: list[Datagrams] = []
        self.index = Index(
            lambda: str(uuid.uuid4()),
            self.loop.time(),
            self.settings.limits(),
            variant=self.settings.spelling == "variant",
        )
        self.kept: Callable[[], Iterable[IndexRecord]] = tuple  # reads the list of an earlier run
        self._timer: asyncio.TimerHandle | None = None

    @classmethod
    def of(cls, server: RunningServer) -> Self:
        """The service with the list of an earlier run, and its numbers in the metrics."""
        service = super().of(server)
        service.kept = partial(_list_of_earlier_run, server.store)
        server.metrics.registry.register(Figures(service.index))
        return service

    def endpoints(self) -> Iterator[tuple[int, Callable[[], IndexSession]]]:
        """Every configured port."""
        for port in self.settings.numbers():
            yield port, lambda: IndexSession(self)

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Take up the list, and listen for requests and for heartbeats on the same ports."""
        self.restore(await asyncio.to_thread(self.kept))
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._listen(bind)
            except OSError:
                if any(self.settings.numbers()):  # no other port would be the wanted one
                    raise
        return await self._listen(bind)

    async def _listen(self, bind: str) -> list[tuple[str, int]]:
        try:
            addresses = await super().start(bind)
            for address in addresses:
                self.senders.append(Datagrams(self.loop, address, self.heartbeat, self._oversized))
        except BaseException:
            self._close()
            raise
        self.tick()
        return addresses

    def _close(self) -> None:
        for listener in self._listeners:
            listener.close()
        for sender in self.senders:
            sender.close()
        self._listeners, self.senders = [], []

    async def stop(self) -> None:
        """Let all clients have the answers that are on their way."""
        await super().stop()
        if self._timer:
            self._timer.cancel()
        self._close()

    # the list

    def restore(self, records: Iterable[IndexRecord]) -> None:
        """Take up the list as it was."""
        self.index.restore([entry_of(record) for record in records], self.loop.time())
        log.info("restored games=%d", len(self.index.entries))

    def leave(self, address: str, port: int) -> None:
        """The host at this place has just begun: what is listed there is of an earlier run."""
        if gone := self.index.leave(address, port):
            self._fallen(gone)

    def keep(self, change: Change, done: Callable[[Reply], None]) -> None:
        """Have a change written, make it, and only then call `done` with the answer."""

        def written(error: BaseException | None) -> None:
            if error is None:
                reply = self.index.settle(change, self.loop.time())
                log.info("%s %s", change.request, described(change.entry))
            else:
                reply = self.index.give_up(change)
                log.error("%s not kept error=%r", change.request, str(error))
            done(reply)

        self._journal.add(journal_entry(change), written)

    # heartbeats

    def heartbeat(self, data: bytes, source: Source) -> None:
        """A datagram has come; it is never answered."""
        problem = self.index.heartbeat(data, source, self.loop.time())
        if problem:
            self._ignored(problem, source)

    def _oversized(self, source: Source) -> None:
        self._ignored(OVERSIZED, source)

    def _ignored(self, problem: str, source: Source) -> None:
        log.debug("ignored service=%s source=%s why=%r", self.name, source, problem)
        self.metrics.refused(self.name, problem)

    def tick(self) -> None:
        """Send heartbeats and let the games of the silent fall away, for ever."""
        now = self.loop.time()
        try:
            for target in self.index.beats(now):
                self._beat(target)
            for entries in self.index.fall_away(now):
                self._fallen(entries)
        except Exception:
            log.exception("internal error service=%s", self.name)
        self._timer = self.loop.call_at(now + TICK, self.tick)

    def _beat(self, target: Source) -> None:
        for sender in self.senders:
            if sender.reaches(target[0]):
                sender.send(HEARTBEAT, target)

    def _fallen(self, entries: Sequence[Entry]) -> None:
        """Write down what is gone; if that fails it comes back with a restart, and goes again."""
        log.info("silent games=%d the first: %s", len(entries), described(entries[0]))
        guids = tuple(entry.guid for entry in entries)
        self._journal.add(IndexChanged(guids, IndexStep.REMOVED), logged("removal not written"))


# games of the list as they are kept, and as they stand in a log


def _list_of_earlier_run(store: Store) -> list[IndexRecord]:
    """The list as it was left; what is not in it any more is deleted."""
    forget_removed(store)
    return index_games(store)


def entry_of(record: IndexRecord) -> Entry:
    """A game that was kept, as it stands in the list."""
    values = asdict(record)
    del values["registered"]
    status = Status.SEALED if values.pop("sealed") else Status.OPEN
    return Entry(**values, status=status)


def journal_entry(change: Change) -> JournalEntry:
    """What is written of a change."""
    entry = change.entry
    if change.request != "register_game":
        step = IndexStep.SEALED if change.request == "seal_game" else IndexStep.REMOVED
        return IndexChanged((entry.guid,), step)
    values = asdict(entry)
    del values["status"]
    return IndexRecord(**values, registered=time.time_ns() // 1_000_000)


def described(entry: Entry) -> str:
    """What may stand in a log: not the GUID, which is the key to the game."""
    at = f"{entry.address}:{entry.port}"
    return f"name={entry.name!r} player={entry.player!r} at={at!r} owner={entry.owner}"


class Figures:
    """The list in numbers, counted when they are asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def collect(self) -> Iterator[Metric]:
        """Count."""
        games = GaugeMetricFamily("spielwerk_index_games", "Games in the list.", labels=["status"])
        statuses = [entry.status for entry in self._index.entries]
        for status in Status:
            games.add_metric([status.lower()], statuses.count(status))
        yield games
        yield GaugeMetricFamily(
            "spielwerk_index_initiators", "Who has games there.", self._index.initiators
        )


SETTINGS: Final = IndexSettings
SERVICE: Final = IndexService
