"""A game server with one client, as a script tells it to be."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from spielwerk.check.trial import CheckSettings, Trial, TrialConnection
from spielwerk.wire.mnm.boards import Board, board_for, game_kinds
from spielwerk.wire.mnm.server import (
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
    from collections.abc import Callable, Iterator

    from spielwerk.games import Game, State
    from spielwerk.wire.mnm.words import Dialect

GAME_ID: Final = "spielwerk0123"  # as long as the longest; dialect 1 takes its beginning

M = TypeVar("M", Join, Choose, Waited, Play)


class MnmTrial(Trial):
    """What a server says and hears; each verb blames the client for what the server would."""

    package: ClassVar = "spielwerk.check.mnm"
    connection: TrialConnection
    machine: MnmServerSide

    def __init__(self, settings: CheckSettings, dialect: Dialect, game: Game[Any]) -> None:
        super().__init__(settings)
        self.dialect = dialect
        self.game = game
        self.seat = 0
        self.board: Board = board_for(game)
        self.names = ["Spielerin Eins", "Spieler Zwei"]
        self.cut: Callable[[bytes], Iterator[bytes]] = lambda segment: iter((segment,))
        self.pause = 0.0  # seconds between the pieces of a segment

    # the prolog

    async def greet(self, seat: int = 0, pace: Pace = Pace.FIRST_THEN_REST) -> None:
        """Start the client for a seat, and say the banner."""
        self.seat = seat
        port = await self.listen()
        self.start(
            {
                "port": str(port),
                "game": self.dialect.game_id(GAME_ID),
                "player": str(seat),
                "seat": str(seat + 1),
                "name": self.names[seat],
            }
        )
        self.connection = await self.accept()
        self.machine = MnmServerSide(self.dialect, pace, Timing(), self._loop.time())

    async def join(self, seat: int = 0, pace: Pace = Pace.FIRST_THEN_REST) -> None:
        """The whole prolog, up to ENDPLAYERS."""
        await self.greet(seat, pace)
        await self.hear(Join)
        self.machine.playing(game_kinds()[self.game.name], "Spielwerk check", self.now)
        await self.hear(Choose)
        others = [(1 - seat, self.names[1 - seat], True)]
        self.machine.seated((seat, self.names[seat]), others, self.now)
        await self.flush()

    # the game

    async def wait(self) -> None:
        """WAIT, and the client's OKWAIT."""
        self.machine.wait(self.now)
        await self.hear(Waited)

    async def ask(self, state: State[Any], milliseconds: int = 3000) -> Play:
        """MOVE with a position, and the client's PLAY, which is not judged here."""
        self.machine.move(milliseconds, self.board.asked(state), self.now)
        return await self.hear(Play)

    async def end(self, state: State[Any], winner: int | None) -> None:
        """GAMEOVER to QUIT; the client must end then."""
        lines = self.board.ended(state, self.dialect)
        self.machine.game_over(winner, self.names, lines, self.now)
        await self.flush()
        self.connection.close()
        await self.ends("game-over")

    # below the verbs

    @property
    def now(self) -> float:
        """The loop's time."""
        return self._loop.time()

    async def hear(self, wanted: type[M]) -> M:
        """The client's next message, which must be of this type."""
        while True:
            message = self.machine.next_message(self.now)
            await self._write()
            if isinstance(message, ClientBreach):
                self._refuse(message)
            if isinstance(message, wanted):
                return message
            if self.connection.gone:
                self.look_for_crash()
                self.fail("closed-early", wanted=wanted.__name__)
            if await self.connection.changed(self.machine.due - self.now):
                for at, data in self.connection.take():
                    self.machine.receive(data, at)

    async def flush(self) -> None:
        """Write everything that the machine has said, in its pace."""
        while self.machine.writing:
            await self._write()
            await asyncio.sleep(max(0.0, min(self.machine.due - self.now, 0.1)))

    async def _write(self) -> None:
        for segment in self.machine.segments(self.now):
            for piece in self.cut(segment):
                self.connection.send(piece)
                if self.pause:
                    await asyncio.sleep(self.pause)

    def _refuse(self, breach: ClientBreach) -> None:
        timed = breach.fault is not ClientFault.PROTOCOL
        self.fail("refused", text=breach.text, detail=breach.detail, timed=timed)
