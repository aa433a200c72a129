"""The server as a process: it runs until a signal asks it to stop, and logs to stderr.

A log has one line an event, `time level what key=value`. A thread of their own writes the lines,
because the event loop must not wait for a reader that is slow or gone. What does not fit into the
queue is counted and left out, and so is what one place in the program says too often: a flood of
visitors must not fill a disk with its log.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import PurePath
from queue import Full, Queue
from traceback import extract_tb
from typing import TYPE_CHECKING, Final, TextIO

from spielwerk.errors import printable
from spielwerk.net.listening import open_files
from spielwerk.net.rates import Bucket
from spielwerk.signals import StopSignals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from spielwerk.app.settings import Settings

log = logging.getLogger(__name__)

QUEUE: Final = 10_000
AT_ONCE: Final = 1000  # lines of one place in the program
STEADY: Final = 20.0  # and then so many a second
FLUSH: Final = 0.5  # seconds for the last lines when the server stops
FRAMES: Final = 6  # places in the program that an error names
LONGEST: Final = 2000
CONNECTED: Final = 0.65  # of the open files are for connections; a quarter waits in line for that
CHATTY: Final = ("uvicorn", "asyncio", "sqlalchemy")


def run(settings: Settings) -> None:
    """Run the server until a signal comes; what keeps it from starting is raised.

    The process must end after this, with `leave`: the loop is not closed, because that would wait
    for threads, and a database or an engine may keep one for as long as it likes.
    """
    with StopSignals() as signals, logging_to(sys.stderr, settings.server.log):
        # By name: the usual loop of Windows has no add_reader, which the UDP sockets need.
        asyncio.SelectorEventLoop().run_until_complete(_run(settings, signals))


async def _run(settings: Settings, signals: StopSignals) -> None:
    from spielwerk.app.server import running  # a contest only wants the logs
    from spielwerk.app.settings import WEB

    _allow_open_files()
    settings, most = within_open_files(settings)
    async with running(settings) as server:
        if most:
            log.warning("connections limited each=%d open_files=%d", most, open_files())
        _spare_the_collector()
        _announce(server.listing(), server.confidences())
        if WEB in settings.services:
            threading.Thread(target=_load_engines, name="loading", daemon=True).start()
        log.info("asked to stop signal=%s", await signals.wait())


def _load_engines() -> None:
    """Have every engine ready before its first game, compiled if it never was."""
    from spielwerk.engines.warm import load_all

    try:
        load_all()
    except Exception:
        log.exception("engines not loaded")


def _allow_open_files() -> None:
    """Every connection is an open file: take as many as this user may have."""
    with suppress(ImportError, ValueError, OSError):  # there is no such limit everywhere
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def within_open_files(settings: Settings) -> tuple[Settings, int]:
    """The settings with fewer places for connections if there are not enough open files for all.

    Else a crowd at one service could use them up, and no other could accept a client. What comes
    with them is how many places the largest services have left, 0 if all is as it was.
    """
    services = {name: settings.section(name) for name in settings.services}
    wanted = {name: int(vars(section)["connections"]) for name, section in services.items()}
    most = _level(wanted.values(), int(open_files() * CONNECTED))
    fewer = {
        name: section.replaced(connections=most)
        for name, section in services.items()
        if wanted[name] > most
    }
    return settings.replaced(**fewer), most if fewer else 0


def _level(wanted: Iterable[int], places: int) -> int:
    """The most that each may have so that all have no more places together."""
    ascending = sorted(wanted)
    for number, one in enumerate(ascending):
        others = len(ascending) - number
        if one * others > places:
            return max(1, places // others)
        places -= one
    return ascending[-1]


def _spare_the_collector() -> None:
    """Have it leave alone what stays and look at the rest less often: it stops all games.

    Measured at 1,000 moves a second: a full collection took 40 to 70 ms, and the 99th percentile
    of the answers fell from about 30 to under 10 ms.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def _announce(lines: Sequence[str], confidences: Sequence[str]) -> None:
    """Print where the server listens, and what no log may have, if there is a reader."""
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


# logs


class LineFormatter(logging.Formatter):
    """One line for a record, whatever is in it."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        """The record's line, without the newline."""
        at = f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03}Z"
        text = one_line(record.getMessage())
        if record.exc_info and record.exc_info[1]:
            text += f" {_describe(record.exc_info[1])}"
        return f"{at} {record.levelname.lower()} {text}"


def one_line(text: str) -> str:
    """The text with everything escaped that could break a line or act on a terminal."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}..."
    return text if text.isprintable() else printable(text)


def _describe(error: BaseException) -> str:
    """The error and where it happened.

    Of its message only the first line: databases write the values of a statement into the others,
    and Game-IDs are among them.
    """
    first = one_line(str(error).partition("\n")[0])
    frames = extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{PurePath(f.filename).name}:{f.lineno}" for f in reversed(frames))
    return f"error={f'{type(error).__name__}: {first}'!r} at={places!r}"


class QueuedHandler(logging.Handler):
    """Passes lines to a thread that writes them."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.setFormatter(LineFormatter())
        self._stream = stream
        self._lines: Queue[str | None] = Queue(QUEUE)
        self._left_out = 0
        self._places: dict[tuple[str, int], Bucket] = {}  # by where in the program a line is from
        self._thread = threading.Thread(target=self._write_all, name="logs", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Have the record written, if there is room."""
        place = (record.pathname, record.lineno)
        if place not in self._places:
            self._places[place] = Bucket(AT_ONCE, STEADY, record.created)
        if not self._places[place].take(record.created):
            self._left_out += 1
            return
        try:
            self._lines.put_nowait(self.format(record))
        except Full:
            self._left_out += 1
        except Exception:  # a log line that cannot be formatted must not harm its writer
            self._left_out += 1

    def close(self) -> None:
        """Write what is waiting, if that goes quickly."""
        try:
            self._lines.put(None, timeout=FLUSH)
            self._thread.join(FLUSH)
        except Full:
            pass
        super().close()

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            if self._left_out:
                line += f" lines_left_out={self._left_out}"
                self._left_out = 0
            self._write(line)

    def _write(self, line: str) -> None:
        try:
            self._stream.write(f"{line}\n")
            self._flush_if_idle()
        except (OSError, ValueError):  # there is no reader any more
            return

    def _flush_if_idle(self) -> None:
        if self._lines.empty():
            self._stream.flush()


@contextmanager
def logging_to(stream: TextIO | None, level: str) -> Iterator[None]:
    """Have everything of this level and above logged there."""
    root = logging.getLogger()
    before = root.level
    handler = QueuedHandler(stream or sys.stderr)
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name in CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
        handler.close()
