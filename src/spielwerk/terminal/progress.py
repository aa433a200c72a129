"""How long work is shown on stderr: a bar, or a line from time to time."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
