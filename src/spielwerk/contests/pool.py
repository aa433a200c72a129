"""Games on this machine: worker processes, as many as games may be played at once."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE
from collections import deque
from contextlib import suppress
from signal import Signals
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.contests.assignment import Played, Progress
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.worker import packed, receive
from spielwerk.errors import SpielwerkError, printable

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Callable, Coroutine, Sequence
    from typing import Any

    from spielwerk.contests.assignment import Assignment, Tell

    Start = Callable[[], Coroutine[Any, Any, "WorkerProcess"]]

log = logging.getLogger(__name__)

# Without the current folder in the path: a bot's random.py is not what we want to import.
COMMAND: Final = (sys.executable, "-P", "-m", "spielwerk.contests.worker")

PATIENCE: Final = 10.0  # seconds for a worker to end its programs and itself
LAST_WORDS: Final = 1.0  # seconds for them to be heard, after its end
SILENCE: Final = 30.0  # seconds after which a worker is taken for dead; it gives signs of life
GLANCE: Final = 0.5  # seconds for a last look into the pipe: it may be us who were stopped
SLACK: Final = 120.0  # seconds that a worker may take beyond what the game's terms allow
BUFFER: Final = 1 << 20  # bytes of a worker's words that may wait for us
LINES: Final = 8  # of what it wrote last
LONGEST: Final = 400  # characters of each


class WorkerLost(SpielwerkError):
    """A worker ended in the middle of a game; what was last heard of it."""


class NoWorker(WorkerLost):
    """A worker that could not even be started."""


class _Garbled(SpielwerkError):
    """A worker sent something else than news of its game."""


class Pool(Protocol):
    """Where games are played; `jobs` is how many at once, and may change at any time."""

    jobs: int
    changed: Callable[[], None]  # called when there is room for more, or less
    lost: SpielwerkError | None  # why nothing will ever be played there again

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played, when there is room; WorkerLost if it has to be played again."""

    async def close(self) -> None:
        """End everything that was started."""


def usual_jobs() -> int:
    """The usual number of games at once: a processor is left for everything else."""
    allowed = getattr(os, "sched_getaffinity", None)  # not every system says
    return max(1, (len(allowed(0)) if allowed else os.cpu_count() or 1) - 1)


class WorkerProcess:
    """A worker process and the game that it plays; made with `WorkerProcess.start`."""

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
            raise NoWorker(f"no worker can be started: {error}") from None
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

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played; WorkerLost if the worker does not come to the end of it.

        Cancelling this ends the worker, and with it every program of the game.
        """
        try:
            return await self._play(assignment, tell)
        except (EOFError, ConnectionError):
            raise WorkerLost(await self._obituary()) from None
        except _Garbled as error:
            self.kill()
            raise WorkerLost(f"{error}; {await self._obituary()}") from None
        except TimeoutError:
            self.kill()
            raise WorkerLost(f"the worker gave no answer; {await self._obituary()}") from None
        except BaseException:
            self.hang_up()
            raise

    async def _play(self, assignment: Assignment, tell: Tell) -> Played:
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise EOFError
        terms = assignment.terms
        deadline = asyncio.get_running_loop().time() + terms.start + terms.total + SLACK
        stdin.write(packed(assignment))
        async with asyncio.timeout(SILENCE):
            await stdin.drain()
        while not isinstance(said := await _understood(stdout, deadline, assignment), Played):
            if said.record or said.moves:  # else it was only a sign of life
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
        return f"the worker ended ({status}); it wrote: {' / '.join(self._heard) or 'nothing'}"

    def hang_up(self) -> None:
        """The worker ends when it hears no more."""
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


async def _started(command: Sequence[str]) -> Process:
    return await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=BUFFER, start_new_session=True
    )


async def _understood(
    stdout: asyncio.StreamReader, deadline: float, assignment: Assignment
) -> Progress | Played:
    """What a worker says of its game; TimeoutError if it says nothing in time."""
    try:
        said = await _heard(stdout, deadline)
    except (EOFError, TimeoutError, asyncio.CancelledError):
        raise
    except Exception as error:
        raise _Garbled(f"the worker said something unreadable ({error})") from None
    if not isinstance(said, Progress | Played):
        raise _Garbled(f"the worker said something unheard of ({type(said).__name__})")
    if (said.number, said.attempt) != (assignment.number, assignment.attempt):
        raise _Garbled(f"the worker spoke of game {said.number}, not {assignment.number}")
    return said


async def _heard(stdout: asyncio.StreamReader, deadline: float) -> Any:
    """The next that comes in time, or that has come while we were stopped ourselves."""
    hearing = asyncio.create_task(receive(stdout))
    left = deadline - asyncio.get_running_loop().time()
    try:
        for patience in (min(SILENCE, max(0, left)), GLANCE):
            done, _ = await asyncio.wait([hearing], timeout=patience)
            if done:
                return hearing.result()
    finally:
        hearing.cancel()
    raise TimeoutError


def _signal(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"


class LocalPool:
    """Worker processes that stay between games, so that engines stay warm.

    They end after `kept` seconds without a game; 0 means that they stay until the pool is closed.
    """

    def __init__(self, jobs: int, *, start: Start | None = None, kept: float = 0) -> None:
        self.changed: Callable[[], None] = lambda: None
        self.lost: SpielwerkError | None = None
        self._jobs = jobs
        self._start = start or WorkerProcess.start
        self._running = 0
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._starting = 0
        self._ending: set[asyncio.Task[None]] = set()
        self._room = asyncio.Event()
        self._kept = kept
        self._expiry: asyncio.TimerHandle | None = None

    @property
    def jobs(self) -> int:
        """How many games are played at once."""
        return self._jobs

    @jobs.setter
    def jobs(self, jobs: int) -> None:
        """Play so many from now on; what is being played comes to its end in any case."""
        self._jobs = jobs
        while self._idle and self._running + len(self._idle) > jobs:
            self._end(self._idle.pop())
        self._room.set()
        self.changed()

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        """Have the game played when there is room."""
        while self._running >= self._jobs:
            self._room.clear()
            await self._room.wait()
        self._running += 1
        try:
            return await self._play(assignment, tell)
        finally:
            self._running -= 1
            self._room.set()

    async def _play(self, assignment: Assignment, tell: Tell) -> Played:
        worker = await self._find()
        self._busy.add(worker)
        try:
            return await worker.play(assignment, tell)
        finally:
            self._busy.remove(worker)
            if worker.alive and self._running + len(self._idle) <= self._jobs:
                self._idle.append(worker)
                self._expire_later()
            else:
                self._end(worker)

    def _expire_later(self) -> None:
        if self._expiry:
            self._expiry.cancel()
        if self._kept:
            self._expiry = asyncio.get_running_loop().call_later(self._kept, self._end_idle)

    def _end_idle(self) -> None:
        while self._idle:
            self._end(self._idle.pop())

    async def _find(self) -> WorkerProcess:
        """A worker; if no other can be started, one of those that are there, when it is free."""
        while True:
            if worker := self._take():
                return worker
            self._starting += 1
            try:
                return await self._start()
            except NoWorker as error:
                if not self._busy and self._starting == 1:
                    raise
                log.warning("fewer games at once than wished: %s", error)
            finally:
                self._starting -= 1
            self._room.clear()
            await self._room.wait()

    def _take(self) -> WorkerProcess | None:
        """A worker that waits, if there is one; some may have died meanwhile."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._end(worker)
        return None

    def _end(self, worker: WorkerProcess) -> None:
        task = asyncio.create_task(worker.close())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close(self) -> None:
        """End all workers, and wait until they have ended."""
        self._end_idle()
        while self._ending:
            await asyncio.wait(self._ending)
