"""Asking an index server: right answers, wrong ones, and none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from spielwerk.clients.connect4.index import IndexClient, IndexLost, IndexRefused
from spielwerk.net.addresses import Endpoint
from spielwerk.wire.connect4.messages import Status, message
from tests.clients.connect4.index import ScriptedIndex

pytestmark = pytest.mark.anyio

GAME = message("register_game", "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80)


def client(index: ScriptedIndex, patience: float = 5.0) -> IndexClient:
    return IndexClient(Endpoint(*index.address), patience)


async def test_a_game_is_registered_listed_sealed_and_unregistered(index: ScriptedIndex) -> None:
    one = client(index)
    guid = await one.register(GAME)
    (game,) = await one.games()
    assert (game.status, game.player, game.name, game.port) == (
        Status.OPEN,
        "martin",
        "martin's game",
        80,
    )
    await one.seal(guid)
    assert (await one.games())[0].status is Status.SEALED
    await one.unregister(guid)
    assert await one.games() == ()


REQUESTS: dict[str, Callable[[IndexClient], Coroutine[Any, Any, Any]]] = {
    "register_game": lambda one: one.register(GAME),
    "request_game_list": lambda one: one.games(),
    "seal_game": lambda one: one.seal("x"),
    "unregister_game": lambda one: one.unregister("x"),
}


@pytest.mark.parametrize("request_", REQUESTS)
@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (b"\n", "sent something that is not a message: '' is no message"),
        (b"\xff\n", "sent something that is not a message: .* is no UTF-8"),
        (b"heartbeat\n", "answers 'heartbeat' to "),
        (b"answer_game_list;2\n", "sent something that is not a message: answer_game_list: "),
    ],
)
def test_an_answer_that_is_none(
    index: ScriptedIndex, request_: str, answer: bytes, problem: str
) -> None:
    index.answers[request_] = answer
    with pytest.raises(IndexRefused, match=problem):
        asyncio.run(REQUESTS[request_](client(index)))


def test_no_server_there(index: ScriptedIndex) -> None:
    index.kill()
    with pytest.raises(IndexLost, match="cannot be reached: Connection refused"):
        asyncio.run(client(index).games())


async def test_a_server_that_hangs_up() -> None:
    server = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", 0)
    place = Endpoint(*server.sockets[0].getsockname())
    with pytest.raises(IndexLost):
        await IndexClient(place).games()
    server.close()


async def test_an_endless_answer() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        try:
            while True:
                writer.write(b"x" * 1_000_000)
                await writer.drain()
        except ConnectionError:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    place = Endpoint(*server.sockets[0].getsockname())
    with pytest.raises(IndexRefused, match="more than 8000000 bytes"):
        await IndexClient(place).games()
    server.close()
    await asyncio.sleep(0.01)
