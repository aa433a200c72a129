"""Games that go wrong on our side, or are broken off: they end, and nothing is left of them."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import psutil
import pytest

from spielwerk.contests.contest import AssignedPlayer, ContestError, Played, Progress
from spielwerk.contests.playing.game import ContestGame, ContestTable
from spielwerk.contests.playing.referee import play
from spielwerk.contests.playing.seats import ProgramSeats
from spielwerk.contests.playing.seats.open import OpenDoor
from spielwerk.net.connection import Direction
from spielwerk.store.records import Kind, Reason
from spielwerk.tables.parts import Seat
from tests.contests.running import handles, offspring
from tests.contests.stage import COMMANDS, PLAYERS, assigned, engine, played, program, said, venue
from tests.waiting import PATIENCE, wait_until

# ends that we bring about


def test_a_game_that_takes_too_long_is_the_fault_of_the_player_that_is_asked() -> None:
    stalling = program("dice", "--fault stall")
    (one,) = played(assigned("dice", stalling, total=1.5, move_time=50_000))
    assert (one.ending.reason, one.ending.culprits) == (Reason.STALLED, (0,))
    assert one.ending.detail == "the game took longer than 1.5 s"
    assert one.record is not None
    assert one.record.result is not None
    assert one.record.result.reason is Reason.STALLED


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ({"options": ("n=99",)}, "OptionError: 'n=99': must be from 2 to 16"),
        ({"opening": ("3", "Z9,1")}, "NotationError"),
        ({"seats": (engine("level=99"), engine())}, "level goes from 1 to 10"),
        ({"game": "chess"}, "UnknownGame"),
    ],
)
def test_what_cannot_be_played_is_our_fault(wish: dict[str, object], problem: str) -> None:
    (one,) = played(replace(assigned("quarto"), **wish))  # type: ignore[arg-type]
    assert one.ending.reason is Reason.SERVER_ERROR
    assert problem in one.ending.detail
    assert one.ending.culprits == ()
    assert one.broken


def test_programs_cannot_play_connect_four_from_an_opening() -> None:
    (one,) = played(assigned("connect4", program("connect4"), opening=("0", "1")))
    assert one.ending.reason is Reason.SERVER_ERROR
    assert "only from the empty board" in one.ending.detail


def test_an_open_seat_without_a_door_is_our_fault() -> None:
    (one,) = played(assigned("dice", AssignedPlayer("tom", Kind.OPEN)))
    assert one.ending.reason is Reason.SERVER_ERROR
    assert "open seats need an open port" in one.ending.detail


def test_an_engine_that_breaks_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("spielwerk.engines.players.RandomPlayer.choose", broken)
    (one,) = played(assigned("oware"))
    assert one.ending.reason is Reason.SERVER_ERROR
    assert one.ending.detail == "the engine failed: ZeroDivisionError"


def test_a_game_that_does_not_begin_though_all_players_have_come_is_our_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ContestTable, "gather", lambda _: None)
    (one,) = played(assigned("quarto", program("quarto"), total=1.5))
    assert one.ending.reason is Reason.SERVER_ERROR
    assert one.ending.detail == "the game took longer than 1.5 s, and no player was to move"


def test_a_game_without_a_protocol_is_for_engines_only() -> None:
    async def asking() -> None:
        async with venue() as place:
            plain = ProgramSeats(ContestGame(assigned("quarto"), place, lambda _: None))
            with pytest.raises(ContestError, match="no program can play quarto on seat 1"):
                plain.places(1)

    asyncio.run(asking())


def test_who_listens_to_the_news_cannot_make_a_game_wait_for_ever() -> None:
    def deaf(_: Progress) -> None:
        raise BrokenPipeError("nobody listens")

    async def playing() -> Played:
        async with venue() as place, asyncio.timeout(PATIENCE):
            return await play(assigned("quarto", program("quarto")), deaf, place)

    one = asyncio.run(playing())
    assert (one.ending.reason, one.ending.detail) == (
        Reason.SERVER_ERROR,
        "BrokenPipeError: nobody listens",
    )


HASTY = r"""
import socket, sys
line = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
line.recv(99)
line.sendall(b'AUTH hasty\n')
"""


def a_hasty_one(folder: Path) -> AssignedPlayer:
    """It says its name, and is gone."""
    script = folder / "hasty.py"
    script.write_text(HASTY)
    command = f"{sys.executable} -S -E {script} {{port}}"
    return AssignedPlayer("hasty", Kind.COMMAND, command, "/")


def test_who_comes_when_the_game_is_over_already_is_not_to_blame(tmp_path: Path) -> None:
    bot = program(f"{PLAYERS}/{COMMANDS['dice']}").text
    dawdling = f"sh -c 'sleep 0.7; exec {bot}'"
    late = [AssignedPlayer(name, Kind.COMMAND, dawdling, str(PLAYERS)) for name in ("anna", "bert")]
    (one,) = played(assigned("dice", a_hasty_one(tmp_path), *late))
    assert (one.ending.reason, one.ending.culprits) == (Reason.CONNECTION_LOST, (0,))
    assert b"not your fault" in said(one, 1, Direction.SENT)


class Waiting:
    """No guest comes; what the table says when all have to go is noted."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.told: Reason | None = None

    async def seat(self, _player: AssignedPlayer, _table: ContestTable, _number: int) -> None:
        self.begun.set()
        await asyncio.Event().wait()

    async def leave(self, table: ContestTable) -> None:
        await asyncio.sleep(0)
        self.told = table.result.reason if table.result else None


def test_who_has_come_by_itself_is_told_when_we_are_stopped() -> None:
    async def playing() -> Reason | None:
        async with venue() as place, asyncio.timeout(PATIENCE):
            waiting = Waiting()
            door = cast("OpenDoor", waiting)
            game = play(assigned("quarto", AssignedPlayer("tom", Kind.OPEN)), _ignore, place, door)
            task = asyncio.create_task(game)
            await waiting.begun.wait()
            task.cancel()
            await asyncio.wait([task])
            return waiting.told

    assert asyncio.run(playing()) is Reason.ABORTED


def _ignore(_: Progress) -> None:
    """What is told is of no interest."""


@pytest.mark.parametrize(
    ("game", "fault", "end", "marked"),
    [
        ("quarto", "stall", Reason.TIME_OUT, True),
        ("quarto", "crash-on-move", Reason.CONNECTION_LOST, False),
        ("quarto", "leave", Reason.CONNECTION_LOST, False),
        ("dice", "no-bye", Reason.PROTOCOL_ERROR, True),
        ("dice", "leave-at-end", Reason.PROTOCOL_ERROR, False),
    ],
)
def test_who_is_late_on_an_overloaded_machine_is_marked(
    game: str, fault: str, end: Reason, marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To say nothing may be the machine's fault, to hang up is not."""
    monkeypatch.setattr("spielwerk.contests.playing.facilities.Load.during", lambda *_: True)
    options = ("target=40",) if game == "dice" else ()
    bad = program(game, f"--fault {fault}")
    (one,) = played(assigned(game, bad, move_time=300, options=options))
    assert (one.ending.reason, one.overloaded) == (end, marked)


@pytest.mark.parametrize(("game", "fault"), [("quarto", "stall"), ("dice", "no-bye")])
def test_the_load_is_looked_at_from_the_question_to_the_end(
    game: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float] = []

    def during(_: object, start: float, end: float) -> bool:
        asked.append(end - start)
        return False

    monkeypatch.setattr("spielwerk.contests.playing.facilities.Load.during", during)
    began = time.monotonic()
    (one,) = played(assigned(game, program(game, f"--fault {fault}"), move_time=300))
    assert not one.overloaded
    (seconds,) = asked
    assert 0.29 < seconds < min(5, time.monotonic() - began)  # and not from the start


def test_who_left_before_the_others_had_come_is_to_blame_as_well(tmp_path: Path) -> None:
    missing = program("dice", "--fault never-connects", "bert")
    (one,) = played(assigned("dice", a_hasty_one(tmp_path), missing, start=2.0))
    assert (one.ending.culprits, one.ending.winner) == ((0, 1), None)
    assert one.ending.detail == (
        "hasty: exit 0 before the end of the game; bert: did not take its seat within 2 s"
    )


# nothing is left


@pytest.mark.parametrize("game", ["quarto", "oware", "connect4"])
def test_a_game_that_is_broken_off_leaves_no_process_behind(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = offspring()  # other tests may keep processes

    async def playing() -> set[int]:
        async with venue() as place:
            asked = asyncio.Event()
            assignment = assigned(game, program(game, "--fault stall"), move_time=50_000)
            monkeypatch.setattr(ContestTable, "ask", telling(asked))
            task = asyncio.create_task(play(assignment, lambda _: None, place))
            await asked.wait()
            children = offspring() - known
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert asyncio.all_tasks() == {asyncio.current_task()}
            return children

    before = handles()
    children = asyncio.run(playing())
    assert children
    assert [pid for pid in children if psutil.pid_exists(pid)] == []
    wait_until(lambda: handles() == before)  # an engine's thread may still hang up


def telling(asked: asyncio.Event) -> Callable[[ContestTable, Seat], None]:
    """What a table does when a player is asked, and tells that it has done so."""
    usual = ContestTable.ask

    def ask(table: ContestTable, seat: Seat, since: float | None = None) -> None:
        usual(table, seat, since)
        if seat.number == 0:
            asked.set()

    return ask
