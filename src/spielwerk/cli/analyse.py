"""`spielwerk analyse`, what every move is worth, and `spielwerk perft`, how many there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielwerk.errors import UsageError
from spielwerk.terminal.commands import (
    GameName,
    MoreOptions,
    Options,
    Position,
    starting_state,
    whole_number,
)

if TYPE_CHECKING:
    from spielwerk.games import State


def analyse(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION",
            help="Position to analyse (default: the start). Some games have a short form, such as "
            "four numbers in a race of three: the points of the player to move, of the next two, "
            "and of this turn.",
        ),
    ] = None,
    option: Options = None,
    time: Annotated[float, typer.Option(help="Seconds to think.")] = 5.0,
    depth: Annotated[
        int | None, typer.Option(parser=whole_number, help="Decisions to look ahead.")
    ] = None,
    threads: Annotated[int, typer.Option(parser=whole_number, help="Threads to think with.")] = 1,
) -> None:
    """Print the score of every move, and whether it is proven."""
    from spielwerk.engines.interface import Limits
    from spielwerk.games import find_kit
    from spielwerk.terminal.keyboard import interruptible, ready_engine

    text = " ".join(position or []) or None
    part = find_kit(game).part("terminal")
    in_full = getattr(part, "typed_position", None)
    if text and in_full:
        text = in_full(text)
    state = starting_state(game, option, None, text)
    limits = Limits(time=time, depth=depth, threads=threads, seed=0)
    engine = ready_engine(state.game)
    for remark in engine.remarks(state):
        typer.echo(remark)
    for move, score in interruptible(lambda: engine.analyse(state, limits)).items():
        proven = "proven" if score.exact else "estimated"
        typer.echo(f"{state.game.format_move(move):10} {score!s:14} {proven}")


def perft(
    game: GameName,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", parser=whole_number, help="Length of the sequences.")
    ],
    more: MoreOptions = None,
    option: Options = None,
    position: Position = None,
    engine: Annotated[
        bool, typer.Option("--engine", help="Count with the compiled engine.")
    ] = False,
    divide: Annotated[
        bool, typer.Option("--divide", help="Print a count for each first move.")
    ] = False,
) -> None:
    """Count the sequences of moves of a given length.

    For games without chance. If the start of the game is drawn by lot, the first possibility is
    used unless an option says otherwise.
    """
    from spielwerk.games import playing

    if depth < 0:
        raise UsageError(f"DEPTH {depth}: must be 0 or more")
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
    from spielwerk.terminal.keyboard import interruptible, ready_engine

    counter = ready_engine(state.game).perft
    return lambda state, depth: interruptible(lambda: counter(state, depth))
