"""Bots in Python: a class with one method, or a plain function.

    from spielwerk import Bot, Position

    class Mine(Bot):
        def choose(self, position: Position) -> str:
            return position.moves[0]

    if __name__ == "__main__":
        Mine().run()

`python mybot.py GAME ...` plays on a server, with the options of `spielwerk bot`. Without arguments
it answers lines of JSON on standard input, so that `spielwerk play`, `match` and contests can use
it as `bot:python3 mybot.py`.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spielwerk.games import State


@dataclass(frozen=True)
class Position:
    """What a bot has to decide on.

    `moves` are all legal moves as the game writes them, `time` is how many seconds are left (None:
    any), `history` are the moves before, as far as they are known. `state` has the rules.

    >>> board = "......./......./......./......./......./...1..."
    >>> position = Position("connect4", board, seat=1, moves=("0", "1", "2", "10"))
    >>> position.state.turn
    1
    >>> after = position.state.play(position.state.game.parse_move("10"))
    >>> str(after)
    '......./......./......./......./...2.../...1...'
    """

    game: str  # its name
    text: str  # the board, as `str(state)` writes it
    seat: int  # which player decides, from 0
    moves: tuple[str, ...]  # all legal ones
    time: float | None = None  # seconds that are left; None: any
    history: tuple[str, ...] = ()  # the moves before, as far as they are known
    options: Mapping[str, str] = field(default_factory=dict)  # of the game

    @cached_property
    def state(self) -> State[Any]:
        """The position as the rules see it, to look ahead with `state.play`."""
        from spielwerk.games import find_game

        options = [f"{name}={value}" for name, value in self.options.items()]
        return find_game(self.game).from_text(options).parse_state(self.text)

    @classmethod
    def of(cls, decision: Mapping[str, Any]) -> Position:
        """The position in a decision as `spielwerk.clients.bots` writes it."""
        return cls(
            decision["game"],
            decision["position"],
            decision["seat"],
            tuple(decision["moves"]),
            decision["time"],
            tuple(decision["history"]),
            decision["options"],
        )


class Bot:
    """A player of your own: write `choose`, then call `run()`.

    What it prints goes to standard error, and is shown.

    >>> class First(Bot):
    ...     def choose(self, position: Position) -> str:
    ...         return position.moves[0]
    >>> board = "......./......./......./......./......./......."
    >>> First().choose(Position("connect4", board, seat=0, moves=("0", "1", "2")))
    '0'
    """

    def choose(self, position: Position) -> str:
        """The move to play, one of `position.moves`."""
        raise NotImplementedError("write a method choose(self, position) that returns a move")

    def run(self, arguments: Sequence[str] | None = None) -> None:
        """Play on a server if there are arguments, else answer decisions on standard input."""
        words = sys.argv[1:] if arguments is None else list(arguments)
        if words:
            game, *options = words
            own = shlex.join([sys.executable, sys.argv[0]])
            command = [sys.executable, "-m", "spielwerk", "bot", game, own, *options]
            raise SystemExit(subprocess.call(command))  # noqa: S603 - our own
        if sys.stdin.isatty():
            name = sys.argv[0] or "mybot.py"
            message = (
                f"To play on a server: python3 {name} GAME --server HOST:PORT -g GAME-ID\n"
                f"To play here: spielwerk play GAME --against 'bot:python3 {name}'"
            )
            raise SystemExit(message)
        self._answer()

    def _answer(self) -> None:
        answers = sys.stdout
        with redirect_stdout(sys.stderr):  # what a bot prints is a note, not a move
            for line in sys.stdin:
                print(self.choose(Position.of(json.loads(line))), file=answers, flush=True)


class FunctionBot(Bot):
    """A bot that is one function."""

    def __init__(self, choose: Callable[[Position], str]) -> None:
        self._choose = choose

    def choose(self, position: Position) -> str:
        """What the function says."""
        return self._choose(position)


def run_bot(choose: Callable[[Position], str]) -> None:
    """Run a function as a bot: `run_bot(choose)` does what `Bot.run` does.

    >>> def last(position: Position) -> str:
    ...     return position.moves[-1]
    >>> run_bot(last)  # doctest: +SKIP
    """
    FunctionBot(choose).run()
