"""Oware programs are servers: they are waited for, and then asked like any server elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.clients.oware import Address, RemotePlayer, knock
from spielwerk.contests.playing.seats import ProgramSeats
from spielwerk.contests.programs.network import HERE
from spielwerk.engines.players import REMOTE, PlayerFailed
from spielwerk.store.records import Reason
from spielwerk.tables.occupants import RemoteOccupant

if TYPE_CHECKING:
    from spielwerk.contests.programs.network import Network
    from spielwerk.games import Game

PROGRAM: Final = "the program"
LOOK: Final = 0.02  # seconds between two looks whether a program listens
WISHES: Final = ("strategy", "depth", "connect", "timeout")


class OwareSeats(ProgramSeats):
    """Servers that we start, and servers elsewhere."""

    leaving: ClassVar = False  # a server serves until it is stopped

    async def open(self) -> None:
        """Set up the table, and find ports for the programs."""
        await super().open()
        for number, network in self.game.networks.items():
            self._ports[number] = network.free_port()

    def told(self, detail: str) -> str:
        """A program's port is no concern of the contest."""
        for port in self._ports.values():
            detail = detail.replace(f"{HERE}:{port}", PROGRAM)
        return detail

    async def receive(self, number: int) -> None:
        """Wait until the server can be asked, here or elsewhere."""
        if number in self._ports:
            while not self.game.networks[number].is_listening(self._ports[number]):
                await asyncio.sleep(LOOK)
            self._sit(number, f"{HERE}:{self._ports[number]}")
        else:
            await self._call(number)

    async def _call(self, number: int) -> None:
        """See whether a server elsewhere is there before any move is made."""
        place = self.game.player(number).text
        address = Address.parse(self._described(number, place))
        try:
            await asyncio.to_thread(knock, address, self.game.terms.start)
        except PlayerFailed as error:
            self.game.attendance[number].failed(Reason.NO_START, str(error))
        else:
            self._sit(number, place)

    def _described(self, number: int, place: str) -> str:
        seconds = self.game.terms.move_time / 1000
        return described(place, self.game.player(number).options, seconds)

    def _sit(self, number: int, place: str) -> None:
        table, engines = self.game.table, self.game.engines
        assert table is not None  # noqa: S101 - it is there from the beginning
        seat = table.seats[number]
        seat.record = replace(seat.record, player=self._described(number, place))
        self.game.attendance[number].came()
        if network := self.game.networks.get(number):
            engines = engines.calling(partial(_player, network))
        table.sit(RemoteOccupant(table, seat, engines), number)


SEATS: Final = OwareSeats


def _player(network: Network, text: str, _game: Game[Any]) -> RemotePlayer:
    """A program as it is asked: connections to it begin in its own network."""
    return RemotePlayer(text, Address.parse(text), stream=network.stream)


def described(place: str, options: tuple[str, ...], seconds: float) -> str:
    """The player at this place: with the wishes of its entrant, and all of a move's time."""
    wishes = [text for text in options if text.partition("=")[0] in WISHES]
    given = {text.partition("=")[0] for text in (*place.split(",")[1:], *wishes)}
    if seconds and "timeout" not in given:
        wishes.append(f"timeout={seconds:g}")
    return f"{REMOTE}{','.join((place, *wishes))}"
