"""The socket: addresses that do not answer, peers that do not read."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress

import pytest

from spielwerk.clients.mnm.program import connected
from spielwerk.clients.mnm.sentences import ClientError, Language
from tests.clients.mnm.fakes import FakeThinker
from tests.clients.mnm.host import follow, wait_for_the_end
from tests.clients.peer import Host, Peer


def test_the_server_and_the_thinker_are_heard() -> None:
    def speak(peer: Peer) -> None:
        peer.say("+ hello")
        wait_for_the_end(peer)

    with Host(speak) as host, FakeThinker() as thinker:
        with connected("127.0.0.1", host.port, 5.0, thinker) as connection:
            soon = time.monotonic() + 60
            assert connection.wait(soon) == {connection}
            assert connection.receive() == b"+ hello\n"
            assert connection.wait(0.0) == frozenset()
            os.write(thinker._theirs, b"ready 0 \n")
            assert connection.wait(soon) == {thinker}
        host.result()


def test_what_a_server_said_before_it_closed_can_be_read_after_a_failed_write() -> None:
    with (
        Host(follow(["OKWAIT", "- TIMEOUT x"], Peer.reset)) as host,
        FakeThinker() as thinker,
        connected("127.0.0.1", host.port, 60.0, thinker) as connection,
    ):
        connection.send(b"OKWAIT\n")
        host.result()
        for _ in range(3):
            connection.send(b"PLAY A1\n")
        assert connection.receive() == b"- TIMEOUT x\n"
        with suppress(ClientError):
            assert connection.receive() == b""


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with FakeThinker() as thinker, pytest.raises(ClientError) as caught:
        _connect("127.0.0.1", port, thinker)
    assert str(caught.value).startswith(f"127.0.0.1 accepts no connection on port {port}")
    assert "nimmt auf Port" in caught.value.said(Language.GERMAN)


@pytest.mark.parametrize("host", ["no.such.host.invalid", f"{'x' * 70}.invalid", "a..b", "\udcff"])
def test_a_host_that_does_not_exist(host: str) -> None:
    with FakeThinker() as thinker, pytest.raises(ClientError) as caught:
        _connect(host, 1, thinker)
    assert "does not exist or cannot be found" in str(caught.value)
    assert "gibt es nicht" in caught.value.said(Language.GERMAN)


def test_a_server_that_does_not_even_accept() -> None:
    """Its queue is full, so that the connection hangs."""
    with socket.socket() as listener, FakeThinker() as thinker:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        others = [socket.socket() for _ in range(3)]
        for other in others:
            other.setblocking(False)
            other.connect_ex(("127.0.0.1", port))
        with pytest.raises(ClientError, match=r"cannot be reached on port .* .timed out"):
            _connect("127.0.0.1", port, thinker, patience=0.3)
        for other in others:
            other.close()


def _connect(host: str, port: int, thinker: FakeThinker, patience: float = 60.0) -> None:
    with connected(host, port, patience, thinker):
        pass
