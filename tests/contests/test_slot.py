"""A slot: a worker process, and what is seen of it when it is lost."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import psutil
import pytest

from spielwerk.contests.assignment import Progress
from spielwerk.contests.workers import slot as module
from spielwerk.contests.workers.slot import Slot, WorkerLost
from tests.contests.fake_worker import COMMAND, assignment, ignore, played, record
from tests.contests.running import lives
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def a_slot() -> AsyncIterator[Slot]:
    slot = await Slot.start(COMMAND)
    try:
        async with asyncio.timeout(PATIENCE):
            yield slot
    finally:
        await slot.close()


def test_one_worker_plays_game_after_game() -> None:
    async def run() -> None:
        async with a_slot() as slot:
            for number in range(3):
                game = assignment("echo", number)
                assert await slot.play(game, ignore) == played(game)
                assert slot.alive
        assert not slot.alive
        assert not lives(slot.pid)

    asyncio.run(run())


def test_progress_is_told_while_the_game_is_played() -> None:
    told: list[Progress] = []
    game = assignment("tell")

    async def run() -> None:
        async with a_slot() as slot:
            await slot.play(game, told.append)

    asyncio.run(run())
    assert told == [Progress(0, 1, record(game, 2), record(game).moves[2:])]


@pytest.mark.parametrize(
    ("what", "seen"),
    [("die", "killed by SIGKILL"), ("leave", "exit 3"), ("leave", "it wrote: that was all")],
)
def test_a_lost_worker_is_told_with_what_it_wrote_last(what: str, seen: str) -> None:
    async def run() -> None:
        async with a_slot() as slot:
            with pytest.raises(WorkerLost, match=seen):
                await slot.play(assignment(what), ignore)
            assert not slot.alive

    asyncio.run(run())


def test_a_worker_that_has_died_meanwhile_is_lost_too() -> None:
    async def run() -> None:
        async with a_slot() as slot:
            await slot.play(assignment("echo"), ignore)
            os.kill(slot.pid, signal.SIGKILL)
            await until(lambda: not slot.alive)
            with pytest.raises(WorkerLost):
                await slot.play(assignment("echo"), ignore)

    asyncio.run(run())


def test_a_command_that_does_not_exist_is_a_worker_that_cannot_be_started() -> None:
    with pytest.raises(WorkerLost, match=r"no worker can be started: .*no-such-program"):
        asyncio.run(Slot.start(("no-such-program",)))


def test_whoever_cancels_a_game_ends_the_worker_and_its_programs(tmp_path: Path) -> None:
    noted = tmp_path / "child"

    async def run() -> None:
        async with a_slot() as slot:
            task = asyncio.create_task(
                slot.play(assignment("child", seed=str(noted)), ignore),
            )
            await until(lambda: noted.exists() and noted.read_text())
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert not slot.alive
            await slot.close()
            assert not lives(slot.pid)

    asyncio.run(run())
    assert not lives(int(noted.read_text()))


def test_whoever_cancels_a_start_leaves_nothing_behind() -> None:
    async def run() -> None:
        task = asyncio.create_task(Slot.start(COMMAND))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        async with asyncio.timeout(PATIENCE):
            await asyncio.wait([task])
        assert task.cancelled()

    before = {one.pid for one in psutil.Process().children()}
    asyncio.run(run())
    assert {one.pid for one in psutil.Process().children()} <= before


def test_a_worker_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLACK", 0.5)

    async def run() -> None:
        async with a_slot() as slot:
            with pytest.raises(WorkerLost, match=r"no answer; .*SIGKILL"):
                await slot.play(assignment("hang", start=0.0, total=0.0), ignore)

    asyncio.run(run())


def test_a_worker_that_gives_no_sign_of_life_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENCE", 0.5)

    async def run() -> None:
        async with a_slot() as slot:
            with pytest.raises(WorkerLost, match=r"no answer; .*SIGKILL"):
                await slot.play(assignment("hang"), ignore)

    asyncio.run(run())


@pytest.mark.parametrize(("patience", "seconds"), [("SILENCE", 3600.0), ("SLACK", 0.0)])
def test_what_a_worker_said_while_we_were_stopped_is_heard(
    patience: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with a_slot() as slot:
            await slot.play(assignment("echo"), ignore)  # it is awake
            monkeypatch.setattr(module, patience, 0.5)
            asyncio.get_running_loop().call_later(0.1, time.sleep, 1.5)  # as by Ctrl-Z
            game = assignment("tell", start=0.0, total=seconds)
            assert await slot.play(game, ignore) == played(game)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        (pickle.dumps(7), r"unheard of \(int\)"),
        (b"no pickle", "unreadable"),
        (pickle.dumps(Progress(8, 1)), "spoke of game 8, not 0"),
    ],
)
def test_a_worker_that_talks_nonsense_is_lost(said: bytes, seen: str) -> None:
    parcel = len(said).to_bytes(4, "big") + said
    lines = f"import sys; sys.stdout.buffer.write({parcel!r}); sys.stdout.flush(); sys.stdin.read()"

    async def run() -> None:
        slot = await Slot.start([sys.executable, "-c", lines])
        with pytest.raises(WorkerLost, match=f"{seen}.*SIGKILL"):
            await slot.play(assignment("win"), ignore)
        await slot.close()

    asyncio.run(run())


def test_a_worker_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.2)

    async def run() -> None:
        async with a_slot() as slot:
            task = asyncio.create_task(slot.play(assignment("hang"), ignore))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            await slot.close()
            assert not lives(slot.pid)
            await slot.close()  # once more does no harm

    asyncio.run(run())


def test_it_does_not_import_a_module_that_lies_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('a bot of that name')\n")
    monkeypatch.chdir(tmp_path)

    async def run() -> None:
        slot = await Slot.start()
        await asyncio.sleep(0)
        slot._process.stdin.close()  # type: ignore[union-attr]
        assert await asyncio.wait_for(slot._process.wait(), PATIENCE) == 0
        await slot.close()

    asyncio.run(run())
