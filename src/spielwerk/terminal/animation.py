"""Pictures one after the other: in place where the screen can do that, else below each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.live import Live

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from spielwerk.terminal.tempo import Tempo


def animate(console: Console, pictures: Sequence[Text], tempo: Tempo) -> None:
    """Show the pictures, each for the tempo's pause; the screen is then as it was before."""
    if not pictures:
        return
    if console.is_terminal and not console.is_dumb_terminal:
        with Live(console=console, auto_refresh=False, transient=True) as screen:
            for picture in pictures:
                picture.no_wrap, picture.overflow = True, "crop"
                screen.update(picture, refresh=True)
                tempo.sleep(tempo.pause)
    else:
        for picture in pictures:
            console.print()
            console.print(picture, no_wrap=True)
            tempo.sleep(tempo.pause)
