"""The initiator: games are offered at an index server, and strangers come to play them.

Every game is played once. Whatever happens to it, its end is written, the opponent is told as far
as it can be told, and the game leaves the index.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from spielwerk.clients.connect4.index import Heartbeats, IndexLost, IndexRefused
from spielwerk.clients.connect4.offers import HostError, OfferSettings, Question
from spielwerk.clients.connect4.session import (
    ENGINE_TIME,
    GOODBYE,
    INTERNAL,
    WRITING,
    HostSession,
    wait_for,
)
from spielwerk.errors import SpielwerkError, cause, quote
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import EVERYWHERE, Endpoint
from spielwerk.net.listening import Listener, listen
from spielwerk.net.rooms import FairRoom
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.wishes import NewTable, checked_name
from spielwerk.wire.connect4.join import INITIATOR
from spielwerk.wire.connect4.messages import message

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from spielwerk.clients.connect4.index import IndexClient
    from spielwerk.clients.connect4.offers import Offer
    from spielwerk.clients.connect4.screen import GameScreen
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Journal

log = logging.getLogger(__name__)

TRIES: Final = 20  # to find a port that is free for TCP and UDP
STOPPED: Final = "the initiator has left"


class GameHost:
    """All games that this process offers, at one port."""

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        index: IndexClient,
        screen: GameScreen,
        settings: OfferSettings | None = None,
    ) -> None:
        self.settings = settings or OfferSettings()
        self.journal = journal
        self.loop = asyncio.get_running_loop()
        self.place: Endpoint | None = None
        self._arena = arena
        self.index = index
        self._screen = screen
        self._offers: list[Offer] = []
        self._sessions: FairRoom[HostSession] = FairRoom(
            self.settings.connections, self.settings.connections_each, self.loop.time
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Listener | asyncio.Server] = []
        self._heartbeats: Heartbeats | None = None

    async def run(self, wanted: Sequence[Offer]) -> bool:
        """Offer the games and play them; whether all came to their end."""
        await self.listen()
        try:
            for offer in wanted:
                await self.offer(offer)
            await asyncio.gather(*(offer.over.wait() for offer in wanted))
        finally:
            await self.close()
        return all(offer.decided for offer in wanted)

    # the beginning

    async def listen(self) -> None:
        """Listen with TCP and UDP on the same port."""
        settings = self.settings
        index, own = await self.index.addresses()
        bind = settings.bind or own
        for left in reversed(range(1 if settings.port else TRIES)):
            try:
                port = await self._open_ports(bind, index)
                break
            except OSError as error:
                if not left:
                    hint = "choose another port with --port, or 0 for any free one"
                    where = Endpoint(bind, settings.port)
                    problem = f"cannot listen on {where}: {cause(error)}; {hint}"
                    raise HostError(problem) from None
        reachable = settings.address or ("" if settings.bind in EVERYWHERE else settings.bind)
        self.place = Endpoint(reachable or own, port)

    async def _open_ports(self, bind: str, index: tuple[str, int]) -> int:
        settings = self.settings
        listeners = await listen(lambda: HostSession(self), bind, settings.port, greeting=False)
        port: int = listeners[0].sockets[0].getsockname()[1]
        try:
            _, self._heartbeats = await self.loop.create_datagram_endpoint(
                lambda: Heartbeats(
                    self.loop,
                    index,
                    self._index_silent,
                    lambda: any(offer.guid for offer in self._offers),
                    every=settings.heartbeat,
                    silence=settings.silence,
                ),
                local_addr=(bind, port),
            )
        except OSError:
            for listener in listeners:
                listener.close()
            raise
        self._listeners = [*listeners]
        return port

    async def offer(self, offer: Offer) -> None:
        """Have the game listed; from that moment on it can be joined."""
        assert self.place is not None  # noqa: S101 - we listen
        game = offer.game
        self._offers = [*(one for one in self._offers if not one.over.is_set()), offer]
        try:
            offer.guid = await self.index.register(
                message(
                    "register_game",
                    *(offer.seat.name, offer.name),
                    *(game.width, game.height, game.depth),
                    *self.place,
                )
            )
        except SpielwerkError:
            offer.over.set()
            raise
        offer.registered.set()
        size = f"{game.width} x {game.height} x {game.depth}"
        self._screen.say(f"{offer.name}: offered at {self.place}, {size}")

    # opponents

    def admit(self, session: HostSession) -> bool:
        """Whether there is room for one more connection."""
        return self._sessions.enter(session, session.host)

    def forget(self, session: HostSession) -> None:
        """A connection is no more."""
        self._sessions.leave(session)

    def wanted(self, session: HostSession, player: str, game: str) -> None:
        """A player wants to join."""
        offer = next((offer for offer in self._offers if offer.name == game), None)
        if offer is None:
            session.machine.refuse(f"there is no game {quote(game)} here")
        elif offer.session is not None or offer.over.is_set():
            session.machine.refuse(f"the game {quote(game)} has begun already")
        else:
            self._welcome(session, offer, player)

    def _welcome(self, session: HostSession, offer: Offer, player: str) -> None:
        try:
            name = checked_name(player)
        except SpielwerkError as error:
            session.machine.refuse(str(error))
            return
        if not name:
            session.machine.refuse("the player is empty")
        elif offer.only and normalize("NFC", name) not in offer.only:
            session.machine.refuse(f"the game {quote(offer.name)} waits for another player")
        elif offer.question:
            session.machine.refuse(f"another player asks to join {quote(offer.name)}: try again")
        elif offer.ask:
            offer.question = Question(offer, session, name, self._answered)
            self._screen.consider(offer.question)
        else:
            self._accept(session, offer, name)

    def _answered(self, question: Question, accept: bool) -> None:
        """The person who was asked has decided."""
        session = question.session
        if accept:
            self._accept(session, question.offer, question.player)
        else:
            session.machine.refuse("the initiator does not want to play with you")
        session.step()

    def _accept(self, session: HostSession, offer: Offer, name: str) -> None:
        session.offer, offer.session, session.peers_seat = offer, session, offer.opponent
        session.machine.accept(offer.move, offer.version, offer.variant)
        self._screen.say(f"{offer.name}: {name} joins, {session.machine.version}")
        self._spawn(self._begin(offer, session, name))

    async def _begin(self, offer: Offer, session: HostSession, name: str) -> None:
        """The game has begun: the list says so, and a table is set up."""
        problem = await self._sealed(offer)
        try:
            wish = self._wish(offer, name)
            table = offer.table or await (offer.coming or self._arena.create(wish))
        except Exception as error:
            log.exception("no table game=%r", offer.name)
            offer.problem = str(error)
            session.machine.abort(INTERNAL)
            session.step()
            offer.over.set()
            return
        offer.table = table
        self._screen.watch(table)
        if problem:
            session.dismiss(problem)
        session.take(table, name)
        if offer.seat.kind is SeatKind.PERSON and not problem:
            self._screen.seat(table, INITIATOR, lambda why: session.leave(why, INITIATOR))

    async def _sealed(self, offer: Offer) -> str:
        """Tell the index server; why the game cannot go on, or nothing."""
        await offer.registered.wait()  # a player may join before we hear that we are in the list
        try:
            await self.index.seal(offer.guid)
        except IndexRefused as error:
            self._screen.say(f"{offer.name}: {error}")
        except IndexLost as error:
            return str(error)
        return ""

    def _wish(self, offer: Offer, opponent: str) -> NewTable:
        """The table; the arena draws who begins."""
        game = offer.game
        seconds = self.settings.limits.move or ENGINE_TIME
        return NewTable(
            ConnectFour.name,
            (f"width={game.width}", f"height={game.height}", f"depth={game.depth}"),
            name=offer.name,
            seats=(offer.seat, SeatRecord(SeatKind.CLIENT, opponent)),
            move_time=round(1000 * seconds),
        )

    def left(self, session: HostSession) -> None:
        """The talk with an opponent has ended, and the game with it."""
        offer = session.offer
        if offer is not None and not offer.over.is_set():
            self._spawn(self._finish(offer))
        for one in self._offers:
            if one.question and one.question.session is session:
                one.question.withdraw()

    async def _finish(self, offer: Offer) -> None:
        """The game is out of the list as soon as it is over, and over when that is written."""
        await self._unregister(offer)
        # The table may just be about to be set up.
        await wait_for(lambda: offer.problem or (offer.table and offer.table.over), WRITING)
        offer.over.set()

    async def _unregister(self, offer: Offer) -> None:
        guid, offer.guid = offer.guid, ""
        if not guid:
            return
        try:
            await self.index.unregister(guid)
        except (IndexLost, IndexRefused) as error:
            self._screen.say(f"{offer.name}: {error}")

    # the index server

    def _index_silent(self) -> None:
        self._spawn(self._check_index())

    async def _check_index(self) -> None:
        """No heartbeats for a long time: if the index server does not answer, it is lost."""
        try:
            await self.index.games()
        except IndexLost as error:
            self._screen.say(str(error))
            self._abort(str(error))
        except IndexRefused as error:
            log.warning("%s", error)
        else:
            log.warning("the index server %s sends no heartbeats", self.index.place)

    def _abort(self, why: str) -> None:
        """End all games that are not over."""
        for offer in self._offers:
            if offer.session is not None:
                offer.session.dismiss(why)
            elif not offer.over.is_set():
                self._withdraw(offer, why)

    def _withdraw(self, offer: Offer, why: str) -> None:
        """The game was not joined, and cannot be any more."""
        offer.problem = why
        offer.over.set()
        if offer.question:
            offer.question.session.dismiss(why)
        if offer.table is not None:
            offer.table.abort(Reason.ABORTED, why)

    def withdraw(self, offer: Offer, why: str) -> None:
        """Take a game that was not joined out of the list."""
        if offer.session is None and not offer.over.is_set():
            self._withdraw(offer, why)
            self._spawn(self._unregister(offer))

    # the end

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Tell all peers, take all games out of the list, and go."""
        for listener in self._listeners:
            listener.close()
        self._abort(STOPPED)
        for session in list(self._sessions):
            session.dismiss(STOPPED)
        await asyncio.gather(*(self._unregister(offer) for offer in self._offers))
        await wait_for(lambda: not (self._sessions or self._tasks), GOODBYE)
        for session in list(self._sessions):
            session.drop()
        for task in self._tasks:
            task.cancel()
        if self._heartbeats:
            self._heartbeats.stop()
