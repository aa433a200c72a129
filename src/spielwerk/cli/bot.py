"""`spielwerk bot`: let a program without a protocol play on any server of its game."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from spielwerk.errors import SpielwerkError, UsageError, quote
from spielwerk.terminal.commands import GameName, whole_number


def bot(
    game: GameName,
    command: Annotated[
        list[str],
        typer.Argument(metavar="COMMAND", help="The bot: ./mybot or 'python3 mybot.py'."),
    ],
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="The server; this machine's if not given."),
    ] = None,
    game_id: Annotated[
        str, typer.Option("--game", "-g", metavar="ID", help="The game to join, where it has one.")
    ] = "",
    player: Annotated[
        int | None,
        typer.Option("--player", "-p", parser=whole_number, help="The seat, from 0."),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="What the bot is called.")] = "bot",
) -> None:
    """Play one game with a bot: it reads one line of JSON for each decision and writes its move.

    Exit codes: 0 after a whole game, 1 if it was broken off, and then it says why.
    """
    from spielwerk.clients.bots import BOT, BotOrder, BotPlayer
    from spielwerk.games import find_kit

    kit = find_kit(game)
    if not kit.bot:
        raise UsageError(f"there is no server for {quote(game)} that a bot could join")
    line = command[0] if len(command) == 1 else shlex.join(command)
    made = BotPlayer(f"{BOT}{line}")
    order = BotOrder(made, game, server, game_id, player, name)
    try:
        typer.echo(kit.load(kit.bot)(order))
    except SpielwerkError as error:
        if isinstance(error, UsageError):
            raise
        typer.echo(f"spielwerk: {error}", err=True)
        raise SystemExit(1) from None
