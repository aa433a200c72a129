"""What people see of a game that is played over the network.

What comes from elsewhere is escaped before it reaches the terminal.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

from rich.text import Text

from spielwerk.clients.connect4.players import Person, in_thread
from spielwerk.errors import printable
from spielwerk.terminal.boards import draw, emblem, in_ascii
from spielwerk.terminal.keyboard import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from spielwerk.clients.connect4.offers import Question
    from spielwerk.tables.table import Table


YES: Final = ("y", "yes", "j", "ja")
NO: Final = ("n", "no", "nein")


class Onlooker(Protocol):
    """Who is told what happens, and knows where people sit."""

    def say(self, text: str) -> None:
        """A line, or several."""

    def watch(self, table: Table) -> None:
        """A game begins at this table."""

    def seat(self, table: Table, number: int, leave: Callable[[str], None]) -> None:
        """Let a person play on that seat; `leave` is for one who wants to go."""

    def consider(self, question: Question) -> None:
        """Ask the person who plays here whether somebody may join."""


class Screen:
    """A console; `boards` says whether positions are shown, or only what happens."""

    def __init__(self, console: Console, *, boards: bool = True) -> None:
        self._console = console
        self._boards = boards
        self._questions: list[Question] = []
        self._typing: asyncio.Task[str] | None = None  # a line that nobody has typed yet
        self._asking: asyncio.Task[None] | None = None

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
        """Ask the person at the keyboard whether somebody may join, one question at a time."""
        self._questions.append(question)
        if self._asking is None:
            self._asking = asyncio.get_running_loop().create_task(self._consider())

    async def _consider(self) -> None:
        while self._questions:
            await self._decide(self._questions[0])
            del self._questions[0]
        self._asking = None

    async def _decide(self, question: Question) -> None:
        """Ask until there is an answer, or nobody waits for it any more."""
        if not question.waits():
            return
        text, gone = f"{question.player} wants to join. Accept? [y/n]", asyncio.Event()
        question.changed = gone.set
        leaving = asyncio.ensure_future(gone.wait())
        while question.waits():
            await asyncio.wait((self._typed(text), leaving), return_when=asyncio.FIRST_COMPLETED)
            if leaving.done():
                self.say(f"\n{question.player} does not wait any more.")
                return
            self._obey(question)
        leaving.cancel()

    def _typed(self, text: str) -> asyncio.Task[str]:
        """The next line. Who is just asked may still type when the question has gone.

        So the next question waits for the same line; what was typed before it is no answer to it.
        """
        if self._typing is None or self._typing.done():
            self._typing = asyncio.ensure_future(in_thread(lambda: self.ask_whether(text)))
        else:
            self.say(text)
        return self._typing

    def _obey(self, question: Question) -> None:
        typing = self._typing
        assert typing is not None  # noqa: S101 - it has been waited for
        if isinstance(typing.exception(), EOFError):
            self.say("There is nobody at the keyboard: the answer is no.")
            question.answer(accept=False)
        elif (word := typing.result().lower()) in (*YES, *NO):
            question.answer(word in YES)

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
        with suppress(OSError):  # nobody has to read it, and the game goes on
            self._console.print(self._fit(text), no_wrap=no_wrap, soft_wrap=not no_wrap)

    def _fit(self, text: Text) -> Text:
        return text if self._console.encoding.lower().startswith("utf") else in_ascii(text)


def ending(table: Table) -> str:
    """How the game at the table ended, in a sentence."""
    result, name = table.result, table.record.name
    if result is None:
        return f"{name}: not over"
    if result.winner is None:
        return f"{name}: {result.reason}: {result.detail}"
    return f"{name}: {table.seats[result.winner].name} wins: {result.detail}"
