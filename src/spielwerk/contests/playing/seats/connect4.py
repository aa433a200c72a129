"""Programs that play Connect Four: those that join get a host each, those that host are joined."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.clients.connect4.index import HOST_PORT, INDEX_PORT
from spielwerk.clients.connect4.join import (
    Invitation,
    JoinError,
    JoinSession,
    JoinSettings,
    connect,
)
from spielwerk.clients.connect4.offers import Offer
from spielwerk.clients.connect4.server_games import ServerScreen
from spielwerk.contests.contest import ContestError
from spielwerk.contests.playing.game import Attendance
from spielwerk.contests.playing.seats import ProgramSeats
from spielwerk.contests.playing.seats.connect4_hosts import OpenConnectFour, SeatHost, SeatIndex
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint
from spielwerk.store.records import Ending, Reason
from spielwerk.wire import chosen
from spielwerk.wire.connect4.host import UNEXPLAINED
from spielwerk.wire.connect4.join import Confirmed, JoinLimits
from spielwerk.wire.connect4.messages import GameMessage, Version, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.contest import AssignedPlayer, Terms
    from spielwerk.contests.playing.game import ContestGame
    from spielwerk.contests.playing.seats.open import OpenDoor
    from spielwerk.tables.table import Table
    from spielwerk.wire.connect4.index import Entry

HOSTS: Final = "role=host"  # the option of entrants that wait for an opponent themselves
CLOSING: Final = "the game is over"
LOOK: Final = 0.05  # seconds between two looks whether a host listens
ANSWER: Final = 10.0  # seconds for an initiator's answers that are no moves
DISAGREED: Final = "both programs are hosts and disagree on who goes first; it is drawn again"

_ABORTED: Final = re.compile(r"the (?:opponent|host) aborted the game: (.*)", re.DOTALL)
_ROLES: Final = re.compile(r"^the (opponent|host):? | to the (opponent|host)\b")
_ILLEGAL: Final = re.compile(r"the host: [a-z_]+_game_board: (field \d+: .+)")


class SeatJoin(JoinSession):
    """Our side of such a game; `joined` and then `begun` say how far we are.

    Who begins is the initiator's choice: the table is set up when that is known.
    """

    def __init__(self, game: ContestGame, number: int, invitation: Invitation) -> None:
        super().__init__(
            game.facilities.arena,
            game.journal,
            invitation,
            game.record.seats[1 - number],
            ServerScreen(),
            _settings(game.terms, game.player(number)),
        )
        self.game_id, self.peers_seat = game.id, number
        self.joined, self.begun = Attendance(), Attendance()
        self._game = game
        self._joined_at = self.now
        self._first: int | None = None  # the initiator's move before the game has begun

    def _handle(self, event: Any) -> None:
        super()._handle(event)
        table = self.table
        match event:
            case GameMessage("join_game_success"):
                self._joined_at = self.now
                self.joined.came()
            case GameMessage("join_game_failed"):
                self.joined.failed(Reason.NO_START, self.problem)
            case Confirmed(_, implied) if table and table.turn == self.peers_seat:
                # It has thought since our move if it says nothing before its own.
                table.ask(self._seat(table), self.machine.moved if implied else None)

    def _set_up(self, first: int | None) -> None:
        """It is known who begins: sit down, and go on as soon as all players do."""
        begins = self.peers_seat if first is not None else 1 - self.peers_seat
        table = self._game.table or self._game.set_up(plain, self._options(begins))
        rules = table.game
        if isinstance(rules, ConnectFour) and rules.begins != begins:
            self.machine.abort(DISAGREED)
            self.begun.failed(Reason.SERVER_ERROR, DISAGREED)
            return
        self._busy, self._first = True, first
        self.begun.came()
        table.watchers.append(self._watch)
        self.take(table, "")
        self._watch(table)

    def _options(self, begins: int) -> tuple[str, ...]:
        return tuple(replace(self._invitation.game, begins=begins).assignments())

    def _watch(self, table: Table) -> None:
        """Go on when the game has begun, once."""
        if self._watch in table.watchers and (table.begun or table.over):
            table.watchers.remove(self._watch)
            self._busy = False
            if self._first is not None and not table.over:
                table.ask(self._seat(table), self._joined_at)  # it has thought since then
                self._offer(table, self._first)
            self.step()

    def _fault(self, reason: Reason, detail: str) -> None:
        """What comes too late is a move only if one was asked for; a move may be impossible."""
        asked = self.table.asked if self.table else None
        thinking = asked is not None and asked[0].number == self.peers_seat
        if reason is Reason.TIME_OUT and not thinking:
            reason = Reason.STALLED
        elif impossible := _ILLEGAL.fullmatch(detail):
            reason, detail = Reason.ILLEGAL_MOVE, impossible[1]
        super()._fault(reason, detail)

    def _over(self) -> None:
        super()._over()
        if self.table is None and self.failure:
            for stage, reason in (
                (self.joined, Reason.NO_START),
                (self.begun, Reason.CONNECTION_LOST),
            ):
                stage.refused(self.failure.reason, self.failure.detail)
                stage.failed(reason, self.failure.detail)


def _settings(terms: Terms, player: AssignedPlayer) -> JoinSettings:
    """Our side of the talk; with an initiator there is nothing that we could spell otherwise."""
    version = Version(chosen(player.options, "version") or terms.version)
    limits = JoinLimits(answer=ANSWER, move=terms.move_time / 1000)
    return JoinSettings(version=version, limits=limits)


class ConnectFourSeats(ProgramSeats):
    """Flat and solid Connect Four."""

    open_ports: ClassVar = {"index": INDEX_PORT, "host": HOST_PORT}
    named = staticmethod(plain)  # without the signs that separate the protocol's words

    def __init__(self, game: ContestGame) -> None:
        super().__init__(game)
        self._hosting = [n for n in game.networks if HOSTS in game.player(n).options]
        self._indexes: dict[int, SeatIndex] = {}
        self._hosts: dict[int, SeatHost] = {}
        self._joined: list[SeatJoin] = []

    @classmethod
    def open_service(cls, door: OpenDoor, name: str, ports: Mapping[str, int]) -> OpenConnectFour:
        """The index server and the host for all guests."""
        return OpenConnectFour(door, name, ports)

    @property
    def _rules(self) -> ConnectFour:
        assert isinstance(self.game.game, ConnectFour)  # noqa: S101 - no other comes here
        return self.game.game

    async def open(self) -> None:
        """Set up the table, unless a host will say who begins, and offer it to those who join."""
        if self.game.attendance and self.game.assignment.opening:
            raise ContestError("programs can play Connect Four only from the empty board")
        if not self._hosting:
            await super().open()
        for number, network in self.game.networks.items():
            self._indexes[number] = index = SeatIndex(self.game, number)
            await index.begin()
            if number in self._hosting:
                self._ports[number] = network.free_port()
            else:
                await self._offer(number)

    async def _offer(self, number: int) -> None:
        """Have the game listed, in the name of the opponent."""
        game = self.game
        host = SeatHost(game, self._indexes[number], number)
        self._hosts[number] = host
        self._ports[number] = await host.begin()
        other = game.record.seats[1 - number]
        offer = Offer(self._name, self._rules, replace(other, name=plain(other.name)))
        offer.move, offer.coming = game.terms.move_time / 1000, game.coming
        offer.opponent = number
        offer.adopt(game.player(number).options)
        await host.offer(offer)

    @property
    def _name(self) -> str:
        return plain(self.game.record.name)

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

    def places(self, number: int) -> Mapping[str, str]:
        """The seat's index server, too."""
        host, port = self._indexes[number].place
        known = {**super().places(number), "game": self._name}
        return {**known, "index_host": host, "index_port": str(port)}

    async def receive(self, number: int) -> None:
        """A program that hosts has come when it offers the right game, and listens there."""
        if number not in self._hosting:
            return
        network, index = self.game.networks[number], self._indexes[number].index
        attendance = self.game.attendance[number]
        while not index.entries:
            await asyncio.sleep(LOOK)
        if problem := self._unlike(index.entries):
            attendance.failed(Reason.PROTOCOL_ERROR, problem)
            return
        while index.entries and not network.is_listening(index.entries[-1].port):
            await asyncio.sleep(LOOK)
        attendance.came()

    def _unlike(self, entries: list[Entry]) -> str:
        """What is wrong with the game that is offered."""
        wanted = self._rules
        offered = [(one.width, one.height, max(one.depth, 1)) for one in entries[-1:]]
        if offered == [(wanted.width, wanted.height, wanted.layers)]:
            return ""
        sizes = f"{' x '.join(map(str, offered[0]))} fields" if offered else "no game"
        return f"offers {sizes}, not {wanted.width} x {wanted.height} x {wanted.layers}"

    async def begin(self) -> dict[int, Ending]:
        """Join those who host, who then say who begins."""
        failures = await super().begin()
        for number in self._hosting:
            if failure := await self._join(number):
                failures[number] = failure
        return failures

    async def _join(self, number: int) -> Ending | None:
        entries = self._indexes[number].index.entries
        if problem := self._unlike(entries):  # it may have gone again
            return Ending(Reason.PROTOCOL_ERROR, detail=problem)
        game, offered = self.game, entries[-1]
        place = Endpoint(offered.address, offered.port)
        invitation = Invitation(place, offered.name, self._rules, offered.player)
        try:
            session = await connect(
                place,
                game.terms.start,
                lambda: SeatJoin(game, number, invitation),
                game.networks[number].connect,
            )
        except JoinError as error:
            return Ending(Reason.NO_START, detail=str(error))
        self._joined.append(session)
        terms = game.terms
        return await session.joined.within(terms.start) or await session.begun.within(terms.total)

    async def conclude(self) -> dict[int, Ending]:
        """Hear what the hosts say of the end; one that says nothing of it has not lied."""
        for session in self._joined:
            await session.over.wait()
        return {
            session.peers_seat: Ending(Reason.PROTOCOL_ERROR, detail=self.told(session.lie))
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
        self.game.coming.cancel()
        for session in self._joined:
            session.dismiss(CLOSING)
            session.drop()
        await asyncio.gather(*(host.close() for host in self._hosts.values()))
        await asyncio.gather(*(index.stop() for index in self._indexes.values()))


SEATS: Final = ConnectFourSeats
