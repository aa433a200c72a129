"""The door of a contest: who comes by itself waits in the lobby until it is led to a table."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.clients.connect4.index import HOST_PORT, INDEX_PORT
from spielwerk.contests.playing.open.connect4 import OpenConnectFour
from spielwerk.contests.playing.open.dice import OpenDice
from spielwerk.contests.playing.open.lobby import Lobby
from spielwerk.contests.playing.open.mnm import OpenMnm, ticket
from spielwerk.contests.playing.seats.dice import bot_name
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.servers.dice import DiceSettings
from spielwerk.servers.mnm import MnmSettings
from spielwerk.store.contest_records import End
from spielwerk.store.records import WireRecord
from spielwerk.wire.connect4.messages import plain
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from spielwerk.contests.assignment import Player, Terms
    from spielwerk.contests.playing.arrival import Failure
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.store.records import Entry

    Service = OpenMnm | OpenDice | OpenConnectFour

PORTS: Final = {
    "mnm": MnmSettings().listeners()[0][0],
    "dice": DiceSettings().numbers()[0],
    "index": INDEX_PORT,
    "host": HOST_PORT,
}
"""Where guests come to if nobody says otherwise: as to any server of ours."""

PARTING: Final = 2.5  # seconds for guests to go when their game is over


class NoDoor(SpielwerkError):
    """Open seats to which nobody could come."""


class OpenDoor:
    """The public services of one contest; `play` takes it as its `arrivals`.

    Bots are known by the names they give. Clients of the MNM games give a Game-ID instead, and
    every entrant has one of its own, its ticket: it depends on the secret and the name alone.
    """

    def __init__(
        self,
        venue: Venue,
        game: str,
        options: Iterable[str],
        terms: Terms,
        secret: bytes = b"",
        wishes: Mapping[str, tuple[str, ...]] | None = None,  # entrants' options by their names
    ) -> None:
        self._venue = venue
        self._game = find_game(game).from_text(options)
        self._terms = terms
        self._wishes = wishes or {}
        self._secret = secret or os.urandom(32)
        self._lobby = Lobby(self._spelling())
        self._tables: dict[str, ContestTable] = {}
        self._loop = asyncio.get_running_loop()
        self._service: Service | None = None

    def _spelling(self) -> Callable[[str], str]:
        """How entrants are called on the wire."""
        if self._game.name == "dice":
            return bot_name
        if isinstance(self._game, ConnectFour):
            return plain
        return partial(ticket, self._secret, length=DIALECTS[self._terms.dialect].id_length)

    # who takes part

    def admit(self, name: str) -> str:
        """Expect an entrant; what it has to call itself, in the MNM games its ticket."""
        return self._lobby.admit(name)

    def present(self) -> list[str]:
        """The entrants who wait, and could play at once."""
        return self._lobby.present()

    def watch(self, changed: Callable[[], None]) -> None:
        """Have this called whenever somebody comes or goes."""
        self._lobby.changed = changed

    def welcome(self, newcomer: Callable[[str], bool]) -> None:
        """Have this decide whether somebody takes part who gives a name that nobody has."""
        self._lobby.newcomer = newcomer

    # the services

    async def start(
        self, name: str, bind: str, ports: Mapping[str, int] | None = None
    ) -> dict[str, tuple[str, int]]:
        """Listen; the addresses by service. The contest's name is that of the game in the list."""
        self._service = service = self._make_service({**PORTS, **(ports or {})})
        addresses = await service.start(bind)
        if isinstance(service, OpenConnectFour) and isinstance(self._game, ConnectFour):
            await service.stand(name, self._game)
            return dict(zip(("index", "host"), addresses, strict=True))
        return {service.name: addresses[0]} if not isinstance(service, OpenConnectFour) else {}

    def _make_service(self, ports: Mapping[str, int]) -> Service:
        where = self._venue, self, self._terms, self._lobby
        match self._game.name:
            case "quarto" | "morris":
                return OpenMnm(*where, ports["mnm"])
            case "dice":
                return OpenDice(*where, ports["dice"])
            case "connect4":
                return OpenConnectFour(*where, ports, self._wishes)
        raise NoDoor(f"{self._game.name} has no open seats: its players are servers, name them")

    async def close(self) -> None:
        """Send everybody away."""
        if self._service:
            await self._service.stop()

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        """Take what the services write: a transcript belongs to its table's game."""
        if isinstance(entry, WireRecord) and entry.game in self._tables:
            self._tables[entry.game].keep(entry)
        self._loop.call_soon(done, None)

    # tables

    async def seat(self, player: Player, table: ContestTable, number: int) -> Failure | None:
        """Wait until the player has come and sits on its seat; or why it does not."""
        self._tables[table.id] = table
        while True:
            arrival = await self._lobby.lead(player.name, table, number)
            failure = await arrival.known()
            if failure is None or failure.end is not End.NO_START:
                return failure

    async def leave(self, table: ContestTable) -> None:
        """The game is over: wait a moment until everybody has gone, and keep what was said."""
        await self._lobby.parted(table, PARTING)
        self._tables.pop(table.id, None)
