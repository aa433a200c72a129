"""The index server: its list, its listeners and its heartbeats."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections import Counter
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, cast

from spielwerk.net.datagrams import Datagrams
from spielwerk.servers.index.records import described, entry_of, journal_entry
from spielwerk.servers.index.session import IndexSession
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from spielwerk.wire.connect4.index import HEARTBEAT, Change, Entry, Index, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from spielwerk.servers.metrics import Metrics
    from spielwerk.servers.settings import IndexSettings
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Journal
    from spielwerk.wire.connect4.initiators import Source

log = logging.getLogger(__name__)

TICK: Final = 0.1  # seconds between two looks at the time
ATTEMPTS: Final = 20  # to find a port that is free for TCP and UDP
OVERSIZED: Final = "oversized datagram"  # counted


class Sender(Protocol):
    """What heartbeats leave through."""

    def reaches(self, host: str) -> bool:
        """Whether this host can be sent something at all."""

    def send(self, data: bytes, target: Source) -> bool:
        """Send a datagram, or lose it."""

    def close(self) -> None:
        """Stop."""


class IndexService(TcpService):
    """The list, its listeners, and its heartbeats."""

    name: ClassVar = "index"
    stopping: ClassVar = "the server stops"

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        settings: IndexSettings,
        metrics: Metrics,
        kept: Callable[[], Iterable[IndexRecord]] = tuple,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(arena, journal, settings, metrics, loop)
        self.settings = settings
        self.senders: list[Sender] = []
        self.index = Index(
            lambda: str(uuid.uuid4()),
            self.loop.time(),
            settings.limits(),
            variant=settings.spelling == "variant",
        )
        self._kept = kept  # reads the list of an earlier run
        self._guests: Counter[str] = Counter()
        self._timer: asyncio.TimerHandle | None = None

    def endpoints(self) -> Iterator[tuple[int, Callable[[], IndexSession]]]:
        """Every configured port."""
        for port in self.settings.numbers():
            yield port, lambda: IndexSession(self)

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Take up the list, and listen for requests and for heartbeats on the same ports."""
        self.restore(await asyncio.to_thread(self._kept))
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._listen(bind)
            except OSError:
                if any(self.settings.numbers()):  # nobody else can choose that port for us
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
        """Let everybody have the answers that are on their way."""
        await super().stop()
        if self._timer:
            self._timer.cancel()
        self._close()

    # connections

    def admit(self, session: Session) -> bool:
        """Whether there is room for one more connection, also from this host."""
        owner = cast("IndexSession", session).owner
        if self._guests[owner] >= self.settings.connections_each:
            log.warning("turned away %s connections=%d", session, self._guests[owner])
            return False
        if not super().admit(session):
            return False
        self._guests[owner] += 1
        return True

    def forget(self, session: Session) -> None:
        """A connection is no more."""
        if session in self._sessions:
            owner = cast("IndexSession", session).owner
            self._guests[owner] -= 1
            if not self._guests[owner]:
                del self._guests[owner]
        super().forget(session)

    # the list

    def restore(self, records: Iterable[IndexRecord]) -> None:
        """Take up the list as it was."""
        self.index.restore([entry_of(record) for record in records], self.loop.time())
        log.info("restored games=%d", len(self.index.entries))

    def leave(self, address: str, port: int) -> None:
        """Whoever hosts at this place has just begun: what is listed there is of an earlier run."""
        if gone := self.index.leave(address, port):
            self._fallen(gone)

    def keep(self, change: Change, done: Callable[[Reply], None]) -> None:
        """Have a change written, make it, and only then call `done` with the answer."""

        def written(error: BaseException | None) -> None:
            if error is None:
                reply = self.index.settle(change, self.loop.time())
                log.info("%s %s", change.request.header, described(change.entry))
            else:
                reply = self.index.give_up(change)
                log.error("%s not kept error=%r", change.request.header, str(error))
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
        self._journal.add(IndexChanged(guids, IndexStep.REMOVED), _lament)


def _lament(error: BaseException | None) -> None:
    if error:
        log.error("removal not written error=%r", str(error))
