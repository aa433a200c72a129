"""The opponent over loopback: initiators that play, lie, fall silent and vanish; and our own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


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
    """An opponent that has joined, or tried to; `problem` says why there was no game."""

    def __init__(self, room: Room, screen: FakeScreen) -> None:
        self.room = room
        self.screen = screen
        self.decided = False
        self.problem = ""


async def against(
    script: Callable[[Peer], Coroutine[Any, Any, None]],
    *,
    player: str = "random",
    screen: FakeScreen | None = None,
    prepare: Callable[[Room], None] = lambda _room: None,
) -> Guest:
    """Join an initiator that follows the script; it ends with the game."""
    room, screen = Room(), screen or FakeScreen()
    prepare(room)
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
    place = Endpoint(*server.sockets[0].getsockname())
    guest = Guest(room, screen)
    seat = own_seat(player, "Erna", SMALL)
    try:
        async with asyncio.timeout(PATIENCE):
            guest.decided = await join(
                room.arena, room.journal, Invitation(place, "game", SMALL), seat, screen
            )
    except JoinError as error:
        guest.problem = str(error)
    finally:
        server.close()
        room.arena.engines.close()
    for problem in problems:
        raise problem
    return guest


def run(work: Coroutine[Any, Any, Guest]) -> Guest:
    return asyncio.run(work)


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


def test_an_initiator_that_says_no() -> None:
    async def script(peer: Peer) -> None:
        assert await peer.hear() == "join_game;Erna;game;V2"
        peer.say("join_game_failed;the game has begun")

    guest = run(against(script))
    assert guest.problem == "the initiator says no: 'the game has begun'"
    assert guest.room.games == []


async def test_nobody_there() -> None:
    room = Room()
    invitation = Invitation(Endpoint("127.0.0.1", 1), "game", SMALL)
    seat = own_seat("random", "Erna", SMALL)
    with pytest.raises(JoinError, match=r"no connection to the initiator 127.0.0.1:1: "):
        await join(room.arena, room.journal, invitation, seat, FakeScreen())
    bad = own_seat("random", "E;na", SMALL)
    with pytest.raises(SpielwerkError, match="semicolons"):
        await join(room.arena, room.journal, invitation, bad, FakeScreen())
    room.arena.engines.close()


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
        with pytest.raises(JoinError, match="has no game 'what'"):
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


STATES = {state.__name__: state for state in (just_started, unconfirmed, confirmed, moved_first)}


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("state", STATES)
def test_a_lost_initiator_ends_the_game_once(
    state: str, manner: str, sessions: list[JoinSession]
) -> None:
    async def script(peer: Peer) -> None:
        await STATES[state](peer)
        await leave(peer, sessions, manner)

    guest = run(against(script))
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
def test_a_lie_ends_the_game_with_abort_game_and_a_clear_message(lie: str, detail: str) -> None:
    told: list[str] = []

    async def script(peer: Peer) -> None:
        await confirmed(peer)
        peer.say(lie)
        told.extend(await peer.rest())

    guest = run(against(script))
    assert not guest.decided
    result = guest.room.result()
    assert result.reason is Reason.PROTOCOL_ERROR
    assert detail in result.detail
    assert told[-1].startswith("abort_game;")
    assert detail in told[-1]


def test_a_game_that_is_over_needs_no_end_game() -> None:
    async def script(peer: Peer) -> None:
        await peer.hear()
        peer.say("join_game_success;V2", "updated_game_board;0;1")
        for own in (1, 2, 3):
            other = (await peer.hear()).partition(";")[2]
            peer.say(f"updated_game_board;{other};2", f"updated_game_board;{own};1")
        peer.finish()

    keys = FakeScreen("4", "5", "6", patient=True)
    guest = run(against(script, player="human", screen=keys))
    assert guest.decided
    assert guest.room.result().winner == 0


@pytest.mark.parametrize(
    ("lie", "detail"),
    [
        ("end_game;2", "end_game: 2, and must be 1: four in a line"),
        ("updated_game_board;7;1", "unexpected updated_game_board: expected end_game"),
    ],
)
def test_a_lie_about_the_end_is_told_and_changes_nothing(lie: str, detail: str) -> None:
    told: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.hear()
        peer.say("join_game_success;V2", "updated_game_board;0;1")
        for own in (1, 2, 3):
            other = (await peer.hear()).partition(";")[2]
            peer.say(f"updated_game_board;{other};2", f"updated_game_board;{own};1")
        peer.say(lie)
        told.extend(await peer.rest())

    guest = run(against(script, player="human", screen=FakeScreen("4", "5", "6", patient=True)))
    assert not guest.decided
    assert told == [f"abort_game;{detail}"]
    assert guest.screen.said[-1] == f"game: protocol error: the initiator: {detail}"
    assert (guest.room.result().reason, guest.room.result().winner) == (Reason.WIN, 0)


async def test_names_from_elsewhere_are_made_presentable() -> None:
    async def script(peer: Peer) -> None:
        await unconfirmed(peer)
        peer.finish()

    room = Room()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await script(Peer(reader, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    place = Endpoint(*server.sockets[0].getsockname())
    invitation = Invitation(place, "x" * 200, SMALL, "\x1b[2J" + "y" * 200)
    seat = own_seat("random", "Erna", SMALL)
    await join(room.arena, room.journal, invitation, seat, FakeScreen())
    server.close()
    (created,) = (e for e in room.journal.entries if isinstance(e, Created))
    assert created.record.name == "x" * 80
    assert created.record.seats[0].name == ("\\x1b[2J" + "y" * 200)[:80]
    room.arena.engines.close()


async def test_stopping_tells_the_initiator() -> None:
    told: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        await just_started(peer)
        told.extend(await peer.rest())

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    room = Room()
    invitation = Invitation(Endpoint(*server.sockets[0].getsockname()), "game", SMALL)
    seat = own_seat("human", "Erna", SMALL)
    screen = FakeScreen(patient=True)
    task = asyncio.create_task(join(room.arena, room.journal, invitation, seat, screen))
    await until(lambda: room.games)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    server.close()
    await until(lambda: told)
    assert told == ["abort_game;the opponent has left"]
    assert (room.result().reason, room.result().culprit) == (Reason.ABORTED, 1)
    room.arena.engines.close()


async def test_a_machine_takes_its_time() -> None:
    room = Room(delay=0.1)
    loop = asyncio.get_running_loop()
    from spielwerk.games.record import Record

    before = loop.time()
    await room.arena.engines.choose("random", Record((SMALL.start(),)), 1.0)
    assert loop.time() - before >= 0.099
    room.arena.engines.close()
