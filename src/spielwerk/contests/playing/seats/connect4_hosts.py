"""Our own hosts of Connect Four: one for each program that joins, and one for open seats.

In the protocol two meet, and one of them is the initiator. In a contest each program meets us, and
we pass on the moves of the table. So each has an index server and a host of its own. Guests of open
seats join one game that stands in the list, and wait there for their games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from spielwerk.clients.connect4.host import GameHost
from spielwerk.clients.connect4.index import IndexClient
from spielwerk.clients.connect4.offers import HostError, Offer, OfferSettings
from spielwerk.clients.connect4.server_games import ServerScreen
from spielwerk.clients.connect4.session import HostSession
from spielwerk.contests.playing.seats import CONNECTIONS, SeatService
from spielwerk.contests.programs.network import BACKLOG, HERE
from spielwerk.errors import quote
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import EVERYWHERE, Endpoint, reachable
from spielwerk.net.datagrams import Datagrams
from spielwerk.servers.host import public
from spielwerk.servers.index import IndexService, IndexSettings
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.wire import chosen
from spielwerk.wire.connect4.host import HostLimits
from spielwerk.wire.connect4.index import Change
from spielwerk.wire.connect4.messages import Version, plain, read_message, write_message

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Mapping

    from spielwerk.contests.playing.game import Attendance, ContestGame, ContestTable
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.wire.connect4.index import Reply
    from spielwerk.wire.connect4.messages import GameMessage

CROWDED: Final = "too many of that name wait already"
INITIATOR: Final = "Spielwerk"  # who offers the game of open seats


# for one program


class SeatIndex(IndexService, SeatService):
    """An index server for one program."""

    def __init__(self, game: ContestGame, number: int) -> None:
        shared = game.facilities
        settings = IndexSettings(
            ports=("0",),
            silence=0.0,  # whether the program sends heartbeats does not matter
            spelling=chosen(game.player(number).options, "spelling") or game.terms.spelling,
            connections=CONNECTIONS,
        )
        super().__init__(shared.arena, game.journal, settings)
        self.place = Endpoint(HERE, 0)
        self._network = game.networks[number]

    async def begin(self) -> None:
        """Listen in the network of the program, for requests and for heartbeats."""
        accepting, datagrams = self._network.listen_both()
        self.place = Endpoint(*accepting.getsockname())
        await self.listen(accepting)
        self.senders.append(Datagrams(self.loop, datagrams, self.heartbeat, self._oversized))
        self.tick()


class SeatIndexClient(IndexClient):
    """A program's index server as we ask it ourselves: without a connection."""

    def __init__(self, index: SeatIndex) -> None:
        super().__init__(index.place)
        self._index = index

    async def _exchange(self, request: GameMessage) -> GameMessage:
        line = write_message(request).removesuffix(b"\n")
        outcome = self._index.index.handle(line, HERE, self._index.loop.time())
        if isinstance(outcome, Change):
            settled: asyncio.Future[Reply] = self._index.loop.create_future()
            self._index.keep(outcome, settled.set_result)
            outcome = await settled
        return read_message(outcome.line.removesuffix(b"\n") if outcome else b"")


class SeatHost(GameHost):
    """The host of one program; its heartbeats would go to ourselves, so there are none."""

    def __init__(self, game: ContestGame, index: SeatIndex, number: int) -> None:
        terms = game.terms
        settings = OfferSettings(
            version=Version(terms.version),
            variant=terms.spelling == "variant",
            limits=HostLimits(join=terms.start),
            connections=CONNECTIONS,
        )
        arena, client = game.facilities.arena, SeatIndexClient(index)
        super().__init__(arena, game.journal, client, ServerScreen(), settings)
        self._attendance = game.attendance[number]
        self._network = game.networks[number]
        self._belonging = game.id, number

    async def begin(self) -> int:
        """Listen in the network of the program; the port."""
        accepting = self._network.listen()
        self.place = Endpoint(*accepting.getsockname())
        self._listeners.append(
            await self.loop.create_server(self._session, sock=accepting, backlog=BACKLOG)
        )
        return self.place.port

    def _session(self) -> HostSession:
        """What is said belongs to the game, also before the program sits at its table."""
        session = HostSession(self)
        session.game_id, session.peers_seat = self._belonging
        return session

    def wanted(self, session: HostSession, player: str, game: str) -> None:
        """The program wants to join, and has come if it may."""
        super().wanted(session, player, game)
        if session.offer:
            self._attendance.came()

    def left(self, session: HostSession) -> None:
        """The talk has ended; a program that has not joined by then may have said nonsense."""
        super().left(session)
        if session.failure and not session.offer and session in self._sessions:
            self._attendance.refused(session.failure.reason, session.failure.detail)

    def call_off(self, why: str) -> None:
        """The game will not begin: tell the program, and have it out of the list."""
        for offer in self._offers:
            offer.problem = why
        self._abort(why)


# for open seats


class ConnectFourGuest:
    """An opponent that has joined, and waits for the first board or the start."""

    def __init__(self, entrant: str, offer: Offer, session: HostSession) -> None:
        self.entrant = entrant
        self.offer = offer
        self._session = session

    @property
    def closed(self) -> bool:
        """Whether it has gone, or is about to."""
        return self._session.closed or self._session.machine.closing

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Sit down."""
        self._session.peers_seat = number
        if self.offer.coming:
            self.offer.coming.set_result(table)
        attendance.came()

    def drop(self) -> None:
        """Cut the connection."""
        self._session.drop()


class OpenHost(GameHost):
    """The host of a contest."""

    def __init__(self, door: OpenDoor, *where: Any) -> None:
        super().__init__(door.facilities.arena, door, *where)
        self.lobby = door
        self._guests: dict[HostSession, ConnectFourGuest] = {}
        self._standing: Offer | None = None

    async def stand(self, name: str, game: ConnectFour) -> None:
        """Offer the game that all guests join."""
        self._standing = Offer(plain(name), game, SeatRecord(SeatKind.ENGINE, INITIATOR))
        await self.offer(self._standing)

    def wanted(self, session: HostSession, player: str, game: str) -> None:
        """A guest wants to join: an entrant may wait."""
        name = normalize("NFC", player)  # as descriptions have it
        standing, entrant = self._standing, self.lobby.entrant(name)
        if standing is None or game != standing.name:
            session.machine.refuse(f"there is no game {quote(game)} here")
        elif entrant is None:
            session.machine.refuse(f"{quote(player)} does not take part in this contest")
        else:
            self._wait(session, entrant, Offer(standing.name, standing.game, standing.seat))

    def _wait(self, session: HostSession, entrant: str, offer: Offer) -> None:
        guest = ConnectFourGuest(entrant, offer, session)
        if not self.lobby.came(guest):
            session.machine.refuse(CROWDED)
            return
        self._guests[session] = guest
        offer.coming, offer.move = self.loop.create_future(), self.lobby.terms.move_time / 1000
        offer.adopt(self.lobby.wishes.get(entrant, ()))
        offer.registered.set()
        self._offers.append(offer)
        self._welcome(session, offer, entrant)

    async def _sealed(self, offer: Offer) -> str:  # noqa: ARG002
        """The game in the list stays open for the others."""
        return ""

    def forget(self, session: HostSession) -> None:
        """A connection is no more."""
        super().forget(session)
        guest = self._guests.pop(session, None)
        if guest:
            self._offers = [offer for offer in self._offers if offer is not guest.offer]
            if guest.offer.coming:
                guest.offer.coming.cancel()  # the guest waits for a table no longer
            self.lobby.gone(guest)


class OpenConnectFour:
    """The index server and the host of a contest, whose name is that of the game in the list."""

    def __init__(self, door: OpenDoor, name: str, ports: Mapping[str, int]) -> None:
        shared = door.facilities
        settings = IndexSettings(ports=(str(ports["index"]),), spelling=door.terms.spelling)
        self._index = IndexService(shared.arena, door, settings)
        self._door = door
        self._name = name
        self._port = ports["host"]
        self._host: OpenHost | None = None

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen; the addresses of the index server and of the host."""
        door, terms = self._door, self._door.terms
        ((host, port),) = await self._index.start(bind)
        client = IndexClient(Endpoint(reachable(host), port))
        settings = OfferSettings(
            bind=bind,
            address=public(bind) if bind in EVERYWHERE else "",
            port=self._port,
            version=Version(terms.version),
            variant=terms.spelling == "variant",
        )
        self._host = OpenHost(door, client, ServerScreen(), settings)
        try:
            await self._host.listen()
        except HostError:
            await self.stop()
            raise
        assert isinstance(door.game, ConnectFour)  # noqa: S101 - no other comes here
        assert self._host.place is not None  # noqa: S101 - it listens
        await self._host.stand(self._name, door.game)
        return [(host, port), (self._host.place.host, self._host.place.port)]

    async def stop(self) -> None:
        """Send all guests away."""
        if self._host:
            await self._host.close()
        await self._index.stop()
