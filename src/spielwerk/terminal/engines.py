"""Engines made ready for people who wait: they are told when kernels have to be compiled."""

from __future__ import annotations

import inspect
import sys
import threading
from contextlib import suppress
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.engines import find_engine
from spielwerk.engines.compiled import is_compiled
from spielwerk.engines.players import EnginePlayer, Player, make_player

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.engines.interface import Engine
    from spielwerk.engines.players import Making
    from spielwerk.games import Game, State
    from spielwerk.games.record import Record

PULSE: Final = 0.2  # seconds after which Ctrl-C is heard at the latest

Answer = TypeVar("Answer")


def interruptible(work: Callable[[], Answer]) -> Answer:
    """Do the work in another thread: a kernel in the main one would not let Ctrl-C through."""
    answers: Queue[Answer | BaseException] = Queue()

    def run() -> None:
        try:
            answers.put(work())
        except BaseException as error:  # raised again where it is waited for
            answers.put(error)

    threading.Thread(target=run, daemon=True).start()
    answer = _wait(answers)
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _wait(answers: Queue[Answer]) -> Answer:
    """The answer; not waited for in one go, as some systems hear no Ctrl-C then."""
    while True:
        with suppress(Empty):
            return answers.get(timeout=PULSE)


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
    if not is_compiled(inspect.getfile(type(engine))):
        message = f"Compiling the {engine.game} engine: this happens once and takes a while ..."
        print(message, file=sys.stderr)  # noqa: T201
    interruptible(engine.warm_up)
