"""`spielwerk play`: play in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.errors import UsageError, quote
from spielwerk.terminal.commands import (
    CommandFailed,
    MoreOptions,
    Options,
    Position,
    seconds,
    starting_state,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from spielwerk.engines.players import Player
    from spielwerk.games import Game
    from spielwerk.games.record import Record

NARROWEST: Final = 10
HUMAN: Final = "human"
ENGINE: Final = "engine"


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game; without it, a menu lists the games."),
    ] = None,
    more: MoreOptions = None,
    option: Options = None,
    position: Position = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Opponent at the other seats: random, level=1 to level=10, limits such as time=1, "
            "or your own program, bot:./mybot.",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Your seat, with --against (default: 0)."),
    ] = None,
    a: Annotated[
        str | None,
        typer.Option(
            "--a",
            metavar="PLAYER",
            help="First player: human, engine, engine:strategy=1,depth=5 or anything --against "
            "accepts; for games with move servers also remote:HOST:PORT,strategy=0,depth=5.",
        ),
    ] = None,
    b: Annotated[
        str | None,
        typer.Option("--b", metavar="PLAYER", help="Second player; same as --a."),
    ] = None,
    show: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            parser=seconds,
            help="Shortest time that a position is shown before the computer moves (default: 1 on "
            "a terminal).",
        ),
    ] = None,
    pause: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            parser=seconds,
            help="How long each step of a move is shown, in games with steps; 0 shows only the "
            "result (default: 0.25 on a terminal).",
        ),
    ] = None,
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER",
            help="Engine that gives hints, such as strategy=0,depth=5 or level=10.",
        ),
    ] = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Continue a saved game.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Seed for throws and random moves."),
    ] = None,
) -> None:
    """Play in the terminal, against people, the computer or a server."""
    import random

    from spielwerk.clients.players import make_player
    from spielwerk.terminal.keyboard import ready_player
    from spielwerk.terminal.session import KeyboardSession, menu, usual_tempo

    console = _console()
    rng = random.Random(seed)
    if game is None and load is None:
        given = (option, position, against, seat, a, b, show, pause, hint)
        if any(value is not None for value in given):
            raise UsageError("name the game these options are for: spielwerk play GAME ...")
        menu(console, rng, make_player)
        return
    record = _record(game, [*(option or []), *(more or [])], position, load)
    chosen = record.game
    players = _players(chosen, _descriptions(chosen, against, seat, a, b))
    hinter = None if hint is None else ready_player(hint, chosen)
    tempo = usual_tempo(console, chosen, show, pause)
    session = KeyboardSession(console, record, players, rng, tempo, hinter)
    session.run()
    if session.failure:
        raise CommandFailed(f"the game was aborted: {session.failure}")


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False)
    if console.width < NARROWEST:  # a width that cannot be meant, like COLUMNS=0
        console.width = 80
    return console


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


def _descriptions(
    game: Game[Any], against: str | None, seat: int | None, a: str | None, b: str | None
) -> dict[int, str]:
    """Who sits at which seat, as it was typed; people at those that are left out."""
    if a is None and b is None:
        return _all_but_one(game, against, seat)
    if against is not None or seat is not None:
        raise UsageError("--a and --b say who sits where: leave out --against and --seat")
    if game.players != 2:
        problem = f"{game.name} has {game.players} seats: say who plays with --against and --seat"
        raise UsageError(f"--a and --b are for games of two players, {problem}")
    return {number: text for number, text in enumerate((a, b)) if text not in (None, HUMAN)}


def _all_but_one(game: Game[Any], against: str | None, seat: int | None) -> dict[int, str]:
    """The one player at all seats but one, or none."""
    if against is None:
        if seat is not None:
            raise UsageError(f"--seat {seat}: say who sits at the other seats, with --against")
        return {}
    own = seat or 0
    if not 0 <= own < game.players:
        raise UsageError(f"--seat {own}: the seats of this game are 0 to {game.players - 1}")
    return {number: against for number in range(game.players) if number != own}


def _players(game: Game[Any], descriptions: Mapping[int, str]) -> dict[int, Player]:
    """The players, each made once however often it plays."""
    from spielwerk.clients.players import make_player
    from spielwerk.engines.players import usual_player
    from spielwerk.terminal.keyboard import ready_player

    made: dict[str, Player] = {}
    for text in descriptions.values():
        plain = usual_player(game) if text == ENGINE else text.removeprefix(f"{ENGINE}:")
        if text not in made:
            made[text] = ready_player(plain, game, make_player)
    return {seat: made[text] for seat, text in descriptions.items()}
