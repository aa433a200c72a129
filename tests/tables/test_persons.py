"""Persons at tables: seats with owners, clocks, resigning, and coming back after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.errors import OptionError
from spielwerk.games import NOBODY
from spielwerk.messages import Message
from spielwerk.store.records import (
    Ended,
    Ending,
    GameRecord,
    MoveRecord,
    Reason,
    Removed,
    Seated,
    SeatKind,
    SeatRecord,
)
from spielwerk.tables.arena import Arena, Unavailable
from spielwerk.tables.clocks import MOVE_TIMES
from spielwerk.tables.parts import NoFreeSeat, NotNow, TurnClock, browser_in
from spielwerk.tables.persons import PersonOccupant
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import World
from tests.tables.test_table import Answer, StubOccupant

ANNA, BERT, EVE = "a" * 32, "b" * 32, "e" * 32
FREE = SeatRecord(SeatKind.PERSON, "")
CLIENT = SeatRecord(SeatKind.CLIENT, "")
ENGINE = SeatRecord(SeatKind.ENGINE, "", "random")


def owned(browser: str) -> SeatRecord:
    return replace(FREE, owner=browser)


def quarto(*seats: SeatRecord, time: int = 3000, tournament: bool = False) -> NewTable:
    options = ("begins=0", "first=0")
    return NewTable("quarto", options, seats=seats, move_time=time, tournament=tournament)


def dice(*seats: SeatRecord, time: int = 3000) -> NewTable:
    return NewTable("dice", ("begins=0",), seats=seats, move_time=time)


@pytest.fixture
def world() -> World:
    return World()


def take(world: World, table: Table, number: int, browser: str, name: str = "") -> None:
    heard = Answer()
    table.owners.take(table.seats[number], browser, name, heard)
    world.run()
    assert heard.given == [None]


def play(world: World, table: Table, *moves: str) -> None:
    for move in moves:
        heard = Answer()
        table.play(table.seats[table.turn], move, heard)
        world.run()
        assert heard.given == [None]


def clock(table: Table) -> TurnClock | None:
    return table.clocks.running


def result(table: Table) -> Ending:
    assert table.result
    return table.result


def kept(world: World, table: Table) -> GameRecord:
    """The game as a store would give it back."""
    seats: Sequence[SeatRecord] = [*table.record.seats]
    for entry in world.journal.entries:
        if isinstance(entry, Seated) and entry.game == table.id:
            seat = replace(seats[entry.seat], name=entry.name, owner=entry.owner)
            seats = [*seats[: entry.seat], seat, *seats[entry.seat + 1 :]]
    ends = world.journal.results(table.id)
    moves = tuple(world.journal.moves(table.id))
    return replace(table.record, seats=tuple(seats), moves=moves, result=ends[0] if ends else None)


def restarted(world: World, table: Table) -> tuple[World, Table]:
    """The server stops, and another one takes up its game."""
    world.arena.stop("restart")
    world.run(100_000)
    again = World()
    again.arena.restore([kept(world, table)])
    again.arena.wake()
    found = again.arena.find(table.id)
    assert found
    return again, found


# whose a seat is


def test_a_seat_is_its_owners_from_the_start(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    assert [seat.owner for seat in table.seats] == [ANNA, ""]
    assert [seat.ready for seat in table.seats] == [True, False]
    assert isinstance(table.seats[0].occupant, PersonOccupant)
    assert table.seats[0].occupant.owner == ANNA
    assert [seat.open_to_persons for seat in table.seats] == [False, True]


def test_a_free_seat_is_taken_when_it_is_kept(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    world.journal.hold = True
    heard = Answer()
    table.owners.take(table.seats[1], BERT, "Bert", heard)
    assert not table.seats[1].ready
    with pytest.raises(NoFreeSeat):  # it is promised meanwhile
        table.owners.take(table.seats[1], EVE, "Eve", heard)
    world.journal.release()
    assert heard.given == [None]
    assert (table.seats[1].owner, table.seats[1].name, table.seats[1].ready) == (BERT, "Bert", True)
    (entry,) = (e for e in world.journal.entries if isinstance(e, Seated))
    assert (entry.seat, entry.name, browser_in(entry.owner)) == (1, "Bert", BERT)


def test_a_seat_that_could_not_be_written_stays_free(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    world.journal.broken = OSError("disk full")
    heard = Answer()
    table.owners.take(table.seats[1], BERT, "Bert", heard)
    world.run()
    assert heard.given == [world.journal.broken]
    assert (table.seats[1].owner, table.seats[1].name) == ("", "Player 2")
    world.journal.broken = None
    take(world, table, 1, EVE)
    assert table.seats[1].owner == EVE


def test_no_seat_is_taken_after_the_end(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    table.abort(Reason.ABORTED, "")
    world.run()
    with pytest.raises(NoFreeSeat):
        table.owners.take(table.seats[1], BERT, "", Answer())


def test_a_seat_given_back_is_free_at_once(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    heard = Answer()
    table.owners.give_back(table.seats[0], heard)
    with pytest.raises(NotNow):
        table.owners.give_back(table.seats[0], heard)
    world.run()
    assert heard.given == [None]
    assert not table.over
    assert clock(table) is None
    world.run(10)
    assert not table.over  # the clock of an empty seat does not run
    take(world, table, 0, EVE)
    assert clock(table) == (0, 0, 3000)


def test_who_leaves_a_tournament_has_lost(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT), tournament=True))
    table.owners.give_back(table.seats[0], Answer())
    world.run()
    assert (result(table).reason, result(table).winner) == (Reason.RESIGNATION, 1)


def test_the_clock_runs_on_when_a_seat_changes_browsers(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.run(2)
    table.owners.transfer(table.seats[0], EVE, Answer())
    world.run()
    assert table.seats[0].owner == EVE
    assert clock(table) == (0, 2000, 3000)
    world.run(1)
    assert result(table).reason is Reason.TIME_OUT


def test_a_seat_that_came_back_has_another_mark(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    first = table.seats[0].record.owner
    for browser in (BERT, ANNA):
        table.owners.transfer(table.seats[0], browser, Answer())
        world.run()
    assert table.seats[0].owner == ANNA
    assert table.seats[0].record.owner != first


# clocks


def test_persons_have_their_time_and_no_more(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.run(2.999)
    assert clock(table) == (0, 2999, 3000)
    play(world, table, "A1,1")
    assert clock(table) == (1, 0, 3000)
    world.run(3)
    assert result(table).reason is Reason.TIME_OUT
    assert (result(table).winner, result(table).culprit) == (0, 1)
    assert result(table).detail == "Player 2 ran out of time: no move within 3 s"
    assert clock(table) is None


def test_moves_keep_the_time_they_took(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.run(1.5)
    play(world, table, "A1,1")
    assert world.journal.moves(table.id) == [MoveRecord(0, 0, "A1,1", world.wall(), 1500)]


def test_without_a_limit_no_player_is_late(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT), time=0))
    world.run(100_000)
    assert not table.over
    assert clock(table) == (0, 100_000_000, 0)
    assert world.loop._heap == []


def test_a_clock_waits_until_all_are_there(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    world.run(10)
    assert clock(table) is None
    take(world, table, 1, BERT)
    assert clock(table) == (0, 0, 3000)
    with_client = world.table(quarto(owned(ANNA), CLIENT))
    assert clock(with_client) is None
    with_client.sit(StubOccupant())
    assert clock(with_client) == (0, 0, 3000)


def test_a_move_that_is_being_written_is_in_time(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.run(2.9)
    world.journal.hold = True
    table.play(table.seats[0], "A1,1", Answer())
    world.run(5)
    world.journal.release()
    assert not table.over
    assert clock(table) == (1, 0, 3000)


def test_a_move_that_could_not_be_written_does_not_stop_the_clock(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.run(2)
    world.journal.hold = True
    heard = Answer()
    table.play(table.seats[0], "A1,1", heard)
    world.run(2)  # the time is up meanwhile
    world.journal.broken = OSError("disk full")
    world.journal.release()
    assert heard.given == [world.journal.broken]
    assert not table.over
    world.journal.broken, world.journal.hold = None, False
    play(world, table, "A1,1")  # there is a moment to say it again
    assert not table.over


def test_an_end_by_time_that_cannot_be_written_comes_later(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.journal.broken = OSError("disk full")
    world.run(10)
    assert not table.over
    assert len(world.loop._heap) < 5
    world.journal.broken = None
    world.run(10)
    assert result(table).reason is Reason.TIME_OUT
    assert len([e for e in world.journal.entries if isinstance(e, Ended)]) == 1


def test_nothing_is_left_when_it_is_over(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    play(world, table, "A1,1", "A2,2")
    table.resign(table.seats[1])
    world.run()
    assert result(table).reason is Reason.RESIGNATION
    assert all(timer.cancelled for _, _, timer in world.loop._heap)
    world.run(100)
    assert len([e for e in world.journal.entries if isinstance(e, Ended)]) == 1


def test_nothing_is_left_when_the_server_stops(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.arena.stop("closing time")
    world.run(100)
    assert not table.over
    assert world.loop._heap == []


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.floats(0, 3.5), max_size=12),
    st.booleans(),
)
def test_only_a_player_who_thinks_too_long_has_lost(thoughts: list[float], hold: bool) -> None:
    world = World()
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    for thought in thoughts:
        mover = table.turn
        world.run(thought)
        if thought >= 3:
            assert (result(table).reason, result(table).culprit) == (Reason.TIME_OUT, mover)
            return
        world.journal.hold = hold
        text = table.game.format_move(table.state.legal_moves()[0])
        table.play(table.seats[mover], text, Answer())
        world.journal.release()
        world.journal.hold = False
        world.run()
        if table.over:
            return
    assert not table.over


# resigning


def test_resigning_counts_at_once_and_only_once(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    assert table.turn == 0
    table.resign(table.seats[1])  # while the other is thinking
    with pytest.raises(NotNow):
        table.resign(table.seats[0])
    world.run()
    assert (result(table).reason, result(table).winner) == (Reason.RESIGNATION, 0)
    assert result(table).message == Message("resigned", {"name": "Player 2"})
    with pytest.raises(NotNow):
        table.resign(table.seats[0])
    assert len([e for e in world.journal.entries if isinstance(e, Ended)]) == 1


def test_a_client_may_finish_its_thought(world: World) -> None:
    table = world.table(quarto(CLIENT, owned(BERT)))
    seat = table.sit(StubOccupant())
    table.ask(seat)
    table.resign(table.seats[1])
    world.run()
    assert not table.over
    table.play(seat, "A1,1", Answer())
    world.run()
    assert (result(table).reason, result(table).winner) == (Reason.RESIGNATION, 0)


def test_a_game_that_has_not_begun_is_not_resigned(world: World) -> None:
    table = world.table(dice(owned(ANNA), FREE, FREE))
    with pytest.raises(NotNow, match="not started"):
        table.resign(table.seats[0])


# dice


def test_dice_with_persons_begin_when_all_are_there(world: World) -> None:
    table = world.table(dice(owned(ANNA), FREE, CLIENT))
    assert table.turn == NOBODY
    table.sit(StubOccupant())
    take(world, table, 1, BERT)
    assert table.turn == 0
    assert clock(table) == (0, 0, 3000)
    play(world, table, "ROLL")
    with pytest.raises(NoFreeSeat):
        table.owners.take(table.seats[1], EVE, "", Answer())


def test_who_leaves_a_game_of_dice_ends_it(world: World) -> None:
    table = world.table(dice(owned(ANNA), owned(BERT), owned(EVE)))
    play(world, table, "ROLL")
    table.owners.give_back(table.seats[2], Answer())
    world.run()
    assert (result(table).winner, result(table).culprit) == (None, 2)


def test_dice_among_persons_need_no_agreement(world: World) -> None:
    table = world.table(dice(owned(ANNA), owned(BERT), owned(EVE)))
    while not table.over:
        play(world, table, "ROLL" if table.state.points < 20 else "SAVE")  # type: ignore[attr-defined]
    assert result(table).reason is Reason.WIN


# after a restart


def test_a_person_is_still_there_after_a_restart(world: World) -> None:
    table = world.table(quarto(owned(ANNA), FREE))
    take(world, table, 1, BERT, "Bert")
    play(world, table, "A1,1")
    again, found = restarted(world, table)
    assert [seat.owner for seat in found.seats] == [ANNA, BERT]
    assert found.seats[1].name == "Bert"
    assert found.clocks.running == (
        1,
        0,
        3000,
    )  # the server's pause is not the player's
    play(again, found, "A2,2")
    assert found.turn == 0


def test_dice_with_clients_are_torn_by_a_restart(world: World) -> None:
    table = world.table(dice(owned(ANNA), owned(BERT), CLIENT))
    table.sit(StubOccupant())
    play(world, table, "ROLL")
    again, found = restarted(world, table)
    with pytest.raises(NoFreeSeat):
        found.sit(StubOccupant())
    again.run()
    torn = "the server stopped in the middle of the game"
    assert (result(found).reason, result(found).detail) == (Reason.ABORTED, torn)
    assert again.arena.gathering() == []


def test_dice_that_had_not_begun_wait_again(world: World) -> None:
    table = world.table(dice(owned(ANNA), owned(BERT), CLIENT))
    again, found = restarted(world, table)
    assert found.gathering
    assert again.arena.gathering() == [found]


# presence


def test_an_abandoned_table_is_swept(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT), time=0))
    table.owners.attend(ANNA, 2)
    world.run(25 * 3600)
    world.arena.sweep()
    world.run()
    assert not table.over
    table.owners.attend(EVE, 1)  # spectators do not count
    table.owners.attend("", 1)
    table.owners.attend(ANNA, 0)
    assert table.deserted
    world.run(23 * 3600)
    play(world, table, "A1,1")  # a sign of life without a page
    world.run(23 * 3600)
    world.arena.sweep()
    world.run()
    assert not table.over
    world.run(2 * 3600)
    world.arena.sweep()
    world.run()
    assert result(table).reason is Reason.ABORTED


def test_watchers_hear_of_clocks_and_seats(world: World) -> None:
    table = world.table(quarto(CLIENT, FREE))
    seen: list[object] = []
    table.watchers.append(lambda table: seen.append((table.clocks.running is not None, table.open)))
    seat = table.sit(StubOccupant())
    table.ask(seat)
    take(world, table, 1, BERT)
    assert seen[0] == (False, True)
    assert (True, True) in seen
    assert seen[-1] == (True, False)


def test_pauses_that_cannot_be(world: World) -> None:
    for pause in (-1, 60_001):
        with pytest.raises(OptionError):
            world.table(replace(quarto(FREE, FREE), pause=pause))


def test_an_engine_waits_only_the_rest_of_the_pause() -> None:
    async def moments() -> list[float]:
        world = World()
        arena = Arena(world.journal, _RealClock())
        wish = replace(quarto(owned(ANNA), ENGINE), pause=300)
        table = await world.made(arena, wish)
        begun = table.now
        table.play(table.seats[0], "A1,1", Answer())
        await world.until(lambda: len(table.history) == 1)
        person = table.now
        await world.until(lambda: len(table.history) == 2)
        engine = table.now
        arena.stop("done")
        return [person - begun, engine - person]

    person, engine = asyncio.run(moments())
    assert person < 0.25  # a person is never delayed
    assert 0.29 <= engine < 1


class _RealClock:
    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    def wall(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("time", "player", "within"),
    [(0, "random", 10.0), (0, "remote:localhost:1", 60.0), (500, "random", 0.5)],
)
def test_engines_know_how_long_they_may_think(
    monkeypatch: pytest.MonkeyPatch, time: int, player: str, within: float
) -> None:
    asked: list[float] = []

    async def choose(_player: str, _record: object, seconds: float, *_more: object) -> None:
        asked.append(seconds)
        await asyncio.sleep(10)

    async def check(*_: object) -> None:
        return

    async def play() -> None:
        world = World()
        arena = Arena(world.journal, world)
        monkeypatch.setattr(arena.engines, "choose", choose)
        monkeypatch.setattr(arena.engines, "check", check)
        seat = replace(ENGINE, player=player)
        table = await world.made(arena, quarto(seat, owned(ANNA), time=time))
        await world.until(lambda: asked)
        table.resign(table.seats[1])  # the engine's thought is not waited for
        await world.until(lambda: table.over)
        await asyncio.sleep(0)
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []
        arena.stop("done")

    asyncio.run(play())
    assert asked == [within]


def test_clients_are_told_the_greatest_time_where_there_is_none(world: World) -> None:
    table = world.table(quarto(CLIENT, owned(BERT), time=0))
    peer = world.join(table)
    world.run(0.1)
    assert f"+ MOVE {MOVE_TIMES[-1]}" in peer.lines


# deleting


def test_a_removed_game_ends_and_is_gone(world: World) -> None:
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    ends: list[Ending | None] = []
    table.watchers.append(lambda table: ends.append(table.result))

    async def remove() -> None:
        removing = asyncio.create_task(world.arena.remove(table.id))
        await world.until(removing.done)
        await removing

    asyncio.run(remove())
    assert ends[-1]
    assert ends[-1].detail == "the operator deleted the game"
    assert world.arena.find(table.id) is None
    assert world.journal.entries[-1] == Removed(table.id)
    assert len(world.arena) == 0
    world.run(100)
    world.arena.sweep()


def test_a_game_whose_end_cannot_be_written_is_not_removed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spielwerk.tables.arena.PATIENCE", 0.05)
    table = world.table(quarto(owned(ANNA), owned(BERT)))
    world.journal.broken = OSError("disk full")

    async def remove() -> None:
        removing = asyncio.create_task(world.arena.remove(table.id))
        await world.until(removing.done)
        await removing

    with pytest.raises(Unavailable):
        asyncio.run(remove())
    assert world.arena.find(table.id) is table
