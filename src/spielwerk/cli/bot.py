"""`spielwerk bot`: let a program without a protocol play on any server of its game."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlsplit

import typer

from spielwerk.errors import SpielwerkError, UsageError, quote
from spielwerk.terminal.commands import CommandFailed, GameName, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from spielwerk.cli.remote import Remote

LOOK: Final = 0.1  # seconds between looks at the bots that play


def bot(
    game: GameName,
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND", help="Command that starts the bot: ./mybot or 'python3 mybot.py'."
        ),
    ],
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Address of the server (default: this machine)."),
    ] = None,
    game_id: Annotated[
        str,
        typer.Option(
            "--game", "-g", metavar="ID", help="Game to join, if the protocol has Game-IDs."
        ),
    ] = "",
    player: Annotated[
        int | None,
        typer.Option("--player", "-p", parser=whole_number, help="Seat to take, from 0."),
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="Name of the bot.")] = "bot",
) -> None:
    """Let a bot play one game on a server.

    The bot reads one line of JSON for each decision and writes its move.

    Exit codes: 0 if the game was played to the end, 1 if it was not.
    """
    from spielwerk.clients.bots import BOT, BotOrder, BotPlayer
    from spielwerk.games import find_kit

    kit = find_kit(game)
    if not kit.bot:
        raise UsageError(f"there is no server for {quote(game)} that a bot could join")
    line = command[0] if len(command) == 1 else shlex.join(command)
    made = BotPlayer(f"{BOT}{line}")
    order = BotOrder(made, game, server, game_id, player, name)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the bot is ended, too
    try:
        typer.echo(kit.load(kit.bot)(order))
    except UsageError:
        raise
    except SpielwerkError as error:
        raise CommandFailed(str(error)) from None


# seats of a table that is set up with bots: `spielwerk games new GAME --seats person,bot:COMMAND`


def bots_of(game: str, seats: Sequence[str]) -> dict[int, str]:
    """The commands of those seats that are bots', or an error if there can be none."""
    from spielwerk.clients.bots import BOT, bot_command
    from spielwerk.games import contest_facts

    bots = {number: seat for number, seat in enumerate(seats) if seat.startswith(BOT)}
    if bots and contest_facts(game).asks_servers:
        instead = f"start `spielwerk bot {game} COMMAND --server HOST:PORT`, and seat"
        raise UsageError(
            f"--seats: in {game} a bot is a server that is asked; {instead} remote:HOST:PORT"
        )
    return {number: shlex.join(bot_command(seat)) for number, seat in bots.items()}


def play_seats(remote: Remote, game: str, path: str, bots: Mapping[int, str]) -> int:
    """Play these seats from here by the game's own protocol; 0 if every bot came to the end."""
    from spielwerk.cli.remote import understood
    from spielwerk.games import contest_facts, find_kit

    has_index = contest_facts(game).has_index
    with understood(remote):
        services = remote.get("/api/v1/services")["services"]
        port = int(services["index" if has_index else find_kit(game).service][0][1])
        match = remote.get(path)
        game_id = str(match["name"] if has_index else match["id"])
    host = urlsplit(remote.url).hostname or "localhost"
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    ours = [sys.executable, "-m", "spielwerk", "bot", game, "--server", place, "-g", game_id]
    playing = {
        seat: subprocess.Popen(  # noqa: S603 - the user's own
            [*ours, "-p", str(seat), "-n", f"bot{seat}", "--", line], stdout=-1, text=True
        )
        for seat, line in bots.items()
    }
    try:
        return max(_ended(playing))
    finally:
        for process in playing.values():  # the others need not wait for one that has failed
            with process:
                process.terminate()


def _ended(playing: Mapping[int, subprocess.Popen[str]]) -> Iterator[int]:
    """The exit codes as the bots end, up to the first that is not 0."""
    left = dict(playing)
    while left:
        for seat, process in [*left.items()]:
            if process.poll() is not None:
                typer.echo(f"seat {seat}: {process.communicate()[0].strip() or 'failed'}", err=True)
                yield left.pop(seat).returncode
                if process.returncode:
                    return
        time.sleep(LOOK)
