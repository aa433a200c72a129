"""The menu of the games: what one sees first."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rich.text import Text

from spielwerk.errors import SpielwerkError
from spielwerk.games import GAMES, find_game
from spielwerk.games.record import Record
from spielwerk.terminal.keyboard import ask
from spielwerk.terminal.session import Session

if TYPE_CHECKING:
    from random import Random

    from rich.console import Console

    from spielwerk.games import Game


def menu(console: Console, rng: Random) -> None:
    """Offer the games until somebody leaves."""
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            game = _choose(console)
            if game is None:
                return
            people = _people(console, game.players)
            if not Session(console, Record((game.start(),)), people, rng).run():
                return
    console.print()


def _choose(console: Console) -> Game[Any] | None:
    """The game somebody wants, with the options as typed; None to leave."""
    names = {str(number): name for number, name in enumerate(GAMES, start=1)}
    console.print("\n[bold]Spielwerk[/]\n")
    for number, name in names.items():
        console.print(Text.assemble(f"  {number}  ", (f"{name:10}", "bold"), GAMES[name].title))
        for option in GAMES[name].options():
            values = f"{option.name}={option.low}..{option.high}"
            console.print(Text(f"       {values:18} {option.meaning}", "dim"))
    console.print("\nA number or a name, options behind it (quarto n=5); quit leaves.")
    while True:
        words = ask(console, Text("Game> ", "bold")).split()
        if words and words[0].lower() in ("quit", "exit", "q"):
            return None
        if words:
            try:
                return find_game(names.get(words[0], words[0])).from_text(words[1:])
            except SpielwerkError as error:
                console.print(Text(str(error)))


def _people(console: Console, players: int) -> range:
    """The seats of people: all of them, or the first."""
    others = "a random player" if players == 2 else "random players"
    question = f"Play against {others} (r), or all at this keyboard (Enter)? "
    return range(1 if ask(console, Text(question)).lower() == "r" else players)
