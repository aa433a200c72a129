"""The thinker as the connector sees it: a child process with a memory, a signal and two pipes."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.clients.mnm import thinker
from spielwerk.clients.mnm.sentences import THINKER_GONE, ClientError, visible
from spielwerk.clients.mnm.sharing import SharedMemory
from spielwerk.wire.lines import LineSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Self

    from spielwerk.clients.mnm.sentences import Language
    from spielwerk.clients.mnm.sharing import Request
    from spielwerk.games import Game

LONGEST: Final = 4096


class Message(NamedTuple):
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
            thinker.run(self._memory, theirs, lifeline, engine, games, language)

        self.pid = _fork(be_thinker)
        os.close(theirs)
        os.close(lifeline)

    def fileno(self) -> int:
        """The pipe's end, for those who wait until there is something to read."""
        return self._answers

    def wake(self, request: Request) -> None:
        """Put the request into the shared memory, and send the signal."""
        self._memory.put(request)
        os.kill(self.pid, thinker.WAKING)

    def messages(self) -> list[Message]:
        """What the thinker says; waits until there is something, or the thinker is gone."""
        data = os.read(self._answers, LONGEST)
        if not data:
            raise ClientError(THINKER_GONE, how=self._ending())
        self._lines.feed(data, 0.0)
        messages = []
        while line := self._lines.take():
            word, number, text = line.content.decode().split(" ", 2)
            messages.append(Message(word, int(number), text))
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _fork(work: Callable[[], None]) -> int:
    """Do the work in a child, which begins with the waking signal blocked; its process number."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # either may be closed
        stream.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {thinker.WAKING})
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
