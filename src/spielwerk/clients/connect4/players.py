"""Who plays on our side: an engine that takes its time, or a person at the keyboard."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.engines.players import usual_player
from spielwerk.errors import SpielwerkError
from spielwerk.games.record import Record
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.engines import EnginePool

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.clients.connect4.screen import Onlooker, Screen
    from spielwerk.games import Game
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Table

HUMAN: Final = "human"
ENGINE: Final = "engine"
RANDOM: Final = "random"
LEFT: Final = "the player has left"

ResultT = TypeVar("ResultT")


def own_seat(player: str, name: str, game: Game[Any]) -> SeatRecord:
    """The seat for what was typed: human, engine, engine:level=5, or level=5 alone."""
    if player == HUMAN:
        return SeatRecord(SeatKind.PERSON, name)
    plain = usual_player(game) if player == ENGINE else player.removeprefix(f"{ENGINE}:")
    return SeatRecord(SeatKind.ENGINE, name, plain)


class PacedEngines(EnginePool):
    """Engines whose moves come no sooner than people can follow."""

    def __init__(self, delay: float, threads: int = 0) -> None:
        super().__init__(threads)
        self._delay = delay

    async def choose(self, player: str, *situation: Any) -> Any:
        """The player's move, after the delay at the earliest."""
        move, _ = await asyncio.gather(
            super().choose(player, *situation), asyncio.sleep(self._delay)
        )
        return move

    async def prepare(self, player: str, game: Game[Any]) -> None:
        """Have everything compiled before somebody waits for a move; raises what is wrong."""
        await self.check(game, player)
        await super().choose(player, Record((game.start(),)), 0.01)


async def prepare(arena: Arena, seat: SeatRecord, game: Game[Any], screen: Onlooker) -> None:
    """Make the engine of a seat ready, and say so if that takes a while."""
    engines = arena.engines
    if seat.kind is not SeatKind.ENGINE or not isinstance(engines, PacedEngines):
        return
    if seat.player != RANDOM and not _compiled(game):
        screen.say("Compiling the engine: this happens once and takes a while ...")
    await engines.prepare(seat.player, game)


def _compiled(game: Game[Any]) -> bool:
    import inspect  # these, with all of Numba, only where an engine plays

    from spielwerk.engines import find_engine
    from spielwerk.engines.compiled import is_compiled

    return is_compiled(inspect.getfile(find_engine(game)))


class Person:
    """Somebody at the keyboard, who sits at a table; `leave` is called when they want to go."""

    def __init__(
        self, table: Table, seat: Seat, screen: Screen, leave: Callable[[str], None]
    ) -> None:
        self._table = table
        self._seat = seat
        self._screen = screen
        self._leave = leave
        self._task: asyncio.Task[None] | None = None

    def look(self) -> None:
        """Ask for a move, if it is our turn and we do not yet."""
        if self._task is None and self._table.turn == self._seat.number:
            self._table.ask(self._seat)
            self._task = asyncio.get_running_loop().create_task(self._move())

    def dismiss(self, why: str) -> None:  # noqa: ARG002
        """Nobody waits for the move any more."""
        if self._task:
            self._task.cancel()

    async def _move(self) -> None:
        while True:
            try:
                line = await in_thread(lambda: self._screen.ask(self._seat.number))
            except EOFError:
                line = "quit"
            if self._obey(line):
                return

    def _obey(self, line: str) -> bool:
        """Do what was typed; False if there is still a move to make."""
        match line.lower():
            case "":
                return False
            case "quit" | "exit" | "q":
                self._leave(LEFT)
                return True
            case "?" | "help":
                moves = map(self._table.game.format_move, self._table.state.legal_moves())
                self._screen.say(f"{'  '.join(moves)}\nA field's number, or quit.")
                return False
        try:
            self._table.play(self._seat, line, self._moved)
        except SpielwerkError as error:
            self._screen.say(str(error))
            return False
        return True

    def _moved(self, error: BaseException | None) -> None:
        self._task = None
        if error is not None:
            self._screen.say(f"The move could not be written: {error}")


async def in_thread(work: Callable[[], ResultT]) -> ResultT:
    """Do the work in a thread that nobody waits for when the program ends."""
    done: Future[ResultT] = Future()

    def run() -> None:
        done.set_running_or_notify_cancel()
        try:
            done.set_result(work())
        except BaseException as error:  # raised again where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, name="keyboard", daemon=True).start()
    return await asyncio.wrap_future(done)
