"""Who thinks next, in a time of its own: searches take as long as the test says."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

import pytest

from spielwerk.engines.analysis import Interrupt
from spielwerk.engines.interface import Level, Limits, Stop
from spielwerk.engines.players import EnginePlayer
from spielwerk.games import find_game
from spielwerk.games.record import Record
from spielwerk.tables import engines, thinking
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.thinking import Asker, Thinking, Thought, Urgency
from tests.simulation import Loop
from tests.waiting import PATIENCE

STEP = 0.005


@dataclass
class Search:
    """A search that knows its answer after so many seconds, if it is not stopped before."""

    name: str
    seconds: float

    def __call__(self, _interrupt: Interrupt, _within: float) -> str:
        raise AssertionError("nobody thinks here")


class Bench(Thinking):
    """One thread in which time passes when the test says so."""

    def __init__(self) -> None:
        self.loop = Loop()
        self.launched: list[str] = []
        self.longest: dict[str, float] = {}  # seconds without a stop
        self.answers: dict[str, tuple[float, Any]] = {}
        self._under_way: list[tuple[Thought, float]] = []
        super().__init__(1, clock=self.loop.time, timer=self.loop.call_at)

    def ask(
        self,
        name: str,
        seconds: float,
        owner: str = "",
        urgency: Urgency = Urgency.PLAYER,
        **more: Any,
    ) -> asyncio.Task[None]:
        """Have something thought about that takes so long."""

        async def answered() -> None:
            asker = Asker(owner, lambda: urgency)
            value = await self.think(Search(name, seconds), asker, **more)
            self.answers[name] = (self.loop.time(), value)

        return asyncio.create_task(answered())

    def _launch(self, thought: Thought) -> None:
        assert isinstance(thought.work, Search)
        self.launched.append(thought.work.name)
        self._under_way.append((thought, self.loop.time()))

    async def run(self, seconds: float) -> None:
        """Let time pass, and engines answer."""
        await asyncio.sleep(0)
        end = self.loop.time() + seconds
        while self.loop.time() < end:
            self.loop.run_until(self.loop.time() + STEP)
            for one in list(self._under_way):
                self._look(*one)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    def _look(self, thought: Thought, since: float) -> None:
        assert isinstance(thought.work, Search)
        name, ran = thought.work.name, self.loop.time() - since
        done = ran >= thought.work.seconds
        if done or thought.interrupt.raised or self.loop.time() >= thought.deadline:
            self._under_way.remove((thought, since))
            self.longest[name] = max(ran, self.longest.get(name, 0.0))
            self._return(thought, name if done else f"{name} after {ran:.2f} s", None)


def simulated(work: Callable[[Bench], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        bench = Bench()
        await work(bench)
        bench.close()

    asyncio.run(whole())


def test_a_newcomer_does_not_wait_for_the_long_searches_of_another() -> None:
    async def work(bench: Bench) -> None:
        for number in range(40):
            bench.ask(f"long {number}", 10.0, "many", within=10.0)
        await bench.run(1.0)
        bench.ask("short", 0.04, "newcomer")
        await bench.run(0.05)
        assert bench.answers["short"][1] == "short"
        bench.ask("medium", 1.0, "newcomer")
        await bench.run(2.0)  # nor for much longer than it would take alone
        assert bench.answers["medium"][1] == "medium"

    simulated(work)


def test_those_come_first_whom_somebody_waits_for_most() -> None:
    async def work(bench: Bench) -> None:
        for urgency in reversed(Urgency):
            bench.ask(urgency.name, 0.05, urgency.name, urgency)
            await asyncio.sleep(0)  # each is stopped for the next
        await bench.run(1.0)
        assert [*bench.answers] == [urgency.name for urgency in Urgency]

    simulated(work)


def test_owners_who_have_used_more_than_their_share_come_last() -> None:
    async def work(bench: Bench) -> None:
        bench.ask("much", thinking.CREDIT + 1, "greedy")
        await bench.run(thinking.CREDIT + 1.1)
        for number in range(5):
            bench.ask(f"more {number}", 5.0, "greedy", within=5.0)
        await bench.run(1.0)
        bench.ask("look", 0.8, "other", Urgency.LOOK)
        await bench.run(1.3)
        assert "look" in bench.answers
        await bench.run(5 * thinking.HALF_LIFE)  # all is forgiven
        assert bench._recently_used("greedy") < 1

    simulated(work)


def test_the_searches_of_one_owner_take_turns() -> None:
    async def work(bench: Bench) -> None:
        for number in range(3):
            bench.ask(str(number), 10.0)
        await bench.run(1.5)
        assert bench.launched[:3] == ["0", "1", "2"]  # the first goes on beside the others
        assert sorted(bench.launched[3:6]) == ["0", "1", "2"]

    simulated(work)


@pytest.mark.parametrize("within", [0.9, 1.3, 2.0, 2.3])
def test_when_its_time_is_up_the_best_of_the_longest_slice_counts(within: float) -> None:
    async def work(bench: Bench) -> None:
        asked = bench.loop.time()
        for name in "abc":
            bench.ask(name, 60.0, name, within=within)
        await bench.run(within + 2 * STEP)
        for name, (moment, value) in bench.answers.items():
            assert moment <= asked + within + STEP
            assert value == f"{name} after {bench.longest[name]:.2f} s"
        assert len(bench.answers) == 3

    simulated(work)


def test_what_is_late_before_it_begins_still_gets_a_moment() -> None:
    async def work(bench: Bench) -> None:
        bench.ask("first", 0.05, whole=True)
        bench.ask("late", 0.01, within=0.02)
        await bench.run(0.04)
        assert not bench.answers
        await bench.run(0.1)
        assert bench.launched == [*bench.answers] == ["first", "late"]

    simulated(work)


def test_nothing_is_stopped_that_nobody_waits_behind() -> None:
    async def work(bench: Bench) -> None:
        stops: list[None] = []
        bench.preempted = lambda: stops.append(None)
        asked = bench.loop.time()
        bench.ask("deep", 20.0)
        await bench.run(5.0)
        bench.ask("short", 0.08)  # beside it
        await bench.run(16.0)
        assert bench.launched == ["deep", "short"]
        assert bench.answers["deep"][0] == pytest.approx(asked + 20.0, abs=0.02)
        assert not stops

    simulated(work)


def test_what_must_be_repeatable_is_never_stopped() -> None:
    async def work(bench: Bench) -> None:
        bench.ask("contest", 3.0, whole=True, urgency=Urgency.UNWATCHED)
        bench.ask("player", 0.05)
        await bench.run(4.0)
        assert [*bench.answers] == ["contest", "player"]
        assert bench.launched == ["contest", "player"]

    simulated(work)


def test_what_nobody_waits_for_makes_room() -> None:
    async def work(bench: Bench) -> None:
        first, second = bench.ask("first", 10.0), bench.ask("second", 10.0)
        third = bench.ask("third", 0.01)
        await bench.run(0.01)
        first.cancel()
        second.cancel()
        await bench.run(0.05)
        assert third.done()
        assert bench.launched == ["first", "third"]

    simulated(work)


class PatientEngine:
    """Finds its move when it is stopped, or at once in the dark."""

    def __init__(self, at_once: bool) -> None:
        self._at_once = at_once

    def search(self, state: Any, _limits: Limits, stop: Stop) -> Any:
        pause = threading.Event()
        while not (self._at_once or stop.flag[0]):
            pause.wait(0.005)
        return type("Found", (), {"move": state.legal_moves()[0]})


def test_an_engine_answers_while_others_think_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def player(text: str, _game: object) -> EnginePlayer:
        engine: Any = PatientEngine(text == "short")
        return EnginePlayer(text, engine, Level(Limits(time=PATIENCE)))

    monkeypatch.setattr(engines, "_warm", player)
    record = Record((find_game("oware")().start(),))

    async def play() -> Any:
        pool = EnginePool(1)
        asker = Asker("many", lambda: Urgency.PLAYER)
        deep = [
            asyncio.create_task(pool.choose("long", record, 2 * PATIENCE, asker)) for _ in range(3)
        ]
        async with asyncio.timeout(PATIENCE):
            answer = await pool.choose("short", record, PATIENCE)
        assert not any(task.done() for task in deep)
        pool.close()
        return answer

    assert asyncio.run(play()) == record.state.legal_moves()[0]


def test_an_engine_at_a_table_has_one_thread() -> None:
    with EnginePool(1)._player(find_game("quarto")(), "time=1,threads=1000") as player:
        assert isinstance(player, EnginePlayer)
        assert player.level.limits.threads == 1
