"""The host service: games of Connect Four that strangers join, and theirs that we join."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, Self

from spielwerk.clients.connect4.offers import OfferSettings
from spielwerk.clients.connect4.server_games import ServerGames
from spielwerk.net.addresses import EVERYWHERE, Endpoint, reachable
from spielwerk.servers.settings import OneOf, Ports, ServiceSettings, setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.net.destinations import Destinations
    from spielwerk.servers.index import IndexService
    from spielwerk.servers.sessions import RunningServer
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Journal

SOMEWHERE: Final = ("192.0.2.1", 9)  # reserved for documents: no packet is sent there


class HostSettings(ServiceSettings):
    """The host of Connect Four tables that are offered at index servers."""

    name: ClassVar = "host"
    ports: Ports = setting(
        ("8080",),
        "Port for TCP and UDP; 0 for any free one, which is also used if this is taken.",
        min_length=1,
    )
    address: str = setting(
        "", "What opponents are told to connect to; empty: the address that we listen on."
    )
    spelling: Annotated[str, OneOf(("document", "variant"))] = setting(
        "document",
        "Words of the answers: the document's, or the variant that some clients understand.",
    )
    move_time: int = setting(
        10_000, "Milliseconds for a move, where the game does not say; 0: no limit.", 0, 86_400_000
    )
    connections: int = setting(200, "Most connections at once.", 1, 1_000_000)
    transcript: int = setting(
        65_536, "Bytes kept of what a connection says and hears.", 0, 16_777_216
    )


class HostService:
    """A meeting with a port; without an index server it listens when one is named."""

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        settings: HostSettings,
        index: tuple[str, int] | None,
        destinations: Destinations,
        service: IndexService | None = None,  # with the list that we were in before
    ) -> None:
        self._arena = arena
        self._journal = journal
        self._settings = settings
        self._index = index
        self._destinations = destinations
        self._service = service
        self.meeting: ServerGames | None = None

    @classmethod
    def of(cls, server: RunningServer) -> Self:
        """The service with this server's own index server, if that runs here."""
        index = server.addresses.get("index", [None])[0]
        return cls(
            server.arena,
            server.journal,
            server.settings.section("host"),
            index,
            server.destinations,
            server.services.get("index"),
        )

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen for those who find us in our own index server's list."""
        index = Endpoint(reachable(self._index[0]), self._index[1]) if self._index else None
        settings = OfferSettings(
            bind=bind,
            address=self._settings.address or (public(bind) if bind in EVERYWHERE else ""),
            port=self._settings.numbers()[0],
            variant=self._settings.spelling == "variant",
            connections=self._settings.connections,
            connections_each=self._settings.connections_each,
            transcript=self._settings.transcript,
        )
        self.meeting = ServerGames(
            self._arena, self._journal, settings, index, self._destinations, self._hosted
        )
        place = await self.meeting.start()
        if place and self._service:
            self._service.leave(*place)
        return [place] if place else []

    def _hosted(self, place: Endpoint) -> bool:
        """Whether our own list has games there, registered by the very host."""
        return self._service is not None and self._service.index.hosts(*place)

    def offer(self, game_id: str) -> Mapping[str, object] | None:
        """Where a table is offered to strangers, if it is."""
        return self.meeting.described(game_id) if self.meeting else None

    async def stop(self) -> None:
        """Leave all lists."""
        if self.meeting:
            await self.meeting.stop()


def public(bind: str) -> str:
    """What others are to connect to when we listen everywhere: the address that leads outside."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(SOMEWHERE)
            return str(probe.getsockname()[0])
    except OSError:
        return ""


SETTINGS: Final = HostSettings
SERVICE: Final = HostService
