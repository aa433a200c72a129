"""What all services with a lobby have in common, whatever is spoken there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from spielwerk.contests.playing.seats.seating import AtDoor
from spielwerk.servers.sessions import TcpService

if TYPE_CHECKING:
    from spielwerk.contests.playing.arrival import Arrival
    from spielwerk.contests.playing.open.lobby import Lobby
    from spielwerk.contests.playing.table import ContestTable


class OpenService(TcpService, ABC):
    """Part of a service to which anybody may come who takes part."""

    lobby: Lobby


class Waiting(AtDoor, ABC):
    """Part of a session in which somebody waits until there is a game for it."""

    _service: OpenService
    entrant = ""

    def opened(self) -> None:
        """It may wait for long, and be gone without a word."""
        self.keep_alive()
        super().opened()

    def gone(self, why: str) -> None:
        """Leave the seat, and the lobby."""
        super().gone(why)
        self._service.lobby.gone(self)

    @abstractmethod
    def lead(self, table: ContestTable, number: int, arrival: Arrival) -> None:
        """Sit down."""
