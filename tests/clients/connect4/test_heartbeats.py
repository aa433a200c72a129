"""Heartbeats in simulated time: sent, heard, lost, doubled, forged and oversized."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from spielwerk.clients.connect4.index import Heartbeats
from tests.simulation import DAWN, Loop

INDEX = ("10.0.0.1", 9090)


class Network:
    """Where datagrams go."""

    def __init__(self, silence: float = 60.0) -> None:
        self.loop = Loop()
        self.sent: list[tuple[float, bytes, tuple[str, int]]] = []
        self.complaints: list[float] = []
        self.open = True
        self.expected = True
        self.heartbeats = Heartbeats(
            cast("asyncio.AbstractEventLoop", self.loop),
            INDEX,
            self._silent,
            lambda: self.expected,
            silence=silence,
        )
        self.heartbeats.connection_made(cast("asyncio.DatagramTransport", self))

    def sendto(self, data: bytes, address: tuple[str, int]) -> None:
        self.sent.append((self.loop.time() - DAWN, data, address))

    def close(self) -> None:
        self.open = False

    def _silent(self) -> None:
        self.complaints.append(self.loop.time() - DAWN)

    def run_until(self, seconds: float) -> None:
        self.loop.run_until(DAWN + seconds)

    def hear(self, data: bytes = b"heartbeat\n", address: tuple[str, int] = INDEX) -> None:
        self.heartbeats.datagram_received(data, address)


def test_one_every_ten_seconds_from_the_start() -> None:
    network = Network()
    network.run_until(35.0)
    assert network.sent == [(at, b"heartbeat\n", INDEX) for at in (0.0, 10.0, 20.0, 30.0)]


def test_silence_counts_from_when_something_is_expected() -> None:
    network = Network()
    network.expected = False
    network.run_until(205.0)
    assert network.complaints == []
    assert len(network.sent) == 21
    network.expected = True
    network.run_until(255.0)
    assert network.complaints == []
    network.run_until(265.0)
    assert network.complaints == [260.0]


@pytest.mark.parametrize("form", [b"heartbeat\n", b"heartbeat", b"heartbeat\r\n"])
def test_a_heartbeat_sets_the_time_back(form: bytes) -> None:
    network = Network()
    network.run_until(55.0)
    network.hear(form)
    network.hear(form)  # a doubled one is no harm
    network.run_until(114.0)
    assert network.complaints == []
    network.run_until(120.0)
    assert network.complaints == [120.0]


@pytest.mark.parametrize(
    ("data", "address"),
    [
        (b"heartbeat\n", ("10.0.0.2", 9090)),
        (b"heartbeat\n", ("10.0.0.1", 9091)),
        (b"heartbeat\n" * 1000, INDEX),
        (b"heartbeat;1\n", INDEX),
        (b"", INDEX),
        (b"\xff" * 65507, INDEX),
    ],
)
def test_forged_and_wrong_ones_do_not_count(data: bytes, address: tuple[str, int]) -> None:
    network = Network()
    network.run_until(55.0)
    network.hear(data, address)
    network.run_until(60.0)
    assert network.complaints == [60.0]


def test_the_watch_can_be_switched_off() -> None:
    network = Network(silence=0.0)
    network.run_until(1000.0)
    assert network.complaints == []
    assert len(network.sent) == 101
