"""A table: seats, moves, the journal in between, and all the ways a game can end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games import CHANCE, NOBODY
from spielwerk.store.records import Reason, Seated, SeatKind, SeatRecord
from spielwerk.tables.parts import History, NoFreeSeat, NotNow, Rules, Seat
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import World


class StubOccupant:
    """An occupant that counts how often it was told to look."""

    def __init__(self) -> None:
        self.looks = 0
        self.dismissed = ""

    def look(self) -> None:
        self.looks += 1

    def dismiss(self, why: str) -> None:
        self.dismissed = why


class Answer:
    """What `done` was called with."""

    def __init__(self) -> None:
        self.given: list[BaseException | None] = []

    def __call__(self, error: BaseException | None) -> None:
        self.given.append(error)


QUARTO = NewTable("quarto", ("begins=0", "first=3"))
MORRIS = NewTable("morris")
WIN = ["A0", "B0", "A1", "B2", "A2;B0"]


@pytest.fixture
def world() -> World:
    return World()


def seated(world: World, wish: NewTable) -> tuple[Table, Seat, Seat]:
    table = world.table(wish)
    return table, table.sit(StubOccupant()), table.sit(StubOccupant())


def looks(seat: Seat) -> int:
    assert isinstance(seat.occupant, StubOccupant)
    return seat.occupant.looks


def play(world: World, table: Table, *turns: str) -> None:
    for turn in turns:
        answer = Answer()
        table.play(table.seats[table.turn], turn, answer)
        world.run()
        assert answer.given == [None]


# seats


def test_seats_are_given_in_order(world: World) -> None:
    table = world.table(QUARTO)
    assert [table.sit(StubOccupant()).number, table.sit(StubOccupant()).number] == [0, 1]
    with pytest.raises(NoFreeSeat):
        table.sit(StubOccupant())


def test_a_wanted_seat(world: World) -> None:
    table = world.table(QUARTO)
    assert table.sit(StubOccupant(), 1).number == 1
    for wanted in (1, 2):
        with pytest.raises(NoFreeSeat, match=f"seat {wanted} is taken"):
            table.sit(StubOccupant(), wanted)
    assert table.sit(StubOccupant()).number == 0


def test_a_lost_clients_seat_is_reserved(world: World) -> None:
    table, seat, _ = seated(world, QUARTO)
    table.leave(seat, Reason.CONNECTION_LOST, "")
    world.run(4.999)
    with pytest.raises(NoFreeSeat):
        table.sit(StubOccupant())
    world.run(0.001)
    assert table.sit(StubOccupant()) is seat


# moves


def test_a_move_is_told_only_when_it_is_kept(world: World) -> None:
    table, mover, other = seated(world, QUARTO)
    world.journal.hold = True
    answer, before = Answer(), looks(other)
    table.play(mover, "A1,5", answer)
    world.run(1)
    assert (answer.given, table.turn, looks(other)) == ([], NOBODY, before)
    assert str(table.state).endswith("next 3")
    world.journal.release()
    assert (answer.given, table.turn) == ([None], 1)
    assert looks(other) == before + 1
    assert str(table.state).endswith("next 5")


def test_no_move_is_taken_meanwhile(world: World) -> None:
    table, mover, other = seated(world, QUARTO)
    world.journal.hold = True
    table.play(mover, "A1,5", Answer())
    for seat in (mover, other):
        with pytest.raises(NotNow):
            table.play(seat, "A2,6", Answer())


def test_a_move_that_cannot_be_kept_never_was(world: World) -> None:
    table, mover, _ = seated(world, QUARTO)
    world.journal.broken = OSError("disk full")
    answer = Answer()
    table.play(mover, "A1,5", answer)
    world.run()
    assert answer.given == [world.journal.broken]
    assert (table.turn, len(table.history)) == (0, 0)
    world.journal.broken = None
    play(world, table, "A1,5")


def test_moves_of_the_wrong_player_and_the_wrong_kind(world: World) -> None:
    table, mover, other = seated(world, QUARTO)
    with pytest.raises(NotNow):
        table.play(other, "A1,5", Answer())
    with pytest.raises(IllegalMove):
        table.play(mover, "A1,3", Answer())
    with pytest.raises(NotationError):
        table.play(mover, "Z9", Answer())
    assert world.journal.moves(table.id) == []


def test_every_decision_of_a_chain_is_kept(world: World) -> None:
    table, *_ = seated(world, MORRIS)
    play(world, table, *WIN)
    kept = [(m.number, m.seat, m.move) for m in world.journal.moves(table.id)]
    assert kept[-2:] == [(4, 0, "A2"), (5, 0, "B0")]
    assert [number for number, *_ in kept] == list(range(6))


def test_a_chain_breaks_as_a_whole(world: World) -> None:
    table, mover, _ = seated(world, MORRIS)
    play(world, table, *WIN[:4])
    with pytest.raises(IllegalMove, match="left over"):
        table.play(mover, "A2;B0;B2", Answer())
    assert len(table.history) == 4


def test_draws_are_made_when_the_table_is_and_when_the_rules_ask(world: World) -> None:
    table = world.table(NewTable("quarto"))
    assert [move.seat for move in world.journal.moves(table.id)] == [CHANCE]
    table, *_ = seated(world, replace(QUARTO, game="quarto"))
    assert world.journal.moves(table.id) == []


def test_dice_are_thrown_with_the_decision_that_asks_for_them(world: World) -> None:
    seats = tuple(SeatRecord(SeatKind.CLIENT, "") for _ in range(3))
    table = world.table(NewTable("dice", ("begins=0",), seats=seats))
    for _ in seats:
        table.sit(StubOccupant())
    play(world, table, "ROLL")
    assert [move.seat for move in world.journal.moves(table.id)] == [0, CHANCE]


# ends


def win(world: World, wish: NewTable = QUARTO) -> Table:
    table, *_ = seated(world, wish)
    play(world, table, "A1,1", "A2,5", "A3,7", "A4")
    return table


def test_a_win_ends_the_game_with_the_move(world: World) -> None:
    table = win(world)
    assert table.result
    assert (table.result.reason, table.result.winner) == (Reason.WIN, 1)
    assert world.journal.results(table.id) == [table.result]
    assert table.turn == NOBODY
    with pytest.raises(NotNow):
        table.play(table.seats[0], "B1", Answer())


def test_leaving_after_the_end_changes_nothing(world: World) -> None:
    table = win(world, replace(QUARTO, tournament=True))
    result = table.result
    table.leave(table.seats[0], Reason.CONNECTION_LOST, "")
    world.run(1)
    assert table.result is result
    assert len(world.journal.results(table.id)) == 1
    assert table.sit(StubOccupant(), 0).number == 0


@pytest.mark.parametrize("reason", [Reason.SERVER_ERROR, Reason.ABORTED])
def test_no_player_loses_by_the_servers_fault(world: World, reason: Reason) -> None:
    table, seat, _ = seated(world, replace(QUARTO, tournament=True))
    table.leave(seat, reason, "")
    world.run()
    assert not table.over


def test_the_first_to_go_has_lost(world: World) -> None:
    table, mover, other = seated(world, replace(QUARTO, tournament=True))
    table.ask(mover)
    table.leave(other, Reason.CONNECTION_LOST, "first")
    table.leave(mover, Reason.TIME_OUT, "second")
    world.run()
    assert table.result
    assert (table.result.winner, table.result.detail) == (0, "first")
    assert len(world.journal.results(table.id)) == 1


def test_a_loss_while_a_move_is_being_written(world: World) -> None:
    table, mover, other = seated(world, replace(MORRIS, tournament=True))
    play(world, table, *WIN[:4])
    table.ask(mover)
    world.journal.hold = True
    answer = Answer()
    table.play(mover, "A2", answer)
    table.leave(other, Reason.CONNECTION_LOST, "gone")
    world.journal.release()
    assert (answer.given, table.turn) == ([None], NOBODY)
    world.journal.release()
    assert table.result
    assert (table.result.reason, table.result.winner) == (Reason.CONNECTION_LOST, 0)
    assert [move.move for move in world.journal.moves(table.id)][-1] == "A2"


def test_an_end_that_cannot_be_kept_is_not_told(world: World) -> None:
    table, *_ = seated(world, QUARTO)
    world.journal.broken = OSError("disk full")
    table.abort(Reason.ABORTED, "full")
    world.run()
    assert not table.over
    world.journal.broken = None
    world.arena.sweep()
    world.run()
    assert table.result
    assert table.result.detail == "full"


def test_an_end_waits_for_the_move_that_is_being_written(world: World) -> None:
    table, mover, _ = seated(world, QUARTO)
    world.journal.hold = True
    table.play(mover, "A1,5", Answer())
    table.abort(Reason.ABORTED, "enough")
    world.journal.release()
    world.journal.release()
    assert table.result
    assert table.result.detail == "enough"
    assert len(table.history) == 1


# games of one sitting

BOTS = tuple(SeatRecord(SeatKind.CLIENT, "") for _ in range(3))
DICE = NewTable("dice", ("begins=0",), seats=BOTS)


def test_it_begins_when_all_are_there(world: World) -> None:
    table = world.table(DICE)
    for turn in (NOBODY, NOBODY, NOBODY):
        assert table.turn == turn
        table.sit(StubOccupant())
    assert table.turn == 0


def test_who_leaves_before_is_replaced_at_once(world: World) -> None:
    table = world.table(DICE)
    seat = table.sit(StubOccupant())
    table.leave(seat, Reason.CONNECTION_LOST, "")
    world.run()
    assert not table.over
    assert table.sit(StubOccupant(), 0) is seat


def test_a_name_that_came_with_the_player_is_kept(world: World) -> None:
    table = world.table(DICE)
    table.sit(StubOccupant(), 1, "dice2")
    world.run()
    assert table.seats[1].name == "dice2"
    assert world.journal.entries[-1] == Seated(table.id, 1, "dice2")


def test_watchers_see_every_change(world: World) -> None:
    table, seat, _ = seated(world, QUARTO)
    seen: list[int] = []
    table.watchers.append(lambda table: seen.append(len(table.history)))
    play(world, table, "A1,5", "B2,7")
    table.leave(seat, Reason.CONNECTION_LOST, "")
    assert seen == [1, 2, 2]


def test_a_table_is_what_its_record_says(world: World) -> None:
    table, *_ = seated(world, MORRIS)
    play(world, table, *WIN)
    record = replace(table.record, moves=tuple(world.journal.moves(table.id)))
    again = Table(record, world.journal, world, world.arena._rng)
    assert again.state == table.state
    assert list(again.history) == list(table.history)
    assert again.history.records() == list(record.moves) == History.of(record).records()
    assert again.history.records(2, 4) == list(record.moves[2:4])
    assert again.history.record().state == table.state


class CountedTable(Table):
    """A table that knows what the processor did."""

    def processor_time(self, seat: int) -> int:
        return 40 + seat


def test_rules_and_hooks_of_other_tables(world: World) -> None:
    made = world.table(QUARTO)
    rules = Rules(together=True)
    table = CountedTable(made.record, world.journal, world, world.arena._rng, rules)
    table.sit(StubOccupant())
    assert (table.begun, table.turn) == (False, NOBODY)
    table.sit(StubOccupant())
    assert (table.begun, table.turn) == (True, 0)
    play(world, table, "A1,5")
    assert world.journal.moves(table.id)[-1].cpu == 40
