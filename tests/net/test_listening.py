"""Listeners let those who come in by turns of their addresses."""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from contextlib import ExitStack

import pytest

from spielwerk.net import listening
from spielwerk.net.listening import TURN, WAITING, Listener
from tests.waiting import until

FLOOD, OTHER = "127.0.0.2", "127.0.0.3"


class Guest(asyncio.Protocol):
    """Notes where it comes from."""

    def __init__(self, come: list[str]) -> None:
        self._come = come

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._come.append(transport.get_extra_info("peername")[0])


@pytest.mark.parametrize(("crowd", "most"), [(100, WAITING), (600, 500)])
def test_a_flood_waits_for_itself_alone(
    crowd: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "WAITING", most)
    monkeypatch.setattr(listening, "open_files", lambda: sys.maxsize)
    come: list[str] = []

    async def main() -> None:
        with ExitStack() as stack:
            accepting = socket.create_server(("127.0.0.1", 0))
            listener = Listener(lambda: Guest(come), accepting)
            for source in [FLOOD] * crowd + [OTHER]:  # nobody is let in before all have come
                place = accepting.getsockname()
                stack.enter_context(socket.create_connection(place, 5, (source, 0)))
            await until(lambda: len(come) >= min(crowd, most))
            listener.close()

    asyncio.run(main())
    assert come.index(OTHER) <= max(crowd // 64 * TURN + 2 * TURN, 1)


def test_all_ports_share_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "WAITING", 50)
    come: list[str] = []

    async def main() -> None:
        with ExitStack() as stack:
            ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
            listeners = [Listener(lambda: Guest(come), port) for port in ports]
            for port, source in ((ports[0], FLOOD),) * 60 + ((ports[1], OTHER),):
                place = port.getsockname()
                stack.enter_context(socket.create_connection(place, 5, (source, 0)))
            await until(lambda: len(come) >= 50)
            for listener in listeners:
                listener.close()

    asyncio.run(main())
    assert len(come) == 50  # in all, and the flood's own were turned away
    assert come.index(OTHER) < TURN


def test_where_the_peer_speaks_first_those_who_say_nothing_cost_nothing() -> None:
    come: list[str] = []

    async def main() -> None:
        accepting = socket.create_server(("127.0.0.1", 0))
        listener = Listener(lambda: Guest(come), accepting, greeting=False)
        place = accepting.getsockname()
        with (
            socket.create_connection(place, 5, (FLOOD, 0)),
            socket.create_connection(place, 5, (OTHER, 0)) as speaking,
        ):
            speaking.send(b"GET")
            await until(lambda: OTHER in come)
            listener.close()

    asyncio.run(main())
    assert come == [OTHER]


def test_those_who_are_gone_again_cost_nothing_more() -> None:
    come: list[str] = []

    async def main() -> None:
        accepting = socket.create_server(("127.0.0.1", 0))
        listener = Listener(lambda: Guest(come), accepting)
        for _ in range(20):
            with socket.create_connection(accepting.getsockname(), 5, (FLOOD, 0)) as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with socket.create_connection(accepting.getsockname(), 5, (OTHER, 0)):
            await until(lambda: OTHER in come)
        listener.close()

    asyncio.run(main())
    assert come == [OTHER]


def test_those_who_wait_are_not_let_in_when_it_closes() -> None:
    come: list[str] = []

    async def main() -> None:
        with ExitStack() as stack:
            accepting = socket.create_server(("127.0.0.1", 0))
            listener = Listener(lambda: Guest(come), accepting)
            place = accepting.getsockname()
            peers = [stack.enter_context(socket.create_connection(place, 5)) for _ in range(50)]
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            listener.close()
            peers[-1].setblocking(False)
            assert await asyncio.get_running_loop().sock_recv(peers[-1], 1) == b""
            assert len(come) < len(peers)

    asyncio.run(main())
