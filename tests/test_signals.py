"""Signals that ask to stop: counted, polled for, told in a loop, and the last one is obeyed."""

import asyncio
import os
import select
import signal
import subprocess
import sys

import pytest

from spielwerk.signals import STOP, StopSignals, with_hangup


def test_are_counted_and_leave_the_former_handlers_behind() -> None:
    former = signal.getsignal(signal.SIGTERM)
    with StopSignals(last=0) as signals:
        assert not signals
        assert not select.select([signals], [], [], 0)[0]
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        assert (signals.count, signals.name) == (2, "SIGTERM")
        assert select.select([signals], [], [], 5)[0]
    assert signal.getsignal(signal.SIGTERM) is former


def test_are_told_in_the_loop() -> None:
    async def listen() -> list[int]:
        heard: list[int] = []
        with StopSignals(last=3) as signals:
            os.kill(os.getpid(), signal.SIGINT)
            assert await signals.wait() == "SIGINT"
            signals.listen(lambda: heard.append(signals.count))
            os.kill(os.getpid(), signal.SIGTERM)
            while 2 not in heard:
                await asyncio.sleep(0.01)
        return heard

    assert asyncio.run(listen())[-1] == 2  # the one that came before was told, too


def test_nest_and_the_inner_block_hears_alone() -> None:
    with StopSignals() as outer:
        with StopSignals() as inner:
            os.kill(os.getpid(), signal.SIGTERM)
        assert (outer.count, inner.count) == (0, 1)
        os.kill(os.getpid(), signal.SIGTERM)
        assert outer.count == 1


@pytest.mark.parametrize(
    ("handler", "expected"), [(signal.SIG_DFL, (*STOP, signal.SIGHUP)), (signal.SIG_IGN, STOP)]
)
def test_a_closed_terminal_counts_unless_that_is_ignored(
    handler: signal.Handlers, expected: tuple[signal.Signals, ...]
) -> None:
    former = signal.signal(signal.SIGHUP, handler)
    try:
        assert with_hangup() == expected
    finally:
        signal.signal(signal.SIGHUP, former)


SCRIPT = """
import os, signal, time
from spielwerk.signals import StopSignals
with StopSignals() as signals:
    os.kill(os.getpid(), signal.SIGINT)
    print("asked", signals.name, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)
    print("never", flush=True)
"""


def test_the_last_one_ends_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "asked SIGINT\n")
