"""The person at the keyboard: asked for a line, and heard and told while work takes its time."""

from __future__ import annotations

import inspect
import re
import sys
import threading
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.engines import find_engine
from spielwerk.engines.players import EnginePlayer, Player, make_player
from spielwerk.terminal.commands import never

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from rich.console import Console
    from rich.text import Text

    from spielwerk.engines.interface import Engine
    from spielwerk.engines.players import Making
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record

with suppress(ImportError):  # not on every system; where it is, `input` lets people edit the line
    import readline  # noqa: F401

PULSE: Final = 0.2  # seconds after which Ctrl-C is heard at the latest

Answer = TypeVar("Answer")

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


def ask(console: Console, prompt: Text) -> str:
    """The line that is typed, without blanks around it; EOFError when there is none."""
    if not (console.is_terminal and sys.stdin.isatty()):
        return console.input(prompt).strip()
    with console.capture() as capture:
        console.print(prompt, end="")
    # The line editor must not count colours as columns.
    return input(_COLOURS.sub("\x01\\g<0>\x02", capture.get())).strip()


def in_thread(work: Callable[[], Answer]) -> Future[Answer]:
    """Do the work in a thread that does not keep the program from ending."""
    done: Future[Answer] = Future()

    def run() -> None:
        done.set_running_or_notify_cancel()
        try:
            done.set_result(work())
        except BaseException as error:  # raised again where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return done


def interruptible(work: Callable[[], Answer], asked: Callable[[], bool] = never) -> Answer:
    """Do the work in another thread: a kernel in the main one would not let Ctrl-C through.

    Where Ctrl-C is only noted, `asked` says whether it came; KeyboardInterrupt is raised then, too.
    """
    answer = in_thread(work)
    while not asked():  # not waited for in one go, as some systems hear no Ctrl-C then
        if wait([answer], PULSE).done:
            return answer.result()
    raise KeyboardInterrupt


# engines; people who wait are told when kernels have to be compiled; what compiles is loaded then


class PatientPlayer(Player):
    """A player whose thinking can be interrupted."""

    def __init__(self, player: Player) -> None:
        super().__init__(player.name)
        self.player = player

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:
        """What the player chooses."""
        return interruptible(lambda: self.player.choose(state, rng, within))

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
        """What the player decides."""
        return interruptible(lambda: self.player.decide(record, rng, within))


def ready_engine(game: Game[Any]) -> Engine[Any]:
    """The engine of the game, warmed up."""
    engine = find_engine(game)()
    _warm_up(engine)
    return engine


def ready_player(text: str, game: Game[Any], make: Making = make_player) -> Player:
    """The player that the text describes, warmed up."""
    player = make(text, game)
    if isinstance(player, EnginePlayer):
        _warm_up(player.engine)
    return PatientPlayer(player)


def _warm_up(engine: Engine[Any]) -> None:
    """Load the kernels, or compile them and say so."""
    from spielwerk.engines.warm import warm_up

    announce(type(engine))
    interruptible(lambda: warm_up(engine))


def compile_for_others(game: Game[Any], asked: Callable[[], bool]) -> None:
    """Have the game's engine compiled, and say so, before other processes wait for it."""
    from spielwerk.engines.warm import NotPrepared, compile_elsewhere

    if announce(find_engine(game)):
        with suppress(NotPrepared):  # the process that needs the engine says why
            interruptible(lambda: compile_elsewhere(game), asked)


def announce(kind: type[Engine[Any]]) -> bool:
    """Say that the engine is compiled, if it has to be; whether it has."""
    from spielwerk.engines.compiled import is_compiled

    if is_compiled(inspect.getfile(kind)):
        return False
    message = f"Compiling the {kind.game} engine: this happens once and takes a while ..."
    print(message, file=sys.stderr)  # noqa: T201
    return True
