"""What people see of a game that is played over the network.

What comes from elsewhere is escaped before it reaches the terminal.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from rich.text import Text

from spielwerk.engines.players import EnginePlayer, make_player, usual_player
from spielwerk.errors import SpielwerkError, printable
from spielwerk.games.record import Record
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.engines import EnginePool
from spielwerk.terminal.boards import draw, emblem, fitted
from spielwerk.terminal.keyboard import announce, ask, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from spielwerk.clients.connect4.offers import Question
    from spielwerk.games import Game
    from spielwerk.tables.parts import Seat
    from spielwerk.tables.table import Table

YES: Final = ("y", "yes", "j", "ja")
NO: Final = ("n", "no", "nein")


class GameScreen(Protocol):
    """Who is told what happens, and knows where people sit."""

    def say(self, text: str) -> None:
        """A line, or several."""

    def watch(self, table: Table) -> None:
        """A game begins at this table."""

    def seat(self, table: Table, number: int, leave: Callable[[str], None]) -> None:
        """Let a person play on that seat; `leave` is for one who wants to go."""

    def consider(self, question: Question) -> None:
        """Ask the person who plays here whether a player may join."""


class PeerScreen:
    """A console; `boards` says whether positions are shown, or only what happens."""

    def __init__(self, console: Console, *, boards: bool = True) -> None:
        self._console = console
        self._boards = boards
        self._keyboard = asyncio.Lock()  # one question at a time
        self._asking: set[asyncio.Task[None]] = set()

    def say(self, text: str) -> None:
        """A line, or several."""
        lines = [printable(line) for line in text.split("\n")]
        self._print(Text("\n".join(lines)))

    def ask(self, player: int) -> str:
        """A line from the keyboard; it makes one wait, so call it in a thread."""
        return ask(self._console, self._fit(Text.assemble(emblem(player), " your move> ")))

    def ask_whether(self, question: str) -> str:
        """A line from the keyboard, as in `ask`."""
        return ask(self._console, self._fit(Text(f"{printable(question)} ")))

    def consider(self, question: Question) -> None:
        """Ask the person at the keyboard whether a player may join."""
        asking = asyncio.get_running_loop().create_task(self._decide(question))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)

    async def _decide(self, question: Question) -> None:
        """Ask until there is an answer; the player may have gone before it is typed."""
        text = f"{question.player} wants to join. Accept? [y/n]"
        async with self._keyboard:
            while question.waits():
                word = await self._typed(text)
                if not question.waits():
                    self.say(f"{question.player} is no longer waiting.")
                elif word in (*YES, *NO):
                    question.answer(word in YES)

    async def _typed(self, text: str) -> str:
        try:
            line = await asyncio.wrap_future(in_thread(lambda: self.ask_whether(text)))
        except EOFError:
            self.say("The keyboard is closed: the answer is no.")
            return NO[0]
        return line.lower()

    def watch(self, table: Table) -> None:
        """Show everything that happens at a table from now on."""
        seen = -1

        def changed(table: Table) -> None:
            nonlocal seen
            if len(table.history) > seen:
                seen = len(table.history)
                self._show(table)
            if table.result is not None and changed in table.watchers:
                table.watchers.remove(changed)
                self.say(ending(table))

        table.watchers.append(changed)
        changed(table)

    def seat(self, table: Table, number: int, leave: Callable[[str], None]) -> None:
        """Let the person at the keyboard play."""
        person = Person(table, table.seats[number], self, leave)
        table.seats[number].occupant = person
        person.look()

    def _show(self, table: Table) -> None:
        if not self._boards:
            return
        if table.history:
            before, move = table.history[-1]
            self.say(f"{table.seats[before.turn].name}: {table.game.format_move(move)}")
        self._print(Text.assemble("\n", draw(table.state), "\n"), no_wrap=True)

    def _print(self, text: Text, *, no_wrap: bool = False) -> None:
        with suppress(OSError):  # the game goes on if it cannot be read
            self._console.print(self._fit(text), no_wrap=no_wrap, soft_wrap=not no_wrap)

    def _fit(self, text: Text) -> Text:
        return fitted(text, self._console.encoding)


def ending(table: Table) -> str:
    """How the game at the table ended, in a sentence."""
    result, name = table.result, table.record.name
    if result is None:
        return f"{name}: not over"
    if result.winner is None:
        return f"{name}: {result.reason}: {result.detail}"
    return f"{name}: {table.seats[result.winner].name} wins: {result.detail}"


HUMAN: Final = "human"
ENGINE: Final = "engine"
LEFT: Final = "the player has left"


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

    async def warm_up(self, seat: SeatRecord, game: Game[Any]) -> None:
        """Have the engine of our own seat compiled before a move is wanted; that may be told."""
        if seat.kind is not SeatKind.ENGINE:
            return
        player = make_player(seat.player, game)
        if isinstance(player, EnginePlayer):
            announce(type(player.engine))
        await super().choose(seat.player, Record((game.start(),)), 0.01)


class Person:
    """A person at the keyboard who sits at a table; `leave` is called when they want to go."""

    def __init__(
        self, table: Table, seat: Seat, screen: PeerScreen, leave: Callable[[str], None]
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
        """The move is not wanted any more."""
        if self._task:
            self._task.cancel()

    async def _move(self) -> None:
        while True:
            try:
                asking = in_thread(lambda: self._screen.ask(self._seat.number))
                line = await asyncio.wrap_future(asking)
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
            self._screen.say(f"The move could not be saved: {error}")
