"""How programs take their seats: one module a protocol, named as the service of the game's kit.

Such a module has `SEATS`, its kind of ProgramSeats.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.contests.contest import ContestError
from spielwerk.contests.programs.network import BACKLOG, HERE
from spielwerk.games import find_kit
from spielwerk.servers.sessions import Session, TcpService

if TYPE_CHECKING:
    from collections.abc import Mapping
    from socket import socket

    from spielwerk.contests.contest import Terms
    from spielwerk.contests.playing.game import Attendance, ContestGame, ContestTable
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.servers.settings import ServiceSettings
    from spielwerk.store.records import Ending, Reason

CONNECTIONS: Final = 16  # that a program may have at once; one or two are of use


def seats_of(game: str) -> type[ProgramSeats]:
    """The kind of seats that programs have in this game."""
    service = find_kit(game).service
    if not service:
        return ProgramSeats
    kind: type[ProgramSeats] = import_module(f"{__name__}.{service}").SEATS
    return kind


def seats_for(game: ContestGame) -> ProgramSeats:
    """The seats of a game; only what it needs is imported."""
    kind = seats_of(game.game.name) if game.attendance else ProgramSeats
    return kind(game)


class ProgramSeats:
    """The seats of a game's programs, as long as it is played; engines need none of this."""

    leaving: ClassVar = True  # programs of this kind go by themselves when the game is over
    open_ports: ClassVar[Mapping[str, int]] = {}  # the usual ones of open seats, by service

    def __init__(self, game: ContestGame) -> None:
        self.game = game
        self._ports: dict[int, int] = {}  # by seat: where programs find us, or we find them

    # open seats, to which programs come by themselves

    @classmethod
    def open_service(cls, door: OpenDoor, name: str, ports: Mapping[str, int]) -> Any:  # noqa: ARG003
        """What they come to, if they can; the contest's name may stand in a list of games."""
        return None

    @classmethod
    def called(cls, name: str, door: OpenDoor) -> str:  # noqa: ARG003
        """What an entrant has to call itself there."""
        return cls.named(name)

    @staticmethod
    def named(name: str, /) -> str:
        """An entrant's name as it can stand on the wire."""
        return name

    # the seats of one game

    async def open(self) -> None:
        """Set up the table, and listen for programs."""
        self.game.set_up(self.named)

    def told(self, detail: str) -> str:
        """What the protocol says about a player, as it is said in a contest."""
        return detail

    def reason(self, detail: str) -> str:  # noqa: ARG002
        """Why a player has left in its own words, if what the protocol says has them."""
        return ""

    def places(self, number: int) -> Mapping[str, str]:
        """What stands for the placeholders in the command of a seat's program."""
        if number not in self._ports:
            name = self.game.game.name
            raise ContestError(f"no program can play {name} on seat {number}: there is no protocol")
        return {
            "host": HERE,
            "port": str(self._ports[number]),
            "game": self.game.id,
            "player": str(number),
            "seat": str(number + 1),
        }

    async def receive(self, number: int) -> None:
        """The program has been started: go to it."""

    async def begin(self) -> dict[int, Ending]:
        """All players have come: let the game begin; who does not after all, and why."""
        self.game.begin()
        return {}

    async def conclude(self) -> dict[int, Ending]:
        """The game has ended by the rules: hear what is still said of it; who lies, and how."""
        return {}

    def call_off(self, why: str) -> None:
        """The game will not begin, and has no table yet: those who have come are told."""

    async def close(self) -> None:
        """Stop listening, and send away who is still there."""


class SeatSession(Session):
    """Part of a session that belongs to one seat of a contest's game, or waits until it has one."""

    _service: SeatService
    attendance: Attendance | None = None
    seat = -1
    entrant = ""  # its name in the contest, if it has come by itself

    def belong(self, table: ContestTable, seat: int, attendance: Attendance) -> None:
        """Whatever is said here belongs to the game, also before the player sits."""
        self._table, self._number = table, seat
        self.seat, self.attendance = seat, attendance

    def lead(self, table: ContestTable, number: int, attendance: Attendance) -> None:
        """Sit down there; `attendance` is told."""
        self.belong(table, number, attendance)

    def opened(self) -> None:
        """Come in; a guest may wait for long, and be gone without a word."""
        if self._service.seat:
            self.belong(*self._service.seat)
        else:
            self.keep_alive()
        super().opened()

    def gone(self, why: str) -> None:
        """Leave the seat, and the lobby."""
        super().gone(why)
        if self._service.lobby:
            self._service.lobby.gone(self)

    def _refused(self, reason: Reason, detail: str) -> None:
        super()._refused(reason, detail)
        if self.attendance:
            self.attendance.refused(reason, detail)


class SeatService(TcpService[Any], ABC):
    """Part of a service: for one program, which has its seat, or for all guests of a contest."""

    seat: tuple[ContestTable, int, Attendance] | None = None
    lobby: OpenDoor | None = None

    async def listen(self, accepting: socket) -> None:
        """Accept connections at this socket."""
        ((_, session),) = self.endpoints()
        self._listeners.append(
            await self.loop.create_server(session, sock=accepting, backlog=BACKLOG)
        )


class TcpSeats(ProgramSeats, ABC):
    """Seats to which programs connect, each to a port of its own; open seats have one for all."""

    service: ClassVar[type[SeatService]]

    def __init__(self, game: ContestGame) -> None:
        super().__init__(game)
        self._services: list[SeatService] = []

    @staticmethod
    @abstractmethod
    def settings(terms: Terms, **limits: Any) -> ServiceSettings:
        """Those of the service on these terms."""

    @classmethod
    def open_service(cls, door: OpenDoor, _name: str, ports: Mapping[str, int]) -> SeatService:
        """The service for all guests."""
        (port,) = (ports[name] for name in cls.open_ports)
        settings = cls.settings(door.terms, ports=(str(port),))
        service = cls.service(door.facilities.arena, door, settings)
        service.lobby = door
        return service

    async def open(self) -> None:
        """Set up the table, and listen for each program in its network."""
        await super().open()
        game = self.game
        assert game.table is not None  # noqa: S101 - it was just set up
        settings = self.settings(game.terms, ports=("0",), connections=CONNECTIONS)
        for number, network in game.networks.items():
            accepting = network.listen()
            self._ports[number] = accepting.getsockname()[1]
            service = self.service(game.facilities.arena, game.journal, settings)
            service.seat = game.table, number, game.attendance[number]
            self._services.append(service)
            await service.listen(accepting)

    async def close(self) -> None:
        """Stop listening."""
        await asyncio.gather(*(service.stop() for service in self._services))
