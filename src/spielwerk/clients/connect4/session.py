"""What both ends of a game's connection do alike: they take a step after everything that happens.

The table decides what is true, the machine what is said. A peer that closes is gone: this
protocol has no way back.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from spielwerk.errors import IllegalMove, SpielwerkError
from spielwerk.games.connect4.rules import FREE, STONES, ConnectFourState
from spielwerk.net.connection import NEVER, UNREAD, Connection, Line
from spielwerk.store.records import Ending, Reason, SeatKind, WireRecord
from spielwerk.tables.parts import NotNow
from spielwerk.wire.connect4.host import HostSide, PeerBreach, PeerSide
from spielwerk.wire.connect4.join import OPPONENT
from spielwerk.wire.connect4.messages import GameMessage

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.clients.connect4.host import GameHost
    from spielwerk.clients.connect4.offers import Offer
    from spielwerk.tables.parts import Journal, Seat
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

MachineT = TypeVar("MachineT", bound=PeerSide[Any])

INTERNAL: Final = "internal error"
ENGINE_TIME: Final = 10.0  # seconds for an engine's move, as the document gives them
GOODBYE: Final = 2.5  # seconds for a peer to hear the last word
WRITING: Final = 5.0  # seconds for the end of a game to be written
BOARD: Final = 12  # bytes of a whole board for each field, at most


class PeerSession(Connection, ABC, Generic[MachineT]):
    """A connection with a seat at a table, where it stands for the peer."""

    peers_seat: int
    peer_is: ClassVar[str]  # host or opponent
    service: ClassVar = "connect4"

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        journal: Journal,
        machine: MachineT,
        transcript: int,
    ) -> None:
        super().__init__(loop, transcript)
        self.machine = machine
        self.table: Table | None = None
        self.game_id = ""  # where the game is known before there is a table
        self._journal = journal
        self._seen = 0  # moves of the table that the peer knows
        self._busy = False  # something is being written, and nothing more is read before that
        self._ended = False  # the peer will say no more
        self._stepping = False
        self._finished = False
        self.lost = False  # the connection is no more
        self.failure: Ending | None = None  # how the talk was ended before the game was over

    # hooks

    @abstractmethod
    def _handle(self, event: Any) -> None:
        """Do what the peer wants."""

    @abstractmethod
    def _follow(self, table: Table) -> None:
        """Tell the peer what has happened at the table."""

    @abstractmethod
    def _over(self) -> None:
        """The talk has ended; called once."""

    # steps

    def step(self) -> None:
        """Read, answer and write as long as there is something to do without waiting."""
        if self._stepping or self.closed:
            return
        self._stepping = True
        try:
            self._advance()
        except Exception:
            log.exception("internal error peer=%s", self.peer)
            self.machine.abort(INTERNAL)
            self._break_off(Reason.SERVER_ERROR, INTERNAL, None)
        finally:
            self._stepping = False
        self._rest()

    def _advance(self) -> None:
        self._catch_up()  # a move is answered before the next one is read
        while not self._busy and (event := self.machine.next_event(self.now)):
            match event:
                case GameMessage("abort_game", (why,)):
                    self._fault(Reason.ABORTED, f"the {self.peer_is} aborted the game: {why}")
                case PeerBreach(problem, late):
                    reason = Reason.TIME_OUT if late else Reason.PROTOCOL_ERROR
                    self._fault(reason, f"the {self.peer_is}: {problem}")
                case _:
                    self._handle(event)
        self._catch_up()

    def _catch_up(self) -> None:
        if self.table is not None and not self.machine.closing:
            self._follow(self.table)

    def _rest(self) -> None:
        data = self.machine.segment()
        if data:
            self.send(data)
        if self.machine.closing:
            self._conclude()
            self.close()
        elif self._ended and not self._busy:
            self._lose("closed")
            self.close()
        else:
            self.wake_at(self.machine.due)

    def _conclude(self) -> None:
        if not self._finished:
            self._finished = True
            self._over()

    # the connection's hooks, and the occupant's

    def opened(self) -> None:
        """Notice a peer that has lost its power."""
        self.keep_alive()
        self.step()

    def received(self, data: bytes) -> None:
        """Go on with what has come."""
        self.machine.receive(data, self.now)
        self.step()

    def ended(self) -> None:
        """Answer what has come; then the peer is gone."""
        self._ended = True
        self.step()

    def woken(self) -> None:
        """See what time it is."""
        self.step()

    def look(self) -> None:
        """Something at the table has changed."""
        self.step()

    def dismiss(self, why: str) -> None:
        """The game cannot go on, and it is not the peer's fault."""
        if not self.machine.closing and not self.closed:
            self.machine.abort(why)
            self._break_off(Reason.ABORTED, why, None)
            self._rest()

    def gone(self, why: str) -> None:
        """Keep the transcript; what is not over is lost."""
        if not self.machine.closing:
            self._lose(why)
        self._conclude()
        self.lost = True
        self._keep_transcript()

    def _keep_transcript(self) -> None:
        """Write down what was said, when both the end and the game it belongs to are known."""
        line = self.line()
        if line is not None and self.lost:
            self._journal.add(WireRecord.of(line), _log_loss)
            self.transcript = None

    def line(self) -> Line | None:
        """What has been said so far, if it belongs to a game."""
        game = self.table.id if self.table else self.game_id
        if not game or self.transcript is None:
            return None
        number, opened = self.peers_seat, self.opened_wall
        return Line(game, number, self.service, self.peer, opened, self.transcript)

    # the table

    def take(self, table: Table, name: str) -> None:
        """Sit down at the table in the peer's name."""
        self.table = table
        self.transport.set_write_buffer_limits(high=UNREAD + BOARD * len(str(table.state)))
        table.sit(self, self.peers_seat, name)
        if self.failure:
            self._end(table, self.failure)
        self._keep_transcript()
        self.step()

    def _seat(self, table: Table) -> Seat:
        return table.seats[self.peers_seat]

    def leave(self, why: str, seat: int) -> None:
        """Our own player has left; the peer is told, and the game is over."""
        self.machine.abort(why)
        self._break_off(Reason.ABORTED, why, seat)
        self._rest()

    def _offer(self, table: Table, field: int) -> None:
        """Have the peer's move written; raises what is wrong with it."""
        table.play(self._seat(table), str(field), self._kept)
        self._busy = True

    def _kept(self, error: BaseException | None) -> None:
        self._busy = False
        if error is not None:
            self.machine.abort(INTERNAL)
            self._break_off(Reason.SERVER_ERROR, str(error), None)
        self.step()

    def _lose(self, why: str) -> None:
        self._fault(Reason.CONNECTION_LOST, f"the connection to the {self.peer_is} was {why}")
        self.machine.closing = True
        self._conclude()

    def _fault(self, reason: Reason, detail: str) -> None:
        """The peer has ended the game, one way or the other."""
        log.info("peer failed peer=%s reason=%r detail=%r", self.peer, str(reason), detail)
        self._break_off(reason, detail, self.peers_seat)

    def _break_off(self, reason: Reason, detail: str, culprit: int | None) -> None:
        """End the game without a winner, unless it is over; later, if there is no table yet."""
        at = int(self.opened_wall + 1000 * (self.now - self.opened_at))
        end = Ending(reason, None, detail, at, () if culprit is None else (culprit,))
        if self.table is not None:
            self._end(self.table, end)
        self.failure = self.failure or end

    @staticmethod
    def _end(table: Table, end: Ending) -> None:
        """End the game; moves of persons and engines are not wanted any more."""
        for seat in table.seats:
            if seat.occupant and seat.record.kind is not SeatKind.CLIENT:
                seat.occupant.dismiss(end.detail)
        table.end(end)


def is_by_rule(result: Ending | None) -> bool:
    """Whether a game was played to its end."""
    return result is not None and result.reason in (Reason.WIN, Reason.DRAW)


async def wait_for(done: Callable[[], object], seconds: float) -> None:
    """Look again and again whether it is done, for so many seconds at most."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while not done():
                await asyncio.sleep(0.01)


def _log_loss(error: BaseException | None) -> None:
    if isinstance(error, SpielwerkError):
        log.error("transcript lost error=%r", str(error))


class HostSession(PeerSession[HostSide]):
    """An opponent's connection."""

    peers_seat = OPPONENT
    peer_is: ClassVar = "opponent"

    def __init__(self, host: GameHost) -> None:
        settings = host.settings
        machine = HostSide(
            host.loop.time(), settings.limits, settings.version, variant=settings.variant
        )
        super().__init__(host.loop, host.journal, machine, settings.transcript)
        self._host = host
        self._asked = False
        self.offer: Offer | None = None

    @property
    def active(self) -> float:
        """When the opponent was last heard of; one who plays gives way last of all."""
        return self.heard if self.table is None else NEVER

    def opened(self) -> None:
        """Listen, if there is room."""
        if self._host.admit(self):
            super().opened()
        else:
            self.drop()

    def _handle(self, event: Any) -> None:
        match event:
            case GameMessage("join_game", (player, name, _)):
                self._host.wanted(self, player, name)
            case GameMessage("move", (field,)) if self.table is not None:
                self._move(self.table, field)

    def _move(self, table: Table, field: int) -> None:
        self._asked = False
        try:
            self._offer(table, field)
        except IllegalMove as error:
            problem = f"field {field}: {error.rule}"
            self.machine.reject(problem)
            self._fault(Reason.ILLEGAL_MOVE, problem)
        except NotNow:
            return  # the game has just ended otherwise, and that is being written

    def _follow(self, table: Table) -> None:
        for number in range(self._seen, len(table.history)):
            self._tell(table, number)
        self._seen = len(table.history)
        result = table.result
        if result is not None and is_by_rule(result):
            winner = result.winner
            self.machine.end(0 if winner is None else self._stones.index(STONES[winner]))
        elif result is not None:
            self.machine.abort(result.detail)
        elif table.turn == self.peers_seat and not self._asked:
            self._asked = True
            table.ask(self._seat(table))
            (self.machine.ask if table.history else self.machine.start)(self.now)

    def _tell(self, table: Table, number: int) -> None:
        _, move = table.history[number]
        last = number + 1 == len(table.history)
        after = table.state if last else table.history[number + 1][0]
        assert isinstance(after, ConnectFourState)  # noqa: S101 - no other table is taken
        stones = self._stones
        board = [stones.index(stone) for stone in after.board]
        self.machine.tell(move, board[move], board)

    @property
    def _stones(self) -> str:
        """The stones by their numbers on the wire: there the peer has 2, wherever it sits."""
        return FREE + (STONES if self.peers_seat == OPPONENT else STONES[::-1])

    def _over(self) -> None:
        self._host.left(self)

    def gone(self, why: str) -> None:
        """Make room for others."""
        super().gone(why)
        self._host.forget(self)
