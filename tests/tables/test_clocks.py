"""Game clocks: what players have left, and what happens when nothing is left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from spielwerk.errors import OptionError, UsageError
from spielwerk.games import NOBODY, find_game
from spielwerk.messages import Message
from spielwerk.store.records import MoveRecord, Reason, SeatRecord
from spielwerk.tables.arena import Arena
from spielwerk.tables.parts import History
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import World
from tests.tables.test_persons import (
    ANNA,
    BERT,
    CLIENT,
    ENGINE,
    FREE,
    owned,
    play,
    quarto,
    restarted,
    result,
    take,
)
from tests.tables.test_table import Answer

MINUTE = 60_000


@pytest.fixture
def world() -> World:
    return World()


def timed(*seats: SeatRecord, time: int = MINUTE, increment: int = 2000, move: int = 0) -> NewTable:
    return replace(quarto(*seats, time=move), game_time=time, increment=increment)


def left(table: Table) -> list[int | None]:
    """What the seats have at this moment."""
    clock = table.clocks.running
    spent = [clock.elapsed if clock and clock.seat == seat.number else 0 for seat in table.seats]
    rest = [table.clocks.left(seat.number) for seat in table.seats]
    return [one if one is None else one - gone for one, gone in zip(rest, spent, strict=True)]


def ran_out(table: Table, seat: int) -> bool:
    end = result(table)
    named = end.message == Message("clock-ran-out", {"name": table.seats[seat].name})
    return named and (end.reason, end.winner, end.culprits) == (Reason.TIME_OUT, 1 - seat, (seat,))


def test_time_runs_and_every_turn_adds_to_it(world: World) -> None:
    table = world.table(timed(owned(ANNA), owned(BERT)))
    world.run(10)
    assert left(table) == [50_000, MINUTE]
    play(world, table, "A1,1")
    assert left(table) == [52_000, MINUTE]
    world.run(0.5)
    play(world, table, "A2,2")
    assert left(table) == [52_000, 61_500]  # more than in the beginning is allowed
    world.run(51.999)
    assert not table.over
    world.run(0.001)
    assert ran_out(table, 0)


def test_one_turn_adds_once_however_many_decisions_it_has(world: World) -> None:
    """A mill and the stone that is taken are one turn of two decisions."""
    wish = timed(owned(ANNA), owned(BERT))
    table = world.table(replace(wish, game="morris", options=()))
    play(world, table, "A0", "C0", "A1", "C2", "A2")
    assert (table.turn, left(table)) == (0, [MINUTE + 4000, MINUTE + 4000])
    world.run(3)
    play(world, table, "C0")
    assert (table.turn, left(table)) == (1, [MINUTE + 3000, MINUTE + 4000])


def test_moves_taken_back_take_no_time(world: World) -> None:
    table = world.table(timed(owned(ANNA), owned(BERT)))
    for move in ("A1,1", "A2,2", "A3,3"):
        world.run(5)
        play(world, table, move)
    assert left(table) == [54_000, 57_000]
    table.history.take_back(1)
    table.asked = None
    table.announce()
    assert left(table) == [57_000, MINUTE]
    world.run(60)
    assert ran_out(table, 1)


def test_the_smaller_limit_counts(world: World) -> None:
    table = world.table(timed(owned(ANNA), owned(BERT), time=5000, increment=0, move=3000))
    world.run(2.5)
    play(world, table, "A1,1", "A2,2")
    assert table.clocks.running
    assert table.clocks.running.limit == 2500  # all that is left
    other = world.table(timed(owned(ANNA), owned(BERT), move=3000))
    world.run(3)
    assert ran_out(table, 0)
    assert result(other).detail == "Player 1 ran out of time: no move within 3 s"


def test_the_game_begins_when_all_are_there_and_then_runs_on(world: World) -> None:
    drawn = ("begins=0",)  # a piece is drawn before the first player moves
    table = world.table(replace(timed(CLIENT, FREE), options=drawn))
    peer = world.join(table)
    world.run(3)
    assert (table.turn, table.clocks.running) == (NOBODY, None)
    assert "+ MOVE" not in peer.said.decode()
    take(world, table, 1, BERT)
    peer.say("OKWAIT", "THINKING")
    assert "+ MOVE 60000" in peer.lines
    world.run(10)
    peer.reset()
    world.run(10)
    assert table.clocks.running
    elapsed = table.clocks.running.elapsed
    assert 20_000 < elapsed < 20_200  # who is away has no more time than others
    again = world.join(table)
    (told,) = [line for line in again.lines if line.startswith("+ MOVE")]
    assert 0 < MINUTE - elapsed - int(told.removeprefix("+ MOVE ")) < 500
    again.reset()
    world.run(40)
    assert ran_out(table, 0)


def test_a_player_who_is_away_when_its_turn_comes_loses_time(world: World) -> None:
    table = world.table(timed(owned(ANNA), owned(BERT)))
    table.owners.give_back(table.seats[1], Answer())
    world.run()
    play(world, table, "A1,1")
    world.run(59.9)
    assert not table.over
    world.run(0.1)
    assert ran_out(table, 1)


def test_a_client_that_has_no_time_left_has_lost(world: World) -> None:
    table = world.table(timed(CLIENT, owned(BERT), time=5000, increment=0))
    peer = world.join(table)
    world.run(1)
    peer.say("OKWAIT", "THINKING")
    assert "+ MOVE 5000" in peer.lines
    world.run(5.2)
    assert peer.lines[-1].startswith("- ")
    assert ran_out(table, 0)


def test_a_move_limit_besides_the_clock_only_costs_a_client_its_seat(world: World) -> None:
    table = world.table(timed(CLIENT, owned(BERT), move=3000))
    peer = world.join(table)
    world.run(1)
    peer.say("OKWAIT", "THINKING")
    assert "+ MOVE 3000" in peer.lines
    world.run(4)
    assert peer.finished
    assert not table.over
    world.run(57)
    assert ran_out(table, 0)


def test_a_server_that_is_down_takes_no_time(world: World) -> None:
    table = world.table(timed(owned(ANNA), owned(BERT)))
    world.run(10)
    play(world, table, "A1,1")
    world.run(20)
    again, found = restarted(world, table)
    assert left(found) == [52_000, MINUTE]  # nor does the move that was not made
    again.run(60)
    assert ran_out(found, 1)


def test_a_server_that_stops_ends_no_game(world: World) -> None:
    table = world.table(timed(CLIENT, owned(BERT)))
    world.join(table)
    world.run(1)
    world.arena.stop("closing time")
    world.run(1000)
    assert not table.over


def test_an_engine_saves_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    async def slow(
        _player: str, _record: object, seconds: float, _asker: object, began: Callable[[], None]
    ) -> None:
        began()
        asked.append(seconds)
        await asyncio.sleep(60)

    async def play_it() -> Table:
        world = World()
        monkeypatch.setattr(arena := world.arena, "engines", arena.engines)
        monkeypatch.setattr(arena.engines, "choose", slow)
        table = await world.made(arena, timed(ENGINE, owned(ANNA), time=50_000, increment=1000))
        await world.until(lambda: asked)
        world.run(50)  # though that should not happen, it does not go unpunished
        await world.until(lambda: table.over)
        arena.stop("done")
        return table

    assert ran_out(asyncio.run(play_it()), 0)
    assert asked == [2.8]  # 50 / 25 + 0.8 * 1


def test_no_clock_runs_while_an_engine_waits_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[Callable[[], None]] = []

    async def choose(*situation: Any) -> None:
        waiting.append(situation[4])
        await asyncio.sleep(60)

    async def play_it() -> Table:
        world = World()
        monkeypatch.setattr(world.arena.engines, "choose", choose)
        table = await world.made(world.arena, timed(ENGINE, owned(ANNA), time=50_000))
        await world.until(lambda: waiting)
        world.run(100)
        assert (table.over, table.clocks.running) == (False, None)
        waiting[0]()
        world.run(49)
        assert not table.over
        world.run(2)
        world.arena.stop("done")
        return table

    assert ran_out(asyncio.run(play_it()), 0)


def test_an_engine_never_loses_on_time_by_its_own_fault() -> None:
    """Not even if every move is to be looked at for longer than there is time."""

    async def played() -> Table:
        world = World()
        arena = Arena(world.journal, _Real())
        wish = replace(timed(ENGINE, ENGINE, time=1000, increment=0), pause=5000)
        table = await world.made(arena, wish)
        await world.until(lambda: table.over)
        arena.stop("done")
        return table

    assert result(asyncio.run(played())).reason in (Reason.WIN, Reason.DRAW)


class _Real:
    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("time", "increment", "problem"),
    [
        (-1, 0, "clock time=-1': must be 1000 to 86400000"),
        (999, 0, "clock time=999': must be 1000"),
        (86_400_001, 0, "clock time=86400001'"),
        (MINUTE, -1, "clock increment=-1': must be 0 to 3600000"),
        (MINUTE, 3_600_001, "clock increment=3600001'"),
        (0, 2000, "clock increment=2000': must be 0 where the clock has no time"),
    ],
)
def test_clocks_that_cannot_be(world: World, time: int, increment: int, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        world.table(timed(owned(ANNA), owned(BERT), time=time, increment=increment))


def test_only_clients_that_can_be_told_play_with_a_clock(world: World) -> None:
    wish = timed(CLIENT, FREE, FREE)
    with pytest.raises(UsageError, match="no game clock for dice with clients"):
        world.table(replace(wish, game="dice", options=()))
    world.table(replace(wish, game="dice", options=(), seats=(FREE, FREE, ENGINE)))


def test_what_a_player_decides_in_a_row_is_one_turn() -> None:
    moves = ["ROLL", "3 4", "ROLL", "1 1", "ROLL", "2 3", "SAVE", "ROLL"]
    records = [MoveRecord(number, 0, move, 0) for number, move in enumerate(moves)]
    history = History(find_game("dice")(), records)
    assert history.turns == 3
    history.take_back(4)
    assert history.turns == 1
    history.take_back(0)
    assert history.turns == 0
