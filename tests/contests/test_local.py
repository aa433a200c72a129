"""The pool of this machine: as many games at once as it is told, now and while it runs."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.workers.local import LocalPool, usual_jobs
from spielwerk.contests.workers.slot import Slot, WorkerLost
from tests.contests.fake_worker import COMMAND, assignment, ignore, played
from tests.contests.running import lives
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def a_pool(jobs: int) -> AsyncIterator[LocalPool]:
    pool = LocalPool(jobs, start=lambda: Slot.start(COMMAND))
    try:
        async with asyncio.timeout(PATIENCE):
            yield pool
    finally:
        await pool.close()


def workers(pool: LocalPool) -> list[int]:
    """The processes that could play at once."""
    return [slot.pid for slot in pool._idle]


def test_there_is_always_room_for_a_game() -> None:
    assert usual_jobs() >= 1


def test_workers_stay_from_one_game_to_the_next() -> None:
    async def run() -> None:
        async with a_pool(1) as pool:
            seen = set()
            for number in range(3):
                game = assignment("echo", number)
                assert await pool.play(game, ignore) == played(game)
                seen |= {*workers(pool)}
            assert len(seen) == 1
        assert workers(pool) == []
        assert not any(map(lives, seen))

    asyncio.run(run())


async def _begun(pool: LocalPool, folder: Path, count: int) -> list[asyncio.Task[object]]:
    """So many games that do not end by themselves, all of them offered."""
    games = [assignment("child", n, seed=str(folder / str(n))) for n in range(count)]
    return [asyncio.create_task(pool.play(game, ignore)) for game in games]


def running(folder: Path) -> int:
    """How many games have begun."""
    return len(list(folder.iterdir()))


async def _end(tasks: list[asyncio.Task[object]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def test_no_more_games_at_once_than_it_was_told(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_pool(2) as pool:
            tasks = await _begun(pool, tmp_path, 4)
            await until(lambda: running(tmp_path) == 2)
            await _end(tasks[:1])
            await until(lambda: running(tmp_path) == 3)
            await _end(tasks)
            assert running(tmp_path) == 3

    asyncio.run(run())


def test_more_room_is_used_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_pool(0) as pool:
            changes = []
            pool.changed = lambda: changes.append(pool.jobs)
            tasks = await _begun(pool, tmp_path, 3)
            pool.jobs = 1
            await until(lambda: running(tmp_path) == 1)
            pool.jobs = 3
            await until(lambda: running(tmp_path) == 3)
            assert changes == [1, 3]
            await _end(tasks)

    asyncio.run(run())


def test_with_less_room_the_running_games_come_to_their_end() -> None:
    async def run() -> None:
        async with a_pool(3) as pool:
            games = [assignment("tell", number) for number in range(3)]
            tasks = [asyncio.create_task(pool.play(game, ignore)) for game in games]
            await asyncio.sleep(0)
            pool.jobs = 1
            assert await asyncio.gather(*tasks) == [played(game) for game in games]
            assert len(workers(pool)) == 1

    asyncio.run(run())


def test_workers_without_work_end_when_there_is_less_room() -> None:
    async def run() -> None:
        async with a_pool(2) as pool:
            await asyncio.gather(*(pool.play(assignment("tell", n), ignore) for n in range(2)))
            first = workers(pool)
            assert len(first) == 2
            pool.jobs = 0
            assert workers(pool) == []
            await until(lambda: not any(map(lives, first)))

    asyncio.run(run())


def test_a_lost_worker_is_replaced() -> None:
    async def run() -> None:
        async with a_pool(1) as pool:
            with pytest.raises(WorkerLost):
                await pool.play(assignment("die"), ignore)
            assert await pool.play(assignment("echo"), ignore) == played(assignment("echo"))

    asyncio.run(run())


def test_a_worker_that_dies_without_work_is_replaced() -> None:
    async def run() -> None:
        async with a_pool(1) as pool:
            await pool.play(assignment("echo"), ignore)
            (pid,) = workers(pool)
            (slot,) = pool._idle
            os.kill(pid, signal.SIGKILL)
            await until(lambda: not slot.alive)
            assert await pool.play(assignment("echo"), ignore) == played(assignment("echo"))
            assert pid not in workers(pool)

    asyncio.run(run())


def test_a_worker_that_cannot_start_takes_no_room() -> None:
    async def run() -> None:
        starts = iter([("no-such-program",), COMMAND])
        pool = LocalPool(1, start=lambda: Slot.start(next(starts)))
        with pytest.raises(WorkerLost):
            await pool.play(assignment("echo"), ignore)
        assert await pool.play(assignment("echo"), ignore) == played(assignment("echo"))
        await pool.close()

    asyncio.run(run())


def test_it_makes_do_with_the_workers_that_could_be_started() -> None:
    async def run() -> None:
        starts = iter([COMMAND])
        pool = LocalPool(3, start=lambda: Slot.start(next(starts, ("no-such-program",))))
        games = [assignment("tell", number) for number in range(4)]
        results = await asyncio.gather(*(pool.play(game, ignore) for game in games))
        assert results == [played(game) for game in games]
        assert len(workers(pool)) == 1
        await pool.close()

    asyncio.run(run())
