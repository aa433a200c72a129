"""The menu of the games: what one sees first."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rich.text import Text

from spielwerk.engines.players import make_player
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game, kits
from spielwerk.games.record import Record
from spielwerk.terminal.engines import ready_player
from spielwerk.terminal.keyboard import ask
from spielwerk.terminal.session import Session
from spielwerk.terminal.tempo import usual_tempo

if TYPE_CHECKING:
    from random import Random

    from rich.console import Console

    from spielwerk.engines.players import Making, Player
    from spielwerk.games import Game


def menu(console: Console, rng: Random, make: Making = make_player) -> None:
    """Offer the games until somebody leaves; `make` makes the opponents."""
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            game = _choose(console)
            if game is None:
                return
            other = _opponent(console, game, make)
            players = dict.fromkeys(range(1, game.players), other) if other else {}
            tempo = usual_tempo(console, game)
            if not Session(console, Record((game.start(),)), players, rng, tempo).run():
                return
    console.print()


def _choose(console: Console) -> Game[Any] | None:
    """The game somebody wants, with the options as typed; None to leave."""
    names = {str(number): name for number, name in enumerate(kits(), start=1)}
    console.print("\n[bold]Spielwerk[/]\n")
    for number, name in names.items():
        console.print(
            Text.assemble(f"  {number}  ", (f"{name:10}", "bold"), kits()[name].game.title)
        )
        for option in kits()[name].game.options():
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


def _opponent(console: Console, game: Game[Any], make: Making) -> Player | None:
    """Who takes the other seats; None if people do."""
    console.print(
        "Against the computer: a level from 1 to 10, or random. All at this keyboard: Enter."
    )
    while True:
        answer = ask(console, Text("Against> ", "bold")).lower()
        if not answer:
            return None
        try:
            return ready_player(f"level={answer}" if answer.isdecimal() else answer, game, make)
        except SpielwerkError as error:
            console.print(Text(str(error)))
