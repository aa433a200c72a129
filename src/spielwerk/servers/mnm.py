"""The MNM game server: programs of the Munich courses at the tables of its games."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Annotated, ClassVar, Final, NamedTuple

from pydantic import Strict

from spielwerk.errors import IllegalMove, NotationError, quote
from spielwerk.games import kits
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.servers.settings import (
    DAY,
    Entry,
    OneOf,
    ServiceSettings,
    checked,
    parse_port,
    setting,
)
from spielwerk.store.records import Reason
from spielwerk.tables.clocks import MOVE_TIMES
from spielwerk.tables.parts import SHORT, NoFreeSeat, NotNow
from spielwerk.wire import chosen
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import (
    NEVER,
    Choose,
    ClientBreach,
    ClientFault,
    Join,
    MnmServerSide,
    Pace,
    Play,
    Timing,
)
from spielwerk.wire.mnm.words import DIALECTS, Dialect, board_at, game_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.tables.table import Table
    from spielwerk.wire.mnm.server import Message
    from spielwerk.wire.mnm.words import Board

log = logging.getLogger(__name__)

QUOTED: Final = 20  # characters of a client's move in our answer

_REASONS: Final = {
    ClientFault.PROTOCOL: Reason.PROTOCOL_ERROR,
    ClientFault.SLOW_ANSWER: Reason.STALLED,
    ClientFault.SLOW_MOVE: Reason.TIME_OUT,
}


class MnmPort(NamedTuple):
    """A port of the game server, how it speaks there, and how it writes; None for the setting."""

    port: int
    dialect: int | None = None
    pace: Pace | None = None


def _mnm_port(text: str) -> MnmPort:
    """Read PORT[:DIALECT[:PACE]]."""
    port, *rest = text.split(":")
    dialect, pace = (*rest, "", "")[:2]
    if len(rest) > 2 or dialect not in ("", *map(str, DIALECTS)) or pace not in ("", *Pace):
        raise ValueError(
            f"{quote(text)} is not PORT[:DIALECT[:PACE]], with a dialect of "
            f"{', '.join(map(str, DIALECTS))} and a pace of {', '.join(Pace)}"
        )
    return MnmPort(
        parse_port(port), int(dialect) if dialect else None, Pace(pace) if pace else None
    )


class MnmSettings(ServiceSettings):
    """The game server."""

    name: ClassVar = "mnm"
    ports: Annotated[tuple[Annotated[Entry, checked(_mnm_port)], ...], Strict(strict=False)] = (
        setting(
            ("1357", "1358:2", "1359:3"),
            "Ports, each PORT[:DIALECT[:PACE]]; 0 for any free one.",
            min_length=1,
        )
    )
    dialect: Annotated[int, OneOf(tuple(DIALECTS))] = setting(
        1, "Dialect of ports that name none: 1 is the documents', 2 and 3 later servers'."
    )
    pace: Annotated[str, OneOf(tuple(map(str, Pace)))] = setting(
        str(Pace.FIRST_THEN_REST),
        "How ports that do not say so cut a block of lines into segments.",
    )
    move_time: int = setting(
        3000, "Milliseconds for a move, where the game does not say.", 10, 86_400_000
    )
    prolog: float = setting(30.0, "Seconds for each answer before the game begins.", 0.1, 3600)
    okwait: float = setting(5.0, "Seconds for OKWAIT.", 0.1, 3600)
    wait_interval: float = setting(1.0, "Seconds from one WAIT to the next.", 0.05, 3600)
    thinking: float = setting(1.0, "Seconds for THINKING after the field.", 0.05, 3600)
    grace: float = setting(0.1, "Seconds that a move may be late, for the network's sake.", 0, 60)
    reservation: float = setting(
        5.0, "Seconds that the seat of a lost client stays closed to others.", 0, DAY
    )
    line_limit: int = setting(1024, "Bytes in a client's line, at most.", 64, 1_048_576)
    backlog: int = setting(
        65_536, "Bytes that a client may send ahead of our answers.", 1024, 16_777_216
    )
    transcript: int = setting(
        32_768, "Bytes kept of what a connection says and hears.", 0, 16_777_216
    )

    @classmethod
    def about(cls) -> str:
        """See the base."""
        games = [kit.game.title for kit in kits().values() if kit.mnm_kind]
        return f"The game server for {' and '.join(games)}."

    def listeners(self) -> list[tuple[int, Dialect, Pace]]:
        """Every port with what is spoken there, and how it is written."""
        return [
            (port, DIALECTS[dialect or self.dialect], pace or Pace(self.pace))
            for port, dialect, pace in map(_mnm_port, self.ports)
        ]

    def timing(self) -> Timing:
        """What clients may take their time for."""
        return Timing(
            prolog=self.prolog,
            okwait=self.okwait,
            thinking=self.thinking,
            grace=self.grace,
            line=self.line_limit,
            backlog=self.backlog,
        )


class MnmSession(Session):
    """A client's connection, and once it has one, its seat."""

    _service: MnmService

    def __init__(self, service: MnmService, dialect: Dialect, pace: Pace) -> None:
        super().__init__(service)
        self._machine = MnmServerSide(dialect, pace, service.settings.timing(), self.now)
        self._board: Board
        self._shown = 0  # moves that the board knows
        self._next_wait = 0.0

    def received(self, data: bytes) -> None:
        """Go on with what has come."""
        self._machine.receive(data, self.heard)
        self._step()

    def dismiss(self, why: str) -> None:
        """Tell the client that it has to go."""
        if not self._machine.closing:
            self._refuse(why, Reason.ABORTED)
            self._step()

    def _refusal(self, why: str) -> bytes:
        return f"- {why}\n".encode()

    # one step after the other

    def _advance(self) -> None:
        """Until there is nothing to take and nothing to write: what is written lets more come."""
        now = self.now
        while self._take_one(now) or self._write(now):
            pass

    def _write(self, now: float) -> bool:
        segments = self._machine.segments(now)
        for segment in segments:
            self.send(segment)
        return bool(segments)

    def _rest(self) -> None:
        machine = self._machine
        if machine.finished:
            self.close()
        elif self._ended and self._offered is None and not machine.writing:
            self._leave(Reason.CONNECTION_LOST, "the connection was closed")
            self.close()
        else:
            idle = machine.idle and self._seat is not None
            self.wake_at(min(machine.due, self._next_wait) if idle else machine.due)

    def _fail(self) -> None:
        self._refuse(words.INTERNAL, Reason.SERVER_ERROR)
        self._write(self.now)

    def _take_one(self, now: float) -> bool:
        """Take one message or do one thing; False if there is nothing."""
        message = self._machine.next_message(now)
        if message is not None:
            self._handle(message)
            return True
        return self._machine.idle and self._act(now)

    def _handle(self, message: Message) -> None:
        match message:
            case Join(game):
                self._join(game)
            case Choose(number):
                self._choose(number)
            case Play(move, arrived):
                self._play(move, arrived)
            case ClientBreach(fault, text, detail):
                self._reject(text, _REASONS[fault], detail)

    def _join(self, game_id: str) -> None:
        table = self._find(game_id)
        if table is None or table.game.name not in game_kinds():
            self._refuse(words.NO_GAME, Reason.PROTOCOL_ERROR)
            return
        self._table = table
        kind = game_kinds()[table.game.name]
        pace = chosen(table.record.wire_options, "pace")
        self._machine.playing(kind, table.record.name, self.now, Pace(pace) if pace else None)

    def _find(self, game_id: str) -> Table | None:
        arena, short = self._service.arena, self._machine.dialect.id_length == SHORT
        return arena.find_short(game_id) if short else arena.find(game_id)

    def _choose(self, number: int | None) -> None:
        table = self._require_table()
        try:
            seat = table.sit(self, number)
        except NoFreeSeat:
            self._refuse(self._machine.dialect.no_seat, Reason.PROTOCOL_ERROR)
            return
        self._seat, self._number = seat, seat.number
        self._board = board_at(table.history.start)
        others = [(s.number, s.name, s.ready) for s in table.seats if s is not seat]
        self._machine.seated((seat.number, seat.name), others, self.now)
        self._next_wait = self.now
        log.info("joined %s", self)

    def _play(self, move: str, arrived: float) -> None:
        try:
            self._offer(move, arrived)
        except (IllegalMove, NotationError) as error:
            rule = error.rule if isinstance(error, IllegalMove) else _shortly(error)
            self._reject(words.invalid_move(rule), Reason.ILLEGAL_MOVE, f"{quote(move)}: {rule}")
        except NotNow:
            self._machine.idle = True  # the game ended while the client was thinking

    def _confirm(self, error: BaseException | None) -> None:
        if error is None:
            self._next_wait = self.now
            self._machine.move_ok(self._next_wait)
        else:
            self._refuse(words.INTERNAL, Reason.SERVER_ERROR, "the move could not be written")

    def _act(self, now: float) -> bool:
        """Nothing is asked of the client: tell it what comes next."""
        table, seat = self._require_table(), self._seat
        if seat is None:
            return False
        if table.over:
            self._tell_end(table)
        elif self._next_wait == NEVER:
            return False  # only the end is still to be told
        elif table.turn == seat.number:
            position = self._current_board(table).asked(table.state)
            # the protocol knows no game without
            limit = table.clocks.rest(seat.number) or MOVE_TIMES[-1]
            table.ask(seat, self._machine.move(limit, position, now))
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
            position = self._current_board(table).ended(table.state, self._machine.dialect)
            self._machine.game_over(result.winner, names, position, self.now)
            self._leave(Reason.ABORTED, "the game is over")

    def _current_board(self, table: Table) -> Board:
        for before, move in table.history[self._shown :]:
            self._board.played(before, move)
        self._shown = len(table.history)
        return self._board

    def _reject(self, text: str, reason: Reason, detail: str) -> None:
        """The client did something wrong; that is no error when the game is decided already."""
        if self._seat is not None and self._require_table().settle():
            self._machine.excuse()
            self._next_wait = NEVER
        else:
            self._refuse(text, reason, detail)

    def _refuse(self, text: str, reason: Reason, detail: str = "") -> None:
        """Say what is wrong, and have the client out."""
        self._machine.refuse(text, self.now)
        self._refused(reason, detail or text)

    def _require_table(self) -> Table:
        assert self._table is not None  # noqa: S101 - the machine asks for a game first
        return self._table


def _shortly(error: NotationError) -> str:
    """What is wrong, with little enough of the client's text for its own buffer."""
    text = error.text if len(error.text) <= QUOTED else f"{error.text[:QUOTED]}..."
    return f"{text!r} is no {error.what}: {error.problem}"


class MnmService(TcpService[MnmSettings]):
    """The listeners of the game server."""

    name: ClassVar = "mnm"
    stopping: ClassVar = words.STOPPING
    full: ClassVar = words.FULL

    @property
    def dialects(self) -> dict[int, int]:
        """What is spoken at each port that is open."""
        spoken = zip(self._listeners, self.settings.listeners(), strict=True)
        return {
            socket.getsockname()[1]: dialect.number
            for listener, (_, dialect, _) in spoken
            for socket in listener.sockets
        }

    def endpoints(self) -> Iterator[tuple[int, partial[MnmSession]]]:
        """Every configured port, with its dialect and pace."""
        for port, dialect, pace in self.settings.listeners():
            yield port, partial(MnmSession, self, dialect, pace)


SETTINGS: Final = MnmSettings
SERVICE: Final = MnmService
