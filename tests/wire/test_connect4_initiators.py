"""Heartbeats with a clock of our own: lost, doubled, forged, and none at all."""

from __future__ import annotations

import pytest

from spielwerk.wire.connect4.index import HEARTBEAT
from spielwerk.wire.connect4.initiators import DEAF, numeric
from tests.wire.indexing import OWNER, UNKNOWN, Server


def test_sixty_seconds_of_silence() -> None:
    server = Server()
    server.register("mine")
    server.wait(59.5)
    assert server.names() == ["mine"]
    server.wait(0.5)
    assert server.names() == []
    server.register("mine")


def test_heartbeats_keep_games_alive_and_some_may_be_lost() -> None:
    server = Server()
    server.register("a")
    server.register("b")
    for _ in range(10):
        server.wait(55)  # five of six are lost
        assert server.heartbeat("10.0.0.1") is None
    assert server.names() == ["a", "b"]
    server.wait(60)
    assert server.names() == []


@pytest.mark.parametrize("request_", ["seal_game", "unregister_game"])
def test_a_request_with_a_guid_is_a_sign_of_life_of_all_games(request_: str) -> None:
    server = Server()
    keys = [server.register(name) for name in "abc"]
    server.wait(55)
    server.ask(f"{request_};{keys[0]}")
    server.wait(55)
    assert {"b", "c"} <= {*server.names()}


def test_other_requests_are_no_sign_of_life() -> None:
    server = Server()
    server.register("a")
    for _ in range(60):
        server.ask("request_game_list")
        server.ask(f"seal_game;{UNKNOWN}")
        server.ask("register_game;anna;a;7;6;0;10.0.0.1;80")
        server.wait(1)
    assert server.names() == []


def test_the_time_out_can_be_switched_off() -> None:
    server = Server(silence=0)
    server.register("a")
    assert len(server.wait(1000)) == 100
    assert server.names() == ["a"]


@pytest.mark.parametrize(
    ("host", "port", "data", "problem"),
    [
        ("10.0.0.9", 80, HEARTBEAT, "unknown initiator"),
        ("10.0.0.1", 81, HEARTBEAT, "unknown initiator"),
        ("10.0.0.1", 80, b"", "no heartbeat"),
        ("10.0.0.1", 80, b"hello\n", "no heartbeat"),
        ("10.0.0.1", 80, b"heartbeat;1\n", "no heartbeat"),
        ("10.0.0.1", 80, b"heartbeat\nheartbeat\n", "no heartbeat"),
        ("10.0.0.1", 80, b"\xff" * 1024, "no heartbeat"),
    ],
)
def test_what_is_no_heartbeat_of_anybody_changes_nothing(
    host: str, port: int, data: bytes, problem: str
) -> None:
    server = Server()
    server.register("a")
    server.wait(30)
    for _ in range(1000):
        assert server.heartbeat(host, port, data) == problem
    assert server.index.initiators == 1
    assert len(server.index._initiators._by_source) == 1
    server.wait(30)
    assert server.names() == []


@pytest.mark.parametrize(
    "data", [b"heartbeat", b"heartbeat\r\n", b"heartbeat;\n", b"heartbeat\n" + bytes(200)]
)
def test_heartbeats_of_real_clients(data: bytes) -> None:
    server = Server()
    server.register("a")
    assert server.heartbeat("10.0.0.1", data=data) is None


@pytest.mark.parametrize("address", ["localhost", "0.0.0.0", "127.0.0.1", "::", "192.168.0.5"])  # noqa: S104
def test_an_initiator_is_known_by_the_host_that_registered_it(address: str) -> None:
    server = Server()
    server.register("a", at=address)
    server.wait(50)
    assert server.heartbeat(OWNER) is None
    server.wait(50)
    assert server.names() == ["a"]


@pytest.mark.parametrize(
    ("address", "source"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7", "::ffff:192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:DB8::0:1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
    ],
)
def test_or_by_the_address_that_it_named(address: str, source: str) -> None:
    server = Server()
    server.register("a", at=address)
    assert server.heartbeat(source) is None
    server.register("b", at="localhost", port=81)  # a name is not looked up
    assert server.heartbeat("127.0.0.1", 81) == "unknown initiator"


def test_heartbeats_are_sent_every_ten_seconds() -> None:
    server = Server()
    server.register("a")
    server.register("b")  # the same initiator: one heartbeat for both
    server.register("c", port=81, owner="10.0.0.2", at="10.0.0.2")
    assert server.wait(9.5) == []
    assert server.wait(0.5) == [("10.0.0.1", 80), ("10.0.0.2", 81)]
    assert server.wait(9.5) == []
    assert server.wait(0.5) == [("10.0.0.1", 80), ("10.0.0.2", 81)]


def test_no_heartbeat_is_sent_to_those_who_have_left() -> None:
    server = Server()
    key = server.register("a")
    server.ask(f"unregister_game;{key}")
    assert server.wait(60) == []
    assert server.index.initiators == 0
    assert not server.index._initiators._by_source
    assert not server.index._initiators._beats


def test_nobody_is_pestered_because_somebody_registers_their_address() -> None:
    server = Server()
    server.register("a", at="192.0.2.7")
    assert server.wait(20) == [(OWNER, 80)] * 2
    server.heartbeat("192.0.2.7")  # now we know that somebody is there
    assert server.wait(10) == [(OWNER, 80), ("192.0.2.7", 80)]


def test_a_stranger_who_claims_an_address_is_somebody_else() -> None:
    server = Server()
    server.register("victim", at="192.0.2.7", owner="192.0.2.7")
    server.register("stranger", at="192.0.2.7", owner="10.6.6.6")
    server.wait(50)
    assert server.heartbeat("10.6.6.6") is None  # helps the stranger, not the victim
    server.wait(10)
    assert server.names() == ["stranger"]


def test_who_cannot_be_heard_is_not_blamed() -> None:
    """The server was stopped or its machine slept: nobody could be heard."""
    server = Server()
    server.register("a")
    server.wait(30)
    server.now += 3600
    server.index.fall_away(server.now)
    assert server.names() == ["a"]
    server.wait(29.5)
    assert server.names() == ["a"]
    server.wait(0.5)
    assert server.names() == []


def test_a_short_pause_is_no_excuse() -> None:
    server = Server()
    server.register("a")
    for _ in range(int(60 / DEAF)):
        server.now += DEAF
        server.index.fall_away(server.now)
    assert server.names() == []


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("[::1]", "::1"),
        ("localhost", None),
        ("127.1", None),
        ("", None),
        ("1.2.3.4.5", None),
        ("fe80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_addresses_in_numbers(host: str, expected: str | None) -> None:
    assert numeric(host) == expected
