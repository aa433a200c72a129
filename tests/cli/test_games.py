"""`spielwerk games` against a running server, and against things that are none."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest

from spielwerk.cli.games import split_seats
from spielwerk.cli.remote import pictured
from spielwerk.errors import UsageError
from spielwerk.servers.dice import DiceSettings
from tests.cli.command import refused, spielwerk
from tests.servers.live import Live, client, live, settings_for
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(settings_for(tmp_path_factory.mktemp("games"))) as one:
        yield one


def games(server: Live, *arguments: str) -> subprocess.CompletedProcess[str]:
    return spielwerk("games", *arguments, "--server", server.url)


def new(server: Live, *arguments: str) -> dict[str, Any]:
    """Create a game with the command, and see what the server made of it."""
    done = games(server, "new", *arguments)
    assert (done.stderr, done.returncode) == ("", 0)
    assert re.fullmatch(r"[a-z0-9]{13}\n", done.stdout)
    return dict(server.get(f"/api/v1/matches/{done.stdout.strip()}").json)


# new


def test_the_id_stands_alone_on_stdout(server: Live) -> None:
    command = "quarto --seats client,client --time 2500 --n 5 --option begins=1 --tournament"
    game = new(server, *command.split(), "--name", "Final", "--names", "Uli, Öhi")
    assert (game["game"], game["name"], game["timeout"]) == ("quarto", "Final", 2500)
    assert {"n=5", "begins=1"} <= {*game["options"]}
    assert game["tournament"] is True
    assert [seat["name"] for seat in game["seats"]] == ["Uli", "Öhi"]


def test_a_game_from_a_position(server: Live) -> None:
    flying = "0.0.0.../1.1.1.1./........ hand 0 0 player 0 capture 0 quiet 0"
    game = new(server, "morris", "--from", flying)
    assert game["start"] == game["position"] == flying
    assert f"started from {flying}" in games(server, "show", game["id"]).stdout


def test_the_id_comes_as_long_as_a_dialect_has_it(server: Live) -> None:
    done = games(server, "new", "quarto", "--dialect", "1")
    assert re.fullmatch(r"[a-z0-9]{11}\n", done.stdout)
    assert "The game is not over" in games(server, "show", done.stdout.strip()).stdout


def test_what_is_not_said_gets_defaults(server: Live) -> None:
    game = new(server, "morris")
    assert (game["timeout"], game["tournament"]) == (3000, False)
    assert [(seat["kind"], seat["name"]) for seat in game["seats"]] == [
        ("client", "Player 1"),
        ("client", "Player 2"),
    ]
    game = new(server, "quarto", "n=3", "--names", "A,B")
    assert "n=3" in game["options"]
    assert [seat["name"] for seat in game["seats"]] == ["A", "B"]


def test_a_clock_has_minutes_and_seconds(server: Live) -> None:
    game = new(server, "quarto", "--clock", "0.5+3")
    assert (game["clock"], game["timeout"]) == ({"time": 30_000, "increment": 3000}, 0)
    assert ", clock 0.5+3\n" in games(server, "show", game["id"]).stdout
    both = new(server, "quarto", "--clock", "5+0", "--time", "10000")
    assert ", clock 5+0, 10000 ms a move\n" in games(server, "show", both["id"]).stdout


def test_a_dice_table_is_set_up_as_the_settings_have_it(tmp_path: Path) -> None:
    dice = DiceSettings(ports=("0",), target=200, rounds=80, answer=3.0)
    with live(settings_for(tmp_path).replaced(dice=dice)) as server:
        game = new(server, "dice")
        assert game["timeout"] == 3000
        assert {"target=200", "rounds=80"} <= {*game["options"]}
        game = new(server, "dice", "target=40", "--time", "500")
        assert game["timeout"] == 500
        assert {"target=40", "rounds=80"} <= {*game["options"]}


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("client,client", ["client", "client"]),
        (" client , person ", ["client", "person"]),
        ("engine", ["engine"]),
        ("engine:level=7,client", ["engine:level=7", "client"]),
        ("client,engine:time=0.5,depth=4", ["client", "engine:time=0.5,depth=4"]),
        ("engine:time=1, depth=4,engine:random", ["engine:time=1,depth=4", "engine:random"]),
    ],
)
def test_commas_inside_an_engine_belong_to_it(text: str, seats: list[str]) -> None:
    assert split_seats(text) == seats


@pytest.mark.parametrize(
    "text", ["cat", "client,cat", "client,depth=4", "client:x", ",", "engine,x=1"]
)
def test_what_is_no_seat_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=r"is not a seat; expected client, person, engine"):
        split_seats(text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new", "chess"], "'chess' is no game"),
        (["new", "quarto", "--n", "17"], "'n=17': must be from 2 to 16"),
        (["new", "quarto", "--n", "x"], "'x' is not a whole number"),
        (["new", "quarto", "--option", "n"], "expected NAME=VALUE"),
        (["new", "quarto", "--option", "n=x"], "'x' is not a whole number"),
        (["new", "quarto", "--time", "1"], "must be 10 to 86400000 milliseconds"),
        (["new", "quarto", "--clock", "5"], "'5': expected minutes for the game and seconds"),
        (["new", "quarto", "--clock", "-5+3"], "expected minutes"),
        (["new", "quarto", "--clock", "0+3"], "must be 0 where the clock has no time"),
        (["new", "quarto", "--seats", "client"], "quarto has 2 seats, not 1"),
        (["new", "quarto", "--seats", "client,cat"], "'cat' is not a seat"),
        (["new", "quarto", "--seats", "client,engine:level=11"], "level goes from 1 to 10"),
        (["new", "quarto", "--seats", "client,client", "--names", "a,b,c"], "3 names for 2 seats"),
        (["new", "quarto", "--name", "a\nb"], "control characters"),
        (["new", "morris", "--from", "x"], "'x' is no Morris position: expected something like"),
        (["new", "quarto", "--dialect", "4"], "quarto and morris have dialects 1, 2, 3"),
        (["new", "oware", "--dialect", "1"], "quarto and morris have dialects 1, 2, 3"),
        (["list", "--limit", "0"], "must be a number from 1 to 1000"),
        (["show", "../x"], "'../x' is not a Game-ID"),
        (["show"], "Missing argument"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(
    server: Live, arguments: list[str], message: str
) -> None:
    assert message in refused("games", *arguments, "--server", server.url)


# list and show


def test_games_are_listed_newest_first(server: Live) -> None:
    ids = [new(server, "oware", "--name", f"number {n}")["id"] for n in range(2)]
    lines = games(server, "list", "--limit", "2").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ids[::-1]
    assert lines[0].endswith("oware       0 moves  unfinished       number 1: Player 1 - Player 2")


def test_a_game_is_shown_with_moves_board_and_result(server: Live) -> None:
    game_id = new(server, "quarto", "--seats", "engine:random,engine:random", "--names", "A,B")[
        "id"
    ]
    wait_until(lambda: server.get(f"/api/v1/matches/{game_id}").json["result"])
    done = games(server, "show", game_id)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  seat 0: A (engine random)" in done.stdout
    assert re.search(r"^   1\. chance: \d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^   2\. [AB]: [A-D][1-4],\d+ +\d+\.\d{3} s$", done.stdout, re.MULTILINE)
    assert "│" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert re.match(r"([AB] wins: rule win|No one wins: rule draw) \(.+\)$", last)


def test_hints_are_shown_with_the_move_that_they_helped(server: Live) -> None:
    game = new(server, "oware", "--names", "Ada,Bo")
    move = {"seat": 0, "move": "2", "took": 1500}
    game["moves"] = [move | {"number": n, "hints": n} for n in range(3)]
    lines = [text.plain.strip() for text in pictured(game, "utf-8")]
    told = [re.split(" {2,}", line)[1:] for line in lines if "Ada: 2" in line]
    assert told == [["1.500 s"], ["1.500 s", "(1 hint)"], ["1.500 s", "(2 hints)"]]


def test_the_wire_is_shown_with_times_and_directions(server: Live) -> None:
    game_id = new(server, "quarto", "begins=0")["id"]
    with client(server.mnm) as one:
        one.join(game_id)
        one.hear_until("+ ENDFIELD")
        one.say(b"THINK\xff\x1b[31m\r\n")
        one.hear_until("- ")
        done = games(server, "show", game_id, "--wire")
    assert done.returncode == 0
    assert "seat 0: Player 1 (client, not there)" in done.stdout
    lines = done.stdout.splitlines()
    start = next(
        n for n, line in enumerate(lines) if line.startswith("seat 0, mnm from 127.0.0.1:")
    )
    said = [re.sub(r"^ +\d+\.\d{3}", "T", line) for line in lines[start + 1 :]]
    assert said[:4] == [
        r"T > + MNM Gameserver v1.0 accepting connections\n",
        r"T < VERSION 1.0\n",
        r"T > + Client version accepted - please send Game-ID to join\n",
        rf"T < ID {game_id}\n",
    ]
    assert r"           > + ENDPLAYERS\n" in said
    assert r"T < THINK\xff\x1b[31m\r\n" in said
    assert "\x1b" not in done.stdout


def test_a_game_that_does_not_exist_is_exit_code_1(server: Live) -> None:
    done = games(server, "show", "AAAAAAAAAAA")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"spielwerk: {server.url}: there is no such game\n"


# servers that are none


def test_the_server_may_be_in_the_environment(server: Live) -> None:
    address = server.url.removeprefix("http://")
    assert spielwerk("games", "list", SPIELWERK_SERVER=address).returncode == 0


def test_no_server_there_is_one_line_and_exit_code_1() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        done = spielwerk("games", "new", "quarto", "--server", url)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"spielwerk: no server at {url}: Connection refused; is `spielwerk serve` running there?\n"
    )


def test_proxies_are_not_asked() -> None:
    done = spielwerk(
        "games", "list", "--server", "http://127.0.0.1:9", http_proxy="http://proxy.invalid:1"
    )
    assert "no server at http://127.0.0.1:9: Connection refused" in done.stderr


@contextmanager
def stranger(status: int, body: bytes) -> Iterator[str]:
    """A web server that answers everything like this."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", "0")))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as web:
        thread = threading.Thread(target=web.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{web.server_port}"
        web.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>hello</html>"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b"\xff"),
        (200, b'{"id": "\\u001b[31mAAAA", "matches": [1]}'),
        (200, b'{"id": 3, "matches": {"a": 1}}'),
        (404, b"<html>not here</html>"),
        (500, b'{"error": "\\u001b[31m boom"}'),
        (500, b"[" * 100_000),
    ],
)
def test_strange_answers_are_one_line_that_is_safe(status: int, body: bytes) -> None:
    with stranger(status, body) as url:
        for command in (["new", "quarto"], ["list"], ["show", "AAAAAAAAAAA"]):
            done = spielwerk("games", *command, "--server", url)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr.count("\n") == 1
            assert done.stderr.startswith("spielwerk: ")
            assert url in done.stderr
            assert "\x1b" not in done.stderr


def test_hostile_names_do_not_reach_the_terminal() -> None:
    game = {
        "id": "AAAAAAAAAAA",
        "game": "oware",
        "name": "\x1b]0;evil\x07",
        "created": 0,
        "moves": 3,
        "seats": [{"kind": "client", "name": "\x1b[2J"}],
        "result": None,
    }
    with stranger(200, json.dumps({"matches": [game]}).encode()) as url:
        done = spielwerk("games", "list", "--server", url)
    assert r"\x1b]0;evil\x07: \x1b[2J" in done.stdout
    assert "\x1b" not in done.stdout


# bots at seats, which the command plays itself

FIRST = """\
import json, sys
for line in sys.stdin:
    print(json.loads(line)["moves"][0], flush=True)
"""


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("quarto", "engine:random,{bot}"),
        ("morris", "{bot},{bot}"),
        ("dice", "{bot},{bot},engine:random"),
        ("connect4", "engine:random,{bot}"),
    ],
)
def test_a_bot_at_a_seat_is_played_from_here(
    server: Live, tmp_path: Path, game: str, seats: str
) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    bot = f"bot:{sys.executable} {tmp_path / 'first.py'}"
    done = games(server, "new", game, "--seats", seats.format(bot=bot))
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"[a-z0-9]{13}\n", done.stdout)
    table, *ends = done.stderr.splitlines()
    assert table == f"The table: {server.url}/t/{done.stdout.strip()}"
    assert len(ends) == seats.count("{bot}")
    assert all(re.match(r"seat \d: (won|lost|drawn)", end) for end in ends)


def test_where_one_bot_fails_the_other_does_not_wait_nor_stay(
    server: Live, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    stubborn = tmp_path / "stubborn.py"
    stubborn.write_text(f"{FIRST}import time\ntime.sleep(600)\n")
    seats = f"bot:{sys.executable} -c 'print(input()[:1])',bot:{sys.executable} {stubborn}"
    done = games(server, "new", "morris", "--seats", seats)
    assert done.returncode == 1
    said = capfd.readouterr().err
    assert "the bot wrote '{', which is not a move" in said
    assert "interrupted" not in said
    assert done.stderr.endswith("seat 0: failed\n")
    lines = [one.info["cmdline"] or [] for one in psutil.process_iter(["cmdline"])]
    assert not [line for line in lines if str(stubborn) in line]


@pytest.mark.parametrize(
    ("game", "seat", "words"),
    [
        ("oware", "bot:./mybot", "in oware a bot is a server that is asked"),
        ("quarto", "bot:", "a command must follow bot:"),
        ("quarto", "bot", "'bot' is not a seat"),
    ],
)
def test_a_bot_that_can_have_no_seat(server: Live, game: str, seat: str, words: str) -> None:
    before = server.get("/api/v1/matches").json
    assert words in refused(
        "games", "new", game, "--seats", f"engine,{seat}", "--server", server.url
    )
    assert server.get("/api/v1/matches").json == before
