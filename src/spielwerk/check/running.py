"""Carrying out cases: several at a time, those that need quiet one by one at the end."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, TypeVar

from spielwerk.check.case import Verdict, Witness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.check.case import Case

W = TypeVar("W", bound=Witness)


async def run(
    cases: Sequence[Case[W]],
    witness: Callable[[], W],
    parallel: int,
    done: Callable[[Verdict], None],
) -> list[Verdict]:
    """The verdicts in the order of the cases; `done` hears each as it falls."""
    verdicts: dict[str, Verdict] = {}

    async def work(waiting: deque[Case[W]]) -> None:
        while waiting:
            verdict = await _judge(waiting.popleft(), witness())
            verdicts[verdict.name] = verdict
            done(verdict)

    together = deque(case for case in cases if not case.alone)
    async with asyncio.TaskGroup() as group:
        for _ in range(parallel):
            group.create_task(work(together))
    await work(deque(case for case in cases if case.alone))
    return [verdicts[case.name] for case in cases]


async def _judge(case: Case[W], witness: W) -> Verdict:
    start = time.monotonic()
    await case.run(witness)
    seconds = time.monotonic() - start
    faults = tuple(witness.faults)
    return Verdict(
        case.name, case.rule, case.source, case.decided, faults, witness.requests, seconds
    )
