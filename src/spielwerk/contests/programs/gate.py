"""The gate of a sandbox: a small process of ours in the network namespace of one program.

It makes the sockets that the worker asks for, which therefore belong to that namespace, and starts
the program. It ends with the program, whose exit code it passes on, and with the worker. It runs
by itself (`python -I -S gate.py FD`), so it needs nothing but the standard library.
"""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

LOOPBACK: Final = "127.0.0.1"
LONGEST: Final = 1 << 20  # bytes of a request
HANDLES: Final = 1  # that come with a request, at most
SIGNALLED: Final = 128  # shells add it to the number of a signal


def listening(port: int, backlog: int) -> socket.socket:
    """A TCP socket that accepts connections; port 0 is any free one."""
    return socket.create_server((LOOPBACK, port), backlog=backlog)


def datagrams(port: int) -> socket.socket:
    """A UDP socket at this port."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        made.bind((LOOPBACK, port))
    except OSError:
        made.close()
        raise
    return made


def stream() -> socket.socket:
    """A TCP socket without a connection."""
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM)


SOCKETS: Final[dict[str, Callable[..., socket.socket]]] = {
    "listening": listening,
    "datagrams": datagrams,
    "stream": stream,
}


class Gate:
    """Does what the worker asks for, one request after the other."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._program: subprocess.Popen[bytes] | None = None
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def serve(self) -> int:
        """Answer until the program or the worker ends; the exit code."""
        self._answer({"pid": os.getpid()})
        while True:
            ready = [handle for handle, _ in self._poll.poll()]
            if self._control.fileno() not in ready and self._program:
                code = self._program.wait()
                return code if code >= 0 else SIGNALLED - code
            data, handles, _, _ = socket.recv_fds(self._control, LONGEST, HANDLES)
            if not data:
                return 1
            try:
                self._do(json.loads(data), handles)
            except OSError as error:
                self._answer({"errno": error.errno, "problem": error.strerror})

    def _do(self, request: dict[str, Any], handles: list[int]) -> None:
        wanted = request.pop("make", None)
        if wanted is None:
            self._run(request, *handles)
            self._answer({})
        else:
            with SOCKETS[wanted](**request) as made:
                self._answer({}, made.fileno())

    def _run(self, request: dict[str, Any], output: int) -> None:
        try:
            self._program = subprocess.Popen(  # noqa: S603 - the worker has made sure of it
                request["command"],
                cwd=request["folder"],
                env=request["environment"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        finally:
            os.close(output)
        self._poll.register(os.pidfd_open(self._program.pid), select.POLLIN)

    def _answer(self, answer: dict[str, Any], *handles: int) -> None:
        socket.send_fds(self._control, [json.dumps(answer).encode()], handles)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as worker:
        os._exit(Gate(worker).serve())
