"""The good players: each plays a whole game against the real server of its protocol."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.clients.players import make_player
from spielwerk.contests.match import play_out
from spielwerk.games.oware.rules import Oware
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.arena import NewTable
from tests.servers.live import Live, live, settings_for
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.tables.table import Table

HERE = Path(__file__).parent
CLIENT = SeatRecord(SeatKind.CLIENT, "")
ENGINE = SeatRecord(SeatKind.ENGINE, "", "random")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(settings_for(tmp_path_factory.mktemp("server"))) as running:
        yield running


@contextmanager
def started(script: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A player, which is stopped in the end if need be."""
    command = [sys.executable, "-S", "-E", str(HERE / script), *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def ended_well(process: subprocess.Popen[str]) -> bool:
    """Wait for the player's own end; what it complained about is shown if it did."""
    _, complaint = process.communicate(timeout=PATIENCE)
    assert complaint == ""
    return process.returncode == 0


def made(server: Live, game: str, *seats: SeatRecord, options: tuple[str, ...] = ()) -> Table:
    table: Table = server.call(server.server.arena.create(NewTable(game, options, seats=seats)))
    return table


def over(table: Table) -> Table:
    """The table when its game is over by the rules."""
    wait_until(lambda: table.over)
    assert table.result is not None
    assert table.result.reason in (Reason.WIN, Reason.DRAW)
    return table


@pytest.mark.parametrize("game", ["quarto", "morris"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_client_of_the_game_server(server: Live, game: str, seat: int) -> None:
    seats = [ENGINE, ENGINE]
    seats[seat] = CLIENT
    table = made(server, game, *seats)
    host, port = server.mnm
    with started("mnm.py", "-g", table.id, "-h", host, "-P", port) as player:
        assert ended_well(player)
    over(table)


def test_two_clients_choose_their_seats(server: Live) -> None:
    table = made(server, "quarto", CLIENT, CLIENT, options=("n=3",))
    host, port = server.mnm
    where = ("-g", table.id, "-h", host, "-P", port)
    with started("mnm.py", *where, "-p", 1) as one, started("mnm.py", *where, "-p", 0) as other:
        assert ended_well(one)
        assert ended_well(other)
    over(table)


def test_three_bots_at_the_dice_server(server: Live) -> None:
    host, port = server.server.addresses["dice"][0]
    where = ("-p", port, host)
    with (
        started("dice.py", "-n", "one", *where) as one,
        started("dice.py", "-n", "two", *where) as two,
        started("dice.py", "-n", "three", *where) as three,
    ):
        assert ended_well(one)
        assert ended_well(two)
        assert ended_well(three)


def test_a_bot_says_what_the_document_wants_when_it_is_terminated() -> None:
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as server,
        started("dice.py", "-n", "one", "-p", server.getsockname()[1], "127.0.0.1") as bot,
    ):
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"HELO\n")
            assert connection.recv(100) == b"AUTH one\n"
            bot.terminate()
            _, complaint = bot.communicate(timeout=PATIENCE)
    assert complaint == "Received termination request - terminating...\n"


def test_a_move_server_of_oware_on_both_sides() -> None:
    port, game = free_port(), Oware()
    with started("oware.py", "-p", port):
        accepting(port)
        remote, local = (make_player(f"remote:127.0.0.1:{port}", game), make_player("random", game))
        for seats in ((remote, local), (local, remote)):
            assert play_out(game.start(), seats, Random(1), Random(1))


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as one:
        return int(one.getsockname()[1])


def accepting(port: int) -> None:
    """Wait until somebody listens there."""

    async def knock() -> None:
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                await asyncio.sleep(0.005)
            else:
                writer.close()
                return

    asyncio.run(asyncio.wait_for(knock(), PATIENCE))


BOARDS = {"flat": (7, 6, 0), "solid": (4, 4, 4)}


def index_of(server: Live) -> str:
    host, port = server.server.addresses["index"][0]
    return f"{host}:{port}"


def meeting(server: Live) -> Any:
    return server.server.services["host"].meeting  # type: ignore[attr-defined]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("version", ["V1", "V2"])
def test_somebody_joins_a_game_of_connect_four(server: Live, board: str, version: str) -> None:
    sides = zip(("width", "height", "depth"), BOARDS[board], strict=True)
    options = tuple(f"{name}={side}" for name, side in sides)
    wish = NewTable("connect4", options, f"{board} {version}", (ENGINE, CLIENT))
    table = server.call(server.server.arena.create(wish))
    server.call(meeting(server).offer(table, ""))
    where = ("--index", index_of(server), "--game", table.record.name)
    with started("connect4.py", *where, "--name", "Erna", "--version", version) as player:
        assert ended_well(player)
    over(table)


@pytest.mark.parametrize("board", BOARDS)
def test_somebody_offers_a_game_of_connect_four(server: Live, board: str) -> None:
    size = "x".join(map(str, BOARDS[board]))
    where = ("--index", index_of(server), "--game", f"offered {board}")
    with started("connect4.py", *where, "--name", "Karl", "--host", "--size", size) as player:
        listed(server, f"offered {board}")
        seat = SeatRecord(SeatKind.ENGINE, "us", "random")
        table = server.call(meeting(server).join("", f"offered {board}", seat))
        assert ended_well(player)
    over(table)


def listed(server: Live, name: str) -> None:
    """Wait until the game is in the list."""
    wait_until(lambda: name in [game.name for game in server.call(meeting(server).games(""))])
