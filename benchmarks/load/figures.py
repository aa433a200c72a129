"""What was measured, in words."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.load.processes import Measured, ServerProcess

Row = tuple[str, str]

DISK = "/var/tmp"  # noqa: S108 - /tmp is often in memory, where nothing has to reach a disk
PAGE = bytes(4096)


def fsyncs(folder: Path, seconds: float = 2.0) -> float:
    """How often a second something can be brought to the disk, one after the other."""
    count, start = 0, time.perf_counter()
    with (folder / "fsync").open("wb", buffering=0) as file:
        while time.perf_counter() - start < seconds:
            file.write(PAGE)
            os.fdatasync(file.fileno())
            count += 1
    return count / (time.perf_counter() - start)


def answers(found: Measured) -> str:
    """How many there were and how long they took."""
    marks = [f"{name} {found.percentile(p):.1f}" for name, p in (("50 %", 50), ("99 %", 99))]
    times = f"{found.rate:,.0f}/s  {'  '.join(marks)}  max {found.percentile(100):.1f} ms"
    late = f"  clients late: 99 % {1000 * found.behind:.1f} ms" if found.behind else ""
    return f"{times}  {cores(found)}{late}"


def rate(found: Measured, what: str) -> str:
    """How many there were."""
    return f"{found.rate:,.0f} {what}/s  {cores(found)}"


def cores(found: Measured) -> str:
    """What the figure has to be read with: how much of the core the server had."""
    share = f"{found.cpu / found.seconds:.0%} of the core, {found.cpu_each:.0f} us each"
    others = found.others / found.seconds
    return f"{share} (others: {others:.0%})" if others > 0.05 else share


def ratios(found: Measured, echo: Measured, bare_fsyncs: float) -> str:
    """The figure beside what the machine can do at all."""
    lines = f"{found.rate / echo.rate:.2f} x the echo's lines"
    cost = f"{found.cpu_each / echo.cpu_each:.0f} x its time on the core"
    return f"{lines}, {cost}, {found.rate / bare_fsyncs:.2f} x bare fsyncs"


def memory(serving: ServerProcess, idle: float) -> str:
    """How much more the server has needed at its most than without any client."""
    more = serving.memory("VmHWM") - idle
    return f"{more:.0f} MB  (idle: {idle:.0f} MB)  asked: at most 100 MB"
