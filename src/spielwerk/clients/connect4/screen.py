"""What people see of a game that is played over the network.

What comes from elsewhere is escaped before it reaches the terminal.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from rich.text import Text

from spielwerk.clients.connect4.players import Person
from spielwerk.errors import printable
from spielwerk.terminal.boards import draw, emblem, in_ascii
from spielwerk.terminal.keyboard import ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from spielwerk.tables.table import Table


class Onlooker(Protocol):
    """Who is told what happens, and knows where people sit."""

    def say(self, text: str) -> None:
        """A line, or several."""

    def watch(self, table: Table) -> None:
        """A game begins at this table."""

    def seat(self, table: Table, number: int, leave: Callable[[str], None]) -> None:
        """Let a person play on that seat; `leave` is for one who wants to go."""


class Screen:
    """A console; `boards` says whether positions are shown, or only what happens."""

    def __init__(self, console: Console, *, boards: bool = True) -> None:
        self._console = console
        self._boards = boards

    def say(self, text: str) -> None:
        """A line, or several."""
        lines = [printable(line) for line in text.split("\n")]
        self._print(Text("\n".join(lines)))

    def ask(self, player: int) -> str:
        """A line from the keyboard; it makes one wait, so call it in a thread."""
        return ask(self._console, self._fit(Text.assemble(emblem(player), " your move> ")))

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
