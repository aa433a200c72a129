from __future__ import annotations

import pytest

from spielwerk.clients.oware import Address, RemotePlayer
from spielwerk.clients.players import make_player, make_remote
from spielwerk.engines.players import RandomPlayer
from spielwerk.errors import NotationError
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("remote:localhost", Address("localhost", 7889, 0, 5)),
        ("remote:localhost:7890", Address("localhost", 7890)),
        ("remote:10.0.0.1:0", Address("10.0.0.1", 0)),
        ("remote:a-b.example.org:65535", Address("a-b.example.org", 65535)),
        ("remote:[::1]", Address("::1", 7889)),
        ("remote:[fe80::1%eth0]:80", Address("fe80::1%eth0", 80)),
        ("remote:müller.example", Address("müller.example")),
        ("remote:h:1,strategy=3,depth=9", Address("h", 1, 3, 9)),
        ("remote:h,depth=1", Address("h", depth=1)),
        ("remote:h,timeout=0.5,connect=2", Address("h", timeout=0.5, connect=2.0)),
    ],
)
def test_descriptions(text: str, address: Address) -> None:
    assert Address.parse(text) == address


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("remote", "expected remote:HOST:PORT"),
        ("remote:", "expected remote:HOST:PORT"),
        ("remote::7889", "expected remote:HOST:PORT"),
        ("localhost:7889", "expected remote:HOST:PORT"),
        ("remote:a b", "expected remote:HOST:PORT"),
        ("remote:a\x1b[2J", "expected remote:HOST:PORT"),
        ("remote:a\0b", "expected remote:HOST:PORT"),
        ("remote:http://host/", "'//host/' is no port"),
        ("remote:user@host", "expected remote:HOST:PORT"),
        ("remote:strategy=0,depth=5", "expected remote:HOST:PORT"),
        ("remote:host:", "'' is no port: they go from 0 to 65535"),
        ("remote:host:65536", "'65536' is no port"),
        ("remote:host:-1", "'-1' is no port"),
        ("remote:host:٣", "is no port"),
        ("remote:::1", "expected remote:HOST:PORT"),
        ("remote:fe80::1:7889", "an IPv6 address stands in brackets"),
        ("remote:[localhost]:7889", "'localhost' is no IPv6 address"),
        ("remote:[]:7889", "'' is no IPv6 address"),
        ("remote:[::1", "expected remote:HOST:PORT"),
        ("remote:h,depth=0", "depth goes from 1 to 9, not '0'"),
        ("remote:h,depth=10", "depth goes from 1 to 9"),
        ("remote:h,depth=05", "depth goes from 1 to 9"),
        ("remote:h,depth", "depth goes from 1 to 9, not ''"),
        ("remote:h,strategy=-1", "strategy goes from 0 to 999999999"),
        ("remote:h,strategy=tuned", "not 'tuned'"),
        ("remote:h,depth=5,depth=5", "depth is given twice"),
        ("remote:h,level=5", "they are strategy, depth, connect, timeout"),
        ("remote:h,", "'' is none of its settings"),
        ("remote:h,timeout=0", "timeout goes from 0.01 to 86400 seconds"),
        ("remote:h,timeout=nan", "timeout goes from 0.01 to 86400 seconds, not 'nan'"),
        ("remote:h,timeout=inf", "timeout goes from"),
        ("remote:h,connect=soon", "connect goes from 0.01 to 3600 seconds, not 'soon'"),
    ],
)
def test_what_is_no_description_says_what_is_allowed(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        Address.parse(text)
    assert problem in str(caught.value)
    assert str(caught.value).startswith(repr(text))
    assert str(caught.value).isprintable()


def test_an_address_is_written_as_it_is_read() -> None:
    assert str(Address.parse("remote:[::1]:80")) == "[::1]:80"
    assert str(Address.parse("remote:host")) == "host:7889"


def test_remote_players_play_oware_only() -> None:
    assert isinstance(make_remote("remote:h", Oware()), RemotePlayer)
    with pytest.raises(NotationError, match="remote players for Oware, not morris"):
        make_remote("remote:h", Morris())


def test_players_here_and_elsewhere_are_made_from_text() -> None:
    assert isinstance(make_player("random", Oware()), RandomPlayer)
    remote = make_player("remote:h:1,depth=2", Oware())
    assert isinstance(remote, RemotePlayer)
    assert remote.address == Address("h", 1, depth=2)
    assert remote.name == "remote:h:1,depth=2"
