"""`spielwerk match`: which of two players is better?"""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.cli.arguments import GameName, Options, whole_number
from spielwerk.cli.progress import progress
from spielwerk.errors import UsageError

PlayerText = "level=1..10, limits (time=1, depth=6, nodes=1000), options (strategy=1), or random"


def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=PlayerText)],
    b: Annotated[str, typer.Argument(metavar="B", help="The same.")],
    games: Annotated[int, typer.Option(parser=whole_number, help="Games to play at least.")] = 100,
    option: Options = None,
    seed: Annotated[
        int, typer.Option(parser=whole_number, help="Fixes openings, dice and ties.")
    ] = 0,
) -> None:
    """Play two engines against each other and print A's score with a 95 % interval."""
    from spielwerk.clients.oware import make_player
    from spielwerk.engines.match import Tally
    from spielwerk.engines.match import match as play_match
    from spielwerk.games import find_game
    from spielwerk.terminal.engines import ready_player

    if games < 1:
        raise UsageError(f"--games {games}: at least one game must be played")
    chosen = find_game(game).from_text(option or ())
    players = ready_player(a, chosen, make_player), ready_player(b, chosen, make_player)
    tally = Tally()
    with progress() as show:
        for tally in play_match(chosen, *players, games, seed):
            show(f"{a} against {b}: {tally}", tally.games / games)
    typer.echo(f"{a} against {b}, {tally.games} games: {tally}")
