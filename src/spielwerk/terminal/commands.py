"""What commands share: arguments as people type them, and long work that is shown on stderr."""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games import State

LONGEST: Final = 60.0  # seconds that anything may be shown

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; `spielwerk play` lists them.")
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game; repeatable."),
]
MoreOptions = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME=VALUE", help="Options of the game; same as --option."),
]
Position = Annotated[
    str | None, typer.Option("--from", metavar="POSITION", help="Start from this position.")
]


class CommandFailed(SpielwerkError):
    """A command that was given rightly and could not be carried out: exit code 1."""


def whole_number(text: str) -> int:
    """Read a number that was typed; unlike typer's own reader it names a wrong one."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is not a whole number") from None


def seconds(text: str, longest: float = LONGEST) -> float:
    """Read a time that was typed: seconds, in fractions if wanted."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= longest:
        raise typer.BadParameter(f"{quote(text)} is not a time between 0 and {longest:g} seconds")
    return value


def starting_state(
    name: str, options: list[str] | None, more: list[str] | None, position: str | None
) -> State[Any]:
    """Where the game of this name starts, with the options and the position as typed."""
    from spielwerk.games import find_game

    game = find_game(name).from_text([*(options or []), *(more or [])])
    return game.start() if position is None else game.parse_state(position)


def never() -> bool:
    """No request to stop."""
    return False


EVERY: Final = 10.0
"""Seconds between two lines where there is no terminal."""


@contextmanager
def progress() -> Iterator[Callable[[str, float], None]]:
    """A bar on stderr, if that is a terminal; the function says what is done and its share."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda now, share: bar.update(task, description=now, completed=share)


def now_and_then() -> Callable[[str], None]:
    """A function that prints what it is told, unless it has just done so."""
    last = time.monotonic()

    def tell(text: str) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            typer.echo(text, err=True)
            last = time.monotonic()

    return tell
