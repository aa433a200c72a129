"""Programs that play Connect Four: those that join get a host each, those that host are joined.

In the protocol two meet, and one of them is the initiator. Here each program meets us, and we pass
on the moves of the table. So each has an index server of its own, where nobody else can disturb it.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from spielwerk.clients.connect4.host import Host
from spielwerk.clients.connect4.join import Invitation, JoinError, connect
from spielwerk.clients.connect4.offers import Offer, OfferSettings
from spielwerk.clients.connect4.server_games import ServerScreen
from spielwerk.clients.connect4.session import HostSession
from spielwerk.contests.playing.arrival import Failure
from spielwerk.contests.playing.seats.hosts import SeatJoin
from spielwerk.contests.playing.seats.index import OwnIndex, SeatIndex
from spielwerk.contests.playing.seats.seating import AT_ONCE, Seating
from spielwerk.contests.playing.venue import HERE
from spielwerk.contests.playing.whose import TAKEN, Whose
from spielwerk.errors import SpielwerkError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint
from spielwerk.net.transcript import Line
from spielwerk.store.contest_records import End
from spielwerk.store.records import WireRecord
from spielwerk.wire.connect4.host import HostLimits
from spielwerk.wire.connect4.messages import Version, plain
from spielwerk.wire.connect4.peer import UNEXPLAINED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.playing.sitting import Sitting
    from spielwerk.wire.connect4.host import JoinWanted
    from spielwerk.wire.connect4.index import Entry

HOSTS: Final = "role=host"  # the option of entrants that wait for an opponent themselves
CLOSING: Final = "the game is over"
ELSEWHERE: Final = "offers its game where somebody else listens"
LOOK: Final = 0.05  # seconds between two looks whether a host listens

_ABORTED: Final = re.compile(r"the (?:opponent|initiator) aborted the game: (.*)", re.DOTALL)
_ROLES: Final = re.compile(r"^the (opponent|initiator):? | to the (opponent|initiator)\b")


class NoOpening(SpielwerkError):
    """A game from an opening, for players that can only be told others' stones."""


class SeatHost(Host):
    """The host of one program."""

    backlog: ClassVar = AT_ONCE

    def __init__(self, sitting: Sitting, index: SeatIndex, number: int) -> None:
        terms = sitting.terms
        settings = OfferSettings(
            bind=HERE,
            port=0,
            version=Version(terms.version),
            variant=terms.spelling == "variant",
            limits=HostLimits(join=terms.start),
        )
        arena, minutes = sitting.venue.arena, sitting.minutes
        super().__init__(arena, minutes, OwnIndex(index), ServerScreen(), settings)
        self._arrival = sitting.arrivals[number]
        self._unseated: list[HostSession] = []  # who have gone without having come to a table
        self._admits = partial(sitting.keeper.admits, number)
        self._belonging = sitting.id, number, HostSession.service

    def admit(self, session: HostSession) -> bool:
        """Whether it is the program that has come."""
        return self._admits(session.transport) and super().admit(session)

    def wanted(self, session: HostSession, wish: JoinWanted) -> None:
        """Somebody wants to join, and has come if it may."""
        super().wanted(session, wish)
        if session.offer:
            self._arrival.came()

    def left(self, session: HostSession) -> None:
        """The talk has ended; whoever has not joined by then may have said something wrong."""
        super().left(session)
        if session.failure and not session.offer and session in self._sessions:
            self._arrival.refused(session.failure.reason, session.failure.detail)

    def forget(self, session: HostSession) -> None:
        """A connection is no more; there may still come a table that it belongs to."""
        if session in self._sessions:
            self._unseated.append(session)
        super().forget(session)

    def call_off(self, why: str) -> None:
        """The game will not begin: tell whoever has joined, and have it out of the list."""
        for offer in self._offers:
            offer.problem = why
        self._abort(why)

    async def close(self) -> None:
        """Go; what was said belongs to the game, even if nobody has come to its table."""
        await super().close()
        for session in self._unseated:
            if session.table is None and session.transcript:
                line = Line(*self._belonging, session.peer, session.opened_wall, session.transcript)
                self.journal.add(WireRecord.of(line), lambda _: None)


class ConnectFourSeating(Seating):
    """Flat and solid Connect Four."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._hosting = [n for n in self.numbers if HOSTS in sitting.player(n).options]
        self._indexes: dict[int, SeatIndex] = {}
        self._hosts: dict[int, SeatHost] = {}
        self._joined: list[SeatJoin] = []
        self._reserved = ExitStack()
        self._ports: dict[int, int] = {}  # that those who host may use
        self._met: dict[int, int] = {}  # the ports where we have met them

    @property
    def _game(self) -> ConnectFour:
        assert isinstance(self.sitting.game, ConnectFour)  # noqa: S101 - no other comes here
        return self.sitting.game

    def named(self, name: str) -> str:
        """The name without the signs that part the protocol's words."""
        return plain(name)

    async def open(self) -> None:
        """Set up the table, unless a host will say who begins, and offer it to those who join."""
        if self.sitting.arrivals and self.sitting.assignment.opening:
            raise NoOpening("programs can play Connect Four only from the empty board")
        if not self._hosting:
            await super().open()
        for number in self.numbers:
            self._indexes[number] = index = SeatIndex(self.sitting, number)
            await index.begin()
            if number in self._hosting:
                self._ports[number] = self.reserve(number, self._reserved)
            else:
                await self._offer(number)

    async def _offer(self, number: int) -> None:
        """Have the game listed, in the name of the opponent."""
        sitting = self.sitting
        host = SeatHost(sitting, self._indexes[number], number)
        self._hosts[number] = host
        await host.listen()
        other = sitting.record.seats[1 - number]
        offer = Offer(self._name, self._game, replace(other, name=plain(other.name)))
        offer.move, offer.coming = sitting.terms.move_time / 1000, sitting.coming
        offer.opponent = number
        offer.adopt(sitting.player(number).options)
        await host.offer(offer)

    @property
    def _name(self) -> str:
        return plain(self.sitting.record.name)

    # programs

    def told(self, detail: str) -> str:
        """Who is the initiator between a program and us is no concern of the contest."""
        return _ROLES.sub("", detail)

    def reason(self, detail: str) -> str:
        """What a program has said with abort_game."""
        aborted = _ABORTED.fullmatch(detail)
        if not aborted:
            return ""
        why = aborted[1]
        return f"aborted the game: {why if why == UNEXPLAINED else repr(why)}"

    def port(self, number: int) -> int:
        """The port of the seat's host, or one that a program that hosts may listen on."""
        host = self._hosts.get(number)
        return host.place.port if host and host.place else self._ports[number]

    def places(self, number: int) -> Mapping[str, str]:
        """The seat's index server, too."""
        host, port = self._indexes[number].place
        known = {**super().places(number), "game": self._name}
        return {**known, "index_host": host, "index_port": str(port)}

    async def receive(self, number: int) -> None:
        """A program that hosts has come when it offers the right game, and listens there."""
        if number not in self._hosting:
            return
        index, arrival = self._indexes[number], self.sitting.arrivals[number]
        await index.registered.wait()
        if problem := self._unlike(index.index.entries):
            arrival.failed(End.PROTOCOL_ERROR, problem)
        else:
            self.sitting.keeper.give(number, index.index.entries[-1].port)
            await self._listens(number)
            arrival.came()

    async def _listens(self, number: int) -> None:
        """Wait until somebody listens where a program offers its game; who, is seen later."""
        sitting, index = self.sitting, self._indexes[number].index
        while index.entries and (
            sitting.keeper.listener(number, (place := _place(index.entries[-1])).port)
            is Whose.NOBODYS
        ):
            sitting.arrivals[number].lacking = f"nobody listens at {place}"
            await asyncio.sleep(LOOK)

    def _unlike(self, entries: list[Entry]) -> str:
        """What is wrong with the game that is offered."""
        wanted = self._game
        offered = [(one.width, one.height, max(one.depth, 1)) for one in entries[-1:]]
        if offered == [(wanted.width, wanted.height, wanted.layers)]:
            return ""
        sizes = " x ".join(map(str, offered[0])) if offered else "no"
        return f"offers {sizes} fields, not {wanted.width} x {wanted.height} x {wanted.layers}"

    async def begin(self) -> dict[int, Failure]:
        """Join those who host, who then say who begins."""
        failures = await super().begin()
        for number in self._hosting:
            if failure := await self._join(number):
                failures[number] = failure
        return failures

    async def _join(self, number: int) -> Failure | None:
        entries = self._indexes[number].index.entries
        if problem := self._unlike(entries):  # it may have gone again
            return Failure(End.PROTOCOL_ERROR, problem)
        place = _place(entries[-1])
        if failure := self._misled(number, place.port):
            return failure
        self._met[number] = place.port  # whatever it says of its games from now on
        invitation = Invitation(place, entries[-1].name, self._game, entries[-1].player)
        sitting = self.sitting
        try:
            session = await connect(
                place, sitting.terms.start, lambda: SeatJoin(sitting, number, invitation)
            )
        except JoinError as error:
            return Failure(End.NO_START, str(error))
        self._joined.append(session)
        terms = sitting.terms
        return await session.joined.within(terms.start) or await session.begun.within(terms.total)

    def _misled(self, number: int, port: int) -> Failure | None:
        """Why we must not go where a program offers its game."""
        whose = self.sitting.keeper.listener(number, port)
        if whose is Whose.ANOTHERS and port != self._ports[number]:
            return Failure(End.PROTOCOL_ERROR, ELSEWHERE)
        taken = whose in (Whose.ANOTHERS, Whose.SHARED)  # by whom, is seen if we have given it
        return Failure(End.SERVER_ERROR, TAKEN) if taken else None

    def inspect(self, number: int) -> None:
        """See whether another one has taken the port of a program that hosts, or been with it."""
        if number in self._hosting:
            self.sitting.keeper.accuse_occupants(number, self._ports[number])
            entries = self._indexes[number].index.entries
            offered = self._met.get(number) or (entries[-1].port if entries else 0)
            for port in {offered, self._ports[number]} - {0}:
                self.sitting.keeper.accuse_callers(number, port)

    async def conclude(self) -> dict[int, Failure]:
        """Hear what the hosts say of the end; one that says nothing of it has not lied."""
        for session in self._joined:
            await session.over.wait()
        return {
            session.peers_seat: Failure(End.PROTOCOL_ERROR, self.told(session.lie))
            for session in self._joined
            if session.lie
        }

    def call_off(self, why: str) -> None:
        """Tell those who have joined, and those whom we have."""
        for host in self._hosts.values():
            host.call_off(why)
        for session in self._joined:
            session.dismiss(why)

    async def close(self) -> None:
        """Tell those who are still there, and stop listening."""
        self._reserved.close()
        self.sitting.coming.cancel()
        for session in self._joined:
            session.dismiss(CLOSING)
            session.drop()
        await asyncio.gather(*(host.close() for host in self._hosts.values()))
        await asyncio.gather(*(index.stop() for index in self._indexes.values()))


def _place(entry: Entry) -> Endpoint:
    """Where a game is offered."""
    return Endpoint(entry.address, entry.port)
