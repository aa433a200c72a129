"""The menu of the games: what one sees first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from spielwerk.errors import SpielwerkError
from spielwerk.games import GAMES, find_game
from spielwerk.games.record import Record
from spielwerk.terminal.session import Session

if TYPE_CHECKING:
    from random import Random

    from rich.console import Console

    from spielwerk.games import Game


def menu(console: Console, rng: Random) -> None:
    """Offer the games until somebody leaves."""
    try:
        while True:
            game = _choose(console)
            if game is None:
                break
            people = range(game.players)
            if _against_random(console, game.players):
                people = range(1)
            Session(console, Record((game.start(),)), people, rng).run()
    except (EOFError, KeyboardInterrupt):
        console.print()


def _choose(console: Console) -> Game[Any] | None:
    """The game somebody wants, with the options as typed; None to leave."""
    console.print("\n[bold]Spielwerk[/]\n")
    for number, game in enumerate(GAMES.values(), start=1):
        options = "  ".join(f"{o.name}={o.low}..{o.high}" for o in game.options())
        console.print(Text.assemble(f"  {number}  ", (f"{game.name:10}", "bold"), options))
    console.print("\nA number or a name, options behind it (quarto n=5); quit leaves.")
    while True:
        words = console.input("[bold]Game>[/] ").split()
        if words == ["quit"]:
            return None
        if not words:
            continue
        names = dict(enumerate(GAMES, start=1))
        name = names.get(int(words[0]), words[0]) if words[0] in "12345" else words[0]
        try:
            return find_game(name).from_text(words[1:])
        except SpielwerkError as error:
            console.print(Text(str(error)))


def _against_random(console: Console, players: int) -> bool:
    others = "a random player" if players == 2 else "random players"
    return console.input(f"Play against {others} (r), or all at this keyboard (Enter)? ") == "r"
