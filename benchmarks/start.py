"""Starting: wall time of a whole process, best of five; the engines also cold, and their memory.

The first minute is measured with an empty cache and after that: a server, the time until it has
said its address, and from then on that until an engine has moved, in every game, one after the
other. Cold, `spielwerk compile` comes first, as in `make run`; bare is a server without it, as
after `pip install`. On a busy machine look at the processor's seconds.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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
    yield from _first_minute()


def _first_minute() -> Iterator[tuple[str, str]]:
    """What somebody waits for who has just installed it, and the second time."""
    with TemporaryDirectory() as folder:
        environment = os.environ | {"SPIELWERK_CACHE": folder}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = _seconds((SPIELWERK, "compile"), environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield "spielwerk compile, all engines", f"{seconds:.1f} s  processor: {spent:.1f} s"
        first = _first_moves(environment)
        second = _first_moves(environment)
    with TemporaryDirectory() as folder:
        bare = _first_moves(os.environ | {"SPIELWERK_CACHE": folder})
    for what, seconds in second.items():
        asked = "" if what == "address" else "  asked: 5 s cold, 0.3 s warm"
        times = f"cold: {first[what]:.2f} s  bare: {bare[what]:.2f} s"
        yield f"first minute, {what}", f"{seconds:.2f} s  {times}{asked}"


def _first_moves(environment: dict[str, str]) -> dict[str, float]:
    """Seconds until the server has said its address, and then until an engine has moved."""
    found = {}
    with _server(environment) as (address, seconds):
        found["address"] = seconds
        time.sleep(SETTLING)
        for label, game, options in TABLES:
            start = time.perf_counter()
            _engine_moves(address, game, options)
            found[label] = time.perf_counter() - start
    return found


FREE = ("mnm", "dice", "oware", "index", "host", "web")
SETTLING = 3.0  # seconds that somebody needs to open the page and choose a game
TABLES = [
    *((name, name, {}) for name in kits()),
    ("connect4, solid", "connect4", {"width": 4, "height": 4, "depth": 4}),
]


def _engine_moves(address: str, game: str, options: dict[str, int]) -> None:
    """Set up a table of engines, and wait until the first has moved."""
    players = len(kits()[game].game.sides)
    seats = [{"type": "ENGINE", "engine": "level=1"}] * players
    wish = {"type": game, "gameSpecific": options, "players": seats}
    made = _call(f"{address}api/v1/matches", wish)["id"]
    while not any(move["seat"] >= 0 for move in _call(f"{address}api/v1/matches/{made}")["moves"]):
        time.sleep(0.01)


def _call(url: str, body: object = None) -> Any:
    """The answer of the server; without a body it is only asked."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=300) as answer:  # noqa: S310
        return json.load(answer)


@contextmanager
def _server(environment: dict[str, str]) -> Iterator[tuple[str, float]]:
    """A server of its own: the address of its pages, and how long that took."""
    with TemporaryDirectory() as data:
        ports = [part for name in FREE for part in ("--port", f"{name}=0")]
        command = [SPIELWERK, "serve", "--data", data, *ports]
        start = time.perf_counter()
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, text=True, env=environment, **pipes) as server:  # type: ignore[call-overload]
            said = next(found for line in server.stdout if (found := re.search("http://.*/", line)))
            try:
                yield said[0], time.perf_counter() - start
            finally:
                server.terminate()


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
