"""`spielwerk play`: play in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.cli.arguments import MoreOptions, Options, Position, starting_state, whole_number
from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from spielwerk.games.record import Record

NARROWEST: Final = 10


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; without it a menu lists them."),
    ] = None,
    more: MoreOptions = None,
    option: Options = None,
    position: Position = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Who moves at the other seats: random, level=1..10, or limits like time=1.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Your seat, with --against; 0 if not given."),
    ] = None,
    load: Annotated[Path | None, typer.Option(metavar="FILE", help="Play a saved game on.")] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Makes dice and random moves repeatable."),
    ] = None,
) -> None:
    """Play in the terminal: people at one keyboard, or one against the computer."""
    import random

    from rich.console import Console

    from spielwerk.terminal.engines import ready_player
    from spielwerk.terminal.menu import menu
    from spielwerk.terminal.session import Session

    console = Console(highlight=False)
    if console.width < NARROWEST:  # a width that cannot be meant, like COLUMNS=0
        console.width = 80
    rng = random.Random(seed)
    if game is None and load is None:
        if option or position or against or seat is not None:
            raise UsageError("name the game these options are for: spielwerk play GAME ...")
        menu(console, rng)
        return
    record = _record(game, [*(option or []), *(more or [])], position, load)
    people = _people(record.game.players, against, seat)
    other = ready_player(against, record.game) if against else None
    Session(console, record, people, rng, other).run()


def _record(
    game: str | None, options: list[str], position: str | None, path: Path | None
) -> Record:
    """The game to be played: a saved one, or a new one."""
    from spielwerk.games.record import Record
    from spielwerk.terminal.files import load

    if path is None:
        return Record((starting_state(game or "", options, None, position),))
    if options or position:
        raise UsageError(
            "a saved game has its own options and start: leave out --option and --from"
        )
    record = load(path)
    if game not in (None, record.game.name):
        raise UsageError(f"the saved game is {record.game.name}, not {quote(str(game))}")
    return record


def _people(players: int, against: str | None, seat: int | None) -> list[int]:
    """The seats at which people sit."""
    if against is None:
        if seat is not None:
            raise UsageError(f"--seat {seat}: say who sits at the other seats, with --against")
        return list(range(players))
    seat = seat or 0
    if not 0 <= seat < players:
        raise UsageError(f"--seat {seat}: the seats of this game are 0 to {players - 1}")
    return [seat]
