"""The games of a ladder are drawn up one meeting at a time, and whoever comes is not overlooked."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.contests.contest import Contest, Entrant, Format
from spielwerk.contests.running import climbing
from spielwerk.contests.running.agenda import Agenda
from spielwerk.contests.running.climbing import Climbing
from spielwerk.contests.running.guests import Guests
from spielwerk.store.contest_records import Kind, Scheduled, State
from tests.contests.contests import ID, NAMES, FakePool, a_contest, entrants
from tests.contests.test_running import World
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from spielwerk.contests.assignment import Assignment, Played, Tell


def a_ladder(contest: Contest, **others: Any) -> World:
    agenda = Agenda([], entrants(contest))
    return World(contest, agenda=agenda, climbing=Climbing(contest, ID, agenda), **others)


def drawn_up(world: World) -> list[tuple[int, ...]]:
    """The seats of all games in their order."""
    return [game.seats for entry in world.journal.of(Scheduled) for game in entry.pairings]


def test_one_ranking_is_made_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking, most = threading.Semaphore(1), []

    def slow(_pairings: object) -> tuple[int, ...]:
        alone = ranking.acquire(blocking=False)
        most.append(alone)
        time.sleep(0.01)
        if alone:
            ranking.release()
        return ()

    monkeypatch.setattr(climbing, "FRESH", 0.0)
    monkeypatch.setattr(climbing, "strongest_first", slow)

    async def run() -> None:
        world = a_ladder(a_contest(5, format=Format.LADDER, rounds=10), jobs=4)
        await world.all()
        assert world.run.counts()[State.DONE] == len(drawn_up(world)) > 20

    asyncio.run(run())
    assert all(most)
    assert len(most) > 10


def test_a_ladder_knows_from_the_beginning_how_long_it_will_take() -> None:
    async def run() -> None:
        world = a_ladder(a_contest(5, format=Format.LADDER, rounds=10))
        assert (world.run.coming, world.run.eta) == (50, None)  # the pace is not known yet
        task = asyncio.create_task(world.all())
        await until(lambda: world.run.counts()[State.DONE] >= 10)
        done, coming = world.run.counts()[State.DONE], world.run.coming
        assert coming
        assert 50 <= sum(world.run.counts().values()) + coming <= 52
        assert world.run.rate
        assert world.run.eta == pytest.approx(60 * (50 - done) / world.run.rate, rel=0.2)
        await task
        assert world.run.coming == 0

    asyncio.run(run())


def test_of_a_ladder_without_end_nobody_knows() -> None:
    async def run() -> None:
        world = a_ladder(a_contest(3, format=Format.LADDER, rounds=0))
        assert (world.run.coming, world.run.eta) == (None, None)

    asyncio.run(run())


# guests


class Door:
    """Where guests come and go as a test wants it."""

    def __init__(self) -> None:
        self.here: list[str] = []
        self.changed: Callable[[], None] = lambda: None

    def admit(self, name: str) -> str:
        return name

    def present(self) -> list[str]:
        return self.here

    def watch(self, changed: Callable[[], None]) -> None:
        self.changed = changed

    def welcome(self, _newcomer: Callable[[str], bool]) -> None:
        """Nobody else comes."""

    def come(self, *names: str) -> None:
        self.here = [*names]
        self.changed()


class Visitors(Guests):
    """Guests whose games a pool plays."""

    def __init__(self, door: Door) -> None:
        super().__init__(None, door)  # type: ignore[arg-type]
        self.pool = FakePool()

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        return await self.pool.play(assignment, tell)


def visited(count: int, rounds: int) -> tuple[World, Door]:
    """A ladder of so many who come by themselves, and where they come."""
    guests = tuple(Entrant(name, Kind.OPEN) for name in NAMES[:count])
    contest = Contest("Spring", "connect4", guests, format=Format.LADDER, rounds=rounds, opening=0)
    door = Door()
    visitors = Visitors(door)
    list(visitors.invite(entrants(contest)))
    return a_ladder(contest, guests=visitors), door


def test_who_comes_while_it_is_found_that_nobody_can_meet_is_not_overlooked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        ranked = asyncio.get_running_loop().create_future()

        async def rank(_function: object, _pairings: Collection[object]) -> tuple[int, ...]:
            await ranked
            return ()

        monkeypatch.setattr(asyncio, "to_thread", rank)
        world, door = visited(2, rounds=0)
        task = asyncio.create_task(world.all())
        await asyncio.sleep(0.01)
        ranked.set_result(None)  # in the same turn of the loop
        door.come("anna", "bert")
        await until(lambda: world.run.counts()[State.DONE])
        world.run.stop()
        await task

    asyncio.run(run())


def test_it_looks_again_whenever_somebody_comes() -> None:
    async def run() -> None:
        world, door = visited(3, rounds=0)
        task = asyncio.create_task(world.all())
        for name in ("anna", "bert"):
            door.come(name)
            await asyncio.sleep(0.01)
            assert drawn_up(world) == []
        door.come("bert", "cora")
        await until(lambda: drawn_up(world))
        assert {*drawn_up(world)[0]} == {1, 2}
        world.run.stop()
        await task

    asyncio.run(run())


def test_a_ladder_with_open_seats_ends_when_all_have_had_their_meetings() -> None:
    async def run() -> None:
        world, door = visited(3, rounds=2)
        task = asyncio.create_task(world.all())
        door.come("anna", "bert")
        await until(lambda: len(drawn_up(world)) == 4 == world.run.counts()[State.DONE])
        await asyncio.sleep(0.02)
        assert not task.done()  # cora has met nobody
        door.come("anna", "bert", "cora")
        async with asyncio.timeout(PATIENCE):
            await task
        assert {*world.run.counts()} == {State.DONE}

    asyncio.run(run())
