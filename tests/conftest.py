"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# What helpers assert is explained as well as what tests do.
ROOMS = [one.name for one in Path(__file__).parent.iterdir() if one.is_dir()]
pytest.register_assert_rewrite(*(f"tests.{name}" for name in ROOMS))

# Small matrices are no faster with threads, and much slower where tests run side by side.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Machines are noisy: how long an example takes is no property of the code.
settings.register_profile("spielwerk", deadline=None)
settings.load_profile("spielwerk")

# A shell starts what runs in the background with Ctrl-C switched off, and so would be all programs
# that the tests start and then interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Here real programs, servers and browsers run against the clock. On a machine that stands still for
# a moment one of thousands may be late; so it has two more chances, and the summary names it.
LIVE = (
    *("browser", "check", "cli", "clients", "contests", "faults", "servers", "starters", "web"),
    "test_ways.py",  # servers of other tests may be seen working
)
AGAIN = pytest.mark.flaky(reruns=2, reruns_delay=2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browsers come last: while one is driven, this thread has an event loop that never rests."""
    for item in items:
        if _room(item) in LIVE:
            item.add_marker(AGAIN)
    items.sort(key=lambda item: _room(item) == "browser")


def _room(item: pytest.Item) -> str:
    return item.path.relative_to(Path(__file__).parent).parts[0]
