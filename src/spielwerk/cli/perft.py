"""`spielwerk perft`: count decision sequences."""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.cli.arguments import GameName, Options, Position, starting_state


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, help="Length of the sequences.")],
    option: Options = None,
    position: Position = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
) -> None:
    """Print the number of decision sequences of a length, for games without chance.

    Quarto starts with stone 0 in hand unless told otherwise (--option first=7).
    """
    from spielwerk.games import playing

    state = playing.perft_start(starting_state(game, option, position))
    if not divide or depth == 0:
        typer.echo(playing.perft(state, depth))
        return
    total = 0
    for move in state.legal_moves():
        count = playing.perft(state.play(move), depth - 1)
        typer.echo(f"{state.game.format_move(move)}: {count}")
        total += count
    typer.echo(total)
