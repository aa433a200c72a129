"""Connections with both ends: who was called, and who has called."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from spielwerk.contests.programs import lines
from spielwerk.contests.programs.lines import lines_to
from spielwerk.contests.programs.sockets import are_told

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = "127.0.0.1"

pytestmark = pytest.mark.skipif(not are_told(), reason="the system does not tell")


def number(one: socket.socket) -> int:
    return os.fstat(one.fileno()).st_ino


@pytest.fixture(params=["its-address", "everywhere", "both-protocols"])
def server(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    """One that can be called here, wherever else it can be."""
    if request.param != "both-protocols":
        made = socket.create_server((HERE if request.param == "its-address" else "", 0))
    elif socket.has_dualstack_ipv6():
        made = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    else:
        pytest.skip("there is only one protocol")
    with made:
        yield made


def port_of(server: socket.socket) -> int:
    port: int = server.getsockname()[1]
    return port


def test_nobody_has_called(server: socket.socket) -> None:
    assert lines_to(port_of(server)) == set()


def test_who_waits_has_called_the_one_who_listens(server: socket.socket) -> None:
    with socket.create_connection((HERE, port_of(server))) as caller:
        assert lines_to(port_of(server)) == {(number(server), number(caller))}


def test_who_was_let_in_has_called_the_one_who_did_so(server: socket.socket) -> None:
    port = port_of(server)
    with socket.create_connection((HERE, port)) as caller, closing(server.accept()[0]) as line:
        assert lines_to(port) == {(number(line), number(caller))}
        server.close()
        assert lines_to(port) == {(number(line), number(caller))}


def test_the_same_port_elsewhere_is_another_one() -> None:
    with socket.create_server((HERE, 0)) as server:
        port = port_of(server)
        with (
            socket.create_server(("127.0.0.2", port)) as other,
            socket.create_connection(("127.0.0.2", port)) as caller,
        ):
            assert lines_to(port) == {(number(other), number(caller))}


def test_without_such_tables_nobody_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "TABLES", ("no such table",))
    assert lines_to(80) == set()
