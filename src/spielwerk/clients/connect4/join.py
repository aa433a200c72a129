"""The opponent: finds a game, joins it and plays it, and checks everything that it is told."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from spielwerk.clients.connect4.index import HOST_PORT, no_connection
from spielwerk.clients.connect4.session import (
    ENGINE_TIME,
    GOODBYE,
    INTERNAL,
    WRITING,
    PeerSession,
    is_by_rule,
    wait_for,
)
from spielwerk.errors import OptionError, SpielwerkError, printable, quote
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint, written
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.parts import UNKNOWN, Creator
from spielwerk.tables.wishes import NAME_LIMIT, NewTable, checked_name
from spielwerk.wire.connect4.join import (
    INITIATOR,
    OPPONENT,
    InitiatorMoved,
    JoinLimits,
    JoinSide,
)
from spielwerk.wire.connect4.messages import GameMessage, Status, Version, require_plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from socket import socket

    from spielwerk.clients.connect4.index import IndexClient
    from spielwerk.clients.connect4.screen import GameScreen
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.parts import Journal
    from spielwerk.tables.table import Table
    from spielwerk.wire.connect4.messages import ListedGame

STOPPED: Final = "the opponent has left"

SessionT = TypeVar("SessionT", bound="JoinSession")


class JoinError(SpielwerkError):
    """A game that cannot be joined."""


class NoInitiator(JoinError):
    """Something else answers there; what it says is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinSettings:
    """How we join."""

    version: Version = Version.V2  # the best that is asked for
    limits: JoinLimits = field(default_factory=JoinLimits)
    connect: float = 10.0  # seconds
    transcript: int = 65_536
    creator: Creator = UNKNOWN  # of the table


@dataclass(frozen=True, slots=True)
class Invitation:
    """A game that can be joined: where, under which name, on which board, against whom."""

    place: Endpoint
    name: str
    game: ConnectFour
    initiator: str = "Initiator"


async def listed(index: IndexClient) -> tuple[ListedGame, ...]:
    """All games in the list; those that we cannot play say why."""
    return tuple(replace(game, problem=obstacle(game)) for game in await index.games())


def obstacle(game: ListedGame) -> str:
    """Why we cannot play a game in a list; empty if we can."""
    if game.problem:
        return game.problem
    try:
        ConnectFour(game.width, game.height, game.depth)
        Endpoint.parse(written(game.address, game.port), HOST_PORT)
        require_plain(game.name)
    except OptionError as error:
        return f"{error.option} is {error.value}: {error.problem}"
    except SpielwerkError as error:
        return str(error)
    return ""


async def find(index: IndexClient, name: str) -> Invitation:
    """The game of that name in the list, or JoinError."""
    found = next((game for game in await index.games() if game.name == name), None)
    if found is None:
        hint = "`spielwerk connect4 list` shows those that are"
        raise JoinError(f"the index server {index.place} has no game {quote(name)}; {hint}")
    if problem := obstacle(found):
        raise JoinError(f"the game {quote(name)} cannot be joined: {problem}")
    if found.status is Status.SEALED:
        raise JoinError(f"the game {quote(name)} has begun already")
    game = ConnectFour(found.width, found.height, found.depth)
    return Invitation(Endpoint(found.address, found.port), name, game, found.player)


class JoinSession(PeerSession[JoinSide]):
    """The connection to the initiator."""

    peers_seat = INITIATOR
    peer_is: ClassVar = "host"

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        invitation: Invitation,
        seat: SeatRecord,
        screen: GameScreen,
        settings: JoinSettings,
    ) -> None:
        loop, self._creator = asyncio.get_running_loop(), settings.creator
        machine = JoinSide(
            invitation.game,
            seat.name,
            invitation.name,
            loop.time(),
            settings.limits,
            settings.version,
        )
        super().__init__(loop, journal, machine, settings.transcript)
        self.over = asyncio.Event()
        self.problem = ""  # why no game took place
        self._arena = arena
        self._invitation = invitation
        self._own = seat
        self._screen = screen

    def _handle(self, event: Any) -> None:
        match event:
            case GameMessage("join_game_success", (version,)):
                self._screen.say(f"{self._invitation.name}: joined, {version}")
            case GameMessage("join_game_failed", (why,)):
                self.problem = f"the host refused: {quote(why)}"
            case GameMessage("start_game"):
                self._set_up(None)
            case InitiatorMoved(field) if self.table is not None:
                self._offer(self.table, field)
            case InitiatorMoved(field):
                self._set_up(field)
            case GameMessage("moved_failed", (why,)):
                field = self.machine.pending
                problem = f"the host refuses field {field}, which the rules allow: {why}"
                self._fault(Reason.PROTOCOL_ERROR, problem)

    def _set_up(self, first: int | None) -> None:
        """It is known who begins: now there is a game, perhaps with the initiator's first move."""
        self._busy = True
        self._arena.set_up(self._wish(), lambda made: self._made(made, first))

    def _wish(self) -> NewTable:
        return NewTable(
            ConnectFour.name,
            tuple(self.machine.state.game.assignments()),
            name=_presentable(self._invitation.name),
            seats=(
                SeatRecord(SeatKind.CLIENT, _presentable(self._invitation.initiator)),
                self._own,
            ),
            move_time=round(1000 * ENGINE_TIME),
            creator=self._creator,
        )

    def _made(self, made: Table | BaseException, first: int | None) -> None:
        self._busy = False
        if isinstance(made, BaseException):
            self.problem = str(made)
            self.machine.abort(INTERNAL)
            self.step()
            return
        self._screen.watch(made)
        self.take(made, made.seats[self.peers_seat].name)
        if self.machine.closing:
            return
        if first is not None:
            self._offer(made, first)
        if self._own.kind is SeatKind.PERSON:
            self._screen.seat(made, OPPONENT, lambda why: self.leave(why, OPPONENT))

    def _follow(self, table: Table) -> None:
        """Send our own moves; the others the initiator knows."""
        for before, move in table.history[self._seen :]:
            if before.turn != self.peers_seat:
                self.machine.move(move, self.now)
        self._seen = len(table.history)
        if table.result is not None and not is_by_rule(table.result):
            self.machine.abort(table.result.detail)

    @property
    def lie(self) -> str:
        """What is wrong with what the initiator has said, be it after the last move."""
        failed = self.failure
        return failed.detail if failed and failed.reason is Reason.PROTOCOL_ERROR else ""

    def _over(self) -> None:
        if self.failure and self.table is None and not self.problem:
            self.problem = self.failure.detail
        self.over.set()


def _presentable(name: str) -> str:
    """A stranger's name as it can be kept and shown."""
    return printable(name).strip(" ")[:NAME_LIMIT]


async def join(
    arena: Arena,
    journal: Journal,
    invitation: Invitation,
    seat: SeatRecord,
    screen: GameScreen,
    settings: JoinSettings | None = None,
) -> bool:
    """Join the game and play it; whether it came to its end, and the initiator was honest.

    JoinError says why there was none.
    """
    settings = settings or JoinSettings()
    for text in (seat.name, invitation.name):
        require_plain(text)
    if not checked_name(seat.name):
        raise JoinError("a name must not be empty")
    session = await connect(
        invitation.place,
        settings.connect,
        lambda: JoinSession(arena, journal, invitation, seat, screen, settings),
    )
    try:
        await session.over.wait()
    finally:
        await _part(session)
    if session.table is None:
        kind = NoInitiator if session.lie else JoinError
        raise kind(session.problem or "no game took place")
    by_rule = is_by_rule(session.table.result)
    if by_rule and session.lie:  # it changes nothing, and has not been told yet
        screen.say(f"{session.table.record.name}: {Reason.PROTOCOL_ERROR}: {session.lie}")
    return by_rule and not session.lie


async def connect(
    place: Endpoint,
    within: float,
    session: Callable[[], SessionT],
    dial: Callable[[str, int], Awaitable[socket]] | None = None,
) -> SessionT:
    """The session with the initiator at that place, or JoinError; `dial` makes the connection."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(within):
            if dial is None:
                _, made = await loop.create_connection(session, *place)
            else:
                _, made = await loop.create_connection(session, sock=await dial(*place))
    except TimeoutError:
        raise JoinError(f"no connection to the host {place} within {within:g} s") from None
    except (OSError, UnicodeError) as error:
        raise JoinError(f"no connection to the host {place}: {no_connection(error)}") from None
    return made


async def _part(session: JoinSession) -> None:
    """Say the last word if need be, and wait until it is heard and the end is written."""
    if not session.over.is_set():
        session.leave(STOPPED, OPPONENT)
    await wait_for(lambda: session.lost, GOODBYE)
    if not session.lost:
        session.drop()
    await wait_for(lambda: session.table is None or session.table.over, WRITING)
