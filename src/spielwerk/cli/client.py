"""`spielwerk client`: play on a game server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.errors import UsageError, quote
from spielwerk.games import built_in
from spielwerk.platforms import require_posix
from spielwerk.terminal.commands import CommandFailed, whole_number

if TYPE_CHECKING:
    from spielwerk.clients.mnm.sentences import Language
    from spielwerk.clients.mnm.settings import ClientSettings

KINDS: Final = " or ".join(kit.mnm_kind for kit in built_in().values() if kit.mnm_kind)


def client(
    game_id: Annotated[
        str | None, typer.Argument(metavar="GAME-ID", help="Same as --game.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", "-g", metavar="GAME-ID", help="The game to join.")
    ] = None,
    player: Annotated[
        int | None,
        typer.Option(
            "--player",
            "-p",
            parser=whole_number,
            metavar="PLAYER",
            help="Player number, from 0 as in the protocol (default: any free one).",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            "-c",
            metavar="FILE",
            help=f"File with lines `name = value` for host, port, game ({KINDS}), engine and "
            "patience (seconds to wait for the server); options given here override it.",
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", "-H", help="Host of the server (default: localhost).")
    ] = None,
    port: Annotated[
        str | None, typer.Option("--port", "-P", help="TCP port of the server (default: 1357).")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", "-k", help=f"Play only this kind of game: {KINDS}."),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            "-e",
            help="How to choose moves: random, level=1 to level=10, or limits such as depth=6 "
            "(default: full strength, using all the time that the server allows).",
        ),
    ] = None,
) -> None:
    """Play a game on an mnm server."""
    require_posix("spielwerk client")
    import os

    from spielwerk.clients.mnm.sentences import ClientError, language_of
    from spielwerk.clients.mnm.settings import ConfigError

    language = language_of(os.environ)
    joined = _game_id(game_id, game)
    if player is not None and player < 0:
        raise UsageError(f"--player {player}: players are 0, 1, ...")
    options = {"host": host, "port": port, "kind": kind, "engine": engine}
    try:
        _play(_settings(config, options), joined, player, language)
    except ConfigError as error:
        raise UsageError(error.said(language)) from None
    except ClientError as error:
        raise CommandFailed(error.said(language)) from None


def _game_id(argument: str | None, option: str | None) -> str:
    """The one Game-ID that was given; whether there is such a game is for the server to say."""
    given = [text for text in (argument, option) if text is not None]
    if len(given) != 1:
        raise UsageError("name one game to join: spielwerk client -g GAME-ID")
    if not given[0] or not given[0].isprintable() or " " in given[0]:
        raise UsageError(
            f"{quote(given[0])} is not a Game-ID: a Game-ID has only letters and digits"
        )
    return given[0]


def _settings(config: Path | None, options: dict[str, str | None]) -> ClientSettings:
    """The file's settings, and over them those of the command line."""
    from spielwerk.clients.mnm.settings import ClientSettings, read_config

    texts = read_config(config) if config else {}
    typed = {name: (f"--{name}", text) for name, text in options.items() if text is not None}
    return ClientSettings.of(texts | typed)


def _play(settings: ClientSettings, game: str, seat: int | None, language: Language) -> None:
    import signal

    from rich.console import Console

    from spielwerk.clients.mnm.program import play
    from spielwerk.clients.mnm.sentences import Voice

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does
    play(settings, game, seat, Voice(Console(highlight=False), language))
