"""Open seats in Connect Four: one game stands in the list, and whoever takes part may join it.

Those who join say their names, and wait for their games without having to know of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from spielwerk.clients.connect4.host import Host
from spielwerk.clients.connect4.index import IndexClient
from spielwerk.clients.connect4.offers import HostError, Offer, OfferSettings
from spielwerk.clients.connect4.server_games import ServerScreen
from spielwerk.errors import quote
from spielwerk.net.addresses import EVERYWHERE, Endpoint, reachable
from spielwerk.servers.host import public
from spielwerk.servers.index import IndexService, IndexSettings
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.wire.connect4.messages import Version, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.clients.connect4.session import HostSession
    from spielwerk.contests.assignment import Terms
    from spielwerk.contests.playing.arrival import Arrival
    from spielwerk.contests.playing.open.lobby import Lobby
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.games.connect4.rules import ConnectFour
    from spielwerk.tables.table import Journal
    from spielwerk.wire.connect4.host import JoinWanted

    Wishes = Mapping[str, tuple[str, ...]]  # an entrant's options by its name

CROWDED: Final = "too many of that name wait already"
INITIATOR: Final = "Spielwerk"  # who offers the game


class GuestOffer:
    """An opponent that has joined, and waits for the first board or the start."""

    def __init__(self, entrant: str, offer: Offer, session: HostSession) -> None:
        self.entrant = entrant
        self.offer = offer
        self._session = session

    @property
    def closed(self) -> bool:
        """Whether it has gone, or is about to."""
        return self._session.closed or self._session.machine.closing

    def lead(self, table: ContestTable, number: int, arrival: Arrival) -> None:
        """Sit down."""
        self._session.peers_seat = number
        if self.offer.coming:
            self.offer.coming.set_result(table)
        arrival.came()

    def drop(self) -> None:
        """Cut the connection."""
        self._session.drop()


class OpenHost(Host):
    """The host of a contest."""

    def __init__(self, lobby: Lobby, terms: Terms, wishes: Wishes, *where: Any) -> None:
        super().__init__(*where)
        self.lobby = lobby
        self._wishes = wishes
        self._move = terms.move_time / 1000
        self._guests: dict[HostSession, GuestOffer] = {}
        self._standing: Offer | None = None

    async def stand(self, name: str, game: ConnectFour) -> None:
        """Offer the game that everybody joins."""
        self._standing = Offer(plain(name), game, SeatRecord(SeatKind.ENGINE, INITIATOR))
        await self.offer(self._standing)

    def wanted(self, session: HostSession, wish: JoinWanted) -> None:
        """Somebody wants to join: who takes part may wait."""
        name = normalize("NFC", wish.player)  # as descriptions have it
        standing, entrant = self._standing, self.lobby.entrant(name)
        if standing is None or wish.name != standing.name:
            session.machine.refuse(f"there is no game {quote(wish.name)} here")
        elif entrant is None:
            session.machine.refuse(f"{quote(wish.player)} does not take part in this contest")
        else:
            self._wait(session, entrant, Offer(standing.name, standing.game, standing.seat))

    def _wait(self, session: HostSession, entrant: str, offer: Offer) -> None:
        guest = GuestOffer(entrant, offer, session)
        if not self.lobby.came(guest):
            session.machine.refuse(CROWDED)
            return
        self._guests[session] = guest
        offer.coming, offer.move = self.loop.create_future(), self._move
        offer.adopt(self._wishes.get(entrant, ()))
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
                guest.offer.coming.cancel()  # nobody waits for a table any more
            self.lobby.gone(guest)


class OpenConnectFour:
    """The index server and the host of a contest."""

    def __init__(
        self,
        venue: Venue,
        journal: Journal,
        terms: Terms,
        lobby: Lobby,
        ports: Mapping[str, int],
        wishes: Wishes,
    ) -> None:
        settings = IndexSettings(ports=(str(ports["index"]),), spelling=terms.spelling)
        self._index = IndexService(venue.arena, journal, settings, venue.metrics)
        self._where = venue.arena, journal
        self._lobby = lobby
        self._terms = terms
        self._wishes = wishes
        self._port = ports["host"]
        self._host: OpenHost | None = None

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen; the addresses of the index server and of the host."""
        ((host, port),) = await self._index.start(bind)
        place = Endpoint(reachable(host), port)
        settings = OfferSettings(
            bind=bind,
            address=public(bind) if bind in EVERYWHERE else "",
            port=self._port,
            version=Version(self._terms.version),
            variant=self._terms.spelling == "variant",
        )
        where = (*self._where, IndexClient(place), ServerScreen(), settings)
        self._host = OpenHost(self._lobby, self._terms, self._wishes, *where)
        try:
            await self._host.listen()
        except HostError:
            await self.stop()
            raise
        assert self._host.place is not None  # noqa: S101 - it listens
        return [(host, port), (self._host.place.host, self._host.place.port)]

    async def stand(self, name: str, game: ConnectFour) -> None:
        """Have the game listed that everybody joins."""
        if self._host:
            await self._host.stand(name, game)

    async def stop(self) -> None:
        """Send everybody away."""
        if self._host:
            await self._host.close()
        await self._index.stop()
