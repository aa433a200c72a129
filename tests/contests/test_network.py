"""The network of programs that are not in a sandbox: the machine's own, with free ports."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from spielwerk.contests.contest import ContestError
from spielwerk.contests.programs import network as module
from spielwerk.contests.programs.network import HERE, PORTS, Network


def closed(network: Network) -> None:
    asyncio.run(network.close())


def test_a_reserved_port_is_free_and_no_other_worker_gives_it_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, other = Network(), Network()
    port = one.free_port()
    assert port in PORTS
    assert not one.is_listening(port)
    monkeypatch.setattr(module, "PORTS", range(port, port + 1))
    with pytest.raises(ContestError, match="no free port was found"):
        other.free_port()
    closed(one)
    assert other.free_port() == port
    closed(other)


def test_a_port_that_is_used_is_not_given_away(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network()
    with network.listen() as server:
        taken = server.getsockname()[1]
        monkeypatch.setattr(module, "PORTS", range(taken, taken + 1))
        with pytest.raises(ContestError):
            network.free_port()
    closed(network)


@pytest.mark.parametrize("host", [HERE, "::1"])
def test_a_program_that_listens_is_seen_and_not_disturbed(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        port = server.getsockname()[1]
        assert Network().is_listening(port)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert not Network().is_listening(port)


def test_a_connection_is_not_taken_for_a_program_that_listens() -> None:
    with (
        socket.create_server((HERE, 0)) as server,
        socket.create_connection(server.getsockname()) as line,
    ):
        assert not Network().is_listening(line.getsockname()[1])


def test_where_the_system_does_not_tell_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "Path", lambda *_: _Missing())
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
        assert Network().is_listening(port)
    assert not Network().is_listening(port)


class _Missing:
    def exists(self) -> bool:
        return False


def test_tcp_and_udp_have_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    network, tries = Network(), iter([OSError("taken"), None])
    usual = network.datagrams

    def datagrams(port: int) -> Any:
        if problem := next(tries):
            raise problem
        return usual(port)

    monkeypatch.setattr(network, "datagrams", datagrams)
    accepting, receiving = network.listen_both()
    assert accepting.getsockname() == receiving.getsockname()
    accepting.close()
    receiving.close()
