"""`spielwerk check mnm`: does a client of the game server do what the documents ask?"""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.check import command as frame
from spielwerk.check.command import ProgramOptions, ReportOptions
from spielwerk.errors import UsageError, quote


@frame.with_options(ProgramOptions, ReportOptions)
def check(
    program: ProgramOptions,
    options: ReportOptions,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="How the client is started, behind --."),
    ] = None,
    game: Annotated[str | None, typer.Option(help="What it plays.")] = None,
    dialect: Annotated[int, typer.Option(min=1, max=3, help="The server's dialect.")] = 1,
) -> None:
    """Put a client of the MNM game server (Munich) through every situation of its protocol.

    Placeholders in the command: {host} {port} {game} {player} {seat} {name} {folder}.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the client cannot be started.
    """
    from spielwerk.check.mnm.scripts import cases
    from spielwerk.check.mnm.trial import MnmTrial
    from spielwerk.games import find_game
    from spielwerk.wire.mnm.boards import game_kinds
    from spielwerk.wire.mnm.words import DIALECTS

    game = game or next(iter(game_kinds()))
    if game not in game_kinds():
        known = ", ".join(game_kinds())
        raise UsageError(f"--game {quote(game)}: the game server has {known}")
    frame.check_program(
        command,
        cases(game),
        lambda settings: MnmTrial(settings, DIALECTS[dialect], find_game(game)()),
        program,
        options,
        {"check": "mnm", "game": game, "dialect": dialect},
    )
