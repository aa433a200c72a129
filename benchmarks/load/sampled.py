"""A server whose processor time is sampled: `python -m benchmarks.load.sampled FILE serve ...`.

Every few milliseconds of processor time the system interrupts the process. The time that the loop's
thread has had since counts for what it is at; what the other threads have had is the journal's: it
is the only one that has work to do. SIGUSR1 has the seconds of each step written to FILE, and all
begins anew.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

PERIOD: Final = 0.004  # seconds; more often most systems' timers do not ring
ROWS: Final = "write rows"

# A part of a file's name and the beginning of a function's. What happens in one of the first is
# counted there, whatever is called in it; else the innermost function that is listed counts.
GAMES: Final = (
    ("/uvicorn/", ""),
    ("/asyncio/selector_events.py", "_accept"),
    ("/asyncio/selector_events.py", "_call_connection_lost"),
    ("/spielwerk/net/connection.py", "connection_"),
    ("/spielwerk/servers/mnm.py", "_join"),
    ("/spielwerk/servers/mnm.py", "_choose"),
    ("/spielwerk/servers/dice.py", "arrived"),
    ("/spielwerk/servers/dice.py", "_seat"),
)
STEPS: Final = (
    ("/asyncio/selector_events.py", "_read", "read"),
    ("/asyncio/selector_events.py", "write", "send"),
    ("/asyncio/", "", "loop"),
    ("/selectors.py", "", "loop"),
    ("/spielwerk/net/connection.py", "add", "transcript"),
    ("/spielwerk/net/", "", "connection"),
    ("/spielwerk/wire/lines.py", "", "lines"),
    ("/spielwerk/wire/", "", "machine"),
    ("/spielwerk/servers/", "", "session"),
    ("/spielwerk/games/", "", "rules"),
    ("/spielwerk/tables/", "", "table"),
    ("/spielwerk/store/", "", "journal"),
    ("/prometheus_client/", "", "metrics"),
    ("/spielwerk/app/metrics.py", "", "metrics"),
    ("/logging/", "", "log"),
)


class Sampler:
    """Seconds of processor time by step."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._loop, self._process = time.thread_time(), time.process_time()
        signal.signal(signal.SIGUSR1, self._tell)
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, PERIOD, PERIOD)

    def _sample(self, _signal: int, frame: FrameType | None) -> None:
        loop, process = time.thread_time(), time.process_time()
        own, everything = loop - self._loop, process - self._process
        self._loop, self._process = loop, process
        self._seconds[_step(frame)] += own
        self._seconds[ROWS] += everything - own

    def _tell(self, _signal: int, _frame: FrameType | None) -> None:
        beside = self._file.with_suffix(".new")
        beside.write_text(json.dumps(self._seconds))
        beside.replace(self._file)
        self._seconds.clear()


def _step(frame: FrameType | None) -> str:
    calls = [*_calls(frame)]  # the innermost first
    if any(
        part in file and name.startswith(start) for file, name in calls for part, start in GAMES
    ):
        return "begin and end games"
    for file, name in calls:
        for part, start, step in STEPS:
            if part in file and name.startswith(start):
                return step
    return "others"


def _calls(frame: FrameType | None) -> Iterator[tuple[str, str]]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_code.co_name
        frame = frame.f_back


if __name__ == "__main__":
    from spielwerk.cli import main

    Sampler(Path(sys.argv.pop(1)))
    main()
