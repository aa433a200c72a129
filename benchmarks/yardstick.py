"""A piece of plain Python that every machine runs, to compare other figures with."""

from __future__ import annotations

import time


def yardstick(seconds: float = 0.5) -> float:
    """How often a second this machine adds up ten thousand squares."""
    runs, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        sum(number * number for number in range(10_000))
        runs += 1
    return runs / (time.perf_counter() - start)
