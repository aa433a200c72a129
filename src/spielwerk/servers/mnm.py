"""The MNM game server: clients of the Munich courses at the tables of Quarto and Morris."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.errors import IllegalMove, NotationError, quote
from spielwerk.net.connection import Connection
from spielwerk.store.records import Reason, WireRecord
from spielwerk.tables.table import NoFreeSeat, NotNow
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.boards import board_for
from spielwerk.wire.mnm.server import Choose, Fault, Join, Play, Refused, ServerSide

if TYPE_CHECKING:
    from spielwerk.servers.metrics import Metrics
    from spielwerk.servers.settings import MnmSettings
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Journal, Table
    from spielwerk.wire.mnm.boards import Board
    from spielwerk.wire.mnm.pace import Pace
    from spielwerk.wire.mnm.server import Message

log = logging.getLogger(__name__)

SERVICE: Final = "mnm"
GOODBYE: Final = 2.0  # seconds for clients to take their leave when the server stops

_REASONS: Final = {
    Fault.PROTOCOL: Reason.PROTOCOL_ERROR,
    Fault.SLOW_ANSWER: Reason.STALLED,
    Fault.SLOW_MOVE: Reason.TIME_OUT,
}


class MnmSession(Connection):
    """A client's connection, and once it has one, its seat."""

    def __init__(self, service: MnmService, dialect: words.Dialect, pace: Pace) -> None:
        super().__init__(service.loop, service.settings.transcript)
        self._service = service
        self._machine = ServerSide(dialect, pace, service.settings.timing(), self.now)
        self._table: Table | None = None
        self._seat: Seat | None = None
        self._number: int | None = None  # of the seat, also after it was left
        self._board: Board
        self._shown = 0  # moves that the board knows
        self._next_wait = 0.0
        self._played: float | None = None  # when the move came that is being written
        self._ended = False
        self._stepping = False

    # the connection's hooks

    def opened(self) -> None:
        """Greet, if there is room."""
        if self._service.admit(self):
            self._step()
        else:
            self.drop()

    def received(self, data: bytes) -> None:
        """Go on with what has come."""
        self._machine.receive(data, self.now)
        self._step()

    def ended(self) -> None:
        """Answer what has come; the client is lost as soon as we would have to wait for more."""
        self._ended = True
        self._step()

    def woken(self) -> None:
        """See what time it is."""
        self._step()

    def gone(self, why: str) -> None:
        """Leave the seat and keep the transcript."""
        self._leave(Reason.CONNECTION_LOST, f"the connection was {why}")
        self._service.forget(self)

    # the occupant's

    def look(self) -> None:
        """Something at the table has changed."""
        self._step()

    def dismiss(self, why: str) -> None:
        """Tell the client that it has to go."""
        if not self._machine.closing:
            self._refuse(why, Reason.ABORTED)
            self._step()

    # one step after the other

    def _step(self) -> None:
        """Read, answer and write as long as there is something to do without waiting."""
        if self._stepping or self.closed:
            return
        self._stepping = True
        try:
            self._advance_all()
        except Exception:
            log.exception("internal error %s", self)
            self._refuse(words.INTERNAL, Reason.SERVER_ERROR)
            self._write()
        finally:
            self._stepping = False
        self._rest()

    def _advance_all(self) -> None:
        """Until there is nothing to take and nothing to write: what is written lets more come."""
        progress = True
        while progress:
            progress = False
            while self._advance():
                progress = True
            progress = self._write() or progress

    def _write(self) -> bool:
        segments = self._machine.segments(self.now)
        for segment in segments:
            self.send(segment)
        return bool(segments)

    def _rest(self) -> None:
        """Nothing to do now: close, or say when to look again."""
        machine = self._machine
        if machine.finished:
            self.close()
        elif self._ended and self._played is None and not machine.writing:
            self._leave(Reason.CONNECTION_LOST, "the client closed its sending side")
            self.close()
        else:
            idle = machine.idle and self._seat is not None
            self.wake_at(min(machine.due, self._next_wait) if idle else machine.due)

    def _advance(self) -> bool:
        """Take one message or do one thing; False if there is nothing."""
        message = self._machine.next_message(self.now)
        if message is not None:
            self._handle(message)
            return True
        return self._machine.idle and self._act()

    def _handle(self, message: Message) -> None:
        match message:
            case Join(game):
                self._join(game)
            case Choose(number):
                self._choose(number)
            case Play(move, arrived):
                self._play(move, arrived)
            case Refused(fault, text):
                self._out(_REASONS[fault], text)

    def _join(self, game_id: str) -> None:
        self._table = table = self._service.arena.find(game_id)
        if table is None or table.game.name not in words.GAME_KINDS:
            self._table = None
            self._refuse(words.NO_GAME, Reason.PROTOCOL_ERROR)
            return
        kind = words.GAME_KINDS[table.game.name]
        self._machine.playing(kind, table.record.name, self.now)

    def _choose(self, number: int | None) -> None:
        table = self._require_table()
        try:
            seat = table.sit(self, number)
        except NoFreeSeat:
            self._refuse(self._machine.dialect.no_seat, Reason.PROTOCOL_ERROR)
            return
        self._seat, self._number = seat, seat.number
        self._board = board_for(table.game)
        others = [(s.number, s.name, s.ready) for s in table.seats if s is not seat]
        self._machine.seated((seat.number, seat.name), others, self.now)
        self._next_wait = self.now
        log.info("joined %s", self)

    def _play(self, move: str, arrived: float) -> None:
        table, seat = self._require_table(), self._require_seat()
        try:
            table.play(seat, move, self._kept)
        except (IllegalMove, NotationError) as error:
            rule = error.rule if isinstance(error, IllegalMove) else str(error)
            self._refuse(words.invalid_move(rule), Reason.ILLEGAL_MOVE, f"{quote(move)}: {rule}")
        except NotNow:
            self._machine.idle = True  # the game ended while the client was thinking
        else:
            self._played = arrived

    def _kept(self, error: BaseException | None) -> None:
        """The move is in the journal, or could not be written."""
        arrived, self._played = self._played, None
        if self._seat is None:
            return
        if error is None:
            self._machine.move_ok(self.now)
            self._next_wait = self.now
        else:
            self._refuse(words.INTERNAL, Reason.SERVER_ERROR, "the move could not be written")
        self._step()
        if error is None and arrived is not None:
            self._service.metrics.moved(self._require_table().game.name)
            self._service.metrics.answered(SERVICE, self.now - arrived)

    def _act(self) -> bool:
        """Nothing is asked of the client: tell it what comes next."""
        table, seat, now = self._require_table(), self._seat, self.now
        if seat is None:
            return False
        if table.over:
            self._tell_end(table)
        elif table.turn == seat.number:
            position = self._current_board(table).asked(table.state)
            table.ask(seat, self._machine.move(table.record.move_time, position, now))
        elif now >= self._next_wait:
            self._machine.wait(now)
            self._next_wait = now + self._service.settings.wait_interval
        else:
            return False
        return True

    def _tell_end(self, table: Table) -> None:
        result = table.result
        if result is None or result.reason in (Reason.ABORTED, Reason.SERVER_ERROR):
            self._refuse(f"Game aborted: {result.detail if result else ''}", Reason.ABORTED)
        else:
            names = [seat.name for seat in table.seats]
            position = self._current_board(table).ended(table.state)
            self._machine.game_over(result.winner, names, position, self.now)
            self._leave(Reason.ABORTED, "the game is over")

    def _current_board(self, table: Table) -> Board:
        for before, move in table.history[self._shown :]:
            self._board.played(before, move)
        self._shown = len(table.history)
        return self._board

    def _refuse(self, text: str, reason: Reason, detail: str = "") -> None:
        """Say what is wrong, and have the client out."""
        self._machine.refuse(text, self.now)
        self._out(reason, detail or text)

    def _out(self, reason: Reason, detail: str) -> None:
        """The client has been refused."""
        log.info("refused %s reason=%r detail=%r", self, str(reason), detail)
        self._service.metrics.refused(SERVICE, reason.value)
        self._leave(reason, detail)

    def _leave(self, reason: Reason, detail: str) -> None:
        """Give the seat back, once."""
        seat, self._seat = self._seat, None
        if seat is not None:
            log.info("left %s reason=%r", self, str(reason))
            self._require_table().leave(seat, reason, detail)

    def _require_table(self) -> Table:
        assert self._table is not None  # noqa: S101 - the machine asks for a game first
        return self._table

    def _require_seat(self) -> Seat:
        assert self._seat is not None  # noqa: S101 - and only seated clients play
        return self._seat

    def wire(self) -> WireRecord | None:
        """The traffic so far, if it belongs to a game."""
        if self._table is None:
            return None
        traffic = self.transcript.pack()
        return WireRecord(
            self._table.id, self._number, SERVICE, self.peer, self.opened_wall, traffic
        )

    def __str__(self) -> str:
        where = f"{self._table} seat={self._number}" if self._table else "game=-"
        return f"service={SERVICE} {where} peer={self.peer}"


class MnmService:
    """The listeners of the game server and its sessions."""

    def __init__(
        self,
        arena: Arena,
        journal: Journal,
        settings: MnmSettings,
        metrics: Metrics,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self.arena = arena
        self.settings = settings
        self.metrics = metrics
        self._journal = journal
        self.loop = loop or asyncio.get_running_loop()
        self._sessions: set[MnmSession] = set()
        self._listeners: list[asyncio.Server] = []

    async def start(self, bind: str) -> list[tuple[str, int]]:
        """Listen on every configured port, and say which addresses they are."""
        for port, dialect, pace in self.settings.listeners():
            listener = await self.loop.create_server(
                partial(MnmSession, self, dialect, pace), bind, port, backlog=1024
            )
            self._listeners.append(listener)
        sockets = [socket for listener in self._listeners for socket in listener.sockets]
        return [socket.getsockname()[:2] for socket in sockets]

    async def stop(self) -> None:
        """Accept nobody, and wait a little for those who have been told to go."""
        for listener in self._listeners:
            listener.close()
        for session in list(self._sessions):
            session.dismiss(words.STOPPING)
        end = self.loop.time() + GOODBYE
        while self._sessions and self.loop.time() < end:
            await asyncio.sleep(0.01)
        for session in list(self._sessions):
            session.drop()
        await asyncio.sleep(0)

    def admit(self, session: MnmSession) -> bool:
        """Whether there is room for one more connection."""
        if self.arena.closing or len(self._sessions) >= self.settings.connections:
            log.warning("turned away %s connections=%d", session, len(self._sessions))
            return False
        self._sessions.add(session)
        self.metrics.opened(SERVICE)
        return True

    def forget(self, session: MnmSession) -> None:
        """A connection is no more; its transcript is kept."""
        if session not in self._sessions:
            return
        self._sessions.remove(session)
        self.metrics.closed(SERVICE)
        wire = session.wire()
        if wire:
            self._journal.add(wire, _lament)

    def wires(self, game_id: str) -> list[WireRecord]:
        """The traffic of the connections that are open now."""
        wires = [session.wire() for session in self._sessions]
        return [wire for wire in wires if wire and wire.game == game_id]


def _lament(error: BaseException | None) -> None:
    if error:
        log.error("transcript lost error=%r", str(error))
