"""What a move costs the server's core, user and system time, and the share of each of its steps.

Games as in `mnm` and `dice_server`, as fast as the server can; making and joining them is counted.
Beside it stands a line that a bare asyncio server gives back, measured in the same run: a busy
machine makes both dearer.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.load import figures
from benchmarks.load.generator import Orders
from benchmarks.load.processes import ServerProcess, measure, server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.load.figures import Row
    from benchmarks.load.processes import Measured

GAMES = 500
SECONDS = 8.0
SAMPLED = (sys.executable, "-m", "benchmarks.load.sampled")
LIMITS = ("mnm.thinking=60", "dice.answer=60", "web.creation_burst=1000000")
SERVICES = {
    "mnm": (("mnm=0:1:block", "web=0"), "turn of Quarto or Morris, pace block", 150),
    "dice": (("dice=0",), "decision at dice", 120),
}


class SampledProcess(ServerProcess):
    """A server that counts its steps anew when its processor time is asked for."""

    def cpu(self) -> float:
        """Seconds of processor time, all threads."""
        self._process.send_signal(signal.SIGUSR1)
        return super().cpu()


def rows() -> Iterator[Row]:
    """An echo, then both servers, each with its steps."""
    with server(sys.executable, "-m", "benchmarks.load.echo") as echo:
        (port,) = echo.ports(1)
        orders = Orders("benchmarks.load.echo", port, GAMES, None, seed=1)
        line = measure(echo, orders, SECONDS, generators=1)
    yield "bare asyncio echo, a line", f"{line.cpu_each:.0f} us"
    for service, (ports, what, asked) in SERVICES.items():
        found, seconds = _sampled(service, ports)
        ratio = f"{found.cpu_each / line.cpu_each:.1f} x the echo's"
        yield what, f"{found.cpu_each:.0f} us, {ratio}, {found.rate:,.0f}/s  asked: {asked} us"
        whole = sum(seconds.values())
        for step, spent in sorted(seconds.items(), key=lambda item: -item[1]):
            yield f"  {step}", f"{spent / whole:4.0%}  {spent / whole * found.cpu_each:4.0f} us"


def _sampled(service: str, ports: tuple[str, ...]) -> tuple[Measured, dict[str, float]]:
    """What was measured of a service, and the seconds of each step meanwhile."""
    sections = ",".join(port.partition("=")[0] for port in ports)
    with TemporaryDirectory(dir=figures.DISK) as folder:
        file, log = Path(folder) / "steps", Path(folder) / "log"
        command = [*SAMPLED, str(file), "serve", "--only", sections, "--data", folder]
        command += [word for port in ports for word in ("--port", port)]
        command += [word for limit in LIMITS for word in ("--set", limit)]
        with server(*command, log=log, kind=SampledProcess) as serving:
            first, *others = serving.ports(len(ports))
            clients = f"benchmarks.{service}_load.clients"
            orders = Orders(clients, first, GAMES, None, 1, *others)
            found = measure(serving, orders, SECONDS, generators=1)
        return found, json.loads(file.read_text())
