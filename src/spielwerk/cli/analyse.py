"""`spielwerk analyse`: what every move is worth."""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.cli.arguments import GameName, Options, starting_state, whole_number


def analyse(
    game: GameName,
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POSITION]",
            help="The position, the start if not given; some games have a short form, too, like "
            "four numbers in a race of three: the points of the player to move, of the next, of "
            "the one after, and of this turn.",
        ),
    ] = None,
    option: Options = None,
    time: Annotated[float, typer.Option(help="Seconds to think.")] = 5.0,
    depth: Annotated[
        int | None, typer.Option(parser=whole_number, help="Decisions to look ahead.")
    ] = None,
    threads: Annotated[int, typer.Option(parser=whole_number, help="Threads to think with.")] = 1,
) -> None:
    """Print every move with its score, and whether it is proven."""
    from spielwerk.engines.interface import Limits
    from spielwerk.games import find_kit
    from spielwerk.terminal.engines import ready_engine
    from spielwerk.terminal.keyboard import interruptible

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
