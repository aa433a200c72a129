"""The initiator over loopback: all who join, whatever they do, however they leave."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from spielwerk.clients.connect4.host import GameHost
from spielwerk.clients.connect4.index import IndexRefused
from spielwerk.clients.connect4.offers import (
    HostError,
    OfferSettings,
    invited,
    offers,
)
from spielwerk.clients.connect4.screen import own_seat
from spielwerk.errors import SpielwerkError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.store.problems import StoreError
from spielwerk.store.records import Reason, WireRecord
from spielwerk.wire.connect4.messages import Status
from tests.clients.connect4.index import ScriptedIndex
from tests.clients.connect4.world import (
    MANNERS,
    FakeScreen,
    Hosted,
    Peer,
    expire,
    hosted,
)
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.anyio


async def winning(peer: Peer, *, start: bool = True) -> list[str]:
    """Play the bottom row of 4 x 4, or whatever is still possible; the lines until the end."""
    lines = [await peer.hear()] if start else []
    board: dict[int, int] = {}
    while lines[-1].split(";")[0] not in ("end_game", "abort_game"):
        if lines[-1].startswith("updated_game_board"):
            field, state = map(int, lines[-1].split(";")[1:])
            board[field] = state
        if lines[-1] == "start_game" or lines[-1].endswith(";1"):
            columns = (range(column, 16, 4) for column in range(4))
            free = [field for column in columns for field in column if field not in board]
            if free:
                peer.say(f"move;{free[0]}")
        lines.append(await peer.hear())
        if not lines[-1]:
            break
    return lines


# whole games


async def test_a_game_from_the_offer_to_the_end(index: ScriptedIndex) -> None:
    async with hosted(index) as one:
        game = index.named("game")
        assert game is not None
        assert (game.status, game.player, game.width, game.height, game.depth) == (
            Status.OPEN,
            "Karl",
            4,
            4,
            1,
        )
        peer = await one.join()
        lines = await winning(peer)
        assert lines[0] == "start_game"
        assert await peer.rest() == []
        assert await one.done()
        result = one.room.result()
        assert result.reason in (Reason.WIN, Reason.DRAW)
        outcome = {None: 0, 0: 1, 1: 2}[result.winner]
        assert lines[-1] == f"end_game;{outcome}"
        assert one.room.moves()[0] == (1, "0")
        assert index.clean
        assert index.asked["seal_game"] == index.asked["unregister_game"] == 1
        (wire,) = (e for e in one.room.journal.entries if isinstance(e, WireRecord))
        assert (wire.game, wire.seat, wire.service) == (one.room.games[0], 1, "connect4")
        assert b"start_game" in wire.traffic


async def test_a_game_may_have_words_and_a_version_of_its_own(index: ScriptedIndex) -> None:
    async with hosted(index, count=2) as one:
        one.offers[0].adopt(("spelling=variant", "version=V2"))
        one.offers[1].adopt(("version=V1",))
        first, second = await one.join(name="game 1"), await one.connect()
        asked = "join_game;Erna;game 2;V2"
        assert await second.ask(asked) == "join_game_success;V1"
        assert [await first.hear(), await second.hear()] == ["start_game"] * 2
        assert await first.ask("move;3") == "update_game_board;3;2"
        assert (await second.ask("move;3")).startswith("synchronize_game_board;16;")


async def test_many_games_in_one_process(index: ScriptedIndex) -> None:
    async with hosted(index, count=5) as one:
        names = [game.name for game in index.games.values()]
        assert names == [f"game {number}" for number in range(1, 6)]
        assert len({game.port for game in index.games.values()}) == 1
        peers = [await one.join(name=name) for name in names]
        for lines in await asyncio.gather(*map(winning, peers)):
            assert lines[-1].startswith("end_game;")
        for peer in peers:
            peer.finish()
        assert await one.done()
        assert index.clean
        assert len(one.room.games) == 5
        assert all(len(one.room.journal.results(game)) == 1 for game in one.room.games)


# who is not welcome


async def test_only_those_who_are_invited_may_join(index: ScriptedIndex) -> None:
    async with hosted(index) as one:
        one.offers[0].only = invited(["Zoe\u0308", "Erna"])
        stranger = await one.connect()
        answer = await stranger.ask("join_game;Otto;game;V2")
        assert answer == "join_game_failed;the game 'game' waits for another player"
        assert index.status("game") is Status.OPEN
        zoe = await one.connect()
        assert await zoe.ask("join_game;Zo\u00eb;game;V2") == "join_game_success;V2"


class Keyboard(FakeScreen):
    """A person who is asked who may join, and answers when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.typed: queue.Queue[str] = queue.Queue()

    def ask_whether(self, question: str) -> str:
        self.asked.append(question)
        if (line := self.typed.get(timeout=PATIENCE)) == "EOF":
            raise EOFError
        return line


@asynccontextmanager
async def considerate(
    index: ScriptedIndex, count: int = 1
) -> AsyncIterator[tuple[Hosted, Keyboard]]:
    """A host that asks at the keyboard; "game" is offered there."""
    keyboard = Keyboard()
    async with hosted(index, screen=keyboard, count=count) as one:
        for offer in one.offers:
            offer.ask = True
        yield one, keyboard
        keyboard.typed.put("")  # no thread waits for a line any more


async def test_the_person_at_the_keyboard_decides_who_may_join(index: ScriptedIndex) -> None:
    async with considerate(index) as (one, keyboard):
        otto = await one.connect()
        otto.say("join_game;Otto;game;V2")
        await until(lambda: keyboard.asked == ["Otto wants to join. Accept? [y/n]"])
        paula = await one.connect()
        busy = "join_game_failed;another player asks to join 'game': try again"
        assert await paula.ask("join_game;Paula;game;V2") == busy
        keyboard.typed.put("what?")
        await until(lambda: len(keyboard.asked) == 2)
        keyboard.typed.put("n")
        refused = "join_game_failed;the initiator does not want to play with you"
        assert await otto.hear() == refused
        assert index.status("game") is Status.OPEN
        erna = await one.connect()
        erna.say("join_game;Erna;game;V2")
        await until(lambda: len(keyboard.asked) == 3)
        keyboard.typed.put("Yes")
        assert await erna.hear() == "join_game_success;V2"
        assert await erna.hear() == "start_game"


@pytest.mark.parametrize("manner", ["FIN", "RST"])
async def test_what_was_typed_for_one_who_has_gone_is_no_answer_to_the_next(
    index: ScriptedIndex, manner: str
) -> None:
    async with considerate(index) as (one, keyboard):
        otto = await one.connect()
        otto.say("join_game;Otto;game;V2")
        await until(lambda: len(keyboard.asked) == 1)
        MANNERS[manner](otto)
        await until(lambda: one.offers[0].question is None)
        erna = await one.connect()
        erna.say("join_game;Erna;game;V2")
        await until(lambda: one.offers[0].question)
        keyboard.typed.put("y")
        await until(lambda: len(keyboard.asked) == 2)
        assert "Otto is no longer waiting." in keyboard.said
        keyboard.typed.put("EOF")  # the keyboard is closed
        assert (await erna.hear()).startswith("join_game_failed;")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("join_game;Erna;other;V2", "join_game_failed;there is no game 'other' here"),
        ("join_game;\x1b[2J;game;V2", "control characters"),
        (f"join_game;{'x' * 100};game;V2", "at most 80 characters"),
        ("join_game;;game;V1", "join_game_failed;the player is empty"),
        ("join_game;  ;game;V1", "join_game_failed;the player is empty"),
        ("hello", "join_game_failed;'hello' is no message"),
        ("join_game;Erna;game", "join_game_failed;join_game takes 3 parameters, 2 came"),
    ],
)
async def test_others_are_refused_and_the_game_stays_open(
    index: ScriptedIndex, line: str, answer: str
) -> None:
    async with hosted(index) as one:
        peer = await one.connect()
        assert answer in await peer.ask(line)
        assert await peer.rest() == []
        assert index.status("game") is Status.OPEN
        await one.join()


# invalid moves


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (["16"], "field 16: Fields are numbered 0 to 15"),
        (["999999999"], "field 999999999: Fields are numbered 0 to 15"),
        (["4"], "field 4: The field below must be occupied first"),
        (["15"], "field 15: The field below must be occupied first"),
        (["0", "0"], "field 0: The field is already occupied"),
    ],
)
async def test_an_invalid_move_is_answered_ends_the_game_and_clears_the_index(
    index: ScriptedIndex, moves: list[str], reason: str
) -> None:
    async with hosted(index) as one:
        peer = await one.join()
        await peer.hear()
        *before, last = moves
        for move in before:
            await peer.ask(f"move;{move}")
            await peer.hear()
        peer.say(f"move;{last}")
        assert await peer.rest() == [
            f"moved_failed;{reason}",
            f"abort_game;invalid move: {reason}",
        ]
        assert not await one.done()
        result = one.room.result()
        assert (result.reason, result.detail) == (Reason.ILLEGAL_MOVE, reason)
        assert (result.winner, result.culprit) == (None, 1)
        assert index.clean


async def test_a_move_is_answered_before_the_next_one_is_refused(index: ScriptedIndex) -> None:
    async with hosted(index) as one:
        peer = await one.join()
        await peer.hear()
        peer.writer.write(b"move;3\nmove;2\n")
        assert await peer.rest() == [
            "updated_game_board;3;2",
            "moved_failed;It is not your turn",
            "abort_game;invalid move: It is not your turn",
        ]
        assert not await one.done()
        assert one.room.moves()[0] == (1, "3")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("move;x", Reason.PROTOCOL_ERROR),
        ("nonsense", Reason.PROTOCOL_ERROR),
        ("abort_game;enough", Reason.ABORTED),
    ],
)
async def test_other_ends_by_the_opponent(index: ScriptedIndex, line: str, reason: Reason) -> None:
    async with hosted(index) as one:
        peer = await one.join()
        await peer.hear()
        peer.say(line)
        await peer.rest()
        assert not await one.done()
        assert one.room.result().reason is reason
        assert one.room.result().culprit == 1
        assert index.clean


# peers that are killed, in each state and in each manner


async def leave(one: Hosted, peer: Peer, manner: str) -> None:
    """Be lost; who only falls silent is lost when its time is over."""
    (session,) = one.host._sessions
    MANNERS[manner](peer)
    if manner == "silence":
        await expire(session)


async def just_joined(one: Hosted) -> Peer:
    return await one.join()


async def asked(one: Hosted) -> Peer:
    peer = await one.join()
    assert await peer.hear() == "start_game"
    return peer


async def asked_again(one: Hosted) -> Peer:
    peer = await asked(one)
    assert await peer.ask("move;0") == "updated_game_board;0;2"
    assert (await peer.hear()).endswith(";1")
    return peer


async def half_a_line(one: Hosted) -> Peer:
    peer = await asked(one)
    peer.writer.write(b"move;")
    return peer


STATES: dict[str, Callable[[Hosted], Coroutine[Any, Any, Peer]]] = {
    state.__name__: state for state in (just_joined, asked, asked_again, half_a_line)
}


@pytest.mark.parametrize("manner", MANNERS)
@pytest.mark.parametrize("state", STATES)
async def test_a_lost_opponent_ends_the_game_once(
    index: ScriptedIndex, state: str, manner: str
) -> None:
    async with hosted(index) as one:
        peer = await STATES[state](one)
        await leave(one, peer, manner)
        assert not await one.done()
        late = manner == "silence"
        assert one.room.result().reason is (Reason.TIME_OUT if late else Reason.CONNECTION_LOST)
        assert one.room.result().culprit == 1
        assert index.clean
        if late:
            assert (await peer.rest())[-1] == "abort_game;no move within 10 s"


@pytest.mark.parametrize("manner", ["FIN", "RST"])
async def test_an_opponent_lost_while_the_index_server_is_asked(
    index: ScriptedIndex, manner: str
) -> None:
    index.answers["seal_game"] = None  # it takes its time
    async with hosted(index) as one:
        one.host.index._patience = 0.2
        peer = await one.join()
        MANNERS[manner](peer)
        assert not await one.done()
        assert one.room.result().reason is Reason.CONNECTION_LOST
        assert one.room.result().culprit == 1
        assert index.clean


# the index server


async def test_an_index_server_lost_before_the_game_begins_ends_it(index: ScriptedIndex) -> None:
    async with hosted(index, begins=0) as one:
        index.kill()
        peer = await one.join()
        (line,) = await peer.rest()
        assert line.startswith("abort_game;the index server 127.0.0.1:")
        assert not await one.done()
        result = one.room.result()
        assert (result.reason, result.culprit) == (Reason.ABORTED, None)
        assert one.room.moves() == []


async def test_a_game_that_is_not_registered(index: ScriptedIndex) -> None:
    index.answers["register_game"] = b"register_failed;taken\n"
    async with hosted(index) as one:
        with pytest.raises(IndexRefused, match="refused register_game: 'taken'"):
            await one.done()


async def test_an_index_server_that_dies_in_the_game_is_noticed(index: ScriptedIndex) -> None:
    async with hosted(index, heartbeat=0.02, silence=0.1, count=2) as one:
        peer = await one.join(name="game 1")
        assert await peer.hear() == "start_game"
        index.kill()
        (line,) = await peer.rest()
        assert line.startswith("abort_game;the index server")
        assert not await one.done()
        assert one.room.result().reason is Reason.ABORTED


async def test_an_index_server_without_heartbeats_that_answers_is_none_the_worse(
    index: ScriptedIndex, caplog: pytest.LogCaptureFixture
) -> None:
    index.deaf = True
    async with hosted(index, heartbeat=0.01, silence=0.03) as one:
        await until(lambda: index.asked["request_game_list"] >= 3)
        assert "sends no heartbeats" in caplog.text
        assert (await winning(await one.join()))[-1].startswith("end_game;")


async def test_an_opponent_may_join_before_the_host_hears_that_it_is_registered(
    index: ScriptedIndex,
) -> None:
    index.hold = threading.Event()
    async with hosted(index) as one:
        assert index.status("game") is Status.OPEN
        peer = await one.join()
        index.hold.set()
        assert await peer.hear() == "start_game"
        assert index.status("game") is Status.SEALED


# the end of the host


@pytest.mark.parametrize("begins", [0, 1])
async def test_stopping_tells_the_opponent_and_clears_the_index(
    index: ScriptedIndex, begins: int
) -> None:
    slow = FakeScreen(patient=True)
    async with hosted(index, begins=begins, count=2, player="human", screen=slow) as one:
        peer = await one.join(name="game 1")
        await until(lambda: one.room.games)
        one.task.cancel()
        assert (await peer.rest())[-1] == "abort_game;the initiator has left"
        with pytest.raises(asyncio.CancelledError):
            await one.done()
        assert one.room.result().reason is Reason.ABORTED
        assert index.clean


async def test_no_table_can_be_set_up(index: ScriptedIndex) -> None:
    async with hosted(index) as one:
        one.room.journal.broken = StoreError("x", "the disk is full")
        peer = await one.join()
        assert await peer.rest() == ["abort_game;internal error"]
        assert not await one.done()
        assert index.clean


async def test_a_port_that_is_taken(index: ScriptedIndex) -> None:
    async with hosted(index) as first:
        assert first.host.place is not None
        room, port = first.room, first.host.place.port
        settings = OfferSettings(port=port)
        host = GameHost(room.arena, room.journal, first.host.index, FakeScreen(), settings)
        with pytest.raises(HostError, match="choose another port with --port"):
            await host.run(first.offers)


# a person at the keyboard


async def test_a_person_plays(index: ScriptedIndex) -> None:
    keys = FakeScreen("", "?", "cat", "99", "3", "0", "1", "quit")
    async with hosted(index, begins=0, player="human", screen=keys) as one:
        peer = await one.join()
        assert await peer.hear() == "updated_game_board;3;1"
        assert await peer.ask("move;2") == "updated_game_board;2;2"
        assert await peer.hear() == "updated_game_board;0;1"
        assert any("0  1  2  3" in line for line in keys.said)
        assert any("'cat' is no Connect Four move" in line for line in keys.said)
        assert any("99: Fields are numbered" in line for line in keys.said)
        assert await peer.ask("move;6") == "updated_game_board;6;2"
        assert await peer.hear() == "updated_game_board;1;1"
        peer.say("move;10")
        assert (await peer.rest())[-1] == "abort_game;the player has left"
        assert not await one.done()
        assert (one.room.result().reason, one.room.result().culprit) == (Reason.ABORTED, 0)


# what is offered


def test_names_that_cannot_stand_on_the_wire_are_not_offered() -> None:
    game = ConnectFour()
    for name, me in (
        ("a;b", "Karl"),
        ("a\nb", "Karl"),
        ("a", "K;"),
        ("a", "K\r"),
        ("", "Karl"),
        (" ", "K"),
    ):
        with pytest.raises(SpielwerkError):
            offers(name, 1, game, own_seat("random", me, game))
