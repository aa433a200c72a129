"""The Oware move server over real connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest

from spielwerk.clients.players import make_remote
from spielwerk.engines.interface import Limits
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.rules import Oware, OwareState
from spielwerk.games.record import Record
from spielwerk.servers.oware import SEED, OwareService, OwareSettings
from tests.simulation import Counts, World

STANDARD = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"
REQUEST = f"0\n5\n{STANDARD}\n33\n".encode()


@asynccontextmanager
async def serving(settings: OwareSettings | None = None) -> AsyncIterator[tuple[OwareService, int]]:
    world = World()
    settings = settings or OwareSettings(ports=("0",))
    service = OwareService(world.arena, world.journal, settings, Counts())
    ((_, port),) = await service.start("127.0.0.1")
    try:
        yield service, port
    finally:
        await service.stop()


async def ask(port: int, *pieces: bytes, eof: bool = False) -> bytes:
    """Send the pieces and read until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(0)
    if eof:
        writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    await writer.wait_closed()
    return answer


def asked(*pieces: bytes, settings: OwareSettings | None = None, eof: bool = False) -> bytes:
    async def run() -> bytes:
        async with serving(settings) as (_, port):
            return await ask(port, *pieces, eof=eof)

    return asyncio.run(run())


def test_a_request_is_answered_and_the_connection_closed() -> None:
    status, author, strategy, move, _board, rest = asked(REQUEST).split(b"\n")
    assert (status, author, strategy, rest) == (b"OK", b"Spielwerk", b"Spielwerk tuned", b"")
    assert move in b"012345"


@pytest.mark.parametrize("strategy", [0, 1])
@pytest.mark.parametrize("depth", [1, 7])
def test_the_answer_is_what_the_local_player_plays(strategy: int, depth: int) -> None:
    state = Oware().parse_state(f"{STANDARD} moves 33")
    local = OwareEngine(strategy).search(state, Limits(depth=depth, seed=SEED)).move
    answer = asked(f"{strategy}\n{depth}\n{STANDARD}\n33\n".encode())
    assert answer.split(b"\n")[3] == str(local).encode()


def test_the_reference_server_plays_the_plain_evaluation_first() -> None:
    reference = asked(REQUEST, settings=OwareSettings(ports=("0",), reference=True)).split(b"\n")
    plain = asked(REQUEST.replace(b"0\n5", b"1\n5", 1)).split(b"\n")
    assert reference[2] == plain[2] == b"Spielwerk simple"
    assert reference[3:] == plain[3:]


def test_author_and_names_are_settings() -> None:
    settings = OwareSettings(ports=("0",), author="Karl Muster", names=("Eins", "Zwei"))
    assert asked(b"x\n\n\n\n", settings=settings) == (
        f"ERROR strategy\nKarl Muster\nEins\nx\n{STANDARD}\n".encode()
    )


@pytest.mark.parametrize("cut", [0, 10, len(REQUEST) - 1])
def test_a_closed_sending_side_is_a_read_failure(cut: int) -> None:
    answer = asked(REQUEST[:cut], eof=True)
    assert answer.startswith(b"ERROR read-failure\n")
    assert answer.count(b"\n") == 5


def test_silence_is_a_read_failure() -> None:
    settings = OwareSettings(ports=("0",), silence=0.1)
    answer = asked(b"0\n1\n", settings=settings)
    assert answer.split(b"\n")[:4:3] == [b"ERROR read-failure", b"initial-board"]


def test_more_than_was_asked_for_does_not_lose_the_answer() -> None:
    """Unread bytes in the socket must not reset the connection before the answer has arrived."""
    assert asked(REQUEST + b"x" * 1_000_000) == asked(REQUEST)


def test_many_at_once_and_silent_ones_between() -> None:
    async def run() -> int:
        async with serving() as (_, port):
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(50)]
            answers = await asyncio.gather(*(ask(port, REQUEST) for _ in range(100)))
            for _, writer in silent:
                writer.close()
            return len(set(answers))

    assert asyncio.run(run()) == 1


def test_an_internal_failure_breaks_the_connection_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr(OwareEngine, "search", fail)

    async def run() -> bytes:
        async with serving() as (_, port):
            try:
                return await ask(port, REQUEST)
            except ConnectionResetError:
                return b""

    assert asyncio.run(run()) == b""
    assert "out of ideas" in caplog.text


def test_a_taken_port_is_replaced_by_a_free_one(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        wanted = taken.getsockname()[1]

        async def run() -> tuple[int, bytes]:
            async with serving(OwareSettings(ports=(str(wanted),))) as (_, port):
                return port, await ask(port, REQUEST)

        port, answer = asyncio.run(run())
    assert port != wanted
    assert answer.startswith(b"OK\n")
    assert f"port taken wanted=[{wanted}] using={port}" in caplog.text


def test_the_port_can_be_changed_while_running() -> None:
    async def run() -> tuple[bytes, bytes]:
        async with serving() as (service, old):
            before = await ask(old, REQUEST)
            ((_, new),) = await service.change_port(0)
            assert new != old
            with pytest.raises(ConnectionRefusedError):
                await ask(old, REQUEST)
            taken = socket.create_server(("127.0.0.1", 0))
            with taken, pytest.raises(OSError, match="in use"):
                await service.change_port(taken.getsockname()[1])
            return before, await ask(new, REQUEST)

    before, after = asyncio.run(run())
    assert before == after


def test_stopping_breaks_open_connections() -> None:
    async def run() -> bytes:
        async with serving() as (service, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"0\n")
            await asyncio.sleep(0.05)
            await service.stop()
            try:
                answer = await asyncio.wait_for(reader.read(), 10)
            except ConnectionResetError:
                answer = b""
            writer.close()
            return answer

    assert asyncio.run(run()) == b""


@pytest.mark.slow
def test_strategy_0_wins_as_a_against_the_reference_server() -> None:
    """The document's minimum strength (3.13.2): both at depth 5, from the usual start."""

    async def reference() -> OwareState:
        async with serving(OwareSettings(ports=("0",), reference=True)) as (_, port):
            return await asyncio.to_thread(game_against, port)

    outcome = asyncio.run(reference()).outcome
    assert outcome
    assert outcome.winner == 0


def game_against(port: int) -> OwareState:
    """A whole game: our player here as A, the server as B."""
    engine = OwareEngine(0)
    server = make_remote(f"remote:127.0.0.1:{port},strategy=0,depth=5", Oware())
    record = Record((Oware().start(),))
    while not record.state.outcome:
        if record.state.turn == 0:
            move = engine.search(record.state, Limits(depth=5, seed=SEED)).move
        else:
            move = server.decide(record, Random(0))
        record = record.play(move)
    assert isinstance(record.state, OwareState)
    return record.state
