"""Arguments that several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from spielwerk.terminal.commands import whole_number

if TYPE_CHECKING:
    from spielwerk.games import State

__all__ = ["whole_number"]

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; `spielwerk play` lists them.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
MoreOptions = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME=VALUE", help="Options of the game, the same as --option."),
]
Position = Annotated[
    str | None, typer.Option("--from", metavar="POSITION", help="Start from this position.")
]


def starting_state(
    name: str, options: list[str] | None, more: list[str] | None, position: str | None
) -> State[Any]:
    """Where the game of this name starts, with the options and the position as typed."""
    from spielwerk.games import find_game

    game = find_game(name).from_text([*(options or []), *(more or [])])
    return game.start() if position is None else game.parse_state(position)
