"""Remote players at tables: real connections, the journal in memory."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import pytest

from spielwerk.clients.players import make_remote
from spielwerk.errors import NotationError
from spielwerk.store.records import Ending, Reason, SeatKind, SeatRecord
from spielwerk.tables.arena import Arena
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.clients.oware.host import Behaviour, Host, hanging_up, saying, silent
from tests.simulation import World
from tests.tables.test_table import StubOccupant

ILLEGAL = b"OK\nA\nB\n9\n0 0 4 4 4 4 4 4 4 4 4 4 4 4\n"


def with_players(*players: str, move_time: int = 60_000) -> NewTable:
    """Oware with these engines; an empty text is a client's seat."""
    kinds = [(SeatKind.ENGINE if player else SeatKind.CLIENT, player) for player in players]
    seats = tuple(SeatRecord(kind, "", player) for kind, player in kinds)
    return NewTable("oware", seats=seats, move_time=move_time)


def arena_of(world: World) -> Arena:
    return Arena(world.journal, world, engines=EnginePool(1, remote=make_remote))


def played(wish: NewTable) -> tuple[World, Table]:
    """The table after the game."""

    async def play() -> tuple[World, Table]:
        world = World()
        arena = arena_of(world)
        table = await world.made(arena, wish)
        await world.until(lambda: table.over)
        arena.stop("done")
        return world, table

    return asyncio.run(play())


def result(wish: NewTable) -> Ending:
    world, table = played(wish)
    (kept,) = world.journal.results(table.id)
    assert kept == table.result
    return kept


@pytest.mark.parametrize("seat", [0, 1])
def test_a_remote_player_plays_to_the_end_and_every_move_is_kept(seat: int) -> None:
    with Host() as host:
        players = ["random", "random"]
        players[seat] = host.text
        world, table = played(with_players(*players))
    assert table.result
    assert table.result.reason in (Reason.WIN, Reason.DRAW)
    moves = [move.move for move in world.journal.moves(table.id)]
    asked = [lines[3].decode() for lines in host.requests]
    assert asked == ["".join(moves[:ply]) for ply in range(seat, len(moves), 2)]
    assert {lines[2] for lines in host.requests} == {b"0 0 4 4 4 4 4 4 4 4 4 4 4 4"}


@pytest.mark.parametrize(
    ("behave", "reason", "detail"),
    [
        (hanging_up(b"OK\n"), Reason.CONNECTION_LOST, "closed the connection before the end of"),
        (hanging_up(), Reason.CONNECTION_LOST, "closed the connection without an answer"),
        (saying(ILLEGAL), Reason.ILLEGAL_MOVE, "move '9' is not one of 0, 1, 2, 3, 4, 5"),
        (saying(b"hello\n\n\n\n\n"), Reason.PROTOCOL_ERROR, "the status is 'hello'"),
        (saying(b"x" * 70_000), Reason.PROTOCOL_ERROR, "longer than"),
    ],
)
def test_a_server_that_fails_ends_the_game_and_is_the_culprit(
    behave: Behaviour, reason: Reason, detail: str
) -> None:
    with Host(behave) as host:
        kept = result(with_players(host.text, "random"))
    assert (kept.reason, kept.winner, kept.culprit) == (reason, None, 0)
    assert detail in kept.detail
    assert kept.detail.startswith(f"127.0.0.1:{host.port}")


def test_the_time_for_a_move_holds_for_remote_players_too() -> None:
    with Host(silent) as host:
        kept = result(with_players(host.text, "random", move_time=50))
    assert (kept.reason, kept.culprit) == (Reason.TIME_OUT, 0)
    assert "did not answer within" in kept.detail


def test_a_silent_server_keeps_no_engine_from_its_work() -> None:
    """There is one thread for engines, and three servers that never answer."""

    async def play(host: Host) -> bool:
        world = World()
        arena = arena_of(world)
        silent = [await world.made(arena, with_players(host.text, "random")) for _ in range(3)]
        table = await world.made(arena, with_players("random", "random"))
        await world.until(lambda: table.over)
        arena.stop("done")
        return any(table.over for table in silent)

    with Host(silent) as host:
        assert not asyncio.run(play(host))


def test_a_server_that_stops_waits_for_no_remote_player() -> None:
    """The program can end: a thread waits for the answer, and no one joins it."""

    async def play(host: Host) -> None:
        world = World()
        arena = arena_of(world)
        await world.made(arena, with_players(host.text, ""))
        await world.until(lambda: host.requests)
        arena.stop("closing time")

    with Host(silent) as host:
        asyncio.run(play(host))
        waiting = [thread for thread in threading.enumerate() if thread.name == "remote"]
        assert waiting
        assert all(thread.daemon for thread in waiting)
    for thread in waiting:
        thread.join(30)
        assert not thread.is_alive()


def test_a_game_is_taken_up_where_it_stood_and_the_server_asked_again() -> None:
    async def play(host: Host) -> int:
        world = World()
        first = arena_of(world)
        table = await world.made(first, with_players("", host.text))
        table.play(table.sit(StubOccupant()), "5", lambda _error: None)
        first.stop("crash")
        await world.until(lambda: table.turn == 1)
        kept = replace(table.record, moves=tuple(world.journal.moves(table.id)))
        again = arena_of(world)
        again.restore([kept])
        restored = again.find(table.id)
        assert restored
        assert not restored.asked  # the server may be one of ours that does not listen yet
        again.wake()
        await world.until(lambda: len(restored.history) == 2)
        again.stop("done")
        return len(restored.history)

    with Host() as host:
        assert asyncio.run(play(host)) == 2
    assert {lines[3] for lines in host.requests} == {b"5"}


def test_where_remote_players_are_not_allowed_no_game_is_made() -> None:
    world = World()
    with pytest.raises(NotationError, match="remote players are not allowed here"):
        world.table(with_players("remote:localhost", ""))
    assert world.journal.entries == []


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        (with_players("remote:localhost,depth=10", ""), "depth goes from 1 to 9"),
        (replace(with_players("remote:localhost", ""), game="morris"), "remote players for Oware"),
    ],
)
def test_remote_players_that_cannot_be(wish: NewTable, problem: str) -> None:
    world = World()
    world.arena.engines = EnginePool(1, remote=make_remote)
    with pytest.raises(NotationError, match=problem):
        world.table(wish)
