"""The server as a process: it runs until a signal asks it to stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from spielwerk.app.logs import logging_to
from spielwerk.app.server import running
from spielwerk.signals import StopSignals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.app.settings import Settings

log = logging.getLogger(__name__)


def run(settings: Settings) -> None:
    """Run the server until a signal comes; what keeps it from starting is raised.

    The process must end after this, with `leave`: the loop is not closed, because that would wait
    for threads, and a database or an engine may keep one for as long as it likes.
    """
    with StopSignals() as signals, logging_to(sys.stderr, settings.server.log):
        # By name: the usual loop of Windows has no add_reader, which the UDP sockets need.
        asyncio.SelectorEventLoop().run_until_complete(_run(settings, signals))


async def _run(settings: Settings, signals: StopSignals) -> None:
    _allow_open_files()
    async with running(settings) as server:
        _spare_the_collector()
        _announce(server.listing(), server.confidences())
        log.info("asked to stop signal=%s", await signals.wait())


def _allow_open_files() -> None:
    """Every connection is an open file: take as many as this user may have."""
    with suppress(ImportError, ValueError, OSError):  # there is no such limit everywhere
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _spare_the_collector() -> None:
    """Have it leave alone what stays and look at the rest less often: it stops all games.

    Measured at 1,000 moves a second: a full collection took 40 to 70 ms, and the 99th percentile
    of the answers fell from about 30 to under 10 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def _announce(lines: Sequence[str], confidences: Sequence[str]) -> None:
    """Print where the server listens, and what no log may have, if there is anybody to read it."""
    for line in lines:
        log.info("listening %s", line)
    with suppress(OSError):
        sys.stdout.write("".join(f"{line}\n" for line in (*lines, *confidences)))
        sys.stdout.flush()


def leave(code: int) -> None:
    """End the process now: an engine in the middle of a thought would be waited for otherwise."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
