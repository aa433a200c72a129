"""A game server with one client, as a script tells it to be.

The verbs follow the protocol: `greet` and `join` are the prolog, `wait`, `ask` and `confirm` the
game, `end` and `refuse` its ends. Each blames the client for what the server would refuse. Where a
script must say what no machine says, `raw` sends bytes as they are.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from spielwerk.check.mnm.judging import Pitfall, wrong_move
from spielwerk.check.mnm.refusals import Heard, in_pieces, last_sent, lateness, wrongness
from spielwerk.check.texts import sentence
from spielwerk.check.trial import ENDING, CheckSettings, Trial, TrialConnection
from spielwerk.games.interface import NOBODY
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.boards import Board, board_for, game_kinds
from spielwerk.wire.mnm.server import (
    GAP,
    Choose,
    ClientBreach,
    ClientFault,
    Join,
    MnmServerSide,
    Pace,
    Play,
    Timing,
    Waited,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from spielwerk.games import Game, State
    from spielwerk.wire.mnm.words import Dialect

GAME_ID: Final = "spielwerk0123"  # as long as the longest; dialect 1 takes its beginning
BY_HAND: Final = 120.0  # seconds for an answer in the prolog of a client that its author runs
LATER: Final = 3.0  # seconds in which a late answer is still measured

M = TypeVar("M", Join, Choose, Waited, Play)


@dataclass
class Prolog:
    """What the server says of the game; a script changes it before it greets."""

    kind: str
    title: str = "Spielwerk check"
    names: tuple[str, str] = ("Spielerin Eins", "Spieler Zwei")
    ready: bool = True  # whether the other player is
    pace: Pace = Pace.FIRST_THEN_REST


class MnmTrial(Trial):
    """What a server says and hears; each verb blames the client for what the server would."""

    package: ClassVar = "spielwerk.check.mnm"
    one_connection: ClassVar = True
    connection: TrialConnection
    machine: MnmServerSide

    def __init__(self, settings: CheckSettings, dialect: Dialect, game: Game[Any]) -> None:
        super().__init__(settings)
        self.dialect = dialect
        self.seat = 0  # the client's, as YOU has told it
        self.rng = Random(settings.seed)
        self.prolog = Prolog(game_kinds()[game.name])
        prolog = settings.patience if settings.command else BY_HAND
        self.timing = Timing(prolog=prolog)
        self.asked = 0.0  # when MOVE was said last, in the transcript's time
        self._milliseconds = 0
        self.pitfalls: Sequence[Pitfall] = ()  # moves that would show what went wrong
        self.cut: Callable[[bytes], Iterator[bytes]] = lambda segment: iter((segment,))
        self.pause = 0.0  # seconds between the pieces of a segment
        self._paused = 0.0  # all of them together: the machine's clock stands still meanwhile
        self.play_game(game)

    def play_game(self, game: Game[Any]) -> None:
        """Play this from the start, perhaps with other options."""
        self.game = game
        self.state: State[Any] = game.start()
        self.board: Board = board_for(game)

    @property
    def now(self) -> float:
        """The machine's time, in which pieces of a segment are written at once."""
        return self._loop.time() - self._paused

    # the prolog

    async def greet(self, seat: int = 0) -> None:
        """Start the client for a seat, and have the banner ready."""
        self.seat = seat
        port = await self.listen()
        self.start(
            {
                "port": str(port),
                "game": self.dialect.game_id(GAME_ID),
                "player": str(seat),
                "seat": str(seat + 1),
                "name": self.prolog.names[seat],
            }
        )
        self.connection = await self.accept()
        self.machine = MnmServerSide(self.dialect, self.prolog.pace, self.timing, self.now)

    async def identify(self, seat: int = 0) -> None:
        """The prolog up to the client's ID."""
        await self.greet(seat)
        told = self.dialect.game_id(GAME_ID)
        game = (await self.hear(Join)).game
        if game != told:
            wanted = (f"ID {told}\n".encode(),)
            self.fail("wrong-id", expected=wanted, said=game, told=told, **self._here("ID "))

    async def choose(self, seat: int = 0) -> None:
        """The prolog up to the client's PLAYER; it is given the seat that it asks for."""
        await self.identify(seat)
        self.machine.playing(self.prolog.kind, self.prolog.title, self.now)
        asked = (await self.hear(Choose)).seat
        if asked is None:
            return
        if asked >= self.game.players:
            self.fail("no-such-seat", said=asked, **self._here("PLAYER "))
        if asked != seat and any("{player}" in w or "{seat}" in w for w in self.settings.command):
            self.blame("other-seat", advice=True, said=asked, told=seat)
        self.seat = asked

    async def join(self, seat: int = 0) -> None:
        """The whole prolog, up to ENDPLAYERS; `self.seat` is the seat that the client got."""
        await self.choose(seat)
        await self.seated()

    async def seated(self) -> None:
        """YOU to ENDPLAYERS."""
        names, other = self.prolog.names, 1 - self.seat
        others = [(other, names[other], self.prolog.ready)]
        self.machine.seated((self.seat, names[self.seat]), others, self.now)
        await self.flush()

    # the game

    async def wait(self) -> None:
        """WAIT, and the client's OKWAIT."""
        self.machine.wait(self.now)
        await self.hear(Waited)

    async def ask(self, milliseconds: int = 3000) -> str:
        """MOVE with the position, and the client's PLAY, which is not judged here."""
        self._milliseconds = milliseconds
        position = self.board.asked(self.state)
        asked = self.machine.move(milliseconds, position, self.now)
        self.asked = asked + self._paused - self._began
        return (await self.hear(Play)).move

    async def confirm(self) -> None:
        """MOVEOK."""
        self.machine.move_ok(self.now)
        await self.flush()

    async def turn(self, milliseconds: int = 3000) -> str:
        """Ask for a move in the position, judge it, confirm it, and play it."""
        said = await self.ask(milliseconds)
        self.judge(said)
        await self.confirm()
        return said

    def judge(self, said: str) -> None:
        """Play the client's decisions, or blame it as the server would."""
        if wrong := wrong_move(self.state, said, self.pitfalls):
            line = self.heard().lines[self.machine.lines_taken - 1].decode("utf-8", "replace")
            right = line[: line.find(said) + wrong.column]
            self.fail(**wrong.fault, **self._here(right))
        self.advance(*self.game.parse_turn(said))

    def advance(self, *moves: Any) -> None:
        """Play decisions, of the client or of the other player."""
        for move in moves:
            self.board.played(self.state, move)
            self.state = self.state.play(move)

    def until_turn(self) -> bool:
        """Let chance and the other player move at random; False if the game is over then."""
        while self.state.turn not in (self.seat, NOBODY):
            self.advance(random_move(self.state, self.rng))
        return self.state.turn == self.seat

    async def end(self, winner: int | None = None) -> None:
        """GAMEOVER to QUIT with the position; the client must end then."""
        self.say_end(winner)
        await self.flush()
        self.connection.close()
        await self.ends("game-over")

    def say_end(self, winner: int | None) -> None:
        """Have GAMEOVER to QUIT ready."""
        lines = self.board.ended(self.state, self.dialect)
        self.machine.game_over(winner, self.prolog.names, lines, self.now)

    async def refuse(self, text: str) -> None:
        """A negative answer, after which the server closes and the client must end."""
        self.machine.refuse(text, self.now)
        await self.flush()
        self.connection.close()
        await self.ends("refused")

    async def ends(self, moment: str, patience: float = ENDING, *, advice: bool = False) -> None:
        """The client must end by itself now; of one that runs elsewhere the connection shows it."""
        if self.program:
            await super().ends(moment, patience, advice=advice)
            return
        until = self._loop.time() + patience
        while not self.connection.gone:
            if self._loop.time() >= until:
                what = sentence(self.package, "moment", moment, {})
                self.blame("did-not-end", seconds=patience, what=what, timed=True, advice=advice)
                return
            self.connection.take()
            await self.connection.changed(until - self._loop.time())

    # below the verbs

    async def raw(self, data: bytes) -> None:
        """Write bytes as they are, cut as the script wants it."""
        for piece in self.cut(data):
            self.connection.send(piece)
            if self.pause:
                self._paused += self.pause
                await asyncio.sleep(self.pause)

    async def flush(self) -> None:
        """Write everything that the machine has said, in its pace."""
        while self.machine.writing:
            if not await self._write():
                await asyncio.sleep(max(0.0, self.machine.due - self.now))

    async def _write(self) -> bool:
        segments = self.machine.segments(self.now)
        for segment in segments:
            await self.raw(segment)
        return bool(segments)

    def heard(self) -> Heard:
        """What the client has said so far, line by line."""
        return Heard(self.transcript)

    @property
    def took(self) -> float:
        """Seconds from our last byte to the line that was taken last."""
        return self.heard().took(self.machine.lines_taken - 1)

    def _here(self, right: str) -> dict[str, Any]:
        """The place behind the right beginning of the line that was taken last."""
        return self.heard().place(self.machine.lines_taken - 1, len(right))

    async def hear(self, wanted: type[M]) -> M:
        """The client's next message, which must be of this type."""
        while True:
            due, before = self.machine.wanted, self.machine.lines_taken
            message = self.machine.next_message(self.now)
            if isinstance(message, ClientBreach):
                await self._breached(message, due, before)
            if isinstance(message, wanted):
                return message
            if await self._write() or self._take():
                continue
            if not self.connection.gone:
                await self.connection.changed(self.machine.due - self.now)
            elif self.machine.writing:
                await asyncio.sleep(GAP)
            else:
                await self._closed(due)

    def _take(self) -> bool:
        taken = self.connection.take()
        for at, data in taken:
            self.machine.receive(data, at - self._paused)
        return bool(taken)

    # what was wrong

    async def _closed(self, due: str) -> NoReturn:
        """The client has gone where it should have answered."""
        if self.program:
            await self.program.ended(1.0)
        self.look_for_crash()
        hint = {"hint": "piece"} if in_pieces(self.transcript) else self._last_words()
        self.fail("closed-early", wanted=due, **hint)

    async def _breached(self, breach: ClientBreach, due: str, number: int) -> NoReturn:
        """The client has said something wrong, or nothing; its line would have this number."""
        heard = self.heard()
        if breach.fault is ClientFault.PROTOCOL:
            self.fail(**wrongness(heard, number, due, breach, self.dialect))
        since, limit = last_sent(self.transcript), self._limit(due)
        if breach.fault is ClientFault.SLOW_MOVE:
            since, limit = self.asked, self._milliseconds / 1000
        await self._more(number, LATER)
        fault = lateness(self.heard(), number, due, since, limit)
        if fault["kind"] == "silent" and not self.connection.gone:
            fault["limit"] = limit + LATER
            await self.raw(b"+ WAIT\n")
            fault["hint"] = "recv-for-line" if await self._more(number, 1.0) else ""
        self.fail(**fault)

    def _limit(self, due: str) -> float:
        limits = {words.OKWAIT: self.timing.okwait, words.THINKING: self.timing.thinking}
        return limits.get(due, self.timing.prolog)

    async def _more(self, number: int, seconds: float) -> bool:
        """Whether the client says this line within so many seconds."""
        until = self._loop.time() + seconds
        while len(self.heard().lines) <= number:
            self.connection.take()
            if self.connection.gone or not await self.connection.changed(until - self._loop.time()):
                return False
        return True
