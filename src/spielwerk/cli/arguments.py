"""Arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from spielwerk.games import State

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="quarto, morris, dice, oware or connect4")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
Position = Annotated[
    str | None, typer.Option("--from", metavar="POSITION", help="Start from this position.")
]


def starting_state(name: str, options: list[str] | None, position: str | None) -> State[Any]:
    """Where the game of this name starts, with the options and the position as typed."""
    from spielwerk.games import find_game

    game = find_game(name).from_text(options or ())
    return game.start() if position is None else game.parse_state(position)
