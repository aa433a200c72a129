"""`spielwerk connect4` as real processes: hosts, opponents, index servers; killed and stopped."""

from __future__ import annotations

import os
import pty
import signal
import socket
import subprocess
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer

from spielwerk.cli.programs import TORN
from spielwerk.clients.connect4 import command as connect4
from spielwerk.errors import SpielwerkError
from spielwerk.store import reading
from spielwerk.store.opening import open_store
from spielwerk.store.records import GameRecord, Reason
from spielwerk.wire.connect4.messages import ListedGame, Status
from tests.cli.test_cli import SPIELWERK, spielwerk
from tests.clients.connect4.index import ScriptedIndex
from tests.clients.peer import Peer
from tests.servers.live import process
from tests.waiting import PATIENCE, wait_until

QUICK = ("--player", "random", "--delay", "0")


@pytest.fixture
def index() -> Iterator[ScriptedIndex]:
    with ScriptedIndex() as server:
        yield server


class Program:
    """`spielwerk connect4` with its output in a file."""

    def __init__(self, folder: Path, *arguments: str, keyboard: str | None = None) -> None:
        self.output = folder / f"output-{time.monotonic_ns()}.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [SPIELWERK, "connect4", *arguments],
                stdin=subprocess.PIPE if keyboard is not None else subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
                env=os.environ | {"SPIELWERK_DATA": str(folder)},
            )
        if keyboard is not None:
            self.type(keyboard)

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text)
        self.process.stdin.flush()

    @property
    def said(self) -> str:
        return self.output.read_text()

    def wait_for(self, text: str) -> None:
        """Wait until it says this."""
        wait_until(lambda: text in self.said or self.process.poll() is not None)
        assert text in self.said, self.said

    def end(self) -> int:
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()


@contextmanager
def program(folder: Path, *arguments: str, keyboard: str | None = None) -> Iterator[Program]:
    running = Program(folder, *arguments, keyboard=keyboard)
    try:
        yield running
    finally:
        running.kill()


def kept(folder: Path, name: str = "connect4*.db") -> list[GameRecord]:
    """All games in the databases of the folder, or in one of them."""
    games: list[GameRecord] = []
    for path in sorted(folder.glob(name)):
        with open_store(path) as store:
            found = [reading.game(store, game.id) for game in reading.games(store)]
            games += [game for game in found if game]
    return games


def outcome(game: GameRecord) -> tuple[str, tuple[str, ...], Any]:
    assert game.result is not None
    moves = tuple(move.move for move in game.moves)
    return game.name, moves, (game.result.reason, game.result.winner)


def opponent(game: ListedGame | None) -> Peer:
    """An opponent in the test's own hands that has joined the game."""
    assert game is not None
    peer = Peer(socket.create_connection((game.address, game.port), PATIENCE))
    peer.say(f"join_game;Erna;{game.name};V2")
    assert peer.line() == "join_game_success;V2"
    return peer


# everything together


def test_two_hosts_three_opponents_and_an_index_server(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    with process(tmp_path / "index", "--only", "index", "--port", "index=0") as serving:
        (line,) = serving.lines(1)
        at = ("--index", line.split()[1])
        first = ("host", "--name", "solid", "--board", "4x4x4", "--games", "2", "--port", "0")
        second = ("host", "--name", "flat", "--board", "7x6", "--protocol", "V1", "--port", "0")
        with (
            program(tmp_path, *first, *at, *QUICK) as one,
            program(tmp_path, *second, *at, *QUICK) as two,
        ):
            one.wait_for("solid 2: offered")
            two.wait_for("flat: offered")
            listed = spielwerk("connect4", "list", *at).stdout
            assert sorted(row.split()[:2] for row in listed.splitlines()) == [
                ["Open", "4x4x4"],
                ["Open", "4x4x4"],
                ["Open", "7x6"],
            ]
            names = ["solid 1", "solid 2", "flat"]
            guests = [Program(tmp_path, "join", name, *at, *QUICK) for name in names]
            try:
                assert [guest.end() for guest in guests] == [0, 0, 0]
            finally:
                for guest in guests:
                    guest.kill()
            assert (one.end(), two.end()) == (0, 0)
            assert spielwerk("connect4", "list", *at).stdout == ""
            assert "flat: joined, V1" in guests[2].said
    games = sorted(map(outcome, kept(tmp_path)))
    assert len(games) == 6
    assert games[::2] == games[1::2]  # both sides have written the same


def test_without_an_index_server_one_is_started(tmp_path: Path) -> None:
    here = f"127.0.{os.getpid() % 200}.77"  # all of these are this machine
    with program(tmp_path, "host", "--name", "g", "--bind", here, "--port", "0", *QUICK) as host:
        host.wait_for("g: offered")
        assert f"index {here}:9090" in host.said
        listed = spielwerk("connect4", "list", "--index", here).stdout
        assert listed.startswith(f"Open          7x6  {here}:")
        with program(tmp_path, "join", "g", "--index", here, *QUICK) as guest:
            assert guest.end() == 0, guest.said
        assert host.end() == 0


# killed and stopped


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_a_host_tells_the_opponent_and_clears_the_index(
    tmp_path: Path, index: ScriptedIndex, number: signal.Signals
) -> None:
    arguments = ("--name", "g", "--games", "3", "--index", index.text, "--port", "0")
    with program(tmp_path, "host", *arguments, *QUICK, "--timeout", "0") as host:
        host.wait_for("g 3: offered")
        peer = opponent(index.named("g 2"))
        peer.line()
        host.process.send_signal(number)
        while (line := peer.line()) and not line.startswith("abort_game"):
            pass
        assert line == "abort_game;the initiator has left"
        peer.close()
        assert host.end() == 1
        assert "interrupted" in host.said
    assert index.clean
    (game,) = kept(tmp_path)
    assert game.result is not None
    assert game.result.reason is Reason.ABORTED


def test_a_killed_host_is_noticed_by_its_opponent_and_by_the_index(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    short = ("--set", "index.silence=1", "--set", "index.beat=0.2")
    with process(tmp_path / "index", "--only", "index", "--port", "index=0", *short) as serving:
        (line,) = serving.lines(1)
        at = ("--index", line.split()[1])
        arguments = ("host", "--name", "g", "--port", "0", "--heartbeat", "0.1")
        with program(tmp_path, *arguments, *at, "--player", "random", "--delay", "60") as host:
            host.wait_for("g: offered")
            with program(tmp_path, "join", "g", *at, *QUICK) as guest:
                host.wait_for("·")  # the board: the game has begun
                host.process.kill()
                assert guest.end() == 1
        wait_until(lambda: spielwerk("connect4", "list", *at).stdout == "")
        # The next program ends what the dead one has left.
        with program(tmp_path, "join", "127.0.0.1:1", "no-game", *QUICK) as other:
            assert other.end() == 1
    (torn,) = kept(tmp_path, "connect4.db")
    assert torn.result is not None
    assert torn.result.detail == TORN
    for game in kept(tmp_path, "connect4-2.db"):  # there is one if the opponent had the first move
        assert game.result is not None
        assert game.result.reason is Reason.CONNECTION_LOST


# people


def test_two_people(tmp_path: Path, index: ScriptedIndex) -> None:
    at = ("--index", index.text)
    with program(tmp_path, "host", "--name", "g", "--port", "0", *at, keyboard="") as host:
        host.wait_for("g: offered")
        with program(tmp_path, "join", "g", *at, "--me", "Erna", keyboard="") as guest:
            guest.wait_for("g: joined")
            wait_until(lambda: "your move>" in host.said or "your move>" in guest.said)
            first, second = (host, guest) if "your move>" in host.said else (guest, host)
            first.type("0\n1\n2\n3\n")  # what is typed ahead waits for its turn
            second.type("7\n8\n9\n")
            assert (host.end(), guest.end()) == (0, 0)
            assert "four in a line" in host.said
            assert "four in a line" in guest.said
    assert index.clean


def test_a_terminal_is_left_as_it_was(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
        guest = subprocess.Popen(
            [SPIELWERK, "connect4", "join", place, "g"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=os.environ | {"SPIELWERK_DATA": str(tmp_path), "TERM": "xterm"},
            start_new_session=True,
        )
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"join_game_success;V2\nstart_game\n")
            shown = b""
            while b"your move>" not in shown:
                shown += os.read(ours, 4096)
            guest.send_signal(signal.SIGINT)
            assert guest.wait(PATIENCE) == 1
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


# lists


def test_the_list_has_everything_and_nothing_that_a_terminal_obeys(index: ScriptedIndex) -> None:
    index.games = {
        "a": ListedGame(Status.OPEN, "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80),
        "b": ListedGame(Status.SEALED, "x\x1b[2J", "für alle", 16, 16, 16, "127.0.0.1", 8080),
        "c": ListedGame(Status.OPEN, "uli", "huge", 40, 40, 0, "127.0.0.1", 8080),
    }
    done = spielwerk("connect4", "list", "--index", index.text)
    assert done.stdout == (
        "Open        7x6x4  198.78.202.118:80      martin's game  (martin)\n"
        "Sealed   16x16x16  127.0.0.1:8080         für alle  (x\\x1b[2J)\n"
        "Open        40x40  127.0.0.1:8080         huge  (uli)  cannot be joined: "
        "width is 40: must be from 1 to 32\n"
    )
    assert done.returncode == 0


# what is wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["host", "--name", "a;b"], "'a;b' must not contain semicolons or line breaks"),
        (["host", "--name", "a\nb"], "must not contain semicolons or line breaks"),
        (["host", "--name", "a", "--me", "x;y"], "'x;y' must not contain"),
        (["host", "--name", "a\x07"], "control characters"),
        (["host", "--name", ""], "a name must not be empty"),
        (["host", "--name", "a", "--board", "7x"], "'7x' is no board: expected WIDTHxHEIGHT"),
        (["host", "--name", "a", "--board", "7x6x99"], "'depth=99': must be from 0 to 32"),
        (["host", "--name", "a", "--board", "5x5"], "an odd number; --odd"),
        (["host", "--name", "a", "--games", "0"], "--games 0: from 1 to 1000"),
        (["host", "--name", "a", "--games", "2"], "one person plays one game"),
        (["host", "--name", "a", "--protocol", "V3"], "must be V1 or V2"),
        (["host", "--name", "a", "--spelling", "x"], "must be document or variant"),
        (["host", "--name", "a", "--port", "70000"], "ports go from 0 to 65535"),
        (["host", "--name", "a", "--index", "h:x"], "'h:x' is no address"),
        (["host", "--name", "a", "--heartbeat", "0"], "must be more than 0"),
        (["host", "--name", "a", "--timeout", "-1"], "'-1' is not a time"),
        (["join", "h:x", "a"], "'h:x' is no address"),
        (["join", "h:1", "a", "--index", "h"], "--index h: leave it out"),
        (["join"], "Missing argument"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_happens(
    arguments: list[str], message: str
) -> None:
    with pytest.raises((SpielwerkError, typer.TyperException)) as caught:
        connect4.app(arguments, standalone_mode=False)
    error = caught.value
    said = error.format_message() if isinstance(error, typer.TyperException) else str(error)
    assert message in said


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["host", "--name", "a", "--index", "127.0.0.1:1"], 1, "cannot be reached"),
        (["list", "--index", "127.0.0.1:1"], 1, "cannot be reached"),
        (["join", "a", "--index", "127.0.0.1:1"], 1, "cannot be reached"),
        (["join", "127.0.0.1:1", "a", *QUICK], 1, "no connection to the host 127.0.0.1:1"),
        (["join", "127.0.0.1:1", "a", "--player", "cat"], 2, "'cat' is no player"),
    ],
)
def test_what_is_wrong_is_one_clear_line(
    tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    done = spielwerk("connect4", *arguments, SPIELWERK_DATA=str(tmp_path))
    assert done.returncode == code, done.stderr
    assert done.stderr.startswith("spielwerk: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
