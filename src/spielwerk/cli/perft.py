"""`spielwerk perft`: count decision sequences."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielwerk.cli.arguments import (
    GameName,
    MoreOptions,
    Options,
    Position,
    starting_state,
    whole_number,
)
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from spielwerk.games import State


def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", parser=whole_number, help="Length of the sequences.")
    ],
    more: MoreOptions = None,
    option: Options = None,
    position: Position = None,
    engine: Annotated[bool, typer.Option("--engine", help="Count with the kernel.")] = False,
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
) -> None:
    """Print the number of decision sequences of a length, for games without chance.

    A draw that opens the game is decided as its first possibility, unless an option says it.
    """
    from spielwerk.games import playing

    if depth < 0:
        raise UsageError(f"DEPTH {depth}: there are no sequences of less than no decisions")
    state = playing.drawn(starting_state(game, option, more, position))
    count = _kernel_counter(state) if engine else playing.perft
    if divide and depth:
        counts = {move: count(state.play(move), depth - 1) for move in state.legal_moves()}
        for move, number in counts.items():
            typer.echo(f"{state.game.format_move(move)}: {number}")
        typer.echo(sum(counts.values()))
    else:
        typer.echo(count(state, depth))


def _kernel_counter(state: State[Any]) -> Callable[[State[Any], int], int]:
    """The engine's way to count."""
    from spielwerk.terminal.engines import ready_engine
    from spielwerk.terminal.keyboard import interruptible

    counter = ready_engine(state.game).perft
    return lambda state, depth: interruptible(lambda: counter(state, depth))
