"""`python -m spielwerk.engines.warm GAME [OPTION=VALUE ...]`: compile a game's engine to the disk.

A program that must not stand still while kernels compile lets another process do it first.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from spielwerk.engines import find_engine
from spielwerk.engines.compiled import is_compiled, note_compiled
from spielwerk.games import find_game

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine
    from spielwerk.games import Game


def warm_up(engine: Engine[Any]) -> None:
    """Compile or load the engine's kernels, and remember that they are all there."""
    engine.warm_up()
    note_compiled(inspect.getfile(type(engine)))


def compile_elsewhere(game: Game[Any]) -> None:
    """Have the engine's kernels compiled in a process of its own, unless they are."""
    if not is_compiled(inspect.getfile(find_engine(game))):
        command = [sys.executable, "-m", __name__, game.name, *game.assignments()]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)  # noqa: S603


def main(arguments: list[str]) -> None:
    """Compile the engine of the named game with these options."""
    name, *assignments = arguments
    warm_up(find_engine(find_game(name).from_text(assignments))())


if __name__ == "__main__":
    main(sys.argv[1:])
