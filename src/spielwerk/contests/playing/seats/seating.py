"""What all ways to a seat have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Final

from spielwerk.contests.playing.ports import reserved_port
from spielwerk.contests.playing.venue import HERE
from spielwerk.errors import SpielwerkError
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.store.contest_records import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import ExitStack

    from spielwerk.contests.playing.arrival import Arrival, Failure
    from spielwerk.contests.playing.sitting import Sitting
    from spielwerk.contests.playing.table import ContestTable
    from spielwerk.contests.playing.whose import Doorkeeper
    from spielwerk.store.records import Reason


AT_ONCE: Final = 16  # connections that wait to be looked at


class NoPrograms(SpielwerkError):
    """A program for a game that no protocol is known for."""


class Seating:
    """The doors to a game's table, as long as it is played; engines need none."""

    leaving: ClassVar = True  # programs of this kind go by themselves when the game is over

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        sitting.inspect = self.inspect
        seats = enumerate(sitting.assignment.seats)
        self.numbers = [number for number, player in seats if player.kind is Kind.COMMAND]

    async def open(self) -> None:
        """Set up the table and open the doors."""
        self.sitting.open(self.named)

    def named(self, name: str) -> str:
        """An entrant's name as it can stand on the wire."""
        return name

    def told(self, detail: str) -> str:
        """What the protocol says about a player, as it is said in a contest."""
        return detail

    def reason(self, detail: str) -> str:  # noqa: ARG002
        """Why a player has left in its own words, if what the protocol says has them."""
        return ""

    def port(self, number: int) -> int:
        """Where the program for a seat finds us, or we find it."""
        game = self.sitting.game.name
        raise NoPrograms(f"no program can play {game} on seat {number}: there is no protocol")

    def reserve(self, number: int, stack: ExitStack) -> int:
        """A port for a program that listens itself, as long as the stack is open."""
        secretly = self.sitting.terms.sandbox
        port = stack.enter_context(reserved_port(HERE, secretly=secretly))
        self.sitting.keeper.give(number, port)
        return port

    def places(self, number: int) -> Mapping[str, str]:
        """What stands for the placeholders in the command of a seat's program."""
        return {
            "host": HERE,
            "port": str(self.port(number)),
            "game": self.sitting.id,
            "player": str(number),
            "seat": str(number + 1),
        }

    async def receive(self, number: int) -> None:
        """The program has been started: go to it."""

    def inspect(self, number: int) -> None:
        """A player has failed: see whether another one has been in its way."""

    async def begin(self) -> dict[int, Failure]:
        """Everybody has come: let the game begin; who does not after all, and why."""
        self.sitting.begin()
        return {}

    async def conclude(self) -> dict[int, Failure]:
        """The game has ended by the rules: hear what is still said of it; who lies, and how."""
        return {}

    def call_off(self, why: str) -> None:
        """The game will not begin, and has no table yet: those who have come are told."""

    async def close(self) -> None:
        """Close the doors, and send away who is still there."""


class AtDoor(Session):
    """Part of a session of which it is known for whom it is: there is but one seat for it."""

    arrival: Arrival | None = None
    keeper: Doorkeeper | None = None  # none where anybody may come
    seat = -1

    def belong(self, table: ContestTable, seat: int, arrival: Arrival) -> None:
        """Whatever is said here belongs to the game, also before somebody sits."""
        self._table, self._number = table, seat
        self.seat, self.arrival = seat, arrival

    def opened(self) -> None:
        """Greet whoever belongs here; nobody else is told anything, nor heard."""
        if self.keeper is None or self.keeper.admits(self.seat, self.transport):
            super().opened()
        else:
            self.drop()

    def _refused(self, reason: Reason, detail: str) -> None:
        super()._refused(reason, detail)
        if self.arrival:
            self.arrival.refused(reason, detail)


class Doors(TcpService, ABC):
    """Part of a service with a port for each program: only a few wait there, or come at once.

    If many could, they would take up all the room for connections before one is turned away.
    """

    backlog: ClassVar = AT_ONCE


class TcpSeating(Seating, ABC):
    """Programs that connect, each to a port of its own."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._service: TcpService | None = None
        self._ports: dict[int, int] = {}

    async def open(self) -> None:
        """Set up the table and listen."""
        self.sitting.open(self.named)
        if self.numbers:
            self._service = self._make_service()
            addresses = await self._service.start(HERE)
            self._ports = {n: port for n, (_, port) in zip(self.numbers, addresses, strict=True)}

    @abstractmethod
    def _make_service(self) -> TcpService:
        """What listens, at a port for each of our numbers."""

    def lead(self, session: AtDoor, number: int) -> None:
        """Somebody is at a seat's door, where only its own program is let in."""
        table = self.sitting.table
        assert table is not None  # noqa: S101 - the doors were opened after it was set up
        session.belong(table, number, self.sitting.arrivals[number])
        session.keeper = self.sitting.keeper

    def port(self, number: int) -> int:
        """The seat's own port."""
        return self._ports[number]

    async def close(self) -> None:
        """Stop listening."""
        if self._service:
            await self._service.stop()
