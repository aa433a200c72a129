"""Programs to run in tests: a few lines of Python each, in a place for temporary folders."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Self

import psutil
import pytest

from spielwerk.contests.contest import Resources
from spielwerk.contests.programs import program as programs
from spielwerk.contests.programs.network import SandboxNetwork
from tests.waiting import PATIENCE, until

SLEEP = "import time; print('ready', flush=True); time.sleep(100)"

# A child that leaves: it has a session of its own, its parent ends, and so does that one's child.
DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        print('daemon', os.getpid(), flush=True)
        {then}
    os._exit(0)
os.wait()
time.sleep({seconds})
"""


# Waits until it may begin: then it has been held to its limits.
GO = """
import os, time
while not os.path.exists('go'):
    time.sleep(0.001)
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


def run(work: Coroutine[Any, Any, None]) -> None:
    async def patiently() -> None:
        async with asyncio.timeout(PATIENCE):
            await work

    asyncio.run(patiently())


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


def let_go(place: Path) -> None:
    """Let the only program begin that has its folder there."""
    (folder,) = place.iterdir()
    (folder / "work" / "go").touch()


def lives(pid: int) -> bool:
    """Whether there is such a process that has not ended; init takes its time to notice that."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def numbers(program: Program, word: str) -> list[int]:
    """What a program said after this word, in lines of their own."""
    lines = (line.split() for line in program.output.splitlines())
    return [int(words[1]) for words in lines if words[:1] == [word]]


def only(place: Path) -> list[str]:
    """The names in a folder."""
    return sorted(path.name for path in place.iterdir())
