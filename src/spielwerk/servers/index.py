"""The index server of document 004: requests over TCP, heartbeats over UDP on the same port.

Every connection is served one request at a time and then waits for its next turn, so that a flood
of requests delays nobody else. A long list is sent in pieces as its reader takes them.
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, cast

from prometheus_client.metrics_core import GaugeMetricFamily

from spielwerk.net.connection import NEVER
from spielwerk.net.datagrams import Datagrams
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from spielwerk.wire.connect4.index import HEARTBEAT, Change, Entry, Index, Reply
from spielwerk.wire.connect4.initiators import numeric
from spielwerk.wire.connect4.inquiry import Lines
from spielwerk.wire.connect4.messages import RegisterGame, SealGame, Status
from spielwerk.wire.lines import LineTooLong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prometheus_client.metrics_core import Metric

    from spielwerk.servers.metrics import Metrics
    from spielwerk.servers.settings import IndexSettings
    from spielwerk.store.records import Entry as JournalEntry
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Journal
    from spielwerk.wire.connect4.initiators import Source

log = logging.getLogger(__name__)

TICK: Final = 0.1  # seconds between two looks at the time
PIECE: Final = 32_768  # bytes of a list that are sent at once
ATTEMPTS: Final = 20  # to find a port that is free for TCP and UDP

# what is counted
REFUSED: Final = "request refused"
NO_REQUEST: Final = "no request"
OVERSIZED: Final = "oversized datagram"


class IndexSession(Session):
    """A client's connection."""

    _service: IndexService

    def __init__(self, service: IndexService) -> None:
        super().__init__(service)
        self._lines = Lines(service.settings.line_limit)
        self.owner = ""
        self._heard = self.now
        self._asked = self.now
        self._waits = False  # for the journal
        self._unsent = memoryview(b"")
        self._congested: float | None = None  # since when the client does not read
        self._paused = False
        self._queued = False  # for the next turn
        self._last = False  # after this answer the connection closes
        self._refusals = 0

    # the connection's hooks

    def opened(self) -> None:
        """Take the client in, if there is room."""
        self.owner = numeric(self.peer.rpartition(":")[0]) or ""
        if self.owner:
            super().opened()
        else:
            self.drop()  # it has gone already: nobody knows who it was

    def received(self, data: bytes) -> None:
        """Collect requests; who sends them faster than we answer has to wait."""
        self._heard = self.now
        self._lines.feed(data)
        if self._lines.waiting > self._service.settings.backlog and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        if not self._queued:
            self._step()

    def pause_writing(self) -> None:
        """See asyncio; the client reads slowly, or not at all."""
        self._congested = self.now

    def resume_writing(self) -> None:
        """See asyncio."""
        self._congested = None
        self._step()

    def dismiss(self, why: str) -> None:
        """The protocol has no word for this: what is asked now is answered, then we close."""
        log.info("dismissed %s why=%r", self, why)
        self._last = True
        self._step()

    # one step after the other

    def _advance(self) -> None:
        self._pour()
        if self._overdue():
            log.info("too slow %s", self)
            self.drop()
        elif not self._busy and not self._last:
            self._take_one()

    @property
    def _busy(self) -> bool:
        return self._waits or bool(self._unsent) or self._congested is not None

    def _overdue(self) -> bool:
        since = self._congested
        return since is not None and self.now >= since + self._service.settings.reading

    def _take_one(self) -> None:
        """Handle one request; the next one has to wait for its turn."""
        try:
            line = self._lines.take()
        except LineTooLong as error:
            self._reply(self._service.index.refuse(b"", f"a line has at most {error.limit} bytes"))
            return
        if line is not None:
            self._handle(line)
        elif self._ended:
            self._no_more()
        elif self._idle_until() <= self.now:
            self._last = True

    def _no_more(self) -> None:
        """No more will come."""
        self._last = True
        if rest := self._lines.rest():
            self._reply(self._service.index.refuse(rest, "the line is not ended by a newline"))

    def _handle(self, line: bytes) -> None:
        self._asked = self.now
        outcome = self._service.index.handle(line, self.owner, self.now)
        if isinstance(outcome, Change):
            self._waits = True
            self._service.keep(outcome, self._kept)
        elif outcome is not None:
            self._reply(outcome)

    def _kept(self, reply: Reply) -> None:
        self._waits = False
        if not self.closed:
            self._reply(reply)
            self._step()

    def _reply(self, reply: Reply) -> None:
        self._unsent = memoryview(reply.line)
        self._last = self._last or reply.last
        self._pour()
        if reply.refused:
            self._complain(reply)
        else:
            self._service.metrics.answered(self._service.name, self.now - self._asked)

    def _complain(self, reply: Reply) -> None:
        """Count what was wrong; of each connection only the first is worth a line."""
        self._refusals += 1
        level = logging.INFO if self._refusals == 1 else logging.DEBUG
        log.log(level, "refused %s why=%r", self, reply.refused)
        fault = NO_REQUEST if reply.last else REFUSED
        self._service.metrics.refused(self._service.name, fault)

    def _pour(self) -> None:
        """Send as much as the client takes."""
        while self._unsent and self._congested is None and not self.closed:
            piece, self._unsent = self._unsent[:PIECE], self._unsent[PIECE:]
            self.send(bytes(piece))

    def _rest(self) -> None:
        if self.closed:
            return
        if self._paused and (self._last or not self._lines.ready):
            self._paused = False
            self.transport.resume_reading()
        if self._busy:
            congested = self._congested
            self.wake_at(NEVER if congested is None else congested + self._service.settings.reading)
        elif self._last:
            self.close()
        elif self._lines.ready or self._ended:
            self._queue()
        else:
            self.wake_at(self._idle_until())

    def _queue(self) -> None:
        """Have the next request handled after everybody else had a turn."""
        if not self._queued:
            self._queued = True
            self.loop.call_soon(self._turn)

    def _turn(self) -> None:
        self._queued = False
        self._step()

    def _idle_until(self) -> float:
        return self._heard + (self._service.settings.idle or NEVER)

    def _fail(self) -> None:
        if self._unsent:
            self.drop()  # in the middle of a line nothing else can be said
        else:
            self._reply(self._service.index.refuse(b"", "internal error"))

    def __str__(self) -> str:
        return f"service={self._service.name} peer={self.peer}"


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
                log.info("%s %s", change.request.header, _described(change.entry))
            else:
                reply = self.index.give_up(change)
                log.error("%s not kept error=%r", change.request.header, str(error))
            done(reply)

        self._journal.add(_journal_entry(change), written)

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
        log.info("silent games=%d the first: %s", len(entries), _described(entries[0]))
        guids = tuple(entry.guid for entry in entries)
        self._journal.add(IndexChanged(guids, IndexStep.REMOVED), _lament)


class Figures:
    """The list in numbers, counted when somebody asks."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def describe(self) -> Iterable[Metric]:
        """Name what is collected."""
        return [self._games(), self._initiators()]

    def collect(self) -> Iterator[Any]:
        """Count."""
        games, initiators = self._games(), self._initiators()
        statuses = [entry.status for entry in self._index.entries]
        for status in Status:
            games.add_metric([status.lower()], statuses.count(status))
        initiators.add_metric([], self._index.initiators)
        yield from (games, initiators)

    def _games(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("spielwerk_index_games", "Games in the list.", labels=["status"])

    def _initiators(self) -> GaugeMetricFamily:
        return GaugeMetricFamily("spielwerk_index_initiators", "Who has games there.", labels=[])


def entry_of(record: IndexRecord) -> Entry:
    """A game that was kept, as it stands in the list."""
    return Entry(
        record.guid,
        record.player,
        record.name,
        record.width,
        record.height,
        record.depth,
        record.address,
        record.port,
        record.owner,
        Status.SEALED if record.sealed else Status.OPEN,
    )


def _journal_entry(change: Change) -> JournalEntry:
    entry = change.entry
    if change.request is not RegisterGame:
        step = IndexStep.SEALED if change.request is SealGame else IndexStep.REMOVED
        return IndexChanged((entry.guid,), step)
    return IndexRecord(
        entry.guid,
        entry.player,
        entry.name,
        entry.width,
        entry.height,
        entry.depth,
        entry.address,
        entry.port,
        entry.owner,
        time.time_ns() // 1_000_000,
    )


def _described(entry: Entry) -> str:
    """What may stand in a log: not the GUID, which is the key to the game."""
    at = f"{entry.address}:{entry.port}"
    return f"name={entry.name!r} player={entry.player!r} at={at!r} owner={entry.owner}"


def _lament(error: BaseException | None) -> None:
    if error:
        log.error("removal not written error=%r", str(error))
