"""Places: games that are begun ahead of time wait until one is free."""

from __future__ import annotations

import asyncio

from spielwerk.contests.assignment import Played
from spielwerk.contests.running.places import Places
from tests.contests.contests import WON


async def played(number: int, go: asyncio.Event) -> Played:
    await go.wait()
    return Played(number, 1, WON)


def test_a_game_is_begun_then_played_then_over() -> None:
    async def run() -> None:
        places, go = Places(), asyncio.Event()
        places.begin(7)
        assert ([*places], len(places), places.playing, places.ahead) == ([7], 1, 0, 1)
        task = asyncio.create_task(places.play(7, played(7, go)))
        await asyncio.sleep(0)
        assert (len(places), places.playing, places.ahead) == (1, 1, 0)
        go.set()
        game = await task
        assert game.result().number == 7
        assert places.leave(7)
        assert not places.leave(7)
        assert not places

    asyncio.run(run())


def test_who_waits_is_admitted_as_soon_as_a_place_is_free() -> None:
    async def run() -> None:
        places, go = Places(), asyncio.Event()
        first = asyncio.create_task(places.play(1, played(1, go)))
        await asyncio.sleep(0)
        waits = asyncio.create_task(places.admitted(lambda: 1))
        places.stir()
        await asyncio.sleep(0.01)
        assert not waits.done()
        go.set()
        await first
        places.leave(1)
        places.stir()
        assert await waits

    asyncio.run(run())


def test_nobody_is_admitted_any_more_when_no_game_may_be_played() -> None:
    async def run() -> None:
        places, go = Places(), asyncio.Event()
        most = [1]
        game = asyncio.create_task(places.play(1, played(1, go)))
        await asyncio.sleep(0)
        waits = asyncio.create_task(places.admitted(lambda: most[0]))
        await asyncio.sleep(0)
        most[0] = 0
        places.stir()
        assert not await waits
        places.break_off()
        assert (await game).cancelled()

    asyncio.run(run())
