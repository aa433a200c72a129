"""The connector with a thinker that does as it is told: what it says, asks, plays, gives up for."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from spielwerk.clients.mnm.sentences import ClientError, Language
from spielwerk.clients.mnm.thinker import Request
from spielwerk.games import Game
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.server import Pace
from tests.clients.mnm.fakes import FakeThinker, first_move, play
from tests.clients.mnm.host import EMPTY_FIELD, PROLOG, Table, follow, host_game
from tests.clients.mnm.host import wait_for_the_end as wait
from tests.clients.mnm.program import ID
from tests.clients.peer import Host, Peer

ASKED = [*PROLOG, "+ MOVE 60000", *EMPTY_FIELD, "THINKING", "+ OKTHINK"]
OVER = ["+ GAMEOVER", *EMPTY_FIELD[1:], "+ QUIT"]
BANNER_3 = "+ MNM Gameserver v3.1 accepting connections"


@pytest.mark.parametrize(("dialect", "pace"), [*zip((1, 2, 3), Pace, strict=True)])
@pytest.mark.parametrize(
    ("game", "seat"), [(Quarto(), 0), (Quarto(n=5, begins=1), 1), (Morris(), 1)], ids=str
)
def test_whole_games(game: Game[Any], seat: int, dialect: int, pace: Pace) -> None:
    thinker = FakeThinker()
    with Host(lambda peer: host_game(peer, Table(game, seat, seed=dialect), dialect, pace)) as host:
        out = play(host, thinker)
        table = host.result()
    winner = table.state.outcome.winner
    end = {None: "it is a draw", seat: "we have won", 1 - seat: f"player {1 - seat} (Uli"}[winner]
    assert f"The game is over: {end}" in out
    assert out.count("The move was accepted.") == len(table.turns) == len(thinker.requests)
    assert [request.number for request in thinker.requests] == [*range(1, len(table.turns) + 1)]


def test_what_is_printed() -> None:
    script = [*PROLOG, "+ WAIT", "OKWAIT", "+ WAIT", "OKWAIT", "+ MOVE 5000", *EMPTY_FIELD]
    script += ["THINKING", "+ OKTHINK", "PLAY A1,0", "+ MOVEOK", "+ WAIT", "OKWAIT"]
    script += ["+ GAMEOVER 1 Player 2", *EMPTY_FIELD[1:], "+ QUIT"]
    with Host(follow(script)) as host:
        out = play(host, language=Language.GERMAN)
        host.result()
    lines = [line for line in out.splitlines() if line]
    assert lines[:5] == [
        "Der Gameserver hat die Version 1.0.",
        'Gespielt wird Quarto, das Spiel heißt "le_game2".',
        "Wir sind Spieler 0 (Player 1) von 2.",
        "Spieler 1 (Player 2) ist noch nicht bereit.",
        "Wir warten auf den anderen Spieler ...",
    ]
    assert out.count("Wir warten") == 2  # once in a row
    assert "In hand  3 ABcd" in lines
    asked = lines.index("Wir sind am Zug und haben 5000 ms Zeit.")
    assert re.fullmatch(r"Wir spielen A1,0 nach \d+ ms\.", lines[asked + 1])
    assert lines[asked + 2] == "Der Zug wurde angenommen."
    assert lines[-1] == "Das Spiel ist aus: Spieler 1 (Player 2) hat gewonnen."


def test_hostile_names_cannot_write_to_the_terminal() -> None:
    script = [*PROLOG[:5], "+ \x1b[2J\x07[bold]x{kind}%s", *PROLOG[6:9], "+ 1 \x9b31m\u202e 1"]
    with Host(follow([*script, "+ ENDPLAYERS", *OVER])) as host:
        out = play(host)
    assert '"\\x1b[2J\\x07[bold]x{kind}%s"' in out
    assert "Player 1 (\\x9b31m\\u202e) is ready." in out


def test_the_thinker_is_told_everything() -> None:
    thinker = FakeThinker()
    with Host(follow([*ASKED, "PLAY A1,0", "+ MOVEOK", *OVER])) as host:
        before = time.monotonic()
        play(host, thinker)
        after = time.monotonic()
    (request,) = thinker.requests
    assert (request.game, request.name, request.me) == ("quarto", "le_game2", 0)
    assert request.players == ("Player 1", "Player 2")
    assert request.milliseconds == 60000
    assert str(request.state()) == "* * * * / * * * * / * * * * / * * * * next 3"
    assert request.state().turn == 0
    assert before + 45 < request.deadline < after + 60  # some of the time is kept in reserve


def test_a_server_that_closes_after_the_game_without_goodbye() -> None:
    with Host(follow([*PROLOG, *OVER[:-1]])) as host:
        assert play(host).endswith("The game is over: it is a draw.\n")


# when the thinker is of no help


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("failed {number} OSError: no", "The thinker found no move (OSError: no), so"),
        ("move {number} A1,3", "The thinker found no move (A1,3), so"),
        ("move {number} Z9", "The thinker found no move (Z9), so"),
        ("move {number} A1,0;A2,1", "The thinker found no move"),
    ],
)
def test_any_legal_move_is_better_than_none(answer: str, said: str) -> None:
    thinker = FakeThinker(lambda request: answer.format(number=request.number) + "\n")
    moves = []

    def listen(peer: Peer) -> None:
        peer.follow(ASKED)
        moves.append(peer.line())
        peer.follow(["+ MOVEOK", *OVER])

    with Host(listen) as host:
        out = play(host, thinker)
        host.result()
    assert said in out
    _check_legal(moves[0])


def _check_legal(line: str) -> None:
    move = Quarto().parse_move(line.removeprefix("PLAY "))
    assert Quarto(first=3).start().play(move)


def test_a_late_thinker_is_not_waited_for_and_its_old_answers_do_not_count() -> None:
    """The first answer never comes in time; it comes with the second, which counts."""

    def late(request: Request) -> str:
        return "" if request.number == 1 else f"move 1 D4,0\n{first_move(request)}"

    moves = []

    def listen(peer: Peer) -> None:
        peer.follow([*PROLOG, "+ MOVE 300", *EMPTY_FIELD, "THINKING", "+ OKTHINK"])
        moves.append(peer.line())
        peer.follow(["+ MOVEOK", "+ MOVE 60000", *EMPTY_FIELD, "THINKING", "+ OKTHINK"])
        moves.append(peer.line())
        peer.follow(["+ MOVEOK", *OVER])

    with Host(listen) as host:
        out = play(host, FakeThinker(late))
        host.result()
    assert "The thinker did not answer in time" in out
    _check_legal(moves[0])
    assert moves[1] == "PLAY A1,0"


@pytest.mark.parametrize("answer", [first_move, lambda _: ""])
def test_no_time_at_all_is_no_reason_not_to_move(answer: Callable[[Request], str]) -> None:
    """Whether the thinker answers at the last moment or not."""
    moves = []

    def listen(peer: Peer) -> None:
        peer.follow([*PROLOG, "+ MOVE 0", *EMPTY_FIELD, "THINKING", "+ OKTHINK"])
        moves.append(peer.line())
        peer.follow(["+ MOVEOK", *OVER])

    with Host(listen) as host:
        play(host, FakeThinker(answer))
        host.result()
    _check_legal(moves[0])


def test_who_thinks_longer_than_patience_lasts_does_not_blame_the_server() -> None:
    """Patience counts from our last word: it was our turn all the time."""
    thinker = FakeThinker(lambda _: "")
    timers = []

    def think(request: Request) -> str:
        answer = first_move(request).encode()
        timers.append(threading.Timer(2.5, lambda: os.write(thinker._theirs, answer)))
        timers[0].start()
        return ""

    def listen(peer: Peer) -> None:
        peer.follow([*ASKED, "PLAY A1,0"])
        time.sleep(0.1)
        peer.follow(["+ MOVEOK", *OVER])

    thinker._answer = think
    with Host(listen) as host:
        assert "it is a draw" in play(host, thinker, patience=2.0)
        host.result()
    timers[0].join()


def test_the_move_waits_for_the_servers_permission() -> None:
    def listen(peer: Peer) -> None:
        peer.follow([*PROLOG, "+ MOVE 60000", *EMPTY_FIELD, "THINKING"])
        peer.socket.settimeout(0.2)
        with pytest.raises(TimeoutError):
            peer.socket.recv(1)
        peer.socket.settimeout(60)
        peer.say("+ OKTHINK")
        assert peer.socket.recv(100) == b"PLAY A1,0\n"
        peer.follow(["+ MOVEOK", *OVER])

    with Host(listen) as host:
        play(host)
        host.result()


# what goes wrong

FAILURES = [
    ([*PROLOG[:2], "- We implement protocol version 1.0"], "Version nicht an", "our version"),
    (
        [BANNER_3, "VERSION 3.0", "- Client Version does not match server Version"],
        "Version nicht an",
        "our version",
    ),
    (
        ["+ MNM Gameserver v4.2 accepting connections"],
        "Falsche Version: Der Server hat die Version 4.2, dieser Client kennt 1, 2, 3.",
        "Wrong version: the server has version 4.2, but this client knows 1, 2, 3.",
    ),
    (
        [*PROLOG[:4], "+ PLAYING Chess", "+ name"],
        'Falsche Spielart: Der Server spielt "Chess", dieser Client aber Quarto / NMMorris.',
        'Wrong kind of game: the server plays "Chess", but this client plays Quarto / NMMorris.',
    ),
    ([*PROLOG[:4], "- Game does not exist"], f'Spiel "{ID}" gibt es auf', f'no game "{ID}"'),
    ([*PROLOG[:4], "- Not a valid game ID"], f'Spiel "{ID}" gibt es auf', f'no game "{ID}"'),
    (
        [*PROLOG[:7], "- No free computer player found for that game - exiting"],
        "Kein freier Platz",
        "No free seat",
    ),
    ([*PROLOG[:7], "- No free player"], "Kein freier Platz", "No free seat"),
    ([*PROLOG, "- TIMEOUT Be faster next time"], "Zu spät", "Too late"),
    (
        [*ASKED, "PLAY A1,0", "- Invalid Move: Destination is already occupied"],
        'Ungültiger Zug: Der Server nimmt A1,0 nicht an: "Invalid Move: Destination is already',
        'Invalid move: the server does not accept A1,0: "Invalid Move: Destination is already',
    ),
    ([*PROLOG, "- Internal error. Sorry & Bye"], '"Internal error. Sorry & Bye"', "Sorry & Bye"),
    (PROLOG, "Verbindung zum Server ist abgebrochen", "connection to the server was lost"),
    ([], "Verbindung zum Server ist abgebrochen", "connection to the server was lost"),
    (
        ["+ SMTP ready"],
        '"+ SMTP ready" statt "+ MNM Gameserver v<version> accepting connections"',
        'expected "+ MNM Gameserver v<version> accepting connections", got "+ SMTP ready"',
    ),
    ([*PROLOG, "+ \x1bc"], 'Protokoll: "+ \\x1bc" statt "', 'got "+ \\x1bc"'),
    ([*PROLOG, "+ " + "x" * 10_000], "4096 bytes", "a line of more than 4096 bytes"),
    (
        [*PROLOG, "+ MOVE 1", "+ NEXT 3", "+ FIELD 2,2", "+ 2 * 3", "+ 1 * *", "+ ENDFIELD"],
        'statt "a position of Quarto"',
        "a stone occurs twice",
    ),
]


@pytest.mark.parametrize(("script", "german", "english"), FAILURES)
def test_what_is_wrong_is_said(script: list[str], german: str, english: str) -> None:
    with Host(follow(script)) as host, pytest.raises(ClientError) as caught:
        play(host)
    assert german in caught.value.said(Language.GERMAN)
    assert english in str(caught.value)


@pytest.mark.parametrize("kind", ["Quarto", "NMMorris"])
def test_the_kind_of_game_can_be_fixed(kind: str) -> None:
    other = {"Quarto": "NMMorris", "NMMorris": "Quarto"}[kind]
    script = [*PROLOG[:4], f"+ PLAYING {other}", "+ name"]
    with Host(follow(script)) as host, pytest.raises(ClientError) as caught:
        play(host, kind=kind)
    assert f'the server plays "{other}", but this client plays {kind}.' in str(caught.value)


def test_a_refusal_is_read_though_the_server_has_closed_already() -> None:
    """The server gave up while we were thinking: our move is lost, its word still counts."""

    def give_up(peer: Peer) -> None:
        peer.follow([*PROLOG, "+ MOVE 60000", *EMPTY_FIELD, "THINKING"])
        peer.say("+ OKTHINK", "- TIMEOUT Be faster next time")

    with Host(give_up) as host, pytest.raises(ClientError, match="Too late: we did not answer"):
        play(host, FakeThinker(lambda _: ""))


@pytest.mark.parametrize("script", [[], PROLOG[:2], [*PROLOG, "+ MOVE 60000", "+ NEXT 3"]])
def test_a_silent_server_is_not_waited_for_for_ever(script: list[str]) -> None:
    with Host(follow(script, wait)) as host, pytest.raises(ClientError) as caught:
        play(host, patience=0.3)
    assert str(caught.value) == "The server did not answer for 0.3 seconds."
