"""The parts of a game in a contest: its journal, its table, attendance and CPU time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest

from spielwerk.contests.playing.facilities import CpuMeter, Facilities
from spielwerk.contests.playing.game import Attendance, ContestTable, GameJournal
from spielwerk.games import find_game
from spielwerk.games.record import Record
from spielwerk.store.records import (
    Ended,
    Ending,
    GameRecord,
    Moved,
    MoveRecord,
    Reason,
    Seated,
    SeatKind,
    SeatRecord,
    WireRecord,
)
from spielwerk.tables.parts import SystemClock
from tests.waiting import PATIENCE

SEATS = (SeatRecord(SeatKind.CLIENT, "anna"), SeatRecord(SeatKind.CLIENT, "bert"))


def run(work: Awaitable[Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work

    return asyncio.run(bounded())


# journal


def test_journal_keep_everything_but_the_names_that_players_give_themselves() -> None:
    told: list[tuple[MoveRecord, ...]] = []
    done: list[BaseException | None] = []

    async def keep() -> GameJournal:
        journal = GameJournal(told.append)
        moves = (MoveRecord(0, 0, "3", 1, 2),)
        end = Ending(Reason.WIN, 0, "won", 3)
        wire = WireRecord("id", 0, "mnm", "peer", 1, b"")
        for entry in (Moved("id", moves), Seated("id", 0, "me"), wire, Ended("id", end)):
            journal.add(entry, done.append)
        assert done == []  # nobody hears of it before it goes on
        await asyncio.sleep(0)
        return journal

    journal = run(keep())
    assert [move.move for move in journal.moves] == ["3"]
    assert journal.result is not None
    assert [wire.peer for wire in journal.wires] == ["peer"]
    assert told == [tuple(journal.moves)]
    assert done == [None] * 4


# tables


class Guest:
    """A player that sits at a table and looks."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self) -> None:
        self.looks += 1

    def dismiss(self, why: str) -> None:
        """Nobody sits here that could go."""


def new_table(game: str = "connect4", seats: int = 2, option: str = "") -> ContestTable:
    options = (option,) if option else ()
    record = GameRecord("id", game, options, "Partie", (*SEATS, SEATS[0])[:seats], 1000, True, 0)
    journal = GameJournal(lambda _: None)
    return ContestTable(record, journal, SystemClock(), Random(1), CpuMeter())


def at_table(work: Callable[[ContestTable], Awaitable[None]], *setting: Any) -> ContestTable:
    async def sitting() -> ContestTable:
        table = new_table(*setting)
        await work(table)
        async with asyncio.timeout(PATIENCE):
            await table.ended.wait()
        return table

    table: ContestTable = asyncio.run(sitting())
    return table


@pytest.mark.parametrize("game", ["connect4", "dice"])
def test_who_leaves_before_the_game_has_begun_has_ended_it(game: str) -> None:
    async def leave(table: ContestTable) -> None:
        table.leave(table.sit(Guest(), 1), Reason.CONNECTION_LOST, "gone")

    table = at_table(leave, game, 3 if game == "dice" else 2)
    assert table.result is not None
    assert (table.result.reason, table.result.culprit) == (Reason.CONNECTION_LOST, 1)


async def decided(table: ContestTable, meanwhile: Callable[[], None] = lambda: None) -> None:
    """A race to three points, which the first throw decides: with these dice it is no double."""
    seats = [table.sit(Guest(), number) for number in range(3)]
    table.ask(seats[0])
    meanwhile()
    table.play(seats[0], "ROLL", lambda _: None)
    await asyncio.sleep(0)
    assert table.state.outcome is not None


def test_who_has_left_before_the_race_is_decided_has_not() -> None:
    """It is told when the one who is thinking has decided, and that may have been the end."""

    async def leave(table: ContestTable) -> None:
        await decided(table, lambda: table.lose(table.seats[1], Reason.CONNECTION_LOST, "gone"))

    table = at_table(leave, "dice", 3, "target=3")
    assert table.result is not None
    assert (table.result.reason, table.result.detail) == (Reason.CONNECTION_LOST, "gone")


def test_a_fault_of_ours_does_not_let_the_other_one_wait_for_ever() -> None:
    async def fail(table: ContestTable) -> None:
        seat = table.sit(Guest(), 0)
        table.sit(Guest(), 1)
        table.leave(seat, Reason.SERVER_ERROR, "we broke")

    table = at_table(fail)
    assert table.result is not None
    assert (table.result.reason, table.result.culprit) == (Reason.SERVER_ERROR, None)


# meter


def test_what_is_known_of_the_time_of_a_move() -> None:
    meter = CpuMeter()
    meter.asked(0)
    assert meter.spent(0) is None  # a player elsewhere
    meter.clocks[0] = lambda: 5
    assert meter.spent(0) is None  # it was not asked
    meter.asked(1)
    meter.thought(0.0123)  # an engine says it
    assert meter.spent(1) == 12
    assert meter.spent(1) is None  # that was for one move


# attendances


def attendance_within(seconds: float, tell: Callable[[Attendance], None]) -> Ending | None:
    async def wait() -> Ending | None:
        attendance = Attendance()
        tell(attendance)
        return await attendance.within(seconds)

    failure: Ending | None = run(wait())
    return failure


def test_who_sits_has_come_and_what_happens_later_does_not_change_that() -> None:
    def tell(attendance: Attendance) -> None:
        attendance.came()
        attendance.failed(Reason.STALLED, "too late")

    assert attendance_within(60, tell) is None


def rubbish_later(attendance: Attendance) -> None:
    attendance.left("exit 0")
    loop = asyncio.get_running_loop()
    loop.call_later(0.01, attendance.refused, Reason.PROTOCOL_ERROR, "rubbish")


def come_though_ended(attendance: Attendance) -> None:
    attendance.left("exit 0")
    attendance.came()


@pytest.mark.parametrize(
    ("seconds", "tell", "reason", "detail"),
    [
        (0.01, lambda _: None, Reason.NO_START, "did not take its seat within 0.01 s"),
        (60, lambda one: one.left("exit 3"), Reason.NO_START, "exited at startup: exit 3"),
        (60, come_though_ended, Reason.NO_START, "exited at startup: exit 0"),
        (60, rubbish_later, Reason.PROTOCOL_ERROR, "rubbish"),  # its last words count
        (60, lambda one: one.refused(Reason.TIME_OUT, "why"), Reason.STALLED, "why"),
        (60, lambda one: one.refused(Reason.STALLED, "why"), Reason.STALLED, "why"),
        (60, lambda one: one.refused(Reason.SERVER_ERROR, "why"), Reason.SERVER_ERROR, "why"),
    ],
)
def test_why_a_player_has_not_come(
    seconds: float, tell: Callable[[Attendance], None], reason: Reason, detail: str
) -> None:
    failure = attendance_within(seconds, tell)
    assert failure is not None
    assert failure.reason is reason
    assert failure.detail.endswith(detail)


@pytest.mark.parametrize("reason", [Reason.ABORTED, Reason.CONNECTION_LOST])
def test_who_has_only_left_may_come_back(reason: Reason) -> None:
    failure = attendance_within(0.01, lambda attendance: attendance.refused(reason, "why"))
    assert failure is not None
    assert failure.reason is Reason.NO_START


# the facilities


def test_an_engine_that_is_lent_has_the_chance_of_its_game_and_tells_its_effort() -> None:
    spent: list[float] = []
    start = Record((find_game("oware").from_text(()).start(),))

    async def choose() -> list[object]:
        facilities = Facilities()
        lent = facilities.engines.lent(lambda record: Random(len(record.moves)), spent.append)
        await lent.warm(start.game, "level=1")
        moves = [await lent.choose("level=1", start, 1.0) for _ in range(20)]
        usual = [await facilities.engines.choose("level=1", start, 1.0) for _ in range(20)]
        await facilities.close()
        return [set(moves), set(usual)]

    same, various = run(choose())
    assert len(same) == 1
    assert len(various) > 1
    assert len(spent) == 20
    assert all(seconds > 0 for seconds in spent)


def test_engines_that_are_lent_know_nothing_of_other_games() -> None:
    game = find_game("oware").from_text(())

    async def players() -> list[object]:
        facilities = Facilities()
        found: list[object] = []
        for _ in range(2):
            lent = facilities.engines.lent(lambda _: Random(1), lambda _: None)
            for _ in range(2):
                with lent._player(game, "depth=2") as player:
                    found.append(player)
        await facilities.close()
        return found

    one, same, other, _ = run(players())
    assert one is same
    assert one is not other
