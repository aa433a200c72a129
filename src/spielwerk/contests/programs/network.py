"""The network that a program sees: the machine's loopback, or in a sandbox one of its own.

Seats ask it for sockets, and need not know which of the two it is. In a sandbox the sockets are
made by the gate, inside the program's namespace; the worker then uses them as any others.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.contests.contest import ContestError, Resources
from spielwerk.contests.programs import gate, sandbox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HERE: Final = gate.LOOPBACK
PORTS: Final = range(16_384, 32_768)  # the system takes none of these for outgoing connections
BACKLOG: Final = 16  # connections of a program that wait to be accepted
TRIES: Final = 200
PATIENCE: Final = 20.0  # seconds for a gate to open, or to answer

_LISTENING: Final = "0A"


class Network:
    """The machine's own loopback; who runs here is trusted."""

    wrappers: ClassVar = 0  # processes between the one that is started and the program
    pid: int | None = None  # a process of ours that is there before the program
    disk: Path | None = None  # where the program's own disk is, as we see it

    def __init__(self) -> None:
        self._reserved: list[socket.socket] = []

    async def open(self) -> None:
        """Have it ready."""

    async def close(self) -> None:
        """Give everything back."""
        for name in self._reserved:
            name.close()
        self._reserved.clear()

    # sockets

    def listen(self, port: int = 0) -> socket.socket:
        """A TCP socket that accepts connections; port 0 is any free one."""
        return socket.create_server((HERE, port), backlog=BACKLOG)

    def datagrams(self, port: int) -> socket.socket:
        """A UDP socket at this port."""
        return gate.datagrams(port)

    def listen_both(self) -> tuple[socket.socket, socket.socket]:
        """A TCP and a UDP socket at the same port."""
        for _ in range(TRIES):
            accepting = self.listen()
            with suppress(OSError):
                return accepting, self.datagrams(accepting.getsockname()[1])
            accepting.close()
        raise ContestError(f"no port was free for TCP and UDP in {TRIES} tries")

    def stream(self, family: int = socket.AF_INET) -> socket.socket:
        """A TCP socket without a connection."""
        return socket.socket(family, socket.SOCK_STREAM)

    async def connect(self, host: str, port: int) -> socket.socket:
        """A connection to where the program listens."""
        loop = asyncio.get_running_loop()
        places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, _, _, _, place = places[0]
        connection = self.stream(family)
        try:
            connection.setblocking(False)
            await loop.sock_connect(connection, place)
        except BaseException:
            connection.close()
            raise
        return connection

    # ports of programs that listen

    def free_port(self) -> int:
        """A port for the program to listen on, which no other worker gives away meanwhile."""
        chance = SystemRandom()
        for _ in range(TRIES):
            port = chance.choice(PORTS)
            if self._reserve(port) and _is_free(port):
                return port
        raise ContestError(
            f"no free port was found in {TRIES} tries from {PORTS[0]} to {PORTS[-1]}"
        )

    def _reserve(self, port: int) -> bool:
        """Take a name for the port that only one process can have, until we end."""
        if sys.platform != "linux":  # only there such names are no files
            return True
        name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            name.bind(f"\0spielwerk-port-{port}")
        except OSError:
            name.close()
            return False
        self._reserved.append(name)
        return True

    def is_listening(self, port: int) -> bool:
        """Whether connections are accepted at a port; where that shows, none is made."""
        tables = [Path(f"/proc/{self.pid or 'self'}/net/{name}") for name in ("tcp", "tcp6")]
        if tables[0].exists():
            return any(_listed(table, port) for table in tables)
        with suppress(OSError), socket.create_connection((HERE, port), timeout=1.0):
            return True
        return False

    # the program

    def launch(
        self, command: Sequence[str], folder: str, environment: Mapping[str, str], output: int
    ) -> subprocess.Popen[bytes]:
        """Start the program; the process with which it ends."""
        return subprocess.Popen(  # noqa: S603 - that is what we are here for
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _is_free(port: int) -> bool:
    with socket.socket() as probe, suppress(OSError):
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((HERE, port))
        return True
    return False


def _listed(table: Path, port: int) -> bool:
    """Whether a port is in the kernel's list, which begins with the sockets that listen."""
    with suppress(OSError), table.open() as lines:
        next(lines)
        for line in lines:
            _, address, _, state, *_ = line.split()
            if state != _LISTENING:
                break
            if int(address.rpartition(":")[2], 16) == port:
                return True
    return False


class SandboxNetwork(Network):
    """A loopback that only one program sees, in a namespace that ends with it."""

    wrappers: ClassVar = sandbox.WRAPPERS

    def __init__(self, size: int = Resources().disk) -> None:
        super().__init__()
        self._size = size  # bytes of the program's disk
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._asking = threading.Lock()

    async def open(self) -> None:
        """Start the gate, and wait until it answers."""
        control = self._start()
        control.setblocking(False)
        async with asyncio.timeout(PATIENCE):
            said = await asyncio.get_running_loop().sock_recv(control, gate.LONGEST)
        self.pid = _understood(said)["pid"]
        self.disk = Path(f"/proc/{self.pid}/root{sandbox.DISK}")
        control.settimeout(PATIENCE)

    def _start(self) -> socket.socket:
        # In no other thread: bubblewrap ends with the one that has started it.
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own
                sandbox.gate_command(gate.__file__, theirs.fileno(), self._size),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        return self._control

    async def close(self) -> None:
        """Close the gate; whatever is still in there ends with it."""
        await super().close()
        if self._control:
            self._control.close()
        if self._process:
            await asyncio.to_thread(_end, self._process)

    def listen(self, port: int = 0) -> socket.socket:
        """A TCP socket that accepts connections; any port is free here."""
        return self._made("listening", port=port, backlog=BACKLOG)

    def datagrams(self, port: int) -> socket.socket:
        """A UDP socket at this port."""
        return self._made("datagrams", port=port)

    def stream(self, family: int = socket.AF_INET) -> socket.socket:  # noqa: ARG002
        """A TCP socket without a connection; there is only one kind of address."""
        return self._made("stream")

    def free_port(self) -> int:
        """A port for the program to listen on: it is alone."""
        return SystemRandom().choice(PORTS)

    def launch(
        self, command: Sequence[str], folder: str, environment: Mapping[str, str], output: int
    ) -> subprocess.Popen[bytes]:
        """Have the gate start the program, and end with it."""
        assert self._process is not None  # noqa: S101 - it is open
        request = {"command": list(command), "folder": folder, "environment": dict(environment)}
        self._ask(request, output)
        return self._process

    def _made(self, kind: str, **wishes: int) -> socket.socket:
        (handle,) = self._ask({"make": kind, **wishes})
        return socket.socket(fileno=handle)

    def _ask(self, request: dict[str, Any], *handles: int) -> list[int]:
        """What comes with the gate's answer; OSError as it was raised there."""
        if self._control is None:
            raise ContestError("the sandbox was not opened")
        with self._asking:
            socket.send_fds(self._control, [json.dumps(request).encode()], handles)
            answer, received, _, _ = socket.recv_fds(self._control, gate.LONGEST, gate.HANDLES)
        _understood(answer)
        return received


def _understood(answer: bytes) -> dict[str, Any]:
    if not answer:
        raise ContestError("the sandbox has ended")
    said: dict[str, Any] = json.loads(answer)
    if "errno" in said:
        raise OSError(said["errno"], said["problem"] or os.strerror(said["errno"]))
    return said


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
