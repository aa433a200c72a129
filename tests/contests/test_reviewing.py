"""Games of a contest reviewed: when there is room, once, and with what they say of the entrants."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from spielwerk.contests import reviewing
from spielwerk.contests.contest import Finished, WorkerLost
from spielwerk.contests.pool import Pool
from spielwerk.contests.reviewing import Reviewer
from spielwerk.store import reviews
from spielwerk.store.journal import Writer
from spielwerk.store.opening import Store
from spielwerk.store.records import PairingState, Reviewed
from tests.cli.contests import RANDOM, ContestFolder, description
from tests.contests.contests import in_loop
from tests.contests.rated import a_review
from tests.store.contest_samples import (
    CONTEST,
    AnyEntry,
    BothWriters,
    begun,
    played,
    scheduled,
    settled,
)
from tests.waiting import PATIENCE, until


class FakePool:
    """Reviews when it is told to; some games it cannot."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.open = asyncio.Event()
        self.bad: dict[str, Exception | str] = {}

    async def review(self, game: Finished) -> Any:
        self.asked.append(game.record.id)
        assert game.opening == 2
        await self.open.wait()
        trouble: object = self.bad.get(game.record.id, {"players": []})
        if isinstance(trouble, Exception):
            raise trouble
        return trouble


class Stage:
    """A store with four games that are over and one that was repeated, and a reviewer."""

    def __init__(self, store: Store) -> None:
        entries: list[AnyEntry] = [scheduled(), begun(4), settled(4, state=PairingState.REPEAT)]
        for number in range(4):
            entries += [begun(number), settled(number)]
        assert not any(BothWriters(store).write(entries))
        self.store, self.pool = store, FakePool()
        self.reviewer = Reviewer(store, CONTEST, cast("Pool", self.pool), self.keep)

    async def keep(self, game: str, effort: int, found: dict[str, Any]) -> None:
        entry = Reviewed(game, effort, found, 1, a_review(1, 0))
        assert Writer(self.store).write([entry]) == [None]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewing, "PAUSE", 0.01)


@pytest.fixture
def stage(file_store: Store) -> Stage:
    return Stage(file_store)


IDS = [played(number).id for number in range(4)]


@in_loop
async def test_as_many_are_reviewed_as_there_is_room_for_and_each_once(stage: Stage) -> None:
    room = 0
    task = asyncio.create_task(stage.reviewer.run(lambda: room, once=True))
    await asyncio.sleep(0.1)
    assert stage.pool.asked == []
    room = 3
    await until(lambda: len(stage.pool.asked) == 3)
    await asyncio.sleep(0.1)
    assert {*stage.pool.asked} == {*IDS[:3]}
    stage.pool.open.set()
    await task
    assert sorted(stage.pool.asked) == IDS
    assert reviews.count(stage.store, CONTEST) == 4
    assert [*reviews.regrets(stage.store, CONTEST)] == [0, 1, 2, 3]
    assert reviews.unreviewed(stage.store, CONTEST, 9) == {}


@in_loop
async def test_what_was_broken_off_is_reviewed_later(stage: Stage) -> None:
    task = asyncio.create_task(stage.reviewer.run(lambda: 1))
    await until(lambda: stage.pool.asked)
    task.cancel()
    await asyncio.wait([task])
    assert reviews.count(stage.store, CONTEST) == 0
    again = Reviewer(stage.store, CONTEST, cast("Pool", stage.pool), stage.keep)
    stage.pool.open.set()
    await again.run(lambda: 2, once=True)
    assert again.done == 4


@in_loop
async def test_games_that_cannot_be_reviewed_do_not_hold_up_the_others(stage: Stage) -> None:
    stage.pool.bad = {IDS[0]: WorkerLost("killed"), IDS[2]: "IllegalMove: no such rule"}
    stage.pool.open.set()
    await stage.reviewer.run(lambda: 1, once=True)
    assert stage.pool.asked == IDS
    assert (stage.reviewer.done, stage.reviewer.problem) == (2, "IllegalMove: no such rule")
    assert {*reviews.unreviewed(stage.store, CONTEST, 9)} == {IDS[0], IDS[2]}


@in_loop
async def test_where_no_game_can_be_reviewed_it_gives_up_by_itself(stage: Stage) -> None:
    stage.pool.bad = dict.fromkeys(IDS, "NoEngine: there is none")
    stage.pool.open.set()
    await asyncio.wait_for(stage.reviewer.run(lambda: 1), PATIENCE)
    assert stage.pool.asked == IDS[:3]


def test_a_contest_tells_the_mistakes_that_workers_found(tmp_path: Any) -> None:
    small = 'options = ["width=4", "height=4"]'
    text = description("connect4", RANDOM, RANDOM, top=small)
    folder = ContestFolder(tmp_path, text)
    assert folder.run("--no-web").returncode == 0
    assert "mistakes" not in folder.command("status").stdout
    games = len(folder.pairings())
    assert f"{games} games reviewed" in folder.command("review").stdout
    told = folder.command("status").stdout
    assert f"mistakes in {games} reviewed games" in told
    report = folder.command("export", "--format", "html").stdout
    assert "thirds of each game" in report
