"""How fast a game is shown, and pictures one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rich.live import Live

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console
    from rich.text import Text

    from spielwerk.games import Game

SHOW: Final = 1.0
PAUSE: Final = 0.25


@dataclass(frozen=True)
class Tempo:
    """How long things stay on the screen, in seconds; 0 is no time at all.

    `show` is for a position, before a computer's move is carried out; what the computer thinks
    counts. `pause` is for every step of a move; with 0 only its result is shown. `every` says
    whether the positions between the moves of computers are shown, too.
    """

    show: float = 0.0
    pause: float = 0.0
    every: bool = False
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def wait_until(self, moment: float) -> None:
        """Sleep until the clock shows that moment, if it is still to come."""
        left = moment - self.clock()
        if left > 0:
            self.sleep(left)


def usual_tempo(
    console: Console, game: Game[Any], show: float | None = None, pause: float | None = None
) -> Tempo:
    """A pleasant tempo for people, none for a pipe, and what was asked for in any case.

    Where chance decides all along, a turn is many small decisions: these are listed, not shown.
    """
    watched = console.is_terminal and not game.throws_dice
    show = (SHOW if watched else 0.0) if show is None else show
    pause = (PAUSE if watched else 0.0) if pause is None else pause
    return Tempo(show, pause, every=watched or show > 0 or pause > 0)


def animate(console: Console, pictures: Sequence[Text], tempo: Tempo) -> None:
    """Show the pictures, each for the tempo's pause, in place where the screen can do that."""
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
