"""Waiting for what must become true, but never for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

# Seconds for what should come at once: the machine may be busy, and whoever gives up too early has
# found no fault. Only who waits in vain ever waits so long.
PATIENCE = 60.0


def wait_until(true: Callable[[], T | None], patience: float = PATIENCE) -> T:
    """Look until something is true, and give it back."""
    end = time.monotonic() + patience
    while not (value := true()):
        assert time.monotonic() < end, _in_vain(value, patience)
        time.sleep(0.02)
    return value


async def until(true: Callable[[], T | None], patience: float = PATIENCE) -> T:
    """Look until something is true, while the event loop goes on, and give it back."""
    end = time.monotonic() + patience
    while not (value := true()):
        assert time.monotonic() < end, _in_vain(value, patience)
        await asyncio.sleep(0.002)
    return value


def _in_vain(value: object, patience: float) -> str:
    return f"waited {patience:g} s in vain: it is still {value!r}"
