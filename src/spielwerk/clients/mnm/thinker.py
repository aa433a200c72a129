"""The thinker: waits for a signal, reads the position from the shared memory, writes the move.

It runs in a process of its own. What it has to say goes through a pipe, a line for each message:
a word, the number of the request it belongs to (0 for none), and a text.
"""

from __future__ import annotations

import inspect
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.mnm.sentences import CONNECTOR_GONE, visible
from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spielwerk.clients.mnm.sentences import Language
    from spielwerk.clients.mnm.sharing import Request, SharedMemory
    from spielwerk.engines.players import Player
    from spielwerk.games import Game, State

COMPILING: Final = "compiling"  # text: the game
READY: Final = "ready"
UNSUITABLE: Final = "unsuitable"  # text: why the player that was named cannot be had
MOVE: Final = "move"  # text: the turn as the wire writes it
FAILED: Final = "failed"  # text: why there is no move

WAKING: Final = signal.SIGUSR1
"""The signal; it is blocked everywhere and waited for, so that none comes too early."""


class Thinker:
    """The engines, and what to do when the signal comes."""

    def __init__(self, memory: SharedMemory, answers: int) -> None:
        self._memory = memory
        self._answers = answers
        self._players: dict[str, Player] = {}
        self._rng = Random()

    def prepare(self, engine: str, games: Iterable[Game[Any]]) -> bool:
        """Make the players and compile what they need; False if there is no such player."""
        from spielwerk.engines.players import make_player

        try:
            for game in games:
                player = make_player(engine, game)
                self._warm_up(player)
                self._players[game.name] = player
        except SpielwerkError as error:
            self._tell(UNSUITABLE, 0, str(error))
            return False
        self._tell(READY, 0, "")
        return True

    def _warm_up(self, player: Player) -> None:
        from spielwerk.engines.compiled import is_compiled
        from spielwerk.engines.players import EnginePlayer
        from spielwerk.engines.warm import warm_up

        if not isinstance(player, EnginePlayer):
            return
        if not is_compiled(inspect.getfile(type(player.engine))):
            self._tell(COMPILING, 0, player.engine.game)
        warm_up(player.engine)

    def serve(self) -> None:
        """Answer requests until the process ends."""
        while True:
            signal.sigwait({WAKING})
            request = self._memory.take()
            if request:
                self._answer(request)

    def _answer(self, request: Request) -> None:
        """Tell the move; an engine that fails must not end the game."""
        try:
            state = request.state()
            moves = decide(self._players[request.game], state, self._rng, request.deadline)
            self._tell(MOVE, request.number, ";".join(map(state.game.format_move, moves)))
        except Exception as error:
            self._tell(FAILED, request.number, f"{type(error).__name__}: {error}")

    def _tell(self, word: str, number: int, text: str) -> None:
        with suppress(BrokenPipeError):  # the connector is gone, and so shall we be
            os.write(self._answers, f"{word} {number} {visible(text)}\n".encode())


def decide(
    player: Player,
    state: State[Any],
    rng: Random,
    deadline: float,
    clock: Callable[[], float] = time.monotonic,
) -> list[Any]:
    """The player's decision, and those that follow in the same turn while half the time is left.

    Later the rest is better left to the next question, which comes with new time.
    """
    me, half = state.turn, (deadline - clock()) / 2
    moves: list[Any] = []
    while state.turn == me and (not moves or deadline - clock() > half):
        moves.append(player.choose(state, rng, deadline - clock()))
        state = state.play(moves[-1])
    return moves


def run(
    memory: SharedMemory,
    answers: int,
    lifeline: int,
    engine: str,
    games: Sequence[Game[Any]],
    language: Language,
) -> None:
    """Be the thinker; `lifeline` is a pipe that ends when the connector does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the connector's affair
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(lifeline, language), daemon=True).start()
    thinker = Thinker(memory, answers)
    if thinker.prepare(engine, games):
        thinker.serve()


def _watch(lifeline: int, language: Language) -> None:
    """End the process, whatever it is doing, as soon as the connector is gone."""
    os.read(lifeline, 1)
    try:
        print(f"spielwerk: {CONNECTOR_GONE.said(language)}", file=sys.stderr, flush=True)  # noqa: T201
    finally:
        os._exit(1)
