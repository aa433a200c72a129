"""The thinker: waits for a signal, reads the position from the shared memory, writes the move.

It runs in a process of its own. What it has to say goes through a pipe, a line for each message:
a word, the number of the request it belongs to (0 for none), and a text.
"""

from __future__ import annotations

import inspect
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.clients.mnm.sentences import ClientError, sentence, visible
from spielwerk.errors import SpielwerkError
from spielwerk.games import find_game
from spielwerk.wire.lines import LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Self

    from spielwerk.clients.mnm.sentences import Language
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
        print(f"spielwerk: {sentence('connector-gone', language)}", file=sys.stderr, flush=True)  # noqa: T201
    finally:
        os._exit(1)


SIZE: Final = 1 << 17
_HEAD: Final = struct.Struct("<QQ")  # the request's number, the length of what follows
WRITING: Final = 0  # no request has this number


@dataclass(frozen=True, slots=True)
class Request:
    """A position in which we have to move; `deadline` is by the clock both processes share."""

    number: int
    game: str
    options: tuple[str, ...]
    name: str
    players: tuple[str, ...]
    me: int
    position: str
    milliseconds: int
    deadline: float

    def state(self) -> State[Any]:
        """The position."""
        return find_game(self.game).from_text(self.options).parse_state(self.position)


class SharedMemory:
    """Room for one request: the connector puts it, the thinker takes it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, SIZE)

    def put(self, request: Request) -> None:
        """Write the request; its number comes last, so that a half-written one is not read."""
        content = json.dumps(asdict(request), ensure_ascii=False).encode()
        if _HEAD.size + len(content) > SIZE:
            raise ValueError(f"a request of {len(content)} bytes does not fit")
        _HEAD.pack_into(self._memory, 0, WRITING, 0)
        self._memory[_HEAD.size : _HEAD.size + len(content)] = content
        _HEAD.pack_into(self._memory, 0, request.number, len(content))

    def take(self) -> Request | None:
        """The request, or None while there is none, or one is being written."""
        before, length = _HEAD.unpack_from(self._memory, 0)
        content = self._memory[_HEAD.size : _HEAD.size + min(length, SIZE - _HEAD.size)]
        after, _ = _HEAD.unpack_from(self._memory, 0)
        if before == WRITING or before != after:
            return None
        values = json.loads(content)
        for name in ("options", "players"):
            values[name] = tuple(values[name])
        return Request(**values)

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()


LONGEST: Final = 4096


class ThinkerMessage(NamedTuple):
    """What the thinker says."""

    word: str
    number: int
    text: str


class ThinkerProcess:
    """The child; leaving the block ends it, and nothing of it remains."""

    def __init__(self, engine: str, games: Sequence[Game[Any]], language: Language) -> None:
        self._memory = SharedMemory()
        self._lines = LineSplitter(LONGEST)
        self._answers, theirs = os.pipe()
        lifeline, self._lifeline = os.pipe()

        def be_thinker() -> None:
            os.close(self._answers)
            os.close(self._lifeline)
            run(self._memory, theirs, lifeline, engine, games, language)

        self.pid = _fork(be_thinker)
        os.close(theirs)
        os.close(lifeline)

    def fileno(self) -> int:
        """The pipe's end, for those who wait until there is something to read."""
        return self._answers

    def wake(self, request: Request) -> None:
        """Put the request into the shared memory, and send the signal."""
        self._memory.put(request)
        os.kill(self.pid, WAKING)

    def messages(self) -> list[ThinkerMessage]:
        """What the thinker says; waits until there is something, or the thinker is gone."""
        data = os.read(self._answers, LONGEST)
        if not data:
            raise ClientError("thinker-gone", how=self._ending())
        self._lines.feed(data, 0.0)
        messages = []
        while line := self._lines.take():
            word, number, text = line.content.decode().split(" ", 2)
            messages.append(ThinkerMessage(word, int(number), text))
        return messages

    def _ending(self) -> str:
        code = os.waitstatus_to_exitcode(self._reap())
        return f"exit code {code}" if code >= 0 else signal.Signals(-code).name

    def _reap(self) -> int:
        """End the process if it has not ended, and take its status, so that no zombie stays."""
        os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return status

    def close(self) -> None:
        """End the thinker, if it has not ended, and let go of everything it had."""
        if self.pid:
            self._reap()
        os.close(self._answers)
        os.close(self._lifeline)
        self._memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _fork(work: Callable[[], None]) -> int:
    """Do the work in a child, which begins with the waking signal blocked; its process number."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {WAKING})
    pid = os.fork()
    if not pid:
        _work_and_exit(work)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return pid


def _work_and_exit(work: Callable[[], None]) -> None:
    """Whatever happens, the child must not go on with what is the parent's."""
    code = 1
    try:
        work()
        code = 0
    except BaseException as error:
        problem = visible(f"{type(error).__name__}: {error}")
        print(f"spielwerk: thinker: {problem}", file=sys.stderr, flush=True)  # noqa: T201
    finally:
        os._exit(code)
