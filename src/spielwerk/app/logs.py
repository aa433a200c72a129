"""Logs: one line an event, `time level what key=value`, on stderr.

Lines are written by a thread of their own: whoever reads stderr may be slow or gone, and the event
loop must not wait for them. What does not fit into the queue is counted and left out.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import PurePath
from queue import Full, Queue
from traceback import extract_tb
from typing import TYPE_CHECKING, Final, TextIO

from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

QUEUE: Final = 10_000
FLUSH: Final = 0.5  # seconds for the last lines when the server stops
FRAMES: Final = 6  # places in the program that an error names
LONGEST: Final = 2000
CHATTY: Final = ("uvicorn", "asyncio", "sqlalchemy")


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
        self._thread = threading.Thread(target=self._write_all, name="logs", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """Have the record written, if there is room."""
        try:
            self._lines.put_nowait(self.format(record))
        except Full:
            self._left_out += 1
        except Exception:  # a log line that cannot be formatted must not harm whoever wrote it
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
        except (OSError, ValueError):  # nobody reads any more
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
