"""The whole program against servers on the loopback: games, errors, deaths."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from spielwerk.clients.mnm.settings import HOSTNAME, PORTNUMBER
from spielwerk.games import Game
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.server import Pace
from tests.cli.command import refused, spielwerk
from tests.clients.mnm.host import (
    EMPTY_FIELD,
    LARGE_FIELD,
    PROLOG,
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
    is_alive,
    start,
)
from tests.clients.peer import Host, Peer, finish
from tests.waiting import PATIENCE, wait_until

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
        (Morris(), 1, 3, Pace.BLOCK),
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
    assert out.count("The move was accepted.") == len(table.turns)
    assert all(f"We play {turn} after" in out for turn in table.turns)


@pytest.mark.slow
def test_the_warm_engine_wins_against_chance_and_chains_its_captures() -> None:
    table = Table(Morris(), 0)
    with Host(lambda peer: host_game(peer, table)) as host:
        code, out, _ = client(host.port, ID, engine="depth=3")
    assert code == 0
    assert "we have won" in out
    assert any(";" in turn for turn in table.turns)


def test_a_terminal_that_knows_only_ascii() -> None:
    script = [*PROLOG[:5], "+ Größe Ω", *PROLOG[6:], "+ MOVE 5000", *EMPTY_FIELD]
    with Host(follow(script)) as host:
        _, out, _ = client(host.port, environment=GERMAN | {"PYTHONIOENCODING": "ascii"})
    assert 'das Spiel heisst "Groesse \\u03a9"' in out
    assert " 4|  .   |" in out


# errors


def test_what_is_wrong_is_one_line() -> None:
    with Host(follow([*PROLOG[:4], "- Game does not exist"])) as host:
        code, _, errors = client(host.port, environment=GERMAN)
    told = f'Das Spiel "{ID}" gibt es auf diesem Server nicht: "Game does not exist"'
    assert (code, errors) == (1, f"spielwerk: {told}\n")


# wrong use


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "name one game to join"),
        ([ID, "-g", ID], "name one game to join"),
        ([""], "'' is not a Game-ID"),
        (["a\nb"], "'a\\nb' is not a Game-ID"),
        ([ID, "-p", "-1"], "--player -1: players are 0, 1, ..."),
        ([ID, "-p", "x"], "'x' is not a whole number"),
        ([ID, "-P", "0"], '--port: "0" is not valid; expected: 1..65535.'),
        ([ID, "-H", ""], '--host: "" is not valid'),
        ([ID, "-k", "chess"], '--kind: "chess" is not valid'),
        ([ID, "-c", "/does/not/exist"], "/does/not/exist cannot be read: No such file"),
        ([ID, "-c", "/dev/zero"], "/dev/zero, line 1: expected name = value"),
        ([ID, "--nonsense"], "--nonsense"),
    ],
)
def test_wrong_use_ends_with_code_2(arguments: list[str], expected: str) -> None:
    assert expected in refused("client", *arguments, LANG="C.UTF-8", LC_ALL="")


def test_the_help_says_how_players_are_counted_and_the_defaults() -> None:
    text = " ".join(spielwerk("client", "--help").stdout.split())
    assert "from 0" in text
    assert f"default: {HOSTNAME})" in text
    assert f"default: {PORTNUMBER})" in text


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


@contextmanager
def thinking(
    environment: dict[str, str] = ENGLISH, *, new_group: bool = False
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A client that thinks about its move, and its thinker; the server sees it go."""
    with Host(_asked) as host:
        options = ("-k", "quarto", ID)
        process = start(
            host.port, *options, engine="time=3600", environment=environment, new_group=new_group
        )
        thinker = child_of(process.pid)
        _read_until(process, "(Player 2)")
        yield process, thinker
        host.result()


def test_the_connector_notices_the_death_of_the_thinker() -> None:
    with thinking(GERMAN) as (process, thinker):
        os.kill(thinker, signal.SIGKILL)
        code, _, errors = finish(process)
    assert code == 1
    assert "Thinker ist nicht mehr da (SIGKILL)" in errors
    assert not exists(thinker)


def test_the_thinker_notices_the_death_of_the_connector() -> None:
    with thinking() as (process, thinker):
        os.kill(process.pid, signal.SIGKILL)
        code, _, errors = finish(process)  # the pipes are closed when the thinker has gone, too
    assert code == -signal.SIGKILL
    assert "onnector is gone" in errors
    wait_until(lambda: not is_alive(thinker))


def test_who_waits_for_the_compiler_is_told_and_so_of_the_thinkers_death(tmp_path: Path) -> None:
    process = start(1, engine="level=1", environment=GERMAN | {"SPIELWERK_CACHE": str(tmp_path)})
    thinker = child_of(process.pid)
    _read_until(process, "Die Engine für quarto wird kompiliert")
    os.kill(thinker, signal.SIGKILL)
    code, _, errors = finish(process)
    assert code == 1
    assert "(SIGKILL)" in errors
    assert not exists(thinker)


def test_a_client_that_is_asked_to_end_takes_the_thinker_with_it() -> None:
    with thinking() as (process, thinker):
        process.send_signal(signal.SIGTERM)
        code, _, errors = finish(process)
    assert (code, errors) == (1, "spielwerk: interrupted\n")
    assert not exists(thinker)


def test_ctrl_c_at_the_terminal_reaches_both_and_one_answers() -> None:
    with thinking(new_group=True) as (process, _):
        os.killpg(process.pid, signal.SIGINT)
        code, _, errors = finish(process)
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


def test_closed_streams_are_no_hindrance() -> None:
    with Host(lambda peer: host_game(peer, Table(Quarto(n=2)))) as host:
        options = f"-H 127.0.0.1 -P {host.port} -e random {ID}"
        command = f"'{PROGRAM[0]}' client {options} <&- >&- 2>&-"
        done = subprocess.run(["sh", "-c", command], timeout=PATIENCE, check=False)  # noqa: S607
        host.result()
    assert done.returncode == 0


def _read_until(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout
    while words not in (line := process.stdout.readline()):
        assert line, "the client has ended"
