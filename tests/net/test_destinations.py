"""Visitors name our own services and what is listed; names are looked up once, and checked."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from spielwerk.net.addresses import Endpoint
from spielwerk.net.destinations import Destinations, NotAllowed

OWN = {"oware": [("0.0.0.0", 7889)], "index": [("127.0.0.1", 9090)]}  # noqa: S104
NAMES = {
    "games.example": "93.184.216.34",
    "inside.example": "192.168.1.5",
    "metadata.example": "169.254.169.254",
    "home.example": "127.0.0.1",
    "six.example": "fd00::1",
}


def find(place: str, *listed: str, service: str = "oware") -> str:
    destinations = Destinations(listed, lambda name: OWN.get(name, ()))

    async def scene() -> Endpoint:
        return await destinations.find(Endpoint.parse(place, 7889), service)

    return str(asyncio.run(scene()))


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look_up(_loop: object, host: str, port: int, **_: Any) -> list[Any]:
        if host not in NAMES:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(0, 0, 0, "", (NAMES[host], port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", look_up)


@pytest.mark.parametrize(
    ("place", "listed", "found"),
    [
        ("localhost:7889", (), "127.0.0.1:7889"),
        ("127.0.0.1:7889", (), "127.0.0.1:7889"),
        ("games.example", ("games.example",), "93.184.216.34:7889"),
        ("games.example:99", ("games.example:99",), "93.184.216.34:99"),
        ("games.example:99", ("*",), "93.184.216.34:99"),
        ("8.8.8.8:99", ("*",), "8.8.8.8:99"),
        ("192.168.1.5:99", ("192.168.1.5",), "192.168.1.5:99"),
        ("localhost:99", ("localhost",), "localhost:99"),
    ],
)
def test_allowed(place: str, listed: tuple[str, ...], found: str) -> None:
    assert find(place, *listed) == found


@pytest.mark.parametrize(
    ("place", "listed", "problem"),
    [
        (
            "127.0.0.1:22",
            (),
            "remote_hosts does not allow the host 127.0.0.1:22; the operator may",
        ),
        ("127.0.0.1:9090", (), "does not allow"),  # ours, but no Oware server
        ("games.example", (), "does not allow"),
        ("games.example:98", ("games.example:99",), "does not allow"),
        ("127.0.0.1:22", ("*",), "private"),
        ("localhost:22", ("*",), "private"),
        ("10.0.0.1", ("*",), "private"),
        ("inside.example", ("inside.example",), "is 192.168.1.5, an address of a private"),
        ("metadata.example", ("*",), "private"),
        ("home.example", ("*",), "private"),
        ("six.example", ("*",), "private"),
        ("[::1]:22", ("*",), "private"),
        ("[::ffff:127.0.0.1]:22", ("*",), "private"),
        ("0.0.0.0:22", ("*",), "private"),
        ("2130706433:22", ("*",), "cannot be looked up"),
        ("nowhere.example", ("*",), "cannot be looked up"),
    ],
)
def test_refused(place: str, listed: tuple[str, ...], problem: str) -> None:
    with pytest.raises(NotAllowed, match=problem):
        find(place, *listed)
