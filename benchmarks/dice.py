"""The dice race: solving, loading and deciding."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from spielwerk.games.dice.engine.policy import SHIPPED, load_policy, read_policy
from spielwerk.games.dice.engine.solver import evaluate, solve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TARGETS = (60, 100, 150, 200)


def rows() -> Iterator[tuple[str, str]]:
    """What solving and loading take."""
    yield "first compilation or loading of the kernels", _timed(lambda: solve(4))
    for target in TARGETS:
        yield f"solve the race to {target}", _solved(target)
    yield "size of the shipped policy", f"{SHIPPED.stat().st_size / 1e6:.2f} MB"
    yield "load it", _timed(lambda: read_policy(SHIPPED))
    yield "start a process, load it, decide", _timed(_start)
    yield "chances of all positions from it", _timed(lambda: evaluate(load_policy(150)))


def _timed(work: Callable[[], object]) -> str:
    clock, processor = time.perf_counter(), time.process_time()
    work()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return f"{clock:.3f} s, {processor:.3f} s of CPU"


def _solved(target: int) -> str:
    policies = []
    taken = _timed(lambda: policies.append(solve(target)))
    report = policies[0].report
    return f"{taken}, {report}"


def _start() -> None:
    program = (
        "from spielwerk.games.dice.engine.policy import load_policy;"
        "load_policy(150).roll((150, 150, 150), 9)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
