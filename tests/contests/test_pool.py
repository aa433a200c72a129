"""Worker processes on this machine: what is seen when one is lost, and how many play at once."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest

from spielwerk.contests import pool as module
from spielwerk.contests.contest import ContestError, Progress, WorkerLost, ignore
from spielwerk.contests.pool import Pool, WorkerProcess
from tests.contests.contests import in_loop
from tests.contests.fake_worker import COMMAND, assignment, played, record
from tests.contests.running import lives
from tests.waiting import until


@asynccontextmanager
async def a_worker() -> AsyncIterator[WorkerProcess]:
    worker = await WorkerProcess.start(COMMAND)
    try:
        yield worker
    finally:
        await worker.close()


@in_loop
async def test_one_worker_plays_game_after_game_and_tells_their_progress() -> None:
    told: list[Progress] = []
    async with a_worker() as worker:
        for number in range(2):
            game = assignment("echo", number)
            assert await worker.carry_out(game, ignore) == played(game)
        game = assignment("tell")
        await worker.carry_out(game, told.append)
        assert worker.alive
    assert told == [Progress(0, 1, record(game, 2), record(game).moves[2:])]
    assert not lives(worker.pid)


@pytest.mark.parametrize(
    ("what", "seen"),
    [("die", "killed by SIGKILL"), ("leave", r"exit 3.* it printed: that was all")],
)
@in_loop
async def test_a_lost_worker_is_told_with_what_it_wrote_last(what: str, seen: str) -> None:
    async with a_worker() as worker:
        with pytest.raises(WorkerLost, match=seen):
            await worker.carry_out(assignment(what))
        assert not worker.alive
        with pytest.raises(WorkerLost):  # nor can it play another game
            await worker.carry_out(assignment("echo"), ignore)


@in_loop
async def test_a_command_that_does_not_exist_is_a_worker_that_cannot_be_started() -> None:
    with pytest.raises(ContestError, match=r"no worker can be started: .*no-such-program"):
        await WorkerProcess.start(("no-such-program",))


@in_loop
async def test_cancelling_a_game_ends_the_worker_and_its_programs(tmp_path: Path) -> None:
    noted = tmp_path / "child"
    async with a_worker() as worker:
        game = assignment("child", seed=str(noted))
        task = asyncio.create_task(worker.carry_out(game, ignore))
        await until(lambda: noted.exists() and noted.read_text())
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        assert not worker.alive
    assert not lives(worker.pid)
    assert not lives(int(noted.read_text()))


def test_cancelling_a_start_leaves_nothing_behind() -> None:
    @in_loop
    async def cancel() -> None:
        task = asyncio.create_task(WorkerProcess.start(COMMAND))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    before = {one.pid for one in psutil.Process().children()}
    cancel()
    assert {one.pid for one in psutil.Process().children()} <= before


@in_loop
async def test_a_worker_that_hangs_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_worker() as worker:
        await worker.carry_out(assignment("echo"), ignore)  # it is awake
        monkeypatch.setattr(module, "SLACK", 0.3)
        with pytest.raises(WorkerLost, match=r"did not answer; .*SIGKILL"):
            await worker.carry_out(assignment("hang", start=0.0, total=0.0), ignore)


@in_loop
async def test_a_worker_that_talks_nonsense_is_lost() -> None:
    lines = r"import sys; sys.stdout.write('\0\0\0\1x'); sys.stdout.flush(); sys.stdin.read()"
    worker = await WorkerProcess.start([sys.executable, "-S", "-c", lines])
    with pytest.raises(WorkerLost, match=r"unreadable.*SIGKILL"):
        await worker.carry_out(assignment("win"), ignore)


@in_loop
async def test_a_worker_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_worker() as worker:
        await worker.carry_out(assignment("echo"), ignore)
        monkeypatch.setattr(module, "PATIENCE", 0.2)
        task = asyncio.create_task(worker.carry_out(assignment("hang"), ignore))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait([task])
        await worker.close()
        assert not lives(worker.pid)


@in_loop
async def test_the_real_worker_does_not_import_a_module_that_lies_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('a bot of that name')\n")
    monkeypatch.chdir(tmp_path)
    worker = await WorkerProcess.start()
    worker.hang_up()
    assert await worker._process.wait() == 0
    await worker.close()


# the pool


class Fake:
    """A worker without a process: it plays when it is told to, and may die."""

    def __init__(self) -> None:
        self.alive = True
        self.games: list[str] = []
        self.go = asyncio.Event()

    async def carry_out(self, assignment: object, _tell: object) -> str:
        name: str = assignment.name  # type: ignore[attr-defined]
        self.games.append(name)
        if name == "die":
            self.alive = False
            raise WorkerLost("killed")
        if name == "wait":
            await self.go.wait()
        return name

    async def close(self) -> None:
        self.alive = False


class Made(list[Fake]):
    """A pool of fakes, and all fakes that it has started."""

    def __init__(self, jobs: int) -> None:
        self.pool = Pool(jobs, self._start)  # type: ignore[arg-type]

    async def _start(self) -> Fake:
        self.append(Fake())
        return self[-1]

    def play(self, what: str) -> asyncio.Task[object]:
        return asyncio.create_task(self.pool.play(assignment(what), ignore))

    @property
    def playing(self) -> int:
        return sum(len(one.games) for one in self)

    @property
    def alive(self) -> int:
        return sum(one.alive for one in self)


@in_loop
async def test_workers_stay_from_one_game_to_the_next_until_the_pool_is_closed() -> None:
    made = Made(1)
    for _ in range(3):
        assert await made.play("echo") == "echo"
    assert (len(made), made.alive) == (1, 1)
    await made.pool.close()
    assert made.alive == 0


@in_loop
async def test_a_game_that_has_begun_is_played_though_there_is_no_room_any_more() -> None:
    made, changes = Made(2), list[int]()
    made.pool.changed = lambda: changes.append(made.pool.jobs)
    games = [made.play("wait") for _ in range(2)]
    made.pool.jobs = 0
    games.append(made.play("wait"))
    await until(lambda: made.playing == 3)
    made.pool.jobs = 1
    assert changes == [0, 1]
    for fake in made:
        fake.go.set()
    await asyncio.wait(games)
    assert made.alive == 1  # workers that are too many end with their games
    await made.pool.close()


@in_loop
async def test_a_worker_that_is_lost_or_has_died_without_work_is_replaced() -> None:
    made = Made(1)
    with pytest.raises(WorkerLost):
        await made.play("die")
    assert await made.play("echo") == "echo"
    made[-1].alive = False
    assert await made.play("echo") == "echo"
    assert len(made) == 3
    await made.pool.close()


@in_loop
async def test_real_workers_play_at_once_and_end_with_the_pool() -> None:
    pool = Pool(2, lambda: WorkerProcess.start(COMMAND))
    games = [assignment("tell", number) for number in range(3)]
    results = await asyncio.gather(*(pool.play(game, ignore) for game in games))
    assert results == [played(game) for game in games]
    pids = [worker.pid for worker in pool._idle]
    assert len(pids) == 2
    os.kill(pids[0], signal.SIGKILL)
    await pool.close()
    assert not any(map(lives, pids))
