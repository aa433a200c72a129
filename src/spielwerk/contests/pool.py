"""Where games are played: workers, as many as games may be played at once."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections import deque
from contextlib import suppress
from signal import Signals
from typing import TYPE_CHECKING, Final

from spielwerk.contests.contest import ContestError, Finished, Progress, WorkerLost, ignore
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.worker import packed, receive
from spielwerk.errors import SpielwerkError, printable

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from spielwerk.contests.contest import Assignment, Played, Tell, WorkOrder

    Start = Callable[[], Coroutine[Any, Any, "WorkerProcess"]]

# Without the current folder in the path: a bot's random.py is not what we want to import.
COMMAND: Final = (sys.executable, "-P", "-m", "spielwerk.contests.worker")

PATIENCE: Final = 10.0  # seconds for a worker to end its programs and itself
LAST_WORDS: Final = 1.0  # seconds to read what it wrote, after its end
SLACK: Final = 120.0  # seconds that a worker may take beyond what the game's terms allow
REVIEW: Final = 1800.0  # seconds for a review, whose nodes are counted
BUFFER: Final = 1 << 20  # bytes of a worker's messages that may wait for us
LINES: Final = 8  # of what it wrote last
LONGEST: Final = 400  # characters of each


def usual_jobs() -> int:
    """The usual number of games at once: a processor is left for everything else."""
    allowed = getattr(os, "sched_getaffinity", None)  # not every system says
    return max(1, (len(allowed(0)) if allowed else os.cpu_count() or 1) - 1)


class Pool:
    """Workers that stay between games, so that engines stay warm.

    `changed` is called when there is room for more games, or for fewer; `lost` says why nothing
    will ever be played here again.
    """

    def __init__(self, jobs: int, start: Start | None = None) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.lost: SpielwerkError | None = None
        self._jobs = jobs
        self._start: Start = start or WorkerProcess.start
        self._running = 0
        self._idle: list[WorkerProcess] = []
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def jobs(self) -> int:
        """How many games are played at once."""
        return self._jobs

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Play this many from now on; running games are played to their end."""
        self._jobs = jobs
        while self._idle and self._running + len(self._idle) > jobs:
            self._end(self._idle.pop())
        self.changed()

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played; WorkerLost if it has to be played again.

        It is played at once, even if there is less room than when it was begun.
        """
        if self.lost:
            raise self.lost
        self._running += 1
        try:
            played: Played = await self._carry_out(assignment, tell)
            return played
        finally:
            self._running -= 1

    async def review(self, game: Finished) -> dict[str, Any] | str:
        """The review of a game that is over, or why there is none; games need not wait for it."""
        found: dict[str, Any] | str = await self._carry_out(game)
        return found

    async def _carry_out(self, order: WorkOrder, tell: Tell = ignore) -> Any:
        """What comes of the order; its worker stays for the next one if there is room for it."""
        worker = await self._worker()
        try:
            return await worker.carry_out(order, tell)
        finally:
            if worker.alive and self._running + len(self._idle) <= self.jobs:
                self._idle.append(worker)
            else:
                self._end(worker)

    async def _worker(self) -> WorkerProcess:
        """A worker that waits, or a new one; some may have died since their last game."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._end(worker)
        return await self._start()

    def _end(self, worker: WorkerProcess) -> None:
        task = asyncio.create_task(worker.close())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all workers, and wait until they have ended."""
        while self._idle:
            self._end(self._idle.pop())
        while self._ending:
            await asyncio.wait(self._ending)


class WorkerProcess:
    """A worker process on this machine; made with `WorkerProcess.start`."""

    def __init__(self, process: Process) -> None:
        self.pid = process.pid
        self._process = process
        self._heard: deque[str] = deque(maxlen=LINES)
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, command: Sequence[str] = ()) -> WorkerProcess:
        """A worker that waits for its first game."""
        starting = asyncio.create_task(_started(command or COMMAND))
        try:
            return cls(await asyncio.shield(starting))
        except OSError as error:
            raise ContestError(f"no worker can be started: {error}") from None
        except asyncio.CancelledError:  # asyncio does not bear that in the middle of a start
            await asyncio.wait([starting])
            if not starting.cancelled() and starting.exception() is None:
                await cls(starting.result()).close()
            raise

    @property
    def alive(self) -> bool:
        """Whether it can play another game."""
        stdin = self._process.stdin
        return self._process.returncode is None and not (stdin is None or stdin.is_closing())

    async def carry_out(self, order: WorkOrder, tell: Tell = ignore) -> Any:
        """Have a game played or reviewed; WorkerLost if the worker does not come to its end.

        Cancelling this ends the worker, and with it every program of the game.
        """
        try:
            async with asyncio.timeout(_patience(order)):
                return await self._answer(order, tell)
        except (EOFError, ConnectionError):
            problem = ""
        except TimeoutError:
            problem = "the worker process did not answer; "
        except Exception as error:
            problem = f"the worker process sent something unreadable ({error}); "
        except BaseException:
            self.hang_up()
            raise
        if problem:
            self.kill()
        raise WorkerLost(f"{problem}{await self._obituary()}")

    async def _answer(self, order: WorkOrder, tell: Tell) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise EOFError
        stdin.write(packed(order))
        while isinstance(said := await receive(stdout), Progress):
            tell(said)
        return said

    async def _listen(self) -> None:
        """Remember what the worker wrote last; overlong lines come in pieces."""
        stderr = self._process.stderr
        while stderr and (data := await stderr.read(BUFFER)):
            for line in data.decode(errors="replace").splitlines():
                self._heard.append(printable(line.strip())[:LONGEST])

    async def _obituary(self) -> str:
        """How the worker ended and what it said last, when nothing is left of its programs."""
        await self.close()
        await asyncio.to_thread(clear_abandoned)
        code = self._process.returncode or 0
        status = f"killed by {_signal(-code)}" if code < 0 else f"exit {code}"
        printed = f"it printed: {' / '.join(self._heard)}" if self._heard else "it printed nothing"
        return f"the worker process exited ({status}); {printed}"

    def hang_up(self) -> None:
        """Close the worker's input: it ends then."""
        if self._process.stdin:
            self._process.stdin.close()

    def kill(self) -> None:
        """End the worker at once."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def close(self) -> None:
        """Let the worker end, and wait until it has."""
        self.hang_up()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._process.wait()
        except TimeoutError:
            self.kill()
            await self._process.wait()
            await asyncio.to_thread(clear_abandoned)
        await asyncio.wait([self._listening], timeout=LAST_WORDS)
        self._listening.cancel()


def _patience(order: WorkOrder) -> float:
    """The seconds that a worker may take."""
    if isinstance(order, Finished):
        return REVIEW
    return order.terms.start + order.terms.total + SLACK


async def _started(command: Sequence[str]) -> Process:
    return await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=BUFFER, start_new_session=True
    )


def _signal(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"
