"""What visitors who come and go share: each is a task, and what goes wrong is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from benchmarks.load.clients import Load

T = TypeVar("T")

TASKS: set[asyncio.Task[None]] = set()


def come(load: Load, visit: Callable[[int], Awaitable[None]], visitors: int) -> None:
    """Have so many visitors come again and again, who think for the load's interval between."""

    async def visiting(number: int) -> None:
        await asyncio.sleep((load.interval or 0.0) * load.rng.random())
        while not load.over:
            try:
                await visit(number)
            except Exception as error:
                if not load.over:
                    load.fail(f"{type(error).__name__}: {error}")
            await asyncio.sleep(load.interval or 0.0)

    def begin() -> None:
        TASKS.update(load.loop.create_task(visiting(number)) for number in range(visitors))

    load.when_begun(begin)


async def timed(load: Load, answer: Awaitable[T]) -> T:
    """Wait for an answer, and count how long that took."""
    since = load.loop.time()
    load.outstanding += 1
    try:
        async with asyncio.timeout(30):
            found = await answer
    except BaseException:
        load.outstanding -= 1
        raise
    load.answered(since)
    return found
