"""The dice race: solving, loading, playing, and exact win rates in the race to 150."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from spielwerk.games.dice.engine.policy import SHIPPED, hold_at, load_policy, read_policy
from spielwerk.games.dice.engine.solver import (
    best_response,
    evaluate,
    mean_win_rate,
    solve,
    win_rates,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.games.dice.engine.policy import Policy

TARGETS = (60, 100, 150, 200)
HOLDS = (20, 25, 30, 40, 50)
CANDIDATES = (36, 37, 38, 49, 50, 51, 75)  # around the peaks of the rate
GAMES = 1_000_000


def rows() -> Iterator[tuple[str, str]]:
    """Times first, then who wins how often."""
    yield "first compilation or loading of the kernels", _timed(lambda: solve(4))
    for target in TARGETS:
        yield f"solve the race to {target}", _solved(target)
    yield "size of the shipped policy", f"{SHIPPED.stat().st_size / 1e6:.2f} MB"
    yield "load it", _timed(lambda: read_policy(SHIPPED))
    yield "start a process, load it, decide", _timed(_start)
    yield "chances of all positions from it", _timed(lambda: evaluate(load_policy(150)))
    yield from _rates()


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
        "load_policy(150).roll(0, 0, 0, 9)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def _rates() -> Iterator[tuple[str, str]]:
    """Exact rates; one against two is the mean over who begins."""
    best = load_policy(150)
    yield "equilibrium: who begins, next, last", _percent(*win_rates((best, best, best)))
    gain = mean_win_rate(best_response((best, best)), (best, best)) - 1 / 3
    yield "what the best response to two of it gains", f"{gain:.1e}"
    for points in HOLDS:
        held = hold_at(150, points)
        yield f"hold at {points} against two in equilibrium", _percent(_against(held, best))
        yield f"equilibrium against two who hold at {points}", _percent(_against(best, held))
        response = best_response((held, held))
        yield f"best response to two who hold at {points}", _percent(_against(response, held))
    for points in sorted({*CANDIDATES} - {*HOLDS}):
        held = hold_at(150, points)
        yield f"hold at {points} against two in equilibrium", _percent(_against(held, best))


def _against(policy: Policy, twice: Policy) -> float:
    return mean_win_rate(policy, (twice, twice))


def _percent(*rates: float) -> str:
    return "  ".join(f"{rate:.4%}" for rate in rates)
