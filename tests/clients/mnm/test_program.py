"""The whole program against servers on the loopback: games, errors, deaths."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.clients.mnm.settings import HOSTNAME, PORTNUMBER
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.server import Pace
from tests.clients.mnm.host import (
    EMPTY_FIELD,
    LARGE_FIELD,
    PROLOG,
    Host,
    Peer,
    Table,
    follow,
    host_game,
    wait_for_the_end,
)
from tests.clients.mnm.program import (
    ENGLISH,
    GERMAN,
    ID,
    PROGRAM,
    child_of,
    client,
    exists,
    finish,
    is_alive,
    start,
    start_plainly,
    stop,
)
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.games import Game

ASKED = [*PROLOG, "+ MOVE 60000", *EMPTY_FIELD, "THINKING", "+ OKTHINK"]


SHARED = Path("/dev/shm")  # noqa: S108


@pytest.fixture(autouse=True)
def _nothing_left_in_shared_memory() -> Iterator[None]:
    before = {*SHARED.iterdir()}
    yield
    assert not [path for path in {*SHARED.iterdir()} - before if "spielwerk" in path.name]


# games


@pytest.mark.parametrize(
    ("game", "seat", "dialect", "pace"),
    [
        (Quarto(), 0, 1, Pace.FIRST_THEN_REST),
        (Quarto(n=6, begins=1), 1, 2, Pace.LINE),
        (Morris(), 0, 3, Pace.BLOCK),
        (Morris(), 1, 1, Pace.LINE),
    ],
    ids=str,
)
def test_whole_games(game: Game[Any], seat: int, dialect: int, pace: Pace) -> None:
    with Host(lambda peer: host_game(peer, Table(game, seat), dialect, pace)) as host:
        code, out, errors = client(host.port)
        table = host.result()
    assert (code, errors) == (0, "")
    assert table.state.outcome
    assert table.turns
    winner = table.state.outcome.winner
    end = {None: "it is a draw", seat: "we have won", 1 - seat: f"player {1 - seat} (Uli"}[winner]
    assert f"The game is over: {end}" in out
    assert out.count("The move is accepted.") == len(table.turns)
    assert all(f"We play {turn} after" in out for turn in table.turns)


def test_the_warm_engine_wins_against_chance_and_chains_its_captures() -> None:
    table = Table(Morris(), 0)
    with Host(lambda peer: host_game(peer, table)) as host:
        code, out, _ = client(host.port, ID, engine="depth=3")
    assert code == 0
    assert "we have won" in out
    assert any(";" in turn for turn in table.turns)


def test_without_a_choice_the_engine_thinks_as_long_as_the_server_allows() -> None:
    def one_move(peer: Peer) -> float:
        peer.follow([*PROLOG, "+ MOVE 1500", *LARGE_FIELD])
        began = time.monotonic()
        peer.follow(["THINKING", "+ OKTHINK"])
        assert re.fullmatch(r"PLAY [A-H][1-8],\d+", peer.line())
        return time.monotonic() - began

    with Host(one_move) as host:
        command = ["-g", ID, "-k", "quarto"]
        process = start(host.port, *command, engine="time=3600")
        thought = host.result()
        finish(process)
    assert thought > 0.3


def test_boards_have_colours_where_they_are_wanted() -> None:
    for environment, coloured in (
        ({"FORCE_COLOR": "1", "TERM": "xterm-256color"}, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm-256color"}, False),
        (ENGLISH, False),
    ):
        with Host(follow(ASKED)) as host:
            _, out, _ = client(host.port, environment=environment)
        assert ("\x1b[1;34m" in out or "\x1b[1;33m" in out) == coloured


def test_a_terminal_that_knows_only_ascii() -> None:
    script = [*PROLOG[:5], "+ Größe Ω", *PROLOG[6:], "+ MOVE 5000", *EMPTY_FIELD]
    with Host(follow(script)) as host:
        _, out, _ = client(host.port, environment=GERMAN | {"PYTHONIOENCODING": "ascii"})
    assert 'das Spiel heisst "Groesse \\u03a9"' in out
    assert " 4|  .   |" in out


# errors


@pytest.mark.parametrize(
    ("script", "environment", "expected"),
    [
        (
            [*PROLOG[:4], "- Game does not exist"],
            GERMAN,
            f'Das Spiel "{ID}" gibt es auf diesem Server nicht: "Game does not exist"',
        ),
        (
            [*PROLOG[:7], "- No free player"],
            ENGLISH,
            f'No free seat: the game "{ID}" has no player left for us: "No free player"',
        ),
    ],
)
def test_what_is_wrong_is_one_line(
    script: list[str], environment: dict[str, str], expected: str
) -> None:
    with Host(follow(script)) as host:
        code, _, errors = client(host.port, environment=environment)
    assert (code, errors) == (1, f"spielwerk: {expected}\n")


def test_a_silent_server(tmp_path: Path) -> None:
    config = tmp_path / "client.conf"
    config.write_text("patience = 0.3\n")
    with Host(follow(PROLOG, wait_for_the_end)) as host:
        code, _, errors = client(host.port, "-c", str(config), ID)
    assert (code, errors) == (1, "spielwerk: The server has not answered for 0.3 seconds.\n")


def test_a_host_that_does_not_exist() -> None:
    for environment, expected in ((GERMAN, "gibt es nicht"), (ENGLISH, "does not exist")):
        code, _, errors = client(1, "-H", "no.such.host.invalid", ID, environment=environment)
        assert code == 1
        assert f'"no.such.host.invalid" {expected}' in errors
    code, _, errors = client(1, "-H", f"{'x' * 70}.invalid", ID)
    assert code == 1
    assert "does not exist" in errors


def test_a_port_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    for environment, expected in (
        (GERMAN, f"nimmt auf Port {port} keine Verbindung an"),
        (ENGLISH, f"accepts no connection on port {port}"),
    ):
        code, _, errors = client(port, environment=environment)
        assert code == 1
        assert errors.startswith(f"spielwerk: 127.0.0.1 {expected}")


# wrong use


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "name one game to join"),
        ([ID, "-g", ID], "name one game to join"),
        ([""], "'' is no Game-ID"),
        (["a b"], "'a b' is no Game-ID"),
        (["a\nb"], "'a\\nb' is no Game-ID"),
        ([ID, "-p", "-1"], "--player -1: players are 0, 1, ..."),
        ([ID, "-p", "x"], "'x' is no whole number"),
        ([ID, "-P", "0"], '--port: "0" will not do, expected is 1 ... 65535.'),
        ([ID, "-H", ""], '--host: "" will not do'),
        ([ID, "-k", "chess"], '--kind: "chess" will not do'),
        ([ID, "-e", "kasparov"], "'kasparov' is no player"),
        ([ID, "-c", "/does/not/exist"], "/does/not/exist cannot be read: No such file"),
        ([ID, "-c", "/"], "/ cannot be read: Is a directory"),
        ([ID, "-c", "/dev/zero"], "/dev/zero, line 1: expected name = value"),
        ([ID, "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_use_ends_with_code_2(arguments: list[str], expected: str) -> None:
    code, _, errors = finish(start_plainly(*arguments))
    assert code == 2
    assert errors.startswith("spielwerk: ")
    assert errors.count("\n") == 1
    assert expected in errors


def test_a_configuration_that_is_no_text(tmp_path: Path) -> None:
    config = tmp_path / "client.conf"
    config.write_bytes(b"host = \xff\xfe")
    code, _, errors = finish(start_plainly("-c", str(config), ID))
    assert code == 2
    assert "cannot be read" in errors


def test_the_help_says_how_players_are_counted_and_the_defaults() -> None:
    code, out, _ = finish(start_plainly("--help"))
    text = " ".join(out.split())
    assert code == 0
    assert "the first is 0" in text
    assert f"{HOSTNAME} if not given" in text
    assert f"{PORTNUMBER} if not given" in text


def test_the_connector_does_not_load_what_only_the_thinker_needs() -> None:
    """Forking is safe because nothing has started threads by then."""
    code = "import sys, spielwerk.clients.mnm.program; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"False\n"


# deaths


def _asked(peer: Peer) -> None:
    """Ask for a move with all the time in the world, and see the client go."""
    peer.follow([*PROLOG, "+ MOVE 600000", *LARGE_FIELD])
    wait_for_the_end(peer)


@pytest.mark.parametrize("engine", ["random", "time=3600"])
@pytest.mark.parametrize(
    ("environment", "said"), [(GERMAN, "ist nicht mehr da"), (ENGLISH, "is gone")]
)
def test_the_connector_notices_the_death_of_the_thinker(
    engine: str, environment: dict[str, str], said: str
) -> None:
    script = _asked if engine == "time=3600" else follow(PROLOG, wait_for_the_end)
    with Host(script) as host:
        process = start(host.port, "-k", "quarto", ID, engine=engine, environment=environment)
        thinker = child_of(process.pid)
        _read_until(process, "(Player 2)")
        os.kill(thinker, signal.SIGKILL)
        code, _, errors = finish(process)
        host.result()
    assert code == 1
    assert f"Thinker {said} (SIGKILL)" in errors or f"thinker {said} (SIGKILL)" in errors
    assert not exists(thinker)


@pytest.mark.parametrize("engine", ["random", "time=3600"])
@pytest.mark.parametrize(
    ("environment", "said"), [(GERMAN, "ist nicht mehr da"), (ENGLISH, "is gone")]
)
def test_the_thinker_notices_the_death_of_the_connector(
    engine: str, environment: dict[str, str], said: str
) -> None:
    script = _asked if engine == "time=3600" else follow(PROLOG, wait_for_the_end)
    with Host(script) as host:
        process = start(host.port, "-k", "quarto", ID, engine=engine, environment=environment)
        thinker = child_of(process.pid)
        _read_until(process, "(Player 2)")
        os.kill(process.pid, signal.SIGKILL)
        code, _, errors = finish(process)  # the pipes are closed when the thinker has gone, too
        host.result()
    assert code == -signal.SIGKILL
    assert f"onnector {said}" in errors
    wait_until(lambda: not is_alive(thinker))


@pytest.mark.parametrize(
    ("environment", "compiling"),
    [(GERMAN, "Die Engine für quarto wird übersetzt"), (ENGLISH, "Compiling the quarto engine")],
)
def test_whoever_waits_for_the_compiler_is_told_and_so_of_the_thinkers_death(
    environment: dict[str, str], compiling: str, tmp_path: Path
) -> None:
    fresh = environment | {"SPIELWERK_CACHE": str(tmp_path)}
    process = start(1, engine="level=1", environment=fresh)
    thinker = child_of(process.pid)
    _read_until(process, compiling)
    os.kill(thinker, signal.SIGKILL)
    code, _, errors = finish(process)
    assert code == 1
    assert "(SIGKILL)" in errors
    assert not exists(thinker)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_client_that_is_asked_to_end_takes_the_thinker_with_it(number: signal.Signals) -> None:
    with Host(_asked) as host:
        process = start(host.port, "-k", "quarto", ID, engine="time=3600")
        thinker = child_of(process.pid)
        _read_until(process, "(Player 2)")
        process.send_signal(number)
        code, _, errors = finish(process)
        host.result()
    assert code == 1
    assert errors == "spielwerk: interrupted\n"
    assert not exists(thinker)


def test_ctrl_c_at_the_terminal_reaches_both_and_one_answers() -> None:
    with Host(_asked) as host:
        process = start(host.port, "-k", "quarto", ID, engine="time=3600", new_group=True)
        _read_until(process, "(Player 2)")
        os.killpg(process.pid, signal.SIGINT)
        code, _, errors = finish(process)
        host.result()
    assert (code, errors) == (1, "spielwerk: interrupted\n")


def test_a_reader_who_goes_away_ends_the_client() -> None:
    with Host(_asked) as host:
        process = start(host.port)
        thinker = child_of(process.pid)
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        errors = process.stderr.read()
        assert process.wait(PATIENCE) == 1
        process.stderr.close()
    assert errors == ""
    assert not exists(thinker)


@pytest.mark.parametrize("closing", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_hindrance(closing: str) -> None:
    with Host(lambda peer: host_game(peer, Table(Quarto(n=2)))) as host:
        command = f"'{PROGRAM[0]}' client -H 127.0.0.1 -P {host.port} -e random {ID} {closing}"
        done = subprocess.run(["sh", "-c", command], timeout=PATIENCE, check=False)  # noqa: S607
        host.result()
    assert done.returncode == 0


def test_a_full_disk_is_said() -> None:
    with Host(_asked) as host:
        command = f"'{PROGRAM[0]}' client -H 127.0.0.1 -P {host.port} -e random {ID} > /dev/full"
        done = subprocess.run(
            ["sh", "-c", command],  # noqa: S607
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == "spielwerk: cannot write: No space left on device\n"


def test_no_move_from_the_thinker_is_no_reason_not_to_move() -> None:
    """The thinker hangs; the connector moves by itself, in time, turn after turn."""
    stopped: list[int] = []

    def two_moves(peer: Peer) -> list[str]:
        peer.follow([*PROLOG, "+ WAIT"])
        wait_until(lambda: stopped)
        peer.follow(["OKWAIT"])
        moves = []
        for _ in range(2):
            peer.follow(["+ MOVE 400", *EMPTY_FIELD, "THINKING", "+ OKTHINK"])
            moves.append(peer.line())
            peer.say("+ MOVEOK")
        peer.follow(["+ GAMEOVER", *EMPTY_FIELD[1:], "+ QUIT"])
        return moves

    with Host(two_moves) as host:
        process = start(host.port)
        thinker = child_of(process.pid)
        _read_until(process, "(Player 2)")
        stop(thinker)
        stopped.append(thinker)
        code, out, errors = finish(process)
        moves = host.result()
    assert (code, errors) == (0, "")
    assert all(re.fullmatch(r"PLAY [A-D][1-4],\d+", move) for move in moves)
    assert out.count("The thinker has not answered in time") == 2
    assert not exists(thinker)


def _read_until(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout
    while words not in (line := process.stdout.readline()):
        assert line, "the client has ended"
