"""Games with players that go where others belong: they lose, and nobody else is to blame."""

from __future__ import annotations

import ast
import resource
import socket
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.assignment import Player
from spielwerk.contests.playing.seats.connect4 import ELSEWHERE
from spielwerk.contests.playing.seats.oware import OwareSeating
from spielwerk.contests.playing.whose import CONNECTED, TAKEN, TOOK_PORT, UNCLEAR, Doorkeeper, Whose
from spielwerk.contests.programs import sandbox
from spielwerk.store.contest_records import End, Kind
from spielwerk.store.records import Reason
from tests.contests.stage import HOSTING, PLAYERS, THIEF, assigned, played, program, said, thief
from tests.contests.test_sockets import NEW_ENOUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.assignment import Played

BY_RULE = (End.WIN, End.DRAW)
SERVER = "oware"
GARBAGE = b"rubbish"
HOST = ("role=host",)


def assert_blamed(one: Played, seat: int, crime: str) -> None:
    """Nobody else is, and what was said in the other's name is not kept."""
    outcome = one.outcome
    assert (outcome.end, outcome.culprits) == (End.PROTOCOL_ERROR, (seat,)), outcome
    assert outcome.winner == (1 - seat if len(one.reports) == 2 else None)
    assert outcome.detail == crime
    assert GARBAGE not in said(one, 1 - seat)
    assert one.record is not None
    assert one.record.result is not None
    assert (one.record.result.reason, one.record.result.culprit) == (Reason.PROTOCOL_ERROR, seat)


def either(seat: int, bad: Player, good: Player) -> tuple[Player, Player]:
    return (good, bad) if seat else (bad, good)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("moment", ["starting", "deciding"])
@pytest.mark.parametrize("game", ["quarto", "morris", "dice", "connect4"])
def test_who_comes_to_the_door_of_another_one_has_lost(game: str, moment: str, seat: int) -> None:
    seats = either(seat, thief(game, moment, "knock"), program(game))
    (one,) = played(assigned(game, *seats))
    assert_blamed(one, seat, CONNECTED)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("deed", ["listen", "bind", "borrow"])
def test_who_takes_the_port_of_another_one_has_lost(deed: str, seat: int) -> None:
    if deed != "listen" and not NEW_ENOUGH:
        pytest.skip("Linux tells that since 6.8")
    late = thief(SERVER, "starting", "wait", "anna")
    (one,) = played(assigned(SERVER, *either(seat, thief(SERVER, "starting", deed), late)))
    assert_blamed(one, seat, TOOK_PORT)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_takes_the_port_of_a_host_has_lost(seat: int) -> None:
    late = thief(f"{HOSTING} --port {{port}}", "starting", "wait", "anna", options=HOST)
    (one,) = played(
        assigned("connect4", *either(seat, thief("connect4", "starting", "listen"), late))
    )
    assert_blamed(one, seat, TOOK_PORT)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_keeps_the_server_of_another_one_busy_has_lost(seat: int) -> None:
    seats = either(seat, thief(SERVER, "deciding", "visit"), program(SERVER))
    (one,) = played(assigned(SERVER, *seats, move_time=500))
    assert_blamed(one, seat, CONNECTED)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_leaves_the_server_of_another_one_too_little_time_has_lost(seat: int) -> None:
    thinking = program(SERVER, "--fault slow --fault-at 99 --move-time 500")
    seats = either(seat, thief(SERVER, "deciding", "hold_up"), thinking)
    (one,) = played(assigned(SERVER, *seats, move_time=1000))
    assert_blamed(one, seat, CONNECTED)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("wish", ["", "--listen-once"])
def test_who_keeps_a_host_busy_has_lost(wish: str, seat: int) -> None:
    host = program(HOSTING, wish, options=HOST)
    visitor = thief("connect4", "starting", "visit")
    (one,) = played(assigned("connect4", *either(seat, visitor, host), start=2.0))
    assert_blamed(one, seat, CONNECTED)


def test_a_host_that_does_not_listen_alone_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Doorkeeper, "listener", lambda *_: Whose.SHARED)
    (one,) = played(assigned("connect4", program(HOSTING, options=HOST)))
    assert (one.outcome.end, one.outcome.detail) == (End.SERVER_ERROR, TAKEN)
    assert not one.broken
    assert one.wires == ()


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """As on many systems, or fewer."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.usefixtures("few_descriptors")
@pytest.mark.parametrize("game", ["quarto", "dice", "connect4"])
def test_who_crowds_its_own_door_is_in_nobody_elses_way(
    game: str, caplog: pytest.LogCaptureFixture
) -> None:
    seats = (thief(game, "starting", "crowd"), program(game))
    (one,) = played(assigned(game, *seats, start=1.5))
    assert one.outcome.end is not End.SERVER_ERROR
    assert one.outcome.culprits in ((), (0,))  # it may have found the way itself
    assert "out of system resource" not in caplog.text


# It offers a game where another one waits for an opponent.
LYING = r"""
import socket, sys, time
line = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
line.sendall(f'register_game;anna;mine;7;6;0;127.0.0.1;{sys.argv[2]}\n'.encode())
line.recv(99)
time.sleep(100)
"""


def test_a_host_has_to_wait_for_us_itself(tmp_path: Path) -> None:
    script = tmp_path / "lying.py"
    script.write_text(LYING)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        command = f"{sys.executable} -S -E {script} {{index_port}} {port}"
        lying = Player("anna", Kind.COMMAND, command, "/", options=HOST)
        (one,) = played(assigned("connect4", lying))
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.accept()
    assert (one.outcome.end, one.outcome.culprits) == (End.PROTOCOL_ERROR, (0,))
    assert one.outcome.detail == ELSEWHERE


# It offers a game beside another one that waits: the same port, but another address.
FRAMING = r"""
import os, socket, sys, time
sys.argv[1:1] = [""]  # no port of our own
from thief import HERE, doors
parent = os.getppid()
index = int(sys.argv[2])
ports = []
while not ports:
    siblings = open(f'/proc/{parent}/task/{parent}/children').read().split()
    ports = doors([pid for pid in siblings if int(pid) != os.getpid()])
server = socket.create_server(('127.0.0.2', ports[0]))
line = socket.create_connection((HERE, index))
line.sendall(f'register_game;bert;mine;7;6;0;127.0.0.2;{ports[0]}\n'.encode())
line.recv(99)
time.sleep(100)
"""


@pytest.mark.parametrize("seat", [0, 1])
def test_a_host_cannot_have_another_one_accused(seat: int, tmp_path: Path) -> None:
    script = tmp_path / "framing.py"
    script.write_text(FRAMING)
    command = f"env PYTHONPATH={THIEF.parent} {sys.executable} -S {script} {{index_port}}"
    framing = Player("bert", Kind.COMMAND, command, "/", options=HOST)
    seats = either(seat, framing, program(HOSTING, options=HOST))
    (one,) = played(assigned("connect4", *seats))
    assert (one.outcome.end, one.outcome.culprits) == (End.SERVER_ERROR, ())
    assert one.outcome.detail == TAKEN


def test_if_two_are_connected_and_nobody_can_tell_why_the_game_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = OwareSeating.guard

    async def guard(seating: OwareSeating, number: int) -> None:
        seating.sitting.accuse(number, UNCLEAR)
        await usual(seating, number)

    monkeypatch.setattr(OwareSeating, "guard", guard)
    (one,) = played(assigned("oware", program("oware", name="anna"), program("oware", name="bert")))
    assert (one.outcome.end, one.outcome.detail) == (End.SERVER_ERROR, UNCLEAR)
    assert (one.outcome.culprits, one.outcome.winner) == ((), None)


def test_if_a_stranger_listens_in_place_of_a_program_nobody_is_to_blame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = OwareSeating.port
    with ExitStack() as stack:

        def taken(seating: OwareSeating, number: int) -> int:
            port = usual(seating, number)
            stack.enter_context(socket.create_server(("127.0.0.1", port), reuse_port=True))
            return port

        monkeypatch.setattr(OwareSeating, "port", taken)
        (one,) = played(assigned("oware", program("oware", "--fault never-connects")))
    assert one.outcome.end is End.SERVER_ERROR
    assert one.outcome.detail == TAKEN


def test_a_port_that_changes_hands_is_noticed_before_the_next_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual, found = Doorkeeper.listener, []

    def changing(keeper: Doorkeeper, number: int, port: int) -> Whose:
        found.append(usual(keeper, number, port))
        return Whose.ANOTHERS if found.count(Whose.ITS_OWN) > 2 else found[-1]

    monkeypatch.setattr(Doorkeeper, "listener", changing)
    (one,) = played(assigned("oware", program("oware")))
    assert (one.outcome.end, one.outcome.detail) == (End.CRASH, TAKEN)
    assert (one.outcome.culprits, one.outcome.winner) == ((0,), 1)
    assert [move.seat for move in one.record.moves] == [0, 1] if one.record else False


def test_a_datagram_to_an_index_server_does_nothing() -> None:
    """Neither for who sent it, nor for anybody else."""
    seats = (thief("connect4", "deciding", "beat"), program("connect4"))
    (one,) = played(assigned("connect4", *seats))
    assert one.outcome.end in BY_RULE


WORKER = """
import sys
from tests.contests.test_playing_thieves import sandboxed_theft
print(sandboxed_theft(sys.argv[1]))
"""
SYSTEM = Path("/usr/bin/python3")  # in a sandbox there is nothing but the system


def sandboxed_theft(game: str) -> str:
    """What comes of a game in a sandbox in which somebody goes to another one's door."""
    seats = (program(game), thief(game, "starting", "knock"))
    folder = str(PLAYERS)
    inside = [
        replace(seat, text=seat.text.replace(sys.executable, str(SYSTEM)), folder=folder)
        for seat in seats
    ]
    games = played(assigned(game, inside[0], sandbox=True), assigned(game, *inside, sandbox=True))
    return repr([(str(one.outcome.end), one.outcome.culprits) for one in games])


@pytest.mark.parametrize("game", ["quarto", "connect4"])
def test_it_is_the_same_in_a_sandbox(game: str) -> None:
    if problem := sandbox.available() or ("" if SYSTEM.exists() else f"no {SYSTEM}"):
        pytest.skip(problem)
    command = sandbox.worker_command([sys.executable, "-c", WORKER, game])
    root = Path(__file__).parents[2]
    ran = subprocess.run(command, cwd=root, capture_output=True, check=True)
    fair, stolen = ast.literal_eval(ran.stdout.decode())
    assert fair in (("win", ()), ("draw", ()))
    assert stolen == ("protocol error", (1,))
