"""Programs beyond their limits: each is stopped with a sentence, and with everybody it started."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from spielwerk.contests.contest import Resources
from tests.contests.running import (
    GO,
    SLEEP,
    Program,
    let_go,
    outcome,
    python,
    run,
)
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("place")

MEGABYTE = 1_000_000


def test_a_flood_is_stopped() -> None:
    async def main() -> None:
        program = await outcome("yes")
        assert program.over_limit == "wrote more than 1,000,000 bytes"
        assert program.status == "stopped: wrote more than 1,000,000 bytes"
        assert set(program.output.split()) == {"y"}

    run(main())


def test_the_memory_of_all_its_processes_counts() -> None:
    code = f"""
import os
if os.fork() and os.fork():
    x = b'x'
else:
    x = bytearray(60_000_000)
{SLEEP}
"""

    async def main() -> None:
        program = await outcome(*python(code), limits=Resources(memory=100 * MEGABYTE))
        assert "of memory, allowed are 100 MB" in program.status

    run(main())


def test_memory_that_processes_share_counts_once() -> None:
    code = f"""
import os
x = bytearray(60_000_000)
os.fork(), os.fork()
{SLEEP}
"""
    limit = 150 * MEGABYTE

    async def main() -> None:
        async with Program(python(code), limits=Resources(memory=limit)) as program:
            await until(lambda: program.memory > limit)
            assert program.status == "running"

    run(main())


def test_cpu_time_is_limited_by_the_kernel_too(place: Path) -> None:
    # The kernel's signal; the watch would see a real burner first.
    code = "import signal; os.kill(os.getpid(), signal.SIGXCPU)"

    async def main() -> None:
        async with Program(python(GO + code), limits=Resources(cpu=1.5)) as program:
            let_go(place)
            assert await program.ended == "stopped: used more than 1.5 s of CPU time"

    run(main())


def test_the_kernel_holds_children_to_the_limits_too(place: Path) -> None:
    code = """
import resource
if os.fork() == 0:
    print(*(resource.getrlimit(kind)[1] for kind in (
        resource.RLIMIT_CORE, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)))
"""

    async def main() -> None:
        async with Program(python(GO + code), limits=Resources(cpu=7.5, files=1234)) as program:
            let_go(place)
            await until(lambda: program.output)
        assert program.output == "0 10 1234"

    run(main())


def test_a_fork_bomb_is_stopped_with_every_splinter() -> None:
    # Seven times twice as many: 127 processes, and no more if nobody stops them.
    code = """
import os, time
for _ in range(7):
    if os.fork() == 0:
        os.setsid()
    time.sleep(0.02)
time.sleep(100)
"""

    async def main() -> None:
        program = await outcome(*python(code), limits=Resources(processes=20))
        assert program.status == "stopped: had more than 20 processes"
        left = [one for one in psutil.process_iter() if _has(one, code)]
        assert left == []

    run(main())


def _has(process: psutil.Process, code: str) -> bool:
    try:
        return code in process.cmdline()
    except psutil.Error:
        return False
