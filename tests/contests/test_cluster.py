"""A Dask cluster: games on its workers, workers that are lost, and clusters that cannot be used."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from spielwerk import __version__
from spielwerk.contests import cluster as module
from spielwerk.contests import run as run_module
from spielwerk.contests.agenda import Agenda
from spielwerk.contests.cluster import DaskPool
from spielwerk.contests.contest import (
    Assignment,
    Contest,
    ContestError,
    Progress,
    WorkerLost,
    ignore,
)
from spielwerk.contests.run import ContestRun
from spielwerk.store.records import Pairing, PairingState
from tests.contests.contests import ID, MemoryJournal, a_contest, games, in_loop_for
from tests.contests.fake_worker import COMMAND, assignment, finished, played, record
from tests.contests.running import lives
from tests.waiting import PATIENCE, until

# Dask and its libraries leave sockets and loops to the collector when they are done.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


in_a_long_loop = in_loop_for(4 * PATIENCE)  # Dask starts and restarts its workers slowly


def use_fake_workers() -> int:
    """Have games played that are none; done on every worker of the cluster."""
    from spielwerk.contests import pool as slot

    slot.COMMAND = COMMAND  # type: ignore[misc, assignment]
    return os.getpid()


def pretend_to_be_older() -> None:
    """Have another version; done on a worker of the cluster."""
    from spielwerk.contests import cluster as outpost

    outpost.__version__ = "0.0.1"  # type: ignore[attr-defined]


@asynccontextmanager
async def a_pool(jobs: int = 2) -> AsyncIterator[DaskPool]:
    pool = await DaskPool.connect("local", jobs)
    try:
        await pool._client.run(use_fake_workers)
        yield pool
    finally:
        await pool.close()


async def busy(pool: DaskPool) -> str:
    """The address of a worker that plays."""
    while True:
        for address, tasks in (await pool._client.processing()).items():
            if tasks:
                return str(address)
        await asyncio.sleep(0.05)


@pytest.mark.slow
@in_a_long_loop
async def test_games_are_played_as_at_home(tmp_path: Path) -> None:
    told: list[Progress] = []
    async with a_pool() as pool:
        assert pool.jobs == 2
        all_games = [assignment("echo", number) for number in range(4)]
        results = await asyncio.gather(*(pool.play(game, ignore) for game in all_games))
        assert results == [played(game) for game in all_games]
        game = assignment("tell", 7)
        assert await pool.play(game, told.append) == played(game)
        assert told == [Progress(7, 1, record(game, 2), record(game).moves[2:])]
        # a process of ours that is lost
        with pytest.raises(WorkerLost, match=r"exit 3.*that was all"):
            await pool.play(assignment("leave"), ignore)
        # no more games at once than wished
        pool.jobs = 1
        waiting = [assignment("child", n, seed=str(tmp_path / str(n))) for n in range(2)]
        tasks = [asyncio.create_task(pool.play(game, ignore)) for game in waiting]
        await until(lambda: len(list(tmp_path.iterdir())) == 1)
        changes = []
        pool.changed = lambda: changes.append(pool.jobs)
        pool.jobs = 2
        assert changes == [2]
        await until(lambda: sum(bool(one.read_text()) for one in tmp_path.iterdir()) == 2)
        # a game that is cancelled ends there, too
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        children = [int(path.read_text()) for path in tmp_path.iterdir()]
        await until(lambda: not any(map(lives, children)))
        # a worker with another version plays nothing
        first, *_ = await pool._client.run(pretend_to_be_older)
        expected = f"has Spielwerk 0.0.1 and Python .*, here are Spielwerk {__version__}"
        with pytest.raises(ContestError, match=f"{first} {expected}"):
            await pool._check_workers()
        with pytest.raises(ContestError, match=expected):
            await pool.play(assignment("echo"), ignore)
        assert pool.lost


@in_a_long_loop
async def test_games_are_reviewed_there_and_no_game_waits_for_that(tmp_path: Path) -> None:
    async with a_pool(1) as pool:
        assert await pool.review(finished("echo", "a game")) == {"reviewed": "a game"}
        with pytest.raises(WorkerLost, match="that was all"):
            await pool.review(finished("leave"))
        noted = tmp_path / "child"
        reviewing = asyncio.create_task(pool.review(finished("child", str(noted))))
        await until(lambda: noted.exists() and noted.read_text())
        game = assignment("echo")  # there is one worker, and it is busy
        assert await pool.play(game, ignore) == played(game)
        await asyncio.sleep(2 * module.LOOK)
        assert lives(int(noted.read_text()))
        reviewing.cancel()
        await asyncio.wait([reviewing])
        await until(lambda: not lives(int(noted.read_text())))


def the_games(contest: Contest, pairing: Pairing, *, sandbox: bool) -> Assignment:
    del contest, sandbox
    return assignment("tell", pairing.number)


@pytest.mark.slow
@in_a_long_loop
async def test_every_game_counts_once_though_workers_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "assign", the_games)
    contest = a_contest(3, rounds=2)
    journal, agenda = MemoryJournal(), Agenda(games(contest))
    async with a_pool(2) as pool:
        pids = await pool._client.run(os.getpid)
        noted = tmp_path / "child"
        task = asyncio.create_task(pool.play(assignment("child", seed=str(noted)), ignore))
        await until(lambda: noted.exists() and noted.read_text())
        child = int(noted.read_text())
        noted.unlink()
        os.kill(pids[await busy(pool)], signal.SIGKILL)
        await until(lambda: not lives(child))  # its programs ended with it
        await until(lambda: noted.exists() and noted.read_text())  # another worker plays it
        task.cancel()
        await asyncio.wait([task])
        await until(lambda: not lives(int(noted.read_text())))
        await until(lambda: pool.jobs == 2)  # Dask has started another one
        await pool._client.run(use_fake_workers)
        run = ContestRun(contest, ID, agenda, journal, pool)
        task2 = asyncio.create_task(run.run())
        await until(lambda: run.counts()[PairingState.DONE] >= 3)
        pids = await pool._client.run(os.getpid)
        os.kill(pids[await busy(pool)], signal.SIGKILL)
        await until(lambda: pool.jobs == 2)
        await pool._client.run(use_fake_workers, on_error="ignore")
        await task2
    assert [journal.settled(number)[-1] for number in range(12)] == [PairingState.DONE] * 12
    assert sum(journal.settled(number).count(PairingState.DONE) for number in range(12)) == 12


@pytest.mark.slow
def test_a_scheduler_that_is_gone_ends_the_contest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(module, "CONNECT", 2.0)

    async def run() -> None:
        port = tmp_path / "scheduler.json"
        script = Path(sys.executable).with_name("dask")
        scheduler = await asyncio.create_subprocess_exec(
            str(script),
            *("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
            *("--scheduler-file", str(port)),
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await until(lambda: port.exists() and port.read_text())
            pool = await DaskPool.connect(json.loads(port.read_text())["address"])
            assert pool.jobs == 0
            waiting = asyncio.create_task(pool.play(assignment("echo"), ignore))
            scheduler.kill()
            with pytest.raises(ContestError, match="no longer answers"):
                await asyncio.wait_for(waiting, PATIENCE)
            await pool.close()
        finally:
            if scheduler.returncode is None:
                scheduler.kill()
            await scheduler.wait()

    asyncio.run(run())


# what cannot be used


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_told_soon() -> None:
    began = time.monotonic()
    with pytest.raises(ContestError, match=r":1: no Dask scheduler answers"):
        asyncio.run(DaskPool.connect("tcp://127.0.0.1:1"))
    assert time.monotonic() - began < 12


@pytest.mark.parametrize("address", ["nonsense://x:y:z", "tcp://", "127.0.0.1:99999"])
def test_nonsense_is_told_too(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CONNECT", 1.0)
    with pytest.raises(ContestError) as raised:
        asyncio.run(DaskPool.connect(address))
    assert "\n" not in str(raised.value)


def test_without_dask_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ContestError, match=r"pip install 'spielwerk\[cluster\]'"):
        asyncio.run(DaskPool.connect("tcp://127.0.0.1:8786"))


def test_a_worker_without_spielwerk_is_told() -> None:
    told = module._problem(
        "tcp://x:1", ModuleNotFoundError("No module named 'spielwerk'"), ("1", "3")
    )
    assert told == (
        "the cluster's worker tcp://x:1 cannot run Spielwerk: "
        "ModuleNotFoundError: No module named 'spielwerk'"
    )
    assert module._problem("tcp://x:1", ("1", "3.11"), ("1", "3.11")) is None
