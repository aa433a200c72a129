"""What commands share: numbers as people type them, and long work that is shown on stderr."""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

from spielwerk.errors import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST: Final = 60.0  # seconds that anything may be shown


def whole_number(text: str) -> int:
    """Read a number that was typed; unlike typer's own reader it names a wrong one."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is no whole number") from None


def seconds(text: str, longest: float = LONGEST) -> float:
    """Read a time that was typed: seconds, in fractions if wanted."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= longest:
        raise typer.BadParameter(f"{quote(text)} is no time from 0 to {longest:g} seconds")
    return value


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
