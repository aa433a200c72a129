"""Starting: wall time of a whole process, best of five."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))


def rows() -> Iterator[tuple[str, str]]:
    """The commands beside a Python that does nothing."""
    yield "python -c pass", _best(sys.executable, "-c", "pass")
    yield "spielwerk --help", f"{_best(SPIELWERK, '--help')}  asked: under 0.3 s"
    yield "spielwerk perft oware 1", _best(SPIELWERK, "perft", "oware", "1")


def _best(*command: str) -> str:
    return f"{min(_seconds(command) for _ in range(5)):.3f} s"


def _seconds(command: tuple[str, ...]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start
