"""Programs to run in tests: a few lines of Python each, in a place for temporary folders."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import psutil
import pytest

from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import program as programs
from spielwerk.contests.programs.network import SandboxNetwork
from tests.waiting import until

SLEEP = "import time; print('ready', flush=True); time.sleep(100)"

# A worker that is killed while its program runs; it names the processes.
KILLED_WORKER = """
import asyncio, os, signal, sys
from spielwerk.contests.programs.network import {network}
from spielwerk.contests.programs.program import Program

async def main():
    network = {network}()
    await network.open()
    program = Program(['sh', '-c', 'sleep 100 & sleep 100'], network)
    await program.start()
    while len(program._tree.find()) < {processes}:
        await asyncio.sleep(0.01)
    print(*(one.pid for one in program._tree.find()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


NO_SANDBOX = pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed")
WHEREVER = pytest.mark.parametrize("sandboxed", [False, pytest.param(True, marks=NO_SANDBOX)])


class Program(programs.Program):
    """A program that is started with `async with`, and stopped after it."""

    def __init__(
        self, command: Sequence[str], *others: Any, sandboxed: bool = False, **options: Any
    ) -> None:
        if sandboxed:
            others = (SandboxNetwork(options.get("limits", Resources()).disk),)
        super().__init__(command, *others, **options)

    async def __aenter__(self) -> Self:
        if not self._network.pid:
            await self._network.open()
        try:
            await self.start()
        except BaseException:
            await self._network.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await programs.stop_all([self])
        await self._network.close()


def python(code: str) -> list[str]:
    """A command that runs a few lines without anything that is installed, so that it is quick."""
    return [sys.executable, "-I", "-S", "-c", code]


async def said(program: Program, text: str) -> None:
    """Wait until a program has written this."""
    await until(lambda: text in program.output)


async def outcome(*command: str, **options: Any) -> Program:
    """A program that has ended by itself, or because of a limit, and was then stopped."""
    async with Program(command, **options) as program:
        await program.ended
    return program


def exists(pid: int) -> bool:
    """Whether there is such a process, and be it one that has ended and was not taken notice of."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def killed_worker(network: str, processes: int) -> list[int]:
    """The processes of a program with such a network, right after its worker was killed."""
    code = KILLED_WORKER.format(network=network, processes=processes)
    ran = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=False)
    assert ran.returncode == -signal.SIGKILL
    found = [int(word) for word in ran.stdout.split()]
    assert len(found) == processes
    return found


def lives(pid: int) -> bool:
    """Whether there is such a process that has not ended; init takes its time to notice that."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def handles() -> int:
    """How many files, pipes and sockets this process has; a port that is listened on is one."""
    return len(list(Path("/proc/self/fd").iterdir()))


def offspring() -> set[int]:
    """The processes that come from this one."""
    return {child.pid for child in psutil.Process().children(recursive=True)}


def only(place: Path) -> list[str]:
    """The names in a folder."""
    return sorted(path.name for path in place.iterdir())
