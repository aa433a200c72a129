"""Sockets by their numbers: found from either end, and nobody is disturbed by that."""

from __future__ import annotations

import os
import platform
import socket
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.programs import sockets
from spielwerk.contests.programs.sockets import (
    are_told,
    bound_to,
    connected_to,
    held,
    listening,
    other_end,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = "127.0.0.1"
MANY = 300  # more than the system tells at once
NEW_ENOUGH = tuple(map(int, platform.release().split(".")[:2])) >= (6, 8)


def number(one: socket.socket) -> int:
    return os.fstat(one.fileno()).st_ino


@pytest.fixture
def server() -> Iterator[socket.socket]:
    with socket.create_server((HERE, 0), backlog=MANY) as one:
        yield one


@pytest.fixture
def again() -> Iterator[None]:
    """So that it is tried again whether the system tells."""
    are_told.cache_clear()
    yield
    are_told.cache_clear()


def test_the_system_tells() -> None:
    assert are_told()


@pytest.mark.usefixtures("again")
def test_without_sock_diag_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "AF_NETLINK")
    assert not are_told()


@pytest.mark.usefixtures("again")
def test_if_it_says_nothing_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "listening", lambda _: set())
    assert not are_told()


@pytest.mark.usefixtures("again")
def test_if_it_does_not_say_who_has_a_socket_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "listening", lambda _: {1})
    assert not are_told()


def test_a_socket_stands_among_what_its_process_has_open(server: socket.socket) -> None:
    assert str(Path(f"/proc/self/fd/{server.fileno()}").readlink()) == held(number(server))


@pytest.mark.parametrize("host", [HERE, f"::ffff:{HERE}"])
def test_the_other_end_of_a_connection(server: socket.socket, host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as line:
        line.connect((host, server.getsockname()[1]))
        connection, peer = server.accept()
        with connection:
            assert other_end(connection.getsockname(), peer) == {number(line)}
            assert other_end(peer, connection.getsockname()) == {number(connection)}


def test_who_has_only_said_the_last_word_is_still_there(server: socket.socket) -> None:
    with socket.create_connection(server.getsockname()) as line:
        connection, peer = server.accept()
        line.shutdown(socket.SHUT_WR)
        with connection:
            assert other_end(connection.getsockname(), peer) == {number(line)}


def test_who_has_closed_is_nobody(server: socket.socket) -> None:
    with socket.create_connection(server.getsockname()):
        connection, peer = server.accept()
    with connection:
        assert other_end(connection.getsockname(), peer) == set()
    assert other_end(server.getsockname(), peer) == set()


def test_who_listens_is_no_end_of_a_connection(server: socket.socket) -> None:
    with socket.create_server((HERE, 0)) as other:
        assert other_end(server.getsockname(), other.getsockname()) == set()


@pytest.mark.parametrize("host", [HERE, "0.0.0.0", "::1", "::"])  # noqa: S104 - for a moment
def test_who_listens(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        port = server.getsockname()[1]
        assert listening(port) == bound_to(port) == {number(server)}
        assert connected_to(port) == set()
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert listening(port) == set()


def test_all_who_listen_at_a_port_are_found() -> None:
    with (
        socket.create_server((HERE, 0), reuse_port=True) as one,
        socket.create_server(one.getsockname(), reuse_port=True) as other,
    ):
        assert listening(one.getsockname()[1]) == {number(one), number(other)}


@pytest.mark.skipif(not NEW_ENOUGH, reason="Linux tells that since 6.8")
def test_a_port_can_be_taken_without_listening() -> None:
    with closing(socket.socket()) as one:
        one.bind((HERE, 0))
        port = one.getsockname()[1]
        assert bound_to(port) == {number(one)}
        assert listening(port) == set()


def test_all_who_have_a_connection_to_a_port_are_found(server: socket.socket) -> None:
    with ExitStack() as stack:
        lines = [
            stack.enter_context(socket.create_connection(server.getsockname())) for _ in range(MANY)
        ]
        port = server.getsockname()[1]
        assert connected_to(port) == {number(line) for line in lines}
        assert listening(port) == {number(server)}
