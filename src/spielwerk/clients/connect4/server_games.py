"""Connect Four for a server's tables: offered at index servers, and joined there.

A table is set up before an opponent has come, who takes its seat when joining. Every index
server that is used gets a host of its own, because heartbeats go from the port that is registered.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.connect4.host import GameHost
from spielwerk.clients.connect4.index import INDEX_PORT, IndexClient, NoIndexServer
from spielwerk.clients.connect4.join import (
    Invitation,
    JoinError,
    JoinSettings,
    NoInitiator,
    find,
    join,
    listed,
)
from spielwerk.clients.connect4.offers import HostError, Offer, OfferSettings, offers
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint
from spielwerk.store.records import Reason, SeatKind
from spielwerk.tables.parts import UNKNOWN, NotNow
from spielwerk.wire import chosen
from spielwerk.wire.connect4.join import INITIATOR, OPPONENT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from spielwerk.clients.connect4.offers import Question
    from spielwerk.net.destinations import Destinations
    from spielwerk.store.records import SeatRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Creator, Journal
    from spielwerk.tables.table import Table
    from spielwerk.wire.connect4.messages import ListedGame

log = logging.getLogger(__name__)

BEGIN: Final = 60.0  # seconds for an initiator to begin a game that we have joined
TORN: Final = "the server was restarted, and this protocol has no way to come back"


class ServerScreen:
    """The server has no screen: events go to the log, and the table to the waiting request."""

    def __init__(self) -> None:
        self.begun: asyncio.Future[Table] = asyncio.get_running_loop().create_future()

    def say(self, text: str) -> None:
        """A line for the log."""
        log.info("connect4 %r", text)

    def watch(self, table: Table) -> None:
        """The game has begun."""
        if not self.begun.done():
            self.begun.set_result(table)

    def seat(self, table: Table, number: int, leave: Callable[[str], None]) -> None:
        """Persons sit down by themselves."""

    def consider(self, question: Question) -> None:
        """Those who look at the table see who wants to join; its owner answers there."""
        table = question.offer.table
        if table is not None:
            question.changed = table.tell_watchers
            table.tell_watchers()


class ServerGames:
    """All games of Connect Four that the server plays with strangers."""

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        settings: OfferSettings,
        own: Endpoint | None,
        destinations: Destinations,
        hosted: Callable[[Endpoint], bool] = lambda _place: False,
    ) -> None:
        self._arena = arena
        self._journal = journal
        self._settings = settings
        self._own = own
        self._destinations = destinations
        self._hosted = hosted  # whether who listens there has registered in our own list
        self._hosts: dict[Endpoint, GameHost] = {}
        self._opening = asyncio.Lock()
        self._offered: dict[str, tuple[GameHost, Offer]] = {}  # by the tables' ids
        self._joined: set[asyncio.Task[bool]] = set()

    async def start(self) -> Endpoint | None:
        """Listen for our own index server's games, if we have one; what was torn apart is over."""
        for table in self._arena:
            clients = [seat for seat in table.seats if seat.record.kind is SeatKind.CLIENT]
            if table.record.game == ConnectFour.name and clients:
                table.abort(Reason.ABORTED, TORN)
        return (await self._host(self._own)).place if self._own else None

    async def stop(self) -> None:
        """Tell all peers, and leave all lists."""
        for task in self._joined:
            task.cancel()
        closing = [host.close() for host in self._hosts.values()]
        await asyncio.gather(*closing, *self._joined, return_exceptions=True)

    # our games

    async def check(
        self,
        game: ConnectFour,
        seats: Collection[SeatRecord],
        index: str,
        wire_options: Collection[str] = (),
    ) -> None:
        """Raise what is wrong with a game that is to be offered."""
        await self._place(index)
        if game.size % 2:
            both = "both players must get the same number of stones"
            raise HostError(f"{game.size} fields are an odd number: {both}")
        kinds = [seat.kind for seat in seats]
        if len(kinds) != 2 or kinds[OPPONENT] is not SeatKind.CLIENT:
            raise HostError("players who join get the second seat: set it to TCP client")
        if kinds[INITIATOR] is SeatKind.CLIENT:
            raise HostError("the first seat belongs to the host: choose a person or the computer")
        if chosen(wire_options, "ask") == "yes" and kinds[INITIATOR] is not SeatKind.PERSON:
            raise HostError("only a person can be asked who may join, but the host is the computer")

    async def offer(self, table: Table, index: str) -> None:
        """Have the table listed; if that fails the game is over, and the error says why."""
        try:
            await self._offer(table, await self._place(index))
        except SpielwerkError as error:
            table.abort(Reason.ABORTED, str(error))
            raise

    async def _offer(self, table: Table, place: Endpoint) -> None:
        assert isinstance(table.game, ConnectFour)  # noqa: S101 - `check` has seen it
        (offer,) = offers(table.record.name, 1, table.game, table.seats[INITIATOR].record)
        offer.table, offer.move = table, table.record.move_time / 1000
        offer.adopt(table.record.wire_options)
        host = await self._host(place)
        await host.offer(offer)
        self._offered[table.id] = host, offer
        table.watchers.append(self._changed)
        self._changed(table)

    def _changed(self, table: Table) -> None:
        """A game that has ended before an opponent came is no longer offered."""
        if table.over and table.id in self._offered:
            host, offer = self._offered.pop(table.id)
            host.withdraw(offer, "the game is over")

    async def _host(self, index: Endpoint) -> GameHost:
        async with self._opening:
            if index not in self._hosts:
                self._hosts[index] = await self._new_host(index)
            return self._hosts[index]

    async def _new_host(self, index: Endpoint) -> GameHost:
        """A host at the port that is set, or at any if that is taken."""
        try:
            return await self._listening(index, self._settings)
        except HostError as error:
            if not self._settings.port:
                raise
            host = await self._listening(index, replace(self._settings, port=0))
            log.warning("connect4 uses %s, because it %s", host.place, error)
            return host

    async def _listening(self, index: Endpoint, settings: OfferSettings) -> GameHost:
        host = GameHost(self._arena, self._journal, IndexClient(index), ServerScreen(), settings)
        await host.listen()
        return host

    def described(self, game_id: str) -> Mapping[str, object] | None:
        """Where a table is offered, for those who look at it."""
        host, offer = self._offered.get(game_id, (None, None))
        if host is None or offer is None or host.place is None:
            return None
        return {
            "index": str(host.index.place),
            "host": host.place.host,
            "port": host.place.port,
            "name": offer.name,
            "joined": offer.session is not None,
            "asking": offer.question.player if offer.question else None,
        }

    def answer(self, game_id: str, player: str, *, accept: bool) -> None:
        """The table's owner decides on the player who waits; NotNow if that one is gone."""
        _, offer = self._offered.get(game_id, (None, None))
        question = offer.question if offer else None
        if question is None or question.player != player:
            raise NotNow(f"{quote(player)} is no longer waiting")
        question.answer(accept)

    # others' games

    async def games(self, index: str) -> tuple[ListedGame, ...]:
        """What is listed at an index server."""
        place = await self._place(index)
        try:
            return await listed(IndexClient(place))
        except NoIndexServer:
            raise HostError(f"what answers at {place} is no index server") from None

    async def join(
        self, index: str, name: str, seat: SeatRecord, creator: Creator = UNKNOWN
    ) -> Table:
        """The table of another's game, as soon as it has begun there; JoinError if it has not."""
        invitation = await self._invitation(await self._place(index), name)
        door = ServerScreen()
        task = asyncio.create_task(self._play(invitation, seat, door, creator))
        self._joined.add(task)
        task.add_done_callback(self._joined.discard)
        first: set[asyncio.Future[Any]] = {task, door.begun}
        await asyncio.wait(first, timeout=BEGIN, return_when=asyncio.FIRST_COMPLETED)
        if door.begun.done():
            return door.begun.result()
        if not task.done():
            task.cancel()
            raise JoinError(f"the host did not start the game within {BEGIN:g} s")
        if task.cancelled():
            raise JoinError("the server is shutting down")
        task.result()
        raise JoinError("no game took place")

    async def _play(
        self, invitation: Invitation, seat: SeatRecord, door: ServerScreen, creator: Creator
    ) -> bool:
        settings = JoinSettings(creator=creator)
        try:
            return await join(self._arena, self._journal, invitation, seat, door, settings)
        except NoInitiator:
            raise JoinError(f"what answers at {invitation.place} hosts no games") from None

    async def _invitation(self, index: Endpoint, name: str) -> Invitation:
        """The game in the list; the list must not send us where a visitor may not."""
        try:
            found = await find(IndexClient(index), name)
        except NoIndexServer:
            raise HostError(f"what answers at {index} is no index server") from None
        if self._hosted(found.place):
            return found
        return replace(found, place=await self._destinations.find(found.place, "host"))

    # what both need

    async def _place(self, index: str) -> Endpoint:
        """The index server that was named, or our own."""
        if index:
            return await self._destinations.find(Endpoint.parse(index, INDEX_PORT), "index")
        if self._own is None:
            raise HostError("enter an index server: this server runs none of its own")
        return self._own
