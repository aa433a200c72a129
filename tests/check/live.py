"""The command, and a server in a thread of its own for programs that run their own loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from queue import Queue
from typing import Protocol

from spielwerk.cli.app import checks as app


class Listener(Protocol):
    """A server that listens for the time of a block, at a port that it gives."""

    def listening(self) -> AbstractAsyncContextManager[int]: ...


def exit_code(*arguments: object) -> int:
    """Run `spielwerk check` with these arguments; its exit code."""
    try:
        app([*map(str, arguments)], standalone_mode=False)
    except SystemExit as end:
        assert isinstance(end.code, int)
        return end.code
    return 0


@contextmanager
def running(server: Listener) -> Iterator[int]:
    """Serve on a free port, which is given, until the end of the block."""
    ports: Queue[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Queue()

    async def serve() -> None:
        stop = asyncio.Event()
        async with server.listening() as port:
            ports.put((port, asyncio.get_running_loop(), stop))
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    port, loop, stop = ports.get(timeout=60)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
