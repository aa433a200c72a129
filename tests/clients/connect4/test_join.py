"""The opponent over loopback: initiators that play, lie, fall silent and vanish; and our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from spielwerk.clients.connect4 import join as joining
from spielwerk.clients.connect4.index import IndexClient
from spielwerk.clients.connect4.join import (
    Invitation,
    JoinError,
    JoinSession,
    JoinSettings,
    find,
    join,
    listed,
    obstacle,
)
from spielwerk.clients.connect4.screen import own_seat
from spielwerk.errors import SpielwerkError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.net.addresses import Endpoint
from spielwerk.store.records import Created, Reason, WireRecord
from spielwerk.wire.connect4.messages import ListedGame, Status, Version
from tests.clients.connect4.index import ScriptedIndex
from tests.clients.connect4.world import (
    MANNERS,
    SMALL,
    FakeScreen,
    Peer,
    Room,
    expire,
    hosted,
)
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[JoinSession]:
    """Every session that is made."""
    made: list[JoinSession] = []

    class Remembered(JoinSession):
        def opened(self) -> None:
            made.append(self)
            super().opened()

    monkeypatch.setattr(joining, "JoinSession", Remembered)
    return made


async def leave(peer: Peer, sessions: list[JoinSession], manner: str) -> None:
    """Be lost; who only falls silent is lost when its time is over."""
    await peer.writer.drain()
    await asyncio.sleep(0.01)  # for the opponent, which lives in this loop, to hear everything
    MANNERS[manner](peer)
    if manner == "silence":
        await expire(sessions[0])


class Guest:
    """An opponent that joins; `problem` says why no game took place."""

    def __init__(self, player: str = "random", screen: FakeScreen | None = None) -> None:
        self.room = Room()
        self.screen = screen or FakeScreen()
        self.decided = False
        self.problem = ""
        self._seat = own_seat(player, "Erna", SMALL)

    async def join(self, invitation: Invitation, **settings: Any) -> None:
        arena, journal = self.room.arena, self.room.journal
        seat = replace(self._seat, **settings)
        try:
            async with asyncio.timeout(PATIENCE):
                self.decided = await join(arena, journal, invitation, seat, self.screen)
        except JoinError as error:
            self.problem = str(error)
        finally:
            arena.engines.close()


@asynccontextmanager
async def initiator(script: Callable[[Peer], Coroutine[Any, Any, None]]) -> AsyncIterator[Endpoint]:
    """An initiator that follows the script; what goes wrong in it is raised in the end."""
    problems: list[BaseException] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(Peer(reader, writer))
            await reader.read()
        except ConnectionError:
            pass
        except BaseException as error:  # raised again below
            problems.append(error)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**20)
    try:
        yield Endpoint(*server.sockets[0].getsockname())
    finally:
        server.close()
    for problem in problems:
        raise problem


async def against(script: Callable[[Peer], Coroutine[Any, Any, None]], *typed: str) -> Guest:
    """Join that initiator, and play until the game is over; a person types, if there are lines."""
    keys = FakeScreen(*typed, patient=True) if typed else FakeScreen()
    guest = Guest("human" if typed else "random", keys)
    async with initiator(script) as place:
        await guest.join(Invitation(place, "game", SMALL))
    return guest


# whole games with our own initiator


@pytest.mark.parametrize("offered", list(Version))
@pytest.mark.parametrize("asked", list(Version))
@pytest.mark.parametrize("begins", [0, 1])
@pytest.mark.parametrize("size", [(4, 4, 0), (5, 3, 1), (4, 4, 4)])
async def test_machine_against_machine(
    offered: Version, asked: Version, begins: int, size: tuple[int, int, int]
) -> None:
    game = ConnectFour(*size)
    with ScriptedIndex() as index:
        async with hosted(index, begins=begins, game=game, version=offered) as one:
            client = IndexClient(Endpoint(*index.address))
            room, screen = Room(), FakeScreen()
            settings = JoinSettings(version=asked)
            invitation = await find(client, "game")
            assert invitation.game == game
            seat = own_seat("random", "Erna", game)
            try:
                assert await join(room.arena, room.journal, invitation, seat, screen, settings)
            finally:
                room.arena.engines.close()
            assert await one.done()
            assert room.moves() == one.room.moves()
            assert room.moves()[0][0] == begins
            ours, theirs = room.result(), one.room.result()
            assert (ours.reason, ours.winner) == (theirs.reason, theirs.winner)
            assert index.clean
            assert f"game: joined, {min(offered, asked)}" in screen.said
            (created,) = (e for e in room.journal.entries if isinstance(e, Created))
            assert [seat.name for seat in created.record.seats] == ["Karl", "Erna"]
            (wire,) = (e for e in room.journal.entries if isinstance(e, WireRecord))
            assert wire.seat == 0


async def test_person_against_machine_and_the_person_leaves() -> None:
    with ScriptedIndex() as index:
        async with hosted(index, begins=1) as one:
            room, erna = Room(), FakeScreen("0", "quit")
            assert one.host.place is not None
            invitation = Invitation(one.host.place, "game", SMALL)
            seat = own_seat("human", "Erna", SMALL)
            assert not await join(room.arena, room.journal, invitation, seat, erna)
            assert not await one.done()
            assert (room.result().reason, room.result().culprit) == (Reason.ABORTED, 1)
            detail = "the opponent aborted the game: the player has left"
            assert one.room.result().detail == detail
            assert index.clean
            room.arena.engines.close()


# before the game


async def test_an_initiator_that_says_no() -> None:
    async def script(peer: Peer) -> None:
        assert await peer.hear() == "join_game;Erna;game;V2"
        peer.say("join_game_failed;the game has begun")

    guest = await against(script)
    assert guest.problem == "the host refused: 'the game has begun'"
    assert guest.room.games == []


async def test_no_host_there() -> None:
    nowhere = Invitation(Endpoint("127.0.0.1", 1), "game", SMALL)
    guest = Guest()
    await guest.join(nowhere)
    assert guest.problem.startswith("no connection to the host 127.0.0.1:1: ")
    with pytest.raises(SpielwerkError, match="semicolons"):
        await Guest().join(nowhere, name="E;na")


async def test_games_are_found_by_name() -> None:
    with ScriptedIndex() as index:
        index.games = {
            "a": ListedGame(Status.OPEN, "K", "flat", 7, 6, 0, "10.0.0.1", 8080),
            "b": ListedGame(Status.SEALED, "K", "taken", 7, 6, 0, "10.0.0.1", 8080),
            "c": ListedGame(Status.OPEN, "K", "huge", 7, 600, 0, "10.0.0.1", 8080),
        }
        client = IndexClient(Endpoint(*index.address))
        found = await find(client, "flat")
        assert found == Invitation(Endpoint("10.0.0.1", 8080), "flat", ConnectFour(7, 6, 0), "K")
        with pytest.raises(JoinError, match="has begun already"):
            await find(client, "taken")
        with pytest.raises(
            JoinError, match="has no game 'what'; `spielwerk connect4 list` shows those"
        ):
            await find(client, "what")
        problem = "'huge' cannot be joined: height is 600: must be from 1 to 32"
        with pytest.raises(JoinError, match=problem):
            await find(client, "huge")
        assert [game.problem for game in await listed(client)] == [
            "",
            "",
            "height is 600: must be from 1 to 32",
        ]


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"width": 40}, "width is 40: must be from 1 to 32"),
        ({"height": 0}, "height is 0: must be from 1 to 32"),
        ({"depth": 33}, "depth is 33: must be from 0 to 32"),
        ({"port": 0}, "'0' is no port"),
        ({"port": 65536}, "'65536' is no port"),
        ({"address": "no where"}, "expected HOST:PORT"),
        ({"address": ""}, "expected HOST:PORT"),
        ({"name": "two\rlines"}, "must not contain semicolons or line breaks"),
        ({"problem": "depth is 'x', not a number without blanks"}, "depth is 'x'"),
        ({"address": "::1", "depth": 32, "status": Status.SEALED}, ""),
    ],
)
def test_why_a_game_in_the_list_cannot_be_played(wrong: dict[str, Any], problem: str) -> None:
    game = ListedGame(Status.OPEN, "K", "flat", 7, 6, 0, "10.0.0.1", 8080)
    found = obstacle(replace(game, **wrong))
    assert (problem in found) if problem else not found


# in the game


async def started(peer: Peer) -> str:
    """The opponent begins, and has sent its move."""
    await peer.hear()
    peer.say("join_game_success;V2", "start_game")
    return await peer.hear()


async def just_started(peer: Peer) -> None:
    await peer.hear()
    peer.say("join_game_success;V2", "start_game")
    await peer.writer.drain()


async def unconfirmed(peer: Peer) -> None:
    await started(peer)


async def confirmed(peer: Peer) -> None:
    field = (await started(peer)).partition(";")[2]
    peer.say(f"updated_game_board;{field};2")
    await peer.writer.drain()


async def moved_first(peer: Peer) -> None:
    await peer.hear()
    peer.say("join_game_success;V2", "updated_game_board;3;1")
    assert (await peer.hear()).startswith("move;")


async def won(peer: Peer) -> None:
    """The initiator fills the bottom row of 4 x 4."""
    await peer.hear()
    peer.say("join_game_success;V2", "updated_game_board;0;1")
    for own in (1, 2, 3):
        other = (await peer.hear()).partition(";")[2]
        peer.say(f"updated_game_board;{other};2", f"updated_game_board;{own};1")


STATES = {state.__name__: state for state in (just_started, unconfirmed, confirmed, moved_first)}


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("state", STATES)
async def test_a_lost_initiator_ends_the_game_once(
    state: str, manner: str, sessions: list[JoinSession]
) -> None:
    async def script(peer: Peer) -> None:
        await STATES[state](peer)
        await leave(peer, sessions, manner)

    guest = await against(script)
    assert not guest.decided
    result = guest.room.result()
    late = manner == "silence"
    assert result.reason is (Reason.TIME_OUT if late else Reason.CONNECTION_LOST)
    assert (result.winner, result.culprit) == (None, 0)


@pytest.mark.parametrize(
    ("lie", "detail"),
    [
        ("updated_game_board;15;1", "The field below must be occupied first"),
        ("updated_game_board;3;2", "field 3 is 2, and must be 1"),
        ("end_game;1", "by the rules the game is not over"),
        ("synchronize_game_board;0", "V2 was agreed"),
        ("gibberish", "is no message"),
    ],
)
async def test_a_lie_ends_the_game_with_abort_game_and_a_clear_message(
    lie: str, detail: str
) -> None:
    told: list[str] = []

    async def script(peer: Peer) -> None:
        await confirmed(peer)
        peer.say(lie)
        told.extend(await peer.rest())

    guest = await against(script)
    assert not guest.decided
    result = guest.room.result()
    assert result.reason is Reason.PROTOCOL_ERROR
    assert detail in result.detail
    assert told[-1].startswith("abort_game;")
    assert detail in told[-1]


async def test_a_game_that_is_over_needs_no_end_game() -> None:
    async def script(peer: Peer) -> None:
        await won(peer)
        peer.finish()

    guest = await against(script, "4", "5", "6")
    assert guest.decided
    assert guest.room.result().winner == 0


@pytest.mark.parametrize(
    ("lie", "detail"),
    [
        ("end_game;2", "end_game: 2, and must be 1: four in a line"),
        ("updated_game_board;7;1", "unexpected updated_game_board: expected end_game"),
    ],
)
async def test_a_lie_about_the_end_is_told_and_changes_nothing(lie: str, detail: str) -> None:
    told: list[str] = []

    async def script(peer: Peer) -> None:
        await won(peer)
        peer.say(lie)
        told.extend(await peer.rest())

    guest = await against(script, "4", "5", "6")
    assert not guest.decided
    assert told == [f"abort_game;{detail}"]
    assert guest.screen.said[-1] == f"game: protocol error: the host: {detail}"
    assert (guest.room.result().reason, guest.room.result().winner) == (Reason.WIN, 0)


async def test_names_from_elsewhere_are_made_presentable() -> None:
    async def script(peer: Peer) -> None:
        await unconfirmed(peer)
        peer.finish()

    guest = Guest()
    async with initiator(script) as place:
        await guest.join(Invitation(place, "x" * 200, SMALL, "\x1b[2J" + "y" * 200))
    (created,) = (e for e in guest.room.journal.entries if isinstance(e, Created))
    assert created.record.name == "x" * 80
    assert created.record.seats[0].name == ("\\x1b[2J" + "y" * 200)[:80]


async def test_stopping_tells_the_initiator() -> None:
    told: list[str] = []

    async def script(peer: Peer) -> None:
        await just_started(peer)
        told.extend(await peer.rest())

    guest = Guest("human", FakeScreen(patient=True))
    async with initiator(script) as place:
        task = asyncio.create_task(guest.join(Invitation(place, "game", SMALL)))
        await until(lambda: guest.room.games)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: told)
    assert told == ["abort_game;the opponent has left"]
    result = guest.room.result()
    assert (result.reason, result.culprit) == (Reason.ABORTED, 1)


async def test_a_machine_takes_its_time() -> None:
    room = Room(delay=0.1)
    loop = asyncio.get_running_loop()
    from spielwerk.games.record import Record

    before = loop.time()
    await room.arena.engines.choose("random", Record((SMALL.start(),)), 1.0)
    assert loop.time() - before >= 0.099
    room.arena.engines.close()
