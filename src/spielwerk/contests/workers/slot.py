"""A slot: one worker process, and the game that it plays at the moment."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections import deque
from contextlib import suppress
from signal import Signals
from typing import TYPE_CHECKING, Final

from spielwerk.contests.assignment import Played, Progress
from spielwerk.contests.programs.folders import clear_abandoned
from spielwerk.contests.workers.parcels import packed, receive
from spielwerk.errors import SpielwerkError, printable

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Sequence
    from typing import Any

    from spielwerk.contests.assignment import Assignment, Tell

# Without the current folder in the path: a bot's random.py is not what we want to import.
COMMAND: Final = (sys.executable, "-P", "-m", "spielwerk.contests.workers.worker")

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


class Nonsense(SpielwerkError):
    """What came from a worker is not what workers say."""


class Slot:
    """A handle on a worker process; made with `Slot.start`."""

    def __init__(self, process: Process) -> None:
        self.pid = process.pid
        self._process = process
        self._heard: deque[str] = deque(maxlen=LINES)
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, command: Sequence[str] = (), *, sandbox: bool = False) -> Slot:  # noqa: ARG003
        """A worker that waits for its first game; a sandbox is around each program, not here."""
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

        Whoever cancels this ends the worker, and with it every program of the game.
        """
        try:
            return await self._play(assignment, tell)
        except (EOFError, ConnectionError):
            raise WorkerLost(await self._obituary()) from None
        except Nonsense as error:
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
    """What a worker says of its game; TimeoutError if it says nothing, Nonsense if not of that."""
    try:
        said = await _heard(stdout, deadline)
    except (EOFError, TimeoutError, asyncio.CancelledError):
        raise
    except Exception as error:
        raise Nonsense(f"the worker said something unreadable ({error})") from None
    if not isinstance(said, Progress | Played):
        raise Nonsense(f"the worker said something unheard of ({type(said).__name__})")
    if (said.number, said.attempt) != (assignment.number, assignment.attempt):
        raise Nonsense(f"the worker spoke of game {said.number}, not {assignment.number}")
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
