"""The remote player against servers on loopback that behave and misbehave."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack
from random import Random

import pytest

from spielwerk.clients.oware import game_so_far, make_remote
from spielwerk.engines.players import Fault, PlayerFailed
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_move
from spielwerk.games.record import Record
from tests.clients.oware.host import Host, hanging_up, honest_answer, saying, silent
from tests.clients.peer import unused_port

STANDARD = b"0 0 4 4 4 4 4 4 4 4 4 4 4 4"
RIGHT = b"OK\nKarl Muster\nSuper\n2\n0 0 4 4 0 5 5 5 5 4 4 4 4 4\n"


def ask(text: str, record: Record | None = None) -> int:
    move: int = make_remote(text, Oware()).decide(record or Record((Oware().start(),)), Random(0))
    return move


def failure(text: str, within: float | None = None) -> PlayerFailed:
    with pytest.raises(PlayerFailed) as caught:
        make_remote(text, Oware()).decide(Record((Oware().start(),)), Random(0), within)
    assert str(caught.value).isprintable()
    return caught.value


# what is asked


def test_the_servers_move_is_played() -> None:
    with Host(saying(RIGHT)) as host:
        assert ask(host.text) == 2


def test_the_request_has_strategy_depth_first_board_and_all_moves() -> None:
    record = Record((Oware().start(),)).play(3).play(3)
    with Host() as host:
        ask(f"{host.text},strategy=1,depth=7", record)
    assert host.requests == [[b"1", b"7", STANDARD, b"33"]]


def test_every_move_has_a_connection_of_its_own_that_the_client_closes_at_once() -> None:
    """The servers here leave it open until the client closes."""
    with Host() as host:
        remote = make_remote(host.text, Oware())
        record = Record((Oware().start(),))
        for _ in range(10):
            record = record.play(remote.decide(record, Random(0)))
    assert [len(lines[3]) for lines in host.requests] == list(range(10))
    assert host.closed_by_client == [True] * 10


def test_a_state_alone_is_told_as_far_as_it_remembers() -> None:
    state = Oware().parse_state("16 16 0 0 0 0 3 5 2 1 0 1 2 2")
    with Host() as host:
        assert make_remote(host.text, Oware()).choose(state, Random(0)) in state.legal_moves()
    assert host.requests == [[b"0", b"5", b"16 16 0 0 0 0 3 5 2 1 0 1 2 2", b""]]


def test_where_b_began_the_sides_change_their_names() -> None:
    """In the protocol A begins; the game is the same from both sides."""
    start = Oware().parse_state("3 7 1 2 3 4 5 6 6 5 4 2 0 0 player B")
    with Host() as host:
        move = ask(host.text, Record((start,)).play(3))
    assert host.requests[0][2:] == [b"7 3 6 5 4 2 0 0 1 2 3 4 5 6", b"3"]
    assert move == start.play(3).legal_moves()[0]


def test_turned_games_lead_to_the_same_moves() -> None:
    for seed in range(20):
        rng, record = (
            Random(seed),
            Record((Oware().parse_state("0 0 " + "4 " * 11 + "4 player B"),)),
        )
        while not record.state.outcome:
            initial, history, state = game_so_far(record)
            assert state.legal_moves() == record.state.legal_moves()
            assert state.player == 1 - record.state.turn
            assert len(history) == len(record.moves)
            assert sum(initial) == 48
            record = record.play(random_move(record.state, rng))


def test_ipv6() -> None:
    try:
        host = Host(saying(RIGHT), family=socket.AF_INET6)
    except OSError:
        assert failure(f"remote:[::1]:{unused_port()}").fault is Fault.LOST
        return
    with host:
        assert ask(f"remote:[::1]:{host.port}") == 2


def test_a_host_with_several_addresses_is_tried_until_one_answers() -> None:
    """Here localhost may be ::1 and 127.0.0.1; the server is only on the latter."""
    with Host(saying(RIGHT)) as host:
        assert ask(f"remote:localhost:{host.port}") == 2


@pytest.mark.parametrize("size", [1, 2, 7])
def test_an_answer_in_pieces(size: int) -> None:
    def behave(connection: socket.socket, lines: list[bytes]) -> None:
        answer = honest_answer(lines)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start in range(0, len(answer), size):
            connection.sendall(answer[start : start + size])

    with Host(behave) as host:
        assert ask(host.text) == 0


# what goes wrong


def test_an_unknown_host() -> None:
    error = failure("remote:no-such-host.invalid")
    assert error.fault is Fault.LOST
    assert str(error).startswith("unknown host 'no-such-host.invalid': ")


def test_nothing_listens() -> None:
    port = unused_port()
    error = failure(f"remote:127.0.0.1:{port}")
    assert error.fault is Fault.LOST
    assert str(error).startswith(f"cannot connect to 127.0.0.1:{port}: ")
    assert "refused" in str(error)


def test_a_listener_that_takes_no_connection() -> None:
    """A listener whose queue is full does not answer at all."""
    with socket.socket() as listener, ExitStack() as held:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        for _ in range(8):
            waiting = held.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(("127.0.0.1", port))
        error = failure(f"remote:127.0.0.1:{port},connect=0.2,timeout=0.2")
    assert error.fault is Fault.LATE


def test_a_silent_server() -> None:
    with Host(silent) as host:
        error = failure(f"{host.text},timeout=0.05")
    assert error.fault is Fault.LATE
    assert str(error) == f"127.0.0.1:{host.port} did not answer within 0.05 s"
    assert host.closed_by_client == [True]


def test_who_asks_may_have_less_time_than_the_players_own() -> None:
    with Host(silent) as host:
        error = failure(f"{host.text},timeout=3600", within=0.05)
    assert error.fault is Fault.LATE
    assert "within 0.0" in str(error)


def test_a_slow_server() -> None:
    """It always says something, never everything."""
    stop = threading.Event()

    def drip(connection: socket.socket, _lines: list[bytes]) -> None:
        while not stop.is_set():
            connection.sendall(b"O")
            stop.wait(0.001)

    with Host(drip) as host:
        error = failure(f"{host.text},timeout=0.05")
        stop.set()
    assert error.fault is Fault.LATE
    assert "is too slow: only " in str(error)
    ending = "of an answer came within 0.05 s, not to the end of line 1, <status>"
    assert str(error).endswith(ending)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        (b"", "without an answer"),
        (b"O", "before the end of line 1, <status>"),
        (b"OK\n", "before the end of line 2, <server-author>"),
        (RIGHT[:-1], "before the end of line 5, <"),
    ],
)
def test_a_server_that_hangs_up(said: bytes, where: str) -> None:
    with Host(hanging_up(said)) as host:
        error = failure(host.text)
    assert error.fault is Fault.LOST
    assert f"127.0.0.1:{host.port} closed the connection {where}" in str(error)


@pytest.mark.parametrize(
    ("said", "fault", "problem"),
    [
        (RIGHT.replace(b"\n2\n", b"\n6\n"), Fault.ILLEGAL, "move '6' is not one of 0, 1, 2, 3"),
        (RIGHT.replace(b"\n2\n", b"\n02\n"), Fault.ILLEGAL, "move '02' is not one of"),
        (RIGHT.replace(b"\n2\n", b"\n\n"), Fault.ILLEGAL, "move '' is not one of"),
        (RIGHT.replace(b"\n2\n", b"\n0\n"), Fault.PROTOCOL, "after 0 the board is '0 0 0 5 5"),
        (RIGHT.replace(b"\n", b"\r\n"), Fault.PROTOCOL, r"the status is 'OK\r', neither OK"),
        (b"\n\n\n\n\n", Fault.PROTOCOL, "the status is ''"),
        (b"OK\nK\nS\nfinish\n24 24 " + b"0 " * 11 + b"0\n", Fault.PROTOCOL, "but A can move"),
        (b"HTTP/1.1 400 Bad Request\n\n\n\n\n", Fault.PROTOCOL, "'HTTP/1.1 400 Bad Request'"),
        (b"\x00\xff\x1b[2J\n\n\n\n\n", Fault.PROTOCOL, r"'\x00ÿ\x1b[2J'"),
    ],
)
def test_a_lying_server(said: bytes, fault: Fault, problem: str) -> None:
    with Host(saying(said)) as host:
        error = failure(host.text)
    assert error.fault is fault
    assert problem in str(error)
    assert str(error).startswith(f"127.0.0.1:{host.port}: ")


def test_a_server_that_answers_without_reading() -> None:
    """It is gone before the request is sent; what it said still counts."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hasty() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(RIGHT)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(65536)

        thread = threading.Thread(target=hasty)
        thread.start()
        assert ask(f"remote:127.0.0.1:{listener.getsockname()[1]}") == 2
        thread.join()
