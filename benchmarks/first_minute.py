"""The first minute: what somebody waits for who has just cloned Spielwerk and wants to play.

`make run` in a fresh clone and with an empty cache, until it has said its address (it installs and
compiles before), and the same a second time. From the address on, a table of every game and the
time until an engine has moved there, one after the other. Bare is a server with an empty cache for
which nothing was compiled, as after `pip install`. On a busy machine look at the processor's time.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from spielwerk.games import kits

ROOT: Final = Path(__file__).parent.parent
SERVE: Final = (str(Path(sys.executable).with_name("spielwerk")), "serve")
SERVICES: Final = ("MNM", "DICE", "OWARE", "INDEX", "HOST", "WEB")
FREE: Final = {f"SPIELWERK_{service}_PORTS": "0" for service in SERVICES}
SETTLING: Final = 3.0  # seconds that somebody needs to open the page and choose a game
PATIENCE: Final = 300.0  # seconds after which we give up waiting for a move
TABLES: Final = [
    *((name, name, {}) for name in kits()),
    ("connect4, solid", "connect4", {"width": 4, "height": 4, "depth": 4}),
]


class Start(NamedTuple):
    """A server that was started and has moved: seconds, in all and of the processor."""

    address: float
    processor: float
    moves: dict[str, float]


def rows() -> Iterator[tuple[str, str]]:
    """What it takes to the address, and then to an engine's first move in every game."""
    with TemporaryDirectory() as folder:
        clone = Path(folder, "clone")
        subprocess.run(("git", "clone", "--quiet", ROOT, clone), check=True)  # noqa: S607
        make = ("make", "-C", str(clone), "run")
        cold, warm = (_start(make, Path(folder)) for _ in range(2))
        yield "installed", f"{_size(clone / '.venv') / 1e6:.0f} MB"
    with TemporaryDirectory() as folder:
        bare = _start(SERVE, Path(folder))
    yield "make run, fresh clone", f"{cold.address:.1f} s  processor: {cold.processor:.1f} s"
    yield "make run, second time", f"{warm.address:.1f} s  processor: {warm.processor:.1f} s"
    yield "spielwerk serve, bare", f"{bare.address:.1f} s  processor: {bare.processor:.1f} s"
    for label, seconds in warm.moves.items():
        times = f"cold: {cold.moves[label]:.2f} s  bare: {bare.moves[label]:.2f} s"
        yield f"first move, {label}", f"{seconds:.2f} s  {times}  asked: 5 s cold, 0.3 s warm"


def _start(command: tuple[str, ...], folder: Path) -> Start:
    """Start a server that keeps everything in the folder, have engines move, and end it."""
    before = _processor()
    own = {"SPIELWERK_CACHE": str(folder / "cache"), "SPIELWERK_DATA": str(folder / "data")}
    with _server(command, os.environ | FREE | own) as (address, seconds):
        time.sleep(SETTLING)
        moves = {label: _move(address, game, options) for label, game, options in TABLES}
    return Start(seconds, _processor() - before, moves)


@contextmanager
def _server(command: tuple[str, ...], environment: dict[str, str]) -> Iterator[tuple[str, float]]:
    """A server in a session of its own: the address of its pages, and how long that took."""
    began = time.perf_counter()
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    try:
        for line in server.stdout or ():
            if said := re.search("http://.*/", line):
                yield said[0], time.perf_counter() - began
                return
        raise ChildProcessError(f"{' '.join(command)} said no address")
    finally:
        _end(server)


def _end(server: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, and make sure that nothing is left of the session."""
    for what, patience in ((signal.SIGINT, 20.0), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(server.pid, what)
            server.wait(patience)
        except subprocess.TimeoutExpired:
            print(
                f"still there {patience:.0f} s after {what.name}: {server.args!r}", file=sys.stderr
            )
        except ProcessLookupError:
            return


def _move(address: str, game: str, options: dict[str, int]) -> float:
    """Seconds from a wish for a table of engines until the first of them has moved."""
    began = time.perf_counter()
    players = len(kits()[game].game.sides)
    seats = [{"type": "ENGINE", "engine": "level=1"}] * players
    wish = {"type": game, "gameSpecific": options, "players": seats}
    made = _call(f"{address}api/v1/matches", wish)["id"]
    while not any(move["seat"] >= 0 for move in _call(f"{address}api/v1/matches/{made}")["moves"]):
        if time.perf_counter() > began + PATIENCE:
            raise TimeoutError(f"no engine has moved in {game} for {PATIENCE:.0f} s")
        time.sleep(0.01)
    return time.perf_counter() - began


def _call(url: str, body: object = None) -> Any:
    """The answer of the server; without a body it is only asked."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        return json.load(answer)


def _processor() -> float:
    """Seconds that processes used which we have started and which have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _size(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
