"""The parts of a place where games are played: minutes, tables, arrivals, efforts and ports."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.contests.playing import ports
from spielwerk.contests.playing.arrival import Arrival, Failure
from spielwerk.contests.playing.efforts import Efforts
from spielwerk.contests.playing.minutes import Minutes
from spielwerk.contests.playing.ports import PORTS, NoPort, is_listening, reserved_port
from spielwerk.contests.playing.seats.oware import OwareSeating
from spielwerk.contests.playing.sitting import Sitting
from spielwerk.contests.playing.table import NO_BYE, ContestTable
from spielwerk.contests.playing.venue import Venue
from spielwerk.games import find_game
from spielwerk.games.record import Record
from spielwerk.store.contest_records import End
from spielwerk.store.records import (
    Ended,
    GameRecord,
    Moved,
    MoveRecord,
    Reason,
    ResultRecord,
    Seated,
    SeatKind,
    SeatRecord,
    WireRecord,
)
from spielwerk.tables.parts import SystemClock
from tests.contests.stage import assigned, program, venue
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

HERE = "127.0.0.1"
SEATS = (SeatRecord(SeatKind.CLIENT, "anna"), SeatRecord(SeatKind.CLIENT, "bert"))


def run(work: Awaitable[Any]) -> Any:
    async def bounded() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work

    return asyncio.run(bounded())


# minutes


def test_minutes_keep_everything_but_the_names_that_players_give_themselves() -> None:
    told: list[tuple[MoveRecord, ...]] = []
    done: list[BaseException | None] = []

    async def keep() -> Minutes:
        minutes = Minutes(told.append)
        moves = (MoveRecord(0, 0, "3", 1, 2),)
        end = ResultRecord(Reason.WIN, 0, "won", 3)
        wire = WireRecord("id", 0, "mnm", "peer", 1, b"")
        for entry in (Moved("id", moves), Seated("id", 0, "me"), wire, Ended("id", end)):
            minutes.add(entry, done.append)
        assert done == []  # nobody hears of it before it goes on
        await asyncio.sleep(0)
        return minutes

    minutes = run(keep())
    assert [move.move for move in minutes.moves] == ["3"]
    assert minutes.result is not None
    assert [wire.peer for wire in minutes.wires] == ["peer"]
    assert told == [tuple(minutes.moves)]
    assert done == [None] * 4


# tables


class Guest:
    """Somebody who sits at a table and looks."""

    def __init__(self) -> None:
        self.looks = 0

    def look(self) -> None:
        self.looks += 1

    def dismiss(self, why: str) -> None:
        """Nobody sits here that could go."""


def new_table(
    game: str = "connect4", seats: int = 2, option: str = "", *others: Any
) -> ContestTable:
    options = (option,) if option else ()
    record = GameRecord("id", game, options, "Partie", (*SEATS, SEATS[0])[:seats], 1000, True, 0)
    minutes = Minutes(lambda _: None)
    return ContestTable(record, minutes, SystemClock(), Random(1), Efforts(), *others)


def at_table(work: Callable[[ContestTable], Awaitable[None]], *setting: Any) -> ContestTable:
    async def sitting() -> ContestTable:
        table = new_table(*setting)
        await work(table)
        async with asyncio.timeout(PATIENCE):
            await table.ended.wait()
        return table

    table: ContestTable = asyncio.run(sitting())
    return table


def test_nobody_is_asked_before_everybody_has_come() -> None:
    async def come() -> None:
        table = new_table()
        table.sit(Guest(), 0)
        assert (table.begun, table.turn) == (False, -2)
        table.sit(Guest(), 1)
        assert (table.begun, table.turn) == (True, 0)

    run(come())


@pytest.mark.parametrize("game", ["connect4", "dice"])
def test_who_leaves_before_the_game_has_begun_has_ended_it(game: str) -> None:
    async def leave(table: ContestTable) -> None:
        table.leave(table.sit(Guest(), 1), Reason.CONNECTION_LOST, "gone")

    table = at_table(leave, game, 3 if game == "dice" else 2)
    assert table.result is not None
    assert (table.result.reason, table.result.culprit) == (Reason.CONNECTION_LOST, 1)


def test_nobody_hears_of_a_loss_before_it_is_seen_whose_fault_it_is() -> None:
    """The one who is asked seems to have failed, but the other one was in its way."""
    tables: list[ContestTable] = []

    def inspect(number: int) -> None:
        (table,) = tables
        assert not table.over
        if number == 0:
            table.lose(table.seats[1], Reason.PROTOCOL_ERROR, "in the way")

    async def fail(table: ContestTable) -> None:
        tables.append(table)
        seats = [table.sit(Guest(), number) for number in (0, 1)]
        table.ask(seats[0])
        table.end(ResultRecord(Reason.TIME_OUT, None, "late", 0, (0,)))

    table = at_table(fail, "connect4", 2, "", inspect)
    assert table.result is not None
    assert (table.result.reason, table.result.culprit) == (Reason.PROTOCOL_ERROR, 1)


async def decided(table: ContestTable, meanwhile: Callable[[], None] = lambda: None) -> None:
    """A race to three points, which the first throw decides: with these dice it is no double."""
    seats = [table.sit(Guest(), number) for number in range(3)]
    table.ask(seats[0])
    meanwhile()
    table.play(seats[0], "ROLL", lambda _: None)
    await asyncio.sleep(0)
    assert table.state.outcome is not None


@pytest.mark.parametrize("reason", [Reason.CONNECTION_LOST, Reason.TIME_OUT])
def test_who_leaves_when_the_race_is_decided_has_broken_the_protocol(reason: Reason) -> None:
    async def leave(table: ContestTable) -> None:
        await decided(table)
        table.leave(table.seats[1], reason, "gone")

    table = at_table(leave, "dice", 3, "target=3")
    assert table.result is not None
    assert (table.result.reason, table.result.culprit) == (Reason.PROTOCOL_ERROR, 1)
    assert (table.result.detail, table.result.winner) == (NO_BYE, None)


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


def test_a_move_has_its_processor_time() -> None:
    async def move() -> None:
        table = new_table()
        efforts = Efforts()
        table._effort = efforts
        readings = iter((100, 117))
        efforts.clocks[0] = lambda: next(readings)
        seat = table.sit(Guest(), 0)
        table.sit(Guest(), 1)
        table.ask(seat)
        table.play(seat, "3", lambda _: None)
        minutes = table._journal
        assert isinstance(minutes, Minutes)
        assert minutes.moves[0].cpu == 17

    run(move())


# efforts


def test_an_engine_says_how_long_it_thought() -> None:
    efforts = Efforts()
    efforts.asked(1)
    efforts.thought(0.0123)
    assert efforts.spent(1) == 12
    assert efforts.spent(1) is None  # that was for one move


def test_of_players_elsewhere_nothing_is_known() -> None:
    efforts = Efforts()
    efforts.asked(0)
    assert efforts.spent(0) is None


def test_a_program_that_was_not_asked_has_no_time_to_be_counted() -> None:
    efforts = Efforts()
    efforts.clocks[0] = lambda: 5
    assert efforts.spent(0) is None


# arrivals


async def ended_with(status: str) -> str:
    return status


def arrival_within(
    seconds: float, tell: Callable[[Arrival], None], ended: Awaitable[str] | None = None
) -> Failure | None:
    async def wait() -> Failure | None:
        arrival = Arrival()
        tell(arrival)
        return await arrival.within(seconds, ended)

    failure: Failure | None = run(wait())
    return failure


def test_who_sits_has_come_and_what_happens_later_does_not_change_that() -> None:
    def tell(arrival: Arrival) -> None:
        arrival.came()
        arrival.failed(End.STALL, "too late")

    assert arrival_within(60, tell) is None


def test_who_does_not_come_in_time_has_not_started() -> None:
    failure = arrival_within(0.01, lambda _: None)
    assert failure == (End.NO_START, "did not take its seat within 0.01 s")


def test_a_program_that_has_ended_is_not_waited_for() -> None:
    failure = arrival_within(60, lambda _: None, ended_with("exit 3"))
    assert failure == (End.NO_START, "the program ended at the start: exit 3")


def test_who_comes_when_the_program_has_ended_is_somebody_else() -> None:
    def tell(arrival: Arrival) -> None:
        arrival.left("exit 0")
        arrival.came()

    failure = arrival_within(60, tell, ended_with("exit 0"))
    assert failure == (End.NO_START, "the program ended at the start: exit 0")


def test_what_is_missing_is_said() -> None:
    def tell(arrival: Arrival) -> None:
        arrival.lacking = "nobody listens at 127.0.0.1:9"

    failure = arrival_within(0.01, tell)
    assert failure is not None
    assert failure.detail == "did not take its seat within 0.01 s: nobody listens at 127.0.0.1:9"


def test_the_last_words_of_a_program_that_has_ended_count() -> None:
    def tell(arrival: Arrival) -> None:
        asyncio.get_running_loop().call_later(
            0.01, arrival.refused, Reason.PROTOCOL_ERROR, "rubbish"
        )

    assert arrival_within(60, tell, ended_with("exit 0")) == (End.PROTOCOL_ERROR, "rubbish")


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (Reason.PROTOCOL_ERROR, End.PROTOCOL_ERROR),
        (Reason.TIME_OUT, End.STALL),
        (Reason.STALLED, End.STALL),
        (Reason.SERVER_ERROR, End.SERVER_ERROR),
    ],
)
def test_who_was_refused_has_done_something(reason: Reason, end: End) -> None:
    assert arrival_within(60, lambda arrival: arrival.refused(reason, "why")) == (end, "why")


@pytest.mark.parametrize("reason", [Reason.ABORTED, Reason.CONNECTION_LOST])
def test_who_has_only_left_may_come_back(reason: Reason) -> None:
    failure = arrival_within(0.01, lambda arrival: arrival.refused(reason, "why"))
    assert failure is not None
    assert failure.end is End.NO_START


# ports


def test_a_reserved_port_is_free_and_nobody_elses() -> None:
    with reserved_port(HERE) as one, reserved_port(HERE) as other:
        assert one != other
        assert {one, other} <= set(PORTS)
        assert not is_listening(HERE, one)
        with socket.create_server((HERE, one)):
            assert is_listening(HERE, one)
        assert not is_listening(HERE, one)


def test_a_port_that_somebody_has_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((HERE, 0)) as server:
        taken = server.getsockname()[1]
        monkeypatch.setattr(ports, "PORTS", range(taken, taken + 1))
        with pytest.raises(NoPort, match="no free port was found"), reserved_port(HERE):
            pass


def test_a_port_that_another_worker_has_reserved_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with reserved_port(HERE) as reserved:
        monkeypatch.setattr(ports, "PORTS", range(reserved, reserved + 1))
        monkeypatch.setattr(ports, "_ours", set())  # another process has its own
        with pytest.raises(NoPort), reserved_port(HERE):
            pass
    with reserved_port(HERE) as again:
        assert again == reserved


@pytest.mark.parametrize("secretly", [False, True])
def test_a_port_of_ours_is_not_taken_again(secretly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with reserved_port(HERE, secretly=secretly) as reserved:
        monkeypatch.setattr(ports, "PORTS", range(reserved, reserved + 1))
        with pytest.raises(NoPort), reserved_port(HERE, secretly=secretly):
            pass
    with reserved_port(HERE, secretly=secretly) as again:
        assert again == reserved


@pytest.mark.skipif(not Path("/proc/net/unix").exists(), reason="needs /proc")
@pytest.mark.parametrize("sandboxed", [False, True])
def test_in_a_sandbox_nobody_can_read_which_ports_are_reserved(sandboxed: bool) -> None:
    async def names() -> str:
        async with venue() as place:
            game = assigned("oware", program("oware"), sandbox=sandboxed)
            seating = OwareSeating(Sitting(game, place, lambda _: None))
            await seating.open()
            known = Path("/proc/net/unix").read_text()
            port = str(seating.port(0))
            await seating.close()
        return "told" if port in known else "secret"

    assert run(names()) == ("secret" if sandboxed else "told")


@pytest.mark.parametrize("host", [HERE, "::1"])
def test_who_listens_is_seen_and_not_disturbed(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        port = server.getsockname()[1]
        assert is_listening(HERE, port)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not is_listening(HERE, port)


def test_a_connection_is_not_taken_for_somebody_who_listens() -> None:
    with (
        socket.create_server((HERE, 0)) as server,
        socket.create_connection(server.getsockname()) as line,
    ):
        assert not is_listening(HERE, line.getsockname()[1])


def test_where_the_system_cannot_be_asked_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "are_told", lambda: False)
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
        assert is_listening(HERE, port)
    assert not is_listening(HERE, port)


# the venue


def test_an_engine_that_is_lent_has_the_chance_of_its_game_and_tells_its_effort() -> None:
    spent: list[float] = []
    start = Record((find_game("oware").from_text(()).start(),))

    async def choose() -> list[object]:
        venue = Venue()
        lent = venue.engines.lent(lambda record: Random(len(record.moves)), spent.append)
        await lent.warm(start.game, "level=1")
        moves = [await lent.choose("level=1", start, 1.0) for _ in range(20)]
        usual = [await venue.engines.choose("level=1", start, 1.0) for _ in range(20)]
        await venue.close()
        return [set(moves), set(usual)]

    same, various = run(choose())
    assert len(same) == 1
    assert len(various) > 1
    assert len(spent) == 20
    assert all(seconds > 0 for seconds in spent)


def test_engines_that_are_lent_know_nothing_of_other_games() -> None:
    game = find_game("oware").from_text(())

    async def players() -> list[object]:
        venue = Venue()
        found = []
        for _ in range(2):
            lent = venue.engines.lent(lambda _: Random(1), lambda _: None)
            found += [await lent._run(lent._player, game, "depth=2") for _ in range(2)]
        await venue.close()
        return found

    one, same, other, _ = run(players())
    assert one is same
    assert one is not other


def test_a_venue_can_be_closed_and_opened_again() -> None:
    async def twice() -> None:
        for _ in range(2):
            venue = Venue()
            assert len(venue.arena) == 0
            await venue.close()

    run(twice())
