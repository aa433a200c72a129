"""Starting: wall time of a whole process, best of five; the engines also cold, and their memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from spielwerk.games import kits

WARM_UP = """
import resource
from spielwerk.engines import find_engine
from spielwerk.games import find_game
find_engine(find_game("{name}")())().warm_up()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))


def rows() -> Iterator[tuple[str, str]]:
    """The commands beside a Python that does nothing."""
    yield "python -c pass", _best(sys.executable, "-c", "pass")
    yield "spielwerk --help", f"{_best(SPIELWERK, '--help')}  asked: under 0.3 s"
    yield "spielwerk perft oware 1", _best(SPIELWERK, "perft", "oware", "1")
    for name in kits():
        yield f"{name} engine ready", _engine(name)


def _engine(name: str) -> str:
    """Seconds until the engine is ready, compiled the first time and loaded after that."""
    with TemporaryDirectory() as cache:
        environment = os.environ | {"SPIELWERK_CACHE": cache}
        runs = [_ready(name, environment) for _ in range(3)]
    cold, memory = runs[0]
    warm = min(seconds for seconds, _ in runs[1:])
    return f"{warm:.2f} s  first use: {cold:.1f} s  memory: {memory / 1024:.0f} MB  asked: 2 s"


def _ready(name: str, environment: dict[str, str]) -> tuple[float, int]:
    """Seconds of a process that warms the engine up, and its memory in kilobytes."""
    start = time.perf_counter()
    command = [sys.executable, "-c", WARM_UP.format(name=name)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return time.perf_counter() - start, int(done.stdout)


def _best(*command: str) -> str:
    return f"{min(_seconds(command) for _ in range(5)):.3f} s"


def _seconds(command: tuple[str, ...], environment: dict[str, str] | None = None) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - start
