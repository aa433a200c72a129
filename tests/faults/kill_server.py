"""A game server as a process that can be killed and started again in the same place."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path
from random import Random

SPIELWERK = str(Path(sys.executable).with_name("spielwerk"))

# Outgoing connections get their ports from above 32768, as a rule: a client that tries to connect
# while the server is down could otherwise be given the server's own port, and talk to itself.
PORTS = range(20_000, 32_000)

SETTINGS = {
    "mnm.pace": "block",
    "mnm.reservation": 0,
    "mnm.wait_interval": 0.2,
    "mnm.prolog": 3600,
    "mnm.okwait": 3600,
    "mnm.thinking": 3600,
    "tables.finished_kept": 3600,
}


def free_ports(count: int, rng: Random) -> list[int]:
    """Ports that nobody listens on."""
    free: list[int] = []
    for port in rng.sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                free.append(port)
        if len(free) == count:
            break
    return free


class Server:
    """`spielwerk serve` on fixed ports and a fixed folder."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.folder = folder
        self.mnm, self.web = free_ports(2, rng)
        self.up = asyncio.Event()  # clients do not try before; that would only slow it down
        self.kills = 0
        self._log = folder / "log"
        self._process: asyncio.subprocess.Process

    async def launch(self) -> None:
        """Start it, without waiting until it listens."""
        command = [SPIELWERK, "serve", "--only", "mnm,web", "--data", str(self.folder)]
        command += ["--port", f"mnm={self.mnm}", "--port", f"web={self.web}"]
        for name, value in SETTINGS.items():
            command += ["--set", f"{name}={value}"]
        with self._log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=log, cwd=self.folder
            )

    async def listening(self) -> None:
        """Wait until it listens."""
        assert self._process.stdout
        if not await self._process.stdout.readline():
            end = self._log.read_text()[-2000:]
            raise AssertionError(f"the server did not start: {await self._process.wait()}\n{end}")
        self.up.set()

    async def kill(self) -> None:
        """End it as a power cut would; it gets no chance to do anything."""
        self.up.clear()
        self._process.kill()
        await self._process.wait()
        self.kills += 1

    def complaints(self) -> list[str]:
        """What it found worth an error in any of its lives."""
        return [line for line in self._log.read_text().splitlines() if " error " in line]
