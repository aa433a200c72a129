"""Offers: take-backs, draws and rematches; who is asked, what happens, and what cannot be."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from spielwerk.engines import find_engine
from spielwerk.engines.interface import Result, Score
from spielwerk.games import NOBODY, find_game
from spielwerk.store.records import Ended, Reason, SeatRecord, TakenBack
from spielwerk.tables.arena import Arena
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.offers import SeatOffer, What
from spielwerk.tables.parts import History, NotNow
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import World
from tests.tables.test_persons import (
    ANNA,
    BERT,
    CLIENT,
    ENGINE,
    FREE,
    clock,
    dice,
    owned,
    play,
    quarto,
    world,
)
from tests.tables.test_table import Answer

__all__ = ["world"]  # a fixture


def morris(*seats: SeatRecord, **more: Any) -> NewTable:
    return NewTable("morris", seats=seats, **more)


def people(world: World, **more: Any) -> Table:
    return world.table(morris(owned(ANNA), owned(BERT), **more))


def offer(world: World, table: Table, seat: int, what: What) -> None:
    heard = Answer()
    table.offers.make(table.seats[seat], what, heard)
    world.run()
    assert heard.given == [None]


def answer(world: World, table: Table, seat: int, what: What, *, accept: bool) -> None:
    heard = Answer()
    table.offers.answer(table.seats[seat], what, heard, accept=accept)
    world.run()
    assert heard.given == [None]


# taking back


def test_people_take_back_what_both_want(world: World) -> None:
    table = people(world, move_time=3000)
    play(world, table, "A0", "B0", "A1", "B2", "A2;B0", "B4")
    world.run(1)
    offer(world, table, 0, What.TAKE_BACK)
    assert len(table.history) == 7  # the capture is a decision of its own
    answer(world, table, 1, What.TAKE_BACK, accept=True)
    assert world.journal.of(TakenBack) == [TakenBack(table.id, 4)]
    assert [move.move for move in table.history.records()] == ["A0", "B0", "A1", "B2"]
    now = clock(table)
    assert now
    assert (now.seat, now.elapsed) == (0, 0)
    play(world, table, "C0")
    moves = tuple(world.journal.moves(table.id))
    assert History.of(replace(table.record, moves=moves)).state == table.state
    world.run(4)
    assert table.result
    assert table.result.culprits == (1,)  # the clock is the new position's


def test_the_one_who_waits_takes_back_a_single_move(world: World) -> None:
    table = people(world)
    play(world, table, "A0")
    offer(world, table, 0, What.TAKE_BACK)
    answer(world, table, 1, What.TAKE_BACK, accept=True)
    assert (len(table.history), table.turn) == (0, 0)
    now = clock(table)
    assert now
    assert now.seat == 0  # who was asked for the same position before


def test_at_one_screen_nobody_is_asked(world: World) -> None:
    table = world.table(morris(owned(ANNA), owned(ANNA)))
    play(world, table, "A0", "B0")
    offer(world, table, 1, What.TAKE_BACK)
    offer(world, table, 0, What.TAKE_BACK)
    assert not table.history


def test_an_offer_is_declined_and_lapses_with_the_next_move(world: World) -> None:
    table = people(world)
    play(world, table, "A0", "B0")
    offer(world, table, 1, What.TAKE_BACK)
    answer(world, table, 0, What.TAKE_BACK, accept=False)
    assert table.offers.made == [SeatOffer(1, What.TAKE_BACK, declined=True)]
    for what in What:  # one for each position
        with pytest.raises(NotNow, match="one offer"):
            table.offers.make(table.seats[1], what, Answer())
    play(world, table, "A1")
    offer(world, table, 0, What.DRAW)
    play(world, table, "B1")
    assert table.offers.made == []
    with pytest.raises(NotNow, match="no such offer"):
        table.offers.answer(table.seats[1], What.DRAW, Answer(), accept=True)


def test_nobody_answers_his_own_offer_or_another(world: World) -> None:
    table = people(world)
    play(world, table, "A0")
    offer(world, table, 0, What.TAKE_BACK)
    for seat, what in ((0, What.TAKE_BACK), (1, What.DRAW)):
        with pytest.raises(NotNow):
            table.offers.answer(table.seats[seat], what, Answer(), accept=True)
    assert len(table.history) == 1


def test_what_the_journal_refuses_is_not_taken_back(world: World) -> None:
    table = world.table(morris(owned(ANNA), owned(ANNA)))
    play(world, table, "A0")
    world.journal.broken = OSError("full")
    heard = Answer()
    table.offers.make(table.seats[0], What.TAKE_BACK, heard)
    assert table.turn == NOBODY  # nothing is sure while it is written
    with pytest.raises(NotNow, match="written"):
        table.offers.make(table.seats[0], What.TAKE_BACK, Answer())
    world.run()
    assert isinstance(heard.given[0], OSError)
    assert (len(table.history), table.turn) == (1, 1)


def test_a_hint_is_not_taken_back(world: World) -> None:
    table = world.table(morris(owned(ANNA), owned(ANNA)))
    table.hints[0] += 2
    play(world, table, "A0")
    assert [move.hints for move in world.journal.moves(table.id)] == [2]
    offer(world, table, 0, What.TAKE_BACK)
    play(world, table, "A1", "B0", "A2")
    assert [move.hints for move in table.history.records()] == [2, 0, 0]


def test_a_thinking_engine_forgets_its_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked anew, and what it thought before is never played."""
    asked: list[tuple[str, asyncio.Future[Any]]] = []

    async def choose(_player: str, record: Any, *_more: object) -> Any:
        asked.append((str(record.state), asyncio.get_running_loop().create_future()))
        return await asked[-1][1]

    async def game() -> None:
        world = World()
        arena = Arena(world.journal, world)
        monkeypatch.setattr(arena.engines, "choose", choose)
        table = await world.made(arena, morris(owned(ANNA), ENGINE, move_time=0))
        person, rules = table.seats[0], table.game
        table.play(person, "A0", Answer())
        await world.until(lambda: len(asked) == 1)
        table.offers.make(person, What.TAKE_BACK, Answer())
        await world.until(lambda: not table.history)
        assert asked[0][1].cancelled()
        table.play(person, "A1", Answer())
        await world.until(lambda: len(asked) == 2)
        asked[1][1].set_result(rules.parse_move("B0"))
        await world.until(lambda: len(table.history) == 2)
        table.offers.make(person, What.TAKE_BACK, Answer())  # its move and ours
        await world.until(lambda: not table.history)
        table.play(person, "A2", Answer())
        await world.until(lambda: len(asked) == 3)
        asked[2][1].set_result(rules.parse_move("B2"))
        await world.until(lambda: len(table.history) == 2)
        arena.stop("done")
        assert [move.move for move in table.history.records()] == ["A2", "B2"]

    asyncio.run(game())


# draws


def test_two_agree_on_a_draw(world: World) -> None:
    table = people(world)
    offer(world, table, 1, What.DRAW)
    answer(world, table, 0, What.DRAW, accept=True)
    (ended,) = world.journal.of(Ended)
    assert (ended.result.reason, ended.result.winner) == (Reason.DRAW, None)
    assert ended.result.detail == "the players agreed to a draw"
    assert table.offers.made == []


def test_who_offers_the_same_accepts(world: World) -> None:
    table = people(world)
    offer(world, table, 0, What.DRAW)
    offer(world, table, 1, What.DRAW)
    assert table.over


@pytest.mark.parametrize(("value", "agreed"), [(-0.3, True), (0.0, True), (0.3, False)])
def test_an_engine_judges_a_draw_by_its_chance_if_nothing_is_proven(
    value: float, agreed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = find_game("oware")().start()
    found = Result(None, Score(value), 1, 1, ())
    monkeypatch.setattr(find_engine(state.game), "search", lambda *_: found)
    pool = EnginePool(1)
    assert asyncio.run(pool.agrees("level=3", state, state.turn, 0.5)) is agreed
    pool.close()


def test_an_engine_takes_a_draw_unless_it_stands_better() -> None:
    state = find_game("connect4")().start()
    for field in (3, 10, 2, 9):  # two in a row with both ends open: the first player wins
        state = state.play(field)
    pool = EnginePool(1)

    async def agreed(player: str, seat: int) -> bool:
        return await pool.agrees(player, state, seat, 0.5)

    first = state.game.start().turn
    assert not asyncio.run(agreed("level=10", first))
    assert asyncio.run(agreed("level=10", 1 - first))
    assert asyncio.run(agreed("random", first))
    pool.close()


@pytest.mark.parametrize("accepts", [True, False])
def test_an_engine_answers_and_plays_on(monkeypatch: pytest.MonkeyPatch, accepts: bool) -> None:
    given = []

    async def agrees(_player: str, _state: object, _seat: int, within: float, _by: object) -> bool:
        given.append(within)
        await asyncio.sleep(0)
        return accepts

    async def game() -> None:
        world = World()
        arena = Arena(world.journal, world)
        monkeypatch.setattr(arena.engines, "agrees", agrees)
        table = await world.made(arena, morris(owned(ANNA), ENGINE, move_time=0))
        monkeypatch.setattr(table.clocks, "share", lambda _seat: 0.2)
        table.offers.make(table.seats[0], What.DRAW, Answer())
        if accepts:
            await world.until(lambda: table.over)
        else:
            refused = [SeatOffer(0, What.DRAW, declined=True)]
            await world.until(lambda: table.offers.made == refused)
            table.play(table.seats[0], "A0", Answer())
            await world.until(lambda: len(table.history) == 2)
        arena.stop("done")

    asyncio.run(game())
    assert given == [0.2]  # no more than its clock has to spare


# what cannot be


@pytest.mark.parametrize(
    ("wish", "what", "why"),
    [
        (quarto(owned(ANNA), CLIENT), What.DRAW, "Player 2 cannot be asked"),
        (quarto(owned(ANNA), FREE), What.DRAW, "no one at that seat"),
        (quarto(owned(ANNA), owned(BERT)), What.TAKE_BACK, "Player 1 has not moved yet"),
        (quarto(owned(ANNA), owned(BERT), tournament=True), What.DRAW, "in a tournament"),
        (dice(owned(ANNA), owned(BERT), owned(BERT)), What.DRAW, "game of chance"),
        (dice(owned(ANNA), FREE, FREE), What.DRAW, "not started yet"),
    ],
)
def test_what_cannot_be_offered(world: World, wish: NewTable, what: What, why: str) -> None:
    table = world.table(wish)
    with pytest.raises(NotNow, match=why):
        table.offers.make(table.seats[0], what, Answer())


def test_a_player_elsewhere_is_not_asked_for_a_draw(world: World) -> None:
    seat = replace(ENGINE, player="remote:localhost:1")
    record = replace(people(world).record, seats=(owned(ANNA), replace(seat, name="Far")))
    table = Table(record, world.journal, world, world.arena._rng)
    with pytest.raises(NotNow, match="Far cannot be asked"):
        table.offers.make(table.seats[0], What.DRAW, Answer())


# once more


def test_a_rematch_needs_all_who_played(world: World) -> None:
    table, rematches = people(world), world.arena.rematches
    told: list[object] = []
    table.watchers.append(lambda _: told.append(rematches.of(table.id).wishing.copy()))
    assert not rematches.wish(table.record, ANNA)
    assert not rematches.wish(table.record, ANNA)
    assert told[-1] == {ANNA}
    assert rematches.wish(table.record, BERT)
    rematches.follow(table.id, "x" * 11)
    assert rematches.of(table.id).game == "x" * 11
    rematches.forget("x" * 11)
    assert rematches.of(table.id).game is None


def test_a_rematch_is_declined_for_good(world: World) -> None:
    table, rematches = people(world), world.arena.rematches
    with pytest.raises(NotNow, match="no such offer"):
        rematches.decline(table.record, BERT)
    rematches.wish(table.record, ANNA)
    with pytest.raises(NotNow, match="no such offer"):
        rematches.decline(table.record, ANNA)
    rematches.decline(table.record, BERT)
    for browser in (ANNA, BERT):
        with pytest.raises(NotNow, match="declined"):
            rematches.wish(table.record, browser)


def test_no_clock_runs_before_both_have_come_to_the_rematch(world: World) -> None:
    wish = replace(quarto(owned(ANNA), owned(BERT), time=1000), rematch=True)
    table = world.table(wish)
    world.run(10)
    assert table.open
    table.owners.attend(ANNA, 1)
    world.run(10)
    assert clock(table) is None
    table.owners.attend(BERT, 1)
    now = clock(table)
    assert now
    assert (now.seat, now.elapsed, table.open) == (0, 0, False)
    table.owners.attend(ANNA, 0)
    world.run(2)
    assert table.over  # from then on it is a game like any other
