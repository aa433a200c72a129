"""How fast a game is shown (Oware task, sections 3.8, 3.9 and 3.12)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

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

    Where dice are thrown a turn is many small decisions: these are listed, not shown one by one.
    """
    watched = console.is_terminal and not game.throws_dice
    show = (SHOW if watched else 0.0) if show is None else show
    pause = (PAUSE if watched else 0.0) if pause is None else pause
    return Tempo(show, pause, every=watched or show > 0 or pause > 0)
