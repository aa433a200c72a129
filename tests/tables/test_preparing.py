"""A table whose engine is still being compiled: it says so, and no clock runs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spielwerk.engines.warm import Preparation
from spielwerk.games import find_game
from spielwerk.store.records import SeatKind, SeatRecord
from spielwerk.tables.arena import Arena
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.offers import Rematch
from spielwerk.tables.wishes import NewTable
from spielwerk.web.views import facts
from tests.simulation import World

ANNA = "a" * 32
PERSON = SeatRecord(SeatKind.PERSON, "", owner=ANNA)
ENGINE = SeatRecord(SeatKind.ENGINE, "", "level=1")


class SlowEngines(EnginePool):
    """Engines that become ready when the test says so, and then move at once."""

    def __init__(self) -> None:
        super().__init__(1)
        self.preparation = Preparation(find_game("dice")())

    async def check(self, game: Any, player: str) -> None:
        """Every player will do."""

    def prepare(self, *_: Any) -> Preparation | None:
        return None if self.preparation.settled.is_set() else self.preparation

    async def warm(self, *_: Any) -> None:
        """Nothing has to be loaded."""

    async def choose(self, _player: str, record: Any, *_: Any) -> Any:
        return record.state.legal_moves()[0]

    async def progress(self, share: float) -> None:
        self.preparation.share = share
        if share == 1.0:
            self.preparation.settled.set()
        self.preparation.tell()
        await asyncio.sleep(0)


@pytest.mark.parametrize("begins", [0, 1])
def test_no_clock_runs_while_the_engine_is_prepared_and_the_page_hears_of_it(begins: int) -> None:
    async def play() -> None:
        world, pool = World(), SlowEngines()
        arena = Arena(world.journal, world, engines=pool, timer=world.loop.call_at)
        wish = NewTable("quarto", (f"begins={begins}", "first=0"), seats=(PERSON, ENGINE))
        table = await world.made(arena, wish)
        told: list[Any] = []
        table.watchers.append(
            lambda table: told.append(facts(table, table.now, Rematch())["seats"])
        )

        await pool.progress(0.42)
        world.run(100)  # far more than a move may take
        assert [seats[1]["preparing"] for seats in told] == [42]
        assert facts(table, table.now, Rematch())["clock"] is None
        assert not table.over

        await pool.progress(1.0)
        await world.until(lambda: told[-1][1]["preparing"] is None)
        if begins == 1:
            await world.until(lambda: table.history)
            assert table.history.records()[0].took == 0
        assert table.clocks.running is not None
        assert (table.clocks.running.seat, table.clocks.running.elapsed) == (0, 0)
        arena.stop("done")

    asyncio.run(play())


def test_a_person_may_move_before_the_engine_is_ready() -> None:
    async def play() -> None:
        world, pool = World(), SlowEngines()
        arena = Arena(world.journal, world, engines=pool, timer=world.loop.call_at)
        wish = NewTable("quarto", ("begins=0", "first=0"), seats=(PERSON, ENGINE))
        table = await world.made(arena, wish)
        move = table.game.format_move(next(iter(table.state.legal_moves())))
        table.play(table.seats[0], move, lambda _error: None)
        world.run(100)
        assert len(table.history) == 1  # the engine has not been asked
        assert table.clocks.running is None
        await pool.progress(1.0)
        await world.until(lambda: len(table.history) == 2)
        arena.stop("done")

    asyncio.run(play())
