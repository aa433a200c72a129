"""The dice server: bots meet three by three in the order they come, or at tables that wait."""

from __future__ import annotations

import logging
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Annotated, ClassVar, Final

from spielwerk.errors import SpielwerkError
from spielwerk.games.dice.rules import DiceState, Throw
from spielwerk.servers.sessions import Session, TcpService
from spielwerk.servers.settings import OneOf, Ports, ServiceSettings, setting
from spielwerk.store.records import Ending, Reason, SeatKind, SeatRecord
from spielwerk.tables.parts import FairDice, NotNow
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.dice import words
from spielwerk.wire.dice.server import (
    BotBreach,
    BotFault,
    BotParted,
    Decided,
    DiceLimits,
    DiceServerSide,
    Named,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from spielwerk.tables.table import Table
    from spielwerk.wire.dice.server import Message
    from spielwerk.wire.dice.words import Violation

log = logging.getLogger(__name__)

GAME: Final = "dice"
PLAYERS: Final = 3

_REASONS: Final = {BotFault.LATE: Reason.TIME_OUT, BotFault.PROTOCOL: Reason.PROTOCOL_ERROR}


class DiceSettings(ServiceSettings):
    """The dice server."""

    name: ClassVar = "dice"
    ports: Ports = setting(("9001",), "Ports; 0 for any free one.", min_length=1)
    mode: Annotated[str, OneOf(tuple(mode.name.lower() for mode in words.Mode))] = setting(
        words.Mode.TRAIN.name.lower(),
        "What is played for; it stands in the greeting and in the records.",
    )
    target: int = setting(150, "Points that win; older courses: 200.", 3, 10_000)
    rounds: int = setting(100, "Rounds after which a game is broken off.", 1, 10_000)
    answer: float = setting(2.0, "Seconds for every answer of a bot; older courses: 3.", 0.05, 3600)
    instances: int = setting(
        2, "Most bots of one name at once while mode is train; 0: no limit.", 0, 1_000_000
    )
    line_limit: int = setting(100, "Characters in a bot's line, at most.", 16, 65_536)
    backlog: int = setting(
        4096, "Bytes that a bot may send before they are asked for.", 128, 1_048_576
    )
    seed: str = setting("", "Seed for dice that fall the same way again; empty: real chance.")
    transcript: int = setting(
        16_384, "Bytes kept of what a connection says and hears.", 0, 16_777_216
    )

    @property
    def move_time(self) -> int:
        """Milliseconds for a decision at a new table."""
        return round(1000 * self.answer)

    @property
    def table_options(self) -> Mapping[str, int]:
        """See the base."""
        return {"target": self.target, "rounds": self.rounds}

    def limits(self) -> DiceLimits:
        """What bots may take their time for."""
        return DiceLimits(answer=self.answer, line=self.line_limit, backlog=self.backlog)


class DiceSession(Session):
    """A bot's connection: greeted, named, waiting, and then at a table."""

    _service: DiceService

    def __init__(self, service: DiceService) -> None:
        super().__init__(service)
        self.name = ""
        self._machine = DiceServerSide(service.mode, service.settings.limits(), self.now)
        self._seen = 0  # decisions of the game that the bot has been told
        self._asked = False
        self._ending = False  # WIN or DEF has been told
        self._parted = False  # and BYE has come

    def received(self, data: bytes) -> None:
        """Go on with what has come; after BYE nothing matters any more."""
        if not self._parted:
            self._machine.receive(data, self.now)
        self._step()

    def dismiss(self, why: str) -> None:
        """Tell the bot that it has to go."""
        if not self._machine.closing:
            self._machine.error(why)
            self._refused(Reason.ABORTED, why)
            self._step()

    @property
    def playing(self) -> bool:
        """Whether the bot has said its name, and its game is still to come or not over for it."""
        over = self._parted or self._machine.closing or self._ended or self.closed
        return bool(self.name) and not over

    def _refusal(self, why: str) -> bytes:
        return f"{words.error(why)}\n".encode()

    def take(self, table: Table, number: int | None = None) -> None:
        """Sit down at a table."""
        self._table = table
        self._seat = table.sit(self, number, self.name)
        self._number = self._seat.number
        if table.record.move_time:  # the protocol knows no answer without a limit
            self._machine.allow(table.record.move_time / 1000)
        log.info("joined %s name=%s", self, self.name)
        self._step()

    # one step after the other

    def _advance(self) -> None:
        while self._take_one():
            pass
        data = self._machine.segment()
        if data:
            self.send(data)

    def _rest(self) -> None:
        if self._machine.closing:
            self.close()
        elif self._ended and self._lost:
            self._leave(Reason.CONNECTION_LOST, words.LEFT)
            self.close()
        else:
            self.wake_at(self._machine.due)

    @property
    def _lost(self) -> bool:
        """Whether a bot that will send no more has nothing left that the game could wait for."""
        if self._table is None or self._table.gathering:
            return True  # no game has begun, and it shall not be spoiled for the others
        return not self._parted and self._offered is None and self._machine.silent

    def _fail(self) -> None:
        self._machine.error(words.INTERNAL)
        self._refused(Reason.SERVER_ERROR, words.INTERNAL)
        self.send(self._machine.segment())

    def _take_one(self) -> bool:
        """Take one message or do one thing; False if there is nothing."""
        message = self._machine.next_message(self.now)
        if message is not None:
            self._handle(message)
            return True
        return self._seat is not None and self._follow(self._seat.number)

    def _handle(self, message: Message) -> None:
        match message:
            case Named(name):
                self.name = name
                self._service.arrived(self)
            case Decided(choice, arrived):
                with suppress(NotNow):  # the game has just ended otherwise
                    self._offer(choice, arrived)
            case BotParted(points):
                self._part(points)
            case BotBreach(fault, violation):
                self._break(_REASONS[fault], violation)

    def _confirm(self, error: BaseException | None) -> None:
        self._asked = False
        if error is not None:
            self._fail()

    def _part(self, points: str) -> None:
        table, seat = self._table, self._seat
        if table is None or seat is None:
            return
        right = _score(table, seat.number)
        if words.read_points(points) == right:
            self._parted = True
            table.confirm(seat)
        else:
            self._break(Reason.PROTOCOL_ERROR, words.wrong_points(points, right))

    def _break(self, reason: Reason, violation: Violation) -> None:
        self._machine.error(violation.to_culprit)
        self._refused(reason, violation.to_others)

    def _follow(self, me: int) -> bool:
        """Tell the bot what has happened at its table since the last time."""
        table = self._table
        if table is None:
            return False
        self._tell_throws(table, me)
        state = _race(table)
        if table.result:
            self._tell_result(table, table.result)
        elif state.outcome and not self._ending and not state.outcome.void:
            self._ending = True
            told = words.won if state.outcome.winner == me else words.lost
            self._machine.ended(told(state.game.target), self.now)
        elif table.turn == me and not self._asked:
            self._asked = True
            self._machine.turn(state.saved[me] + state.points, self.now)
            table.ask(table.seats[me])
        else:
            return False
        return True

    def _tell_throws(self, table: Table, me: int) -> None:
        for before, move in table.history[self._seen :]:
            if isinstance(before, DiceState) and isinstance(move, Throw):
                who = words.identifier(before.player, me)
                throw = f"{move.first} {move.second}"
                self._machine.threw(who, throw, table.seats[before.player].name)
        self._seen = len(table.history)

    def _tell_result(self, table: Table, result: Ending) -> None:
        if result.reason is Reason.WIN:
            self._machine.bye()
        else:
            self._machine.error(_explained(table, result))
        self._leave(result.reason, result.detail)


def _race(table: Table) -> DiceState:
    assert isinstance(table.state, DiceState)  # noqa: S101 - no other table is let in
    return table.state


def _score(table: Table, me: int) -> tuple[int, int, int]:
    """The points as BYE has to give them."""
    saved = _race(table).saved
    return saved[me], saved[(me + 1) % PLAYERS], saved[(me + 2) % PLAYERS]


def _explained(table: Table, result: Ending) -> str:
    """Why the game was broken off, for those who did nothing wrong."""
    if result.culprit is not None:
        did = words.LEFT if result.reason is Reason.CONNECTION_LOST else result.detail
        return words.not_you(table.seats[result.culprit].name, did)
    outcome = table.state.outcome
    if outcome and outcome.void:
        return f"{_race(table).game.rounds} {words.ROUNDS_PASSED}"
    return words.INTERNAL if result.reason is Reason.SERVER_ERROR else result.detail


class DiceService(TcpService[DiceSettings]):
    """The listeners of the dice server, and the bots that wait for others."""

    name: ClassVar = "dice"
    stopping: ClassVar = words.STOPPING
    full: ClassVar = words.FULL

    def _prepare(self) -> None:
        self.mode = words.Mode[self.settings.mode.upper()]
        self._waiting: list[DiceSession] = []
        self._dice = FairDice()
        self._met = 0  # games begun, to number the streams of seeded dice

    def endpoints(self) -> Iterator[tuple[int, Callable[[], DiceSession]]]:
        """Every configured port."""
        for port in self.settings.numbers():
            yield port, lambda: DiceSession(self)

    def arrived(self, session: DiceSession) -> None:
        """A bot has said its name: to a table that waits for one, or to those who wait."""
        if self._is_crowd(session):
            session.dismiss(words.too_many(session.name, self.settings.instances))
            return
        table = self._open_table()
        if table:
            session.take(table)
            return
        self._waiting.append(session)
        if len(self._waiting) >= PLAYERS:
            bots, self._waiting = self._waiting[:PLAYERS], self._waiting[PLAYERS:]
            self._meet(bots)

    def _is_crowd(self, session: DiceSession) -> bool:
        """Whether as many bots of that name play as may do so in training, without this one."""
        most = self.settings.instances
        if not most or self.mode is not words.Mode.TRAIN:
            return False
        bots = (one for one in self._sessions if isinstance(one, DiceSession))
        return sum(one.playing for one in bots if one.name == session.name) > most

    def forget(self, session: Session) -> None:
        """A bot is gone, perhaps before it had others to play with."""
        super().forget(session)
        if session in self._waiting:
            self._waiting.remove(session)

    def _open_table(self) -> Table | None:
        """The oldest table with a seat for a bot."""
        now = self.loop.time()
        for table in self.arena.gathering():
            open_seats = any(seat.open_to_clients(now) for seat in table.seats)
            if open_seats and table.game.name == GAME:
                return table
        return None

    def _meet(self, bots: list[DiceSession]) -> None:
        """Three bots make a game; where they sit, and so the order of play, is drawn."""
        seed, self._met = self.settings.seed, self._met + 1
        dice = Random(f"{seed}/{self._met}") if seed else self._dice
        dice.shuffle(bots)
        wish = NewTable(
            GAME,
            tuple(f"{name}={value}" for name, value in self.settings.table_options.items()),
            seats=tuple(SeatRecord(SeatKind.CLIENT, bot.name) for bot in bots),
            move_time=self.settings.move_time,
            tournament=self.mode is words.Mode.CONTEST,
        )
        try:
            self.arena.set_up(wish, lambda made: _seat(bots, made), dice)
        except SpielwerkError as error:
            _turn_away(bots, str(error))


def _seat(bots: list[DiceSession], made: Table | BaseException) -> None:
    """All sit down; the seat of one who has left meanwhile waits for the next."""
    if isinstance(made, BaseException):
        _turn_away(bots, words.INTERNAL)
        return
    for number, bot in enumerate(bots):
        if not bot.closed:
            bot.take(made, number)


def _turn_away(bots: list[DiceSession], why: str) -> None:
    for bot in bots:
        bot.dismiss(why)


SETTINGS: Final = DiceSettings
SERVICE: Final = DiceService
