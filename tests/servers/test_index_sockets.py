"""The index server with real sockets, stores and processes."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from spielwerk.app.server import CannotStart, Server, running
from spielwerk.app.settings import ServerSettings, Settings
from spielwerk.net.datagrams import LONGEST
from spielwerk.servers.index import IndexSettings
from tests.servers.live import Process, process
from tests.waiting import PATIENCE, until


@asynccontextmanager
async def serving(folder: Path, **facts: Any) -> AsyncIterator[tuple[Server, tuple[str, int]]]:
    settings = Settings(
        server=ServerSettings(data=str(folder), only=("index",)),
        index=IndexSettings(**{"ports": ("0",), **facts}),
    )
    async with running(settings) as server:
        yield server, server.addresses["index"][0]


class Client:
    """Asks, and waits for the answer."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.socket = socket.create_connection(address, timeout=PATIENCE)
        self.file = self.socket.makefile("rwb", buffering=0)

    def ask(self, line: str) -> str:
        self.file.write(f"{line}\n".encode())
        return self.hear()

    def hear(self) -> str:
        answer = b""
        while not answer.endswith(b"\n"):
            piece = self.file.readline()
            if not piece:
                break
            answer += piece
        return answer.decode().removesuffix("\n")

    def register(self, name: str, port: int = 80) -> str:
        header, _, key = self.ask(f"register_game;anna;{name};7;6;4;127.0.0.1;{port}").partition(
            ";"
        )
        assert header == "register_success", key
        return key

    def names(self) -> list[str]:
        count, *cells = self.ask("request_game_list").split(";")[1:]
        assert len(cells) == 8 * int(count)
        return cells[2::8]


@contextmanager
def client(address: tuple[str, int]) -> Iterator[Client]:
    one = Client(address)
    try:
        yield one
    finally:
        one.file.close()
        one.socket.close()


def talk(address: tuple[str, int], *lines: str) -> list[str]:
    with client(address) as one:
        return [one.ask(line) for line in lines]


@contextmanager
def server(folder: Path, *arguments: str) -> Iterator[tuple[Process, tuple[str, int]]]:
    only = ("--only", "index", "--port", "index=0")
    with process(folder, *only, *arguments) as serving:
        (line,) = serving.lines(1)
        host, _, port = line.split()[1].rpartition(":")
        yield serving, (host, int(port))


def test_requests_and_heartbeats_on_one_port(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(tmp_path, beat=0.1, silence=3600.0) as (running_server, address):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as initiator:
                initiator.bind(("127.0.0.1", 0))
                initiator.settimeout(PATIENCE)
                port = initiator.getsockname()[1]
                line = f"register_game;anna;mine;7;6;4;localhost;{port}"
                (answer,) = await asyncio.to_thread(talk, address, line)
                assert answer.startswith("register_success;")
                for _ in range(2):
                    data, source = await asyncio.to_thread(initiator.recvfrom, 100)
                    assert (data, source) == (b"heartbeat\n", address)
                initiators = running_server.services["index"].index._initiators  # type: ignore[attr-defined]
                (known,) = initiators._known.values()
                before = known.heard
                initiator.sendto(b"x" * (LONGEST + 1), address)
                initiator.sendto(b"heartbeat\n", address)
                await until(lambda: known.heard != before)
            text = running_server.metrics.text().decode()
        assert 'fault="oversized datagram",service="index"} 1.0' in text
        assert 'spielwerk_index_games{status="open"} 1.0' in text
        assert "spielwerk_index_initiators 1.0" in text

    asyncio.run(run())


def test_both_kinds_of_addresses(tmp_path: Path) -> None:
    async def run() -> None:
        settings = Settings(
            server=ServerSettings(data=str(tmp_path), only=("index",), bind="::1"),
            index=IndexSettings(ports=("0",), beat=0.1),
        )
        async with running(settings) as server:
            address = server.addresses["index"][0]
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as initiator:
                initiator.bind(("::1", 0))
                initiator.settimeout(PATIENCE)
                line = f"register_game;anna;mine;7;6;4;[::1];{initiator.getsockname()[1]}"
                await asyncio.to_thread(talk, address, line)
                data, source = await asyncio.to_thread(initiator.recvfrom, 100)
                assert (data, source[:2]) == (b"heartbeat\n", address)

    asyncio.run(run())


def taken_port(kind: socket.SocketKind) -> socket.socket:
    """A socket that has a port which is free for the other kind."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as stream:
            address = stream.getsockname()
            datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            try:
                datagrams.bind(address)
            except OSError:
                datagrams.close()
                continue
            if kind is socket.SOCK_DGRAM:
                return datagrams
            datagrams.close()
            return stream.dup()


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_taken_port_is_told(tmp_path: Path, kind: socket.SocketKind) -> None:
    with taken_port(kind) as taken:
        port = taken.getsockname()[1]

        async def run() -> None:
            with pytest.raises(CannotStart, match=r"index cannot listen: .*in use.*--port index="):
                async with serving(tmp_path, ports=(f"{port}",)):
                    pass

        asyncio.run(run())
    asyncio.run(_starts(tmp_path, port))  # nothing of the failed one is left


async def _starts(folder: Path, port: int) -> None:
    async with serving(folder, ports=(f"{port}",)) as (_, address):
        assert address[1] == port


def test_after_kill_9_everything_that_was_confirmed_is_there(tmp_path: Path) -> None:
    with server(tmp_path) as (killed, address), client(address) as one:
        keys = [one.register(f"{number}") for number in range(30)]
        for key in keys[:10]:
            assert one.ask(f"unregister_game;{key}") == "unregister_game_success"
        for key in keys[10:20]:
            assert one.ask(f"seal_game;{key}") == "seal_game_success"
        expected = one.ask("request_game_list").split(";")
        one.file.write(b"register_game;anna;unconfirmed;7;6;4;h;1\n")
        killed.process.send_signal(signal.SIGKILL)
        killed.process.wait()
    with server(tmp_path) as (_, address), client(address) as one:
        found = one.ask("request_game_list").replace(";Open;anna;unconfirmed;7;6;4;h;1", "")
        assert sorted(found.split(";")[2:]) == sorted(expected[2:])
        assert one.ask(f"seal_game;{keys[25]}") == "seal_game_success"
