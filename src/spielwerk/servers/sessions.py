"""What the TCP services share: listeners, sessions, and a session's seat at a table."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from spielwerk.net.connection import NEVER, Connection, Line
from spielwerk.net.listening import Listener, listen
from spielwerk.net.rooms import FairRoom
from spielwerk.store.records import Reason, WireRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from spielwerk.net.destinations import Destinations
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Journal, Seat
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

GOODBYE: Final = 2.0  # seconds for clients to take their leave when the server stops


class Session(Connection, ABC):
    """A connection that may hold a seat; after everything that happens it takes a step."""

    def __init__(self, service: TcpService[Any]) -> None:
        super().__init__(service.loop, service.settings.transcript)
        self._service = service
        self._table: Table | None = None
        self._seat: Seat | None = None
        self._number: int | None = None  # of the seat, also after it was left
        self._ended = False  # no more bytes will come
        self._offered: float | None = None  # when the move came that is being written
        self._stepping = False

    @abstractmethod
    def _advance(self) -> None:
        """Read, answer and write as long as there is something to do without waiting."""

    @abstractmethod
    def _rest(self) -> None:
        """Nothing to do now: close, or say when to look again."""

    @abstractmethod
    def _fail(self) -> None:
        """Something went wrong on our side: tell the client and let it go."""

    @abstractmethod
    def dismiss(self, why: str) -> None:
        """Tell the client that it has to go."""

    def _refusal(self, why: str) -> bytes:  # noqa: ARG002
        """What a client hears that is turned away at the door, if the protocol can say it."""
        return b""

    def _step(self) -> None:
        if self._stepping or self.closed:
            return
        self._stepping = True
        try:
            self._advance()
        except Exception:
            log.exception("internal error %s", self)
            self._fail()
        finally:
            self._stepping = False
        self._rest()

    # the connection's hooks, and the occupant's

    def opened(self) -> None:
        """Greet, if there is room."""
        if self._service.admit(self):
            self._step()
        else:
            self.transport.write(self._refusal(self._service.no_room()))
            self.transport.close()

    def ended(self) -> None:
        """Answer what has come; the client is lost as soon as we would have to wait for more."""
        self._ended = True
        self._step()

    def woken(self) -> None:
        """See what time it is."""
        self._step()

    def look(self) -> None:
        """Something at the table has changed."""
        self._step()

    def gone(self, why: str) -> None:
        """Leave the seat and keep the transcript."""
        self._leave(Reason.CONNECTION_LOST, f"the connection was {why}")
        self._service.forget(self)

    # the seat

    def _offer(self, text: str, arrived: float) -> None:
        """Offer a move that came at this time; raise what is wrong with it."""
        if self._table is not None and self._seat is not None:
            self._table.play(self._seat, text, self._written)
            self._offered = arrived

    def _written(self, error: BaseException | None) -> None:
        """The move is in the journal, or could not be written."""
        arrived, self._offered = self._offered, None
        if self._seat is None or self._table is None:
            return
        self._confirm(error)
        if error is None and arrived is not None:  # the table lets all its players look now
            self._service.metrics.moved(self._table.game.name)
            self._service.metrics.answered(self.service, self.now - arrived)
        else:
            self._step()

    def _confirm(self, error: BaseException | None) -> None:
        """Tell the client what has become of its move."""

    def _leave(self, reason: Reason, detail: str) -> None:
        """Give the seat back, once."""
        seat, self._seat = self._seat, None
        if seat is not None and self._table is not None:
            log.info("left %s reason=%r", self, str(reason))
            self._table.leave(seat, reason, detail)

    def _refused(self, reason: Reason, detail: str) -> None:
        """The client has been told what is wrong, and is out."""
        log.info("refused %s reason=%r detail=%r", self, str(reason), detail)
        self._service.metrics.refused(self._service.name, reason.value)
        self._leave(reason, detail)

    @property
    def active(self) -> float:
        """When the client was last heard of; players give way last of all."""
        return self.heard if self._seat is None else NEVER

    @property
    def service(self) -> str:
        """The service that the client has connected to."""
        return self._service.name

    def line(self) -> Line | None:
        """The transcript, if it belongs to a game."""
        if self._table is None or self.transcript is None:
            return None
        opened = self.opened_wall
        return Line(self._table.id, self._number, self.service, self.peer, opened, self.transcript)

    def wire(self) -> WireRecord | None:
        """The traffic so far, if it belongs to a game."""
        line = self.line()
        return WireRecord.of(line) if line else None

    def __str__(self) -> str:
        where = f"{self._table} seat={self._number}" if self._table else "game=-"
        return f"service={self._service.name} {where} peer={self.peer}"


class ConnectionLimits(Protocol):
    """What every TCP service can be told."""

    @property
    def connections(self) -> int:
        """Most connections at once."""

    @property
    def connections_each(self) -> int:
        """Most connections of one address at once."""

    @property
    def transcript(self) -> int:
        """Bytes kept of a connection's traffic."""


SettingsT = TypeVar("SettingsT", bound=ConnectionLimits)


class ServiceCounts:
    """What services count of their connections and moves; a server keeps it in its metrics."""

    def opened(self, service: str) -> None:
        """A connection was accepted."""

    def closed(self, service: str) -> None:
        """A connection is no more."""

    def refused(self, service: str, fault: str) -> None:
        """A client was refused for this reason."""

    def answered(self, service: str, seconds: float) -> None:
        """A move was confirmed so long after it had come."""

    def moved(self, game: str) -> None:
        """A turn was kept."""


class RunningServer(Protocol):
    """The server that a service is part of."""

    arena: Arena
    metrics: Any  # the ServiceCounts, and `registry` for figures of a service's own
    journal: Any  # where everything is written first
    settings: Any  # `section(NAME)` is a service's own
    store: Any  # with what an earlier run has left
    services: dict[str, Any]  # those that were started before
    addresses: dict[str, list[tuple[str, int]]]  # and where they listen
    destinations: Destinations  # where visitors may have it connect


class TcpService(ABC, Generic[SettingsT]):
    """Listeners and their sessions."""

    name: ClassVar[str]
    stopping: ClassVar[str]  # what clients are told when the server stops
    full: ClassVar[str] = ""  # and when there are too many of them
    greeting: ClassVar[bool] = True  # whether the server speaks first

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        settings: SettingsT,
        metrics: ServiceCounts | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.arena = arena
        self.metrics = ServiceCounts() if metrics is None else metrics
        self.loop = loop or asyncio.get_running_loop()
        self.settings = settings
        self._journal = journal
        self._sessions: dict[Session, None] = {}  # in the order in which they came
        self._room: FairRoom[Session] = FairRoom(
            settings.connections, settings.connections_each, self.loop.time
        )
        self._listeners: list[Listener | asyncio.Server] = []
        self._prepare()

    def _prepare(self) -> None:
        """Set up what the service has besides its listeners."""

    @classmethod
    def of(cls, server: RunningServer) -> Self:
        """The service as it runs in this server."""
        settings = server.settings.section(cls.name)
        return cls(server.arena, server.journal, settings, server.metrics)

    @abstractmethod
    def endpoints(self) -> Iterable[tuple[int, Callable[[], Session]]]:
        """Every port with the sessions that begin there."""

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen on every port, and say which addresses they are."""
        for port, session in self.endpoints():
            self._listeners += await listen(session, bind, port, greeting=self.greeting)
        return self.addresses

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Where it listens."""
        sockets = [socket for listener in self._listeners for socket in listener.sockets]
        return [socket.getsockname()[:2] for socket in sockets]

    async def stop(self) -> None:
        """Accept no more, and wait a little for those who have been told to go."""
        for listener in self._listeners:
            listener.close()
        for session in list(self._sessions):
            session.dismiss(self.stopping)
        end = self.loop.time() + GOODBYE
        while self._sessions and self.loop.time() < end:
            await asyncio.sleep(0.01)
        for session in list(self._sessions):
            session.drop()
        await asyncio.sleep(0)

    def admit(self, session: Session) -> bool:
        """Whether there is room for one more connection."""
        if self.arena.closing or not self._room.enter(session, session.host):
            log.warning("turned away %s connections=%d", session, len(self._sessions))
            return False
        self._sessions[session] = None
        self.metrics.opened(self.name)
        return True

    def no_room(self) -> str:
        """Why a connection is turned away."""
        return self.stopping if self.arena.closing else self.full

    def forget(self, session: Session) -> None:
        """A connection is no more; its transcript is kept."""
        if session not in self._sessions:
            return
        del self._sessions[session]
        self._room.leave(session)
        self.metrics.closed(self.name)
        wire = session.wire()
        if wire:
            self._journal.add(wire, logged("transcript lost"))

    @property
    def clients(self) -> int:
        """How many are connected."""
        return len(self._sessions)

    def lines(self) -> list[Line]:
        """The transcripts of the connections to games that are open now."""
        return [line for session in self._sessions if (line := session.line())]


def logged(trouble: str) -> Callable[[BaseException | None], None]:
    """What to call after a write that nothing waits for: a failure is a line in the log."""

    def done(error: BaseException | None) -> None:
        if error:
            log.error("%s error=%r", trouble, str(error))

    return done
