"""The game server as its clients see it, in simulated time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from spielwerk.net.connection import Direction, unpack
from spielwerk.servers.mnm import MnmSettings
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.mnm import words
from tests.simulation import Peer, World

QUARTO = NewTable("quarto", ("begins=0", "first=3"), "A game")
MORRIS = NewTable("morris", (), "le_game2")
NOBODY_FREE = "- No free computer player found for that game - exiting"


@pytest.fixture
def world() -> World:
    return World()


def think_and_play(peer: Peer, move: str) -> list[str]:
    return peer.say("THINKING", f"PLAY {move}")


def wait_out(peer: Peer) -> None:
    """Answer a WAIT if there is one."""
    if peer.lines[-1] == "+ WAIT":
        peer.say("OKWAIT")


# joining


def test_a_second_client_waits_at_once(world: World) -> None:
    table = world.table(MORRIS)
    world.join(table)
    peer = world.join(table)
    assert peer.lines[4:] == [
        "+ YOU 1 Player 2",
        "+ TOTAL 2",
        "+ 0 Player 1 1",
        "+ ENDPLAYERS",
        "+ WAIT",
    ]


@pytest.mark.parametrize(
    ("dialect", "text"), [(1, NOBODY_FREE), (2, "- No free player"), (3, "- No free player")]
)
@pytest.mark.parametrize("wanted", [None, 0, 1, 2])
def test_no_free_seat(world: World, dialect: int, text: str, wanted: int | None) -> None:
    table = world.table(MORRIS)
    world.join(table)
    world.join(table)
    peer = world.join(table, wanted, dialect)
    assert peer.lines[-1] == text
    assert peer.finished


def test_a_persons_and_an_engines_seat_are_not_given(world: World) -> None:
    seats = (SeatRecord(SeatKind.PERSON, "Ada"), SeatRecord(SeatKind.CLIENT, "Bot"))
    table = world.table(replace(MORRIS, seats=seats))
    assert world.join(table, 0).lines[-1] == NOBODY_FREE
    assert world.join(table).lines[4] == "+ YOU 1 Bot"


def test_a_game_that_does_not_exist(world: World) -> None:
    peer = world.connect()
    assert peer.say("VERSION 1", "ID AAAAAAAAAAA")[-1] == "- Game does not exist"
    assert peer.finished


def test_a_game_of_another_protocol_does_not_exist_here(world: World) -> None:
    table = world.table(NewTable("oware"))
    assert world.join(table).lines[-1] == "- Game does not exist"


def test_clients_of_all_generations_meet_at_one_table(world: World) -> None:
    """The older one knows 11 characters of the ID, the later one all 13."""
    table = world.table(MORRIS)
    old, later = world.join(table, 0, dialect=1), world.join(table, 1, dialect=3)
    assert f"+ YOU 0 {table.seats[0].name}" in old.lines
    assert f"+ YOU 1 {table.seats[1].name}" in later.lines
    think_and_play(old, "A1")
    wait_out(later)
    assert "+ PIECE0.0 A1" in later.lines


@pytest.mark.parametrize("dialect", [1, 2, 3])
def test_a_whole_id_is_known_at_every_port(world: World, dialect: int) -> None:
    peer = world.connect(dialect)
    table = world.table(MORRIS)
    assert peer.say(f"VERSION {dialect}", f"ID {table.id}")[1] == "+ PLAYING NMMorris"


@pytest.mark.parametrize("dialect", [2, 3])
def test_later_dialects_know_no_short_ids(world: World, dialect: int) -> None:
    peer = world.connect(dialect)
    table = world.table(MORRIS)
    heard = peer.say(f"VERSION {dialect}", f"ID {table.id[:11]}")
    assert heard[1] == "- Game does not exist"


# segments


def test_a_table_may_have_a_pace_of_its_own(world: World) -> None:
    """The client that needs it joins at the port that all use."""
    peer = world.join(world.table(replace(MORRIS, wire_options=("pace=block",))))
    assert [data.count(b"\n") for _, data in peer.segments] == [1, 1, 2, 4 + 1 + 21]


# waiting


def test_wait_comes_about_every_second(world: World) -> None:
    table = world.table(MORRIS)
    peer = world.join(table, 1)
    for _ in range(5):
        wait_out(peer)
        world.run(0.95)
    times = [at for at, data in peer.segments if data == b"+ WAIT\n"]
    assert len(times) == 5
    assert [b - a for a, b in pairwise(times)] == [pytest.approx(1.0)] * 4


def test_nothing_is_said_while_a_client_thinks(world: World) -> None:
    peer = world.join(world.table(MORRIS))
    before = len(peer.say("THINKING"))
    world.run(2.5)
    assert len(peer.lines) - before == peer.lines.index("+ OKTHINK")
    assert peer.lines[-1] == "+ OKTHINK"


# moving


def test_a_move_is_not_confirmed_before_it_is_kept(world: World) -> None:
    peer = world.join(world.table(MORRIS))
    world.journal.hold = True
    think_and_play(peer, "A1")
    world.run(20)
    assert peer.lines[-1] == "+ OKTHINK"
    world.journal.release()
    world.run(0.1)
    assert peer.lines[-2:] == ["+ MOVEOK", "+ WAIT"]


def test_a_move_that_cannot_be_kept(world: World) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    peer = world.join(table)
    world.journal.broken = OSError("disk full")
    assert think_and_play(peer, "A1")[-1] == "- Internal error. Sorry & Bye"
    assert peer.finished
    assert not table.over
    assert table.turn == 0


@pytest.mark.parametrize(
    ("wish", "move", "text"),
    [
        (MORRIS, "A1:A2", "- Invalid Move: All stones must be placed before one may move"),
        (MORRIS, "A1;A2", "- Invalid Move: The turn is over, this decision is left over"),
        (QUARTO, "A1,3", "- Invalid Move: The stone being placed cannot be handed on"),
        (QUARTO, "A1", "- Invalid Move: A stone must be handed to the opponent"),
        (
            QUARTO,
            "E5,1",
            "- Invalid Move: 'E5,1' is no Quarto move: the squares of this board are A1 to D4",
        ),
        (
            QUARTO,
            "x" * 900,
            "- Invalid Move: 'xxxxxxxxxxxxxxxxxxxx...' is no Quarto move: "
            "expected a square and a stone, like B4,3",
        ),
        (
            QUARTO,
            "",
            "- Invalid Move: '' is no Quarto move: expected a square and a stone, like B4,3",
        ),
    ],
)
def test_invalid_moves(world: World, wish: NewTable, move: str, text: str) -> None:
    table = world.table(wish)
    peer = world.join(table)
    assert think_and_play(peer, move)[-1] == text
    assert peer.finished
    assert not table.over
    assert world.journal.moves(table.id) == []


@pytest.mark.parametrize(("seconds", "fine"), [(3.09, True), (3.11, False)])
def test_the_time_for_a_move(world: World, seconds: float, fine: bool) -> None:
    peer = world.join(world.table(MORRIS))
    asked = next(at for at, data in peer.segments if b"+ MOVE" in data)
    peer.say("THINKING")
    world.loop.run_until(asked + seconds)
    peer.send("PLAY A1\n")
    world.run(0.1)
    assert peer.lines[-1] == ("+ WAIT" if fine else "- TIMEOUT Be faster next time")


FLYING = "0.0.0.../1.1.1.1./........ hand 0 0 player 0 capture 0 quiet 0"
TWO_TO_CAPTURE = "000...../1.1...../........ hand 6 7 player 0 capture 1 quiet 0"


def test_a_game_that_starts_with_flying(world: World) -> None:
    peer = world.join(world.table(replace(MORRIS, start=FLYING)))
    pieces = [line.removeprefix("+ PIECE") for line in peer.lines if line.startswith("+ PIECE")]
    assert pieces[1:] == [
        *(f"0.{number} C" for number in range(6)),
        *("0.6 A0", "0.7 A2", "0.8 A4"),
        *(f"1.{number} C" for number in range(5)),
        *("1.5 B0", "1.6 B2", "1.7 B4", "1.8 B6"),
    ]
    assert think_and_play(peer, "A4:C7")[1:] == ["+ MOVEOK", "+ WAIT"]


def test_a_game_that_starts_with_a_capture(world: World) -> None:
    table = world.table(replace(MORRIS, start=TWO_TO_CAPTURE))
    first, second = world.join(table), world.join(table)
    assert "+ CAPTURE 1" in first.lines
    assert {"+ PIECE0.2 A2", "+ PIECE0.3 A", "+ PIECE1.1 B2", "+ PIECE1.2 A"} <= {*first.lines}
    assert think_and_play(first, "B2")[1:] == ["+ MOVEOK", "+ WAIT"]
    wait_out(second)
    world.run(0.1)
    assert {"+ PIECE1.0 B0", "+ PIECE1.1 C", "+ PIECE1.8 A"} <= {*second.lines}
    assert think_and_play(second, "A3")[1:] == ["+ MOVEOK", "+ WAIT"]
    wait_out(first)
    world.run(0.1)
    assert "+ PIECE1.2 A3" in first.lines  # the first of those not yet placed


def test_a_game_of_quarto_that_starts_with_a_win(world: World) -> None:
    start = "* * * * / * * * * / * * * * / 1 3 5 * next 7"
    peer = world.join(world.table(replace(QUARTO, options=("begins=1",), start=start)))
    assert {"+ NEXT 7", "+ 1 1 3 5 *"} <= {*peer.lines}
    assert "+ GAMEOVER 0 Player 1" in think_and_play(peer, "D1,0")


# the end


def finish(world: World, table_wish: NewTable) -> list[Peer]:
    table = world.table(table_wish)
    peers = [world.join(table), world.join(table)]
    for number, move in enumerate(["A1,1", "A2,5", "A3,7", "A4"]):
        wait_out(peers[number % 2])
        world.run(0.1)
        think_and_play(peers[number % 2], move)
    wait_out(peers[0])
    world.run(0.1)
    return peers


END = [
    "+ FIELD 4,4",
    "+ 4 7 * * *",
    "+ 3 5 * * *",
    "+ 2 1 * * *",
    "+ 1 3 * * *",
    "+ ENDFIELD",
]


def test_both_are_told_the_end(world: World) -> None:
    for peer in finish(world, QUARTO):
        assert peer.lines[-8:] == ["+ GAMEOVER 1 Player 2", *END, "+ QUIT"]
        assert peer.finished


def test_what_comes_after_the_end_is_no_error(world: World) -> None:
    peers = finish(world, QUARTO)
    peers[0].send(b"rubbish" * 1000)
    peers[1].reset()
    world.run(10)
    assert [peer.lines[-1] for peer in peers] == ["+ QUIT", "+ QUIT"]
    assert sum(world.counts.values()) == world.counts["mnm opened"] * 2 + 8


def test_a_client_that_comes_back_after_the_end_is_told_the_result(world: World) -> None:
    peers = finish(world, QUARTO)
    table = next(iter(world.arena))
    late = world.join(table, 0)
    assert late.lines[-8:] == peers[0].lines[-8:]
    world.run(120)
    world.arena.sweep()
    assert world.join(table, 0).lines[-1] == "- Game does not exist"


def test_the_end_waits_for_the_answer_that_is_due(world: World) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    first, second = world.join(table), world.join(table)
    assert second.lines[-1] == "+ WAIT"
    first.reset()
    world.run(0.5)
    assert second.lines[-1] == "+ WAIT"
    second.say("OKWAIT")
    assert "+ GAMEOVER 1 Player 2" in second.lines


# those who leave


@pytest.mark.parametrize("how", ["reset", "finish"])
def test_another_client_takes_over(world: World, how: str) -> None:
    table = world.table(MORRIS)
    first, second = world.join(table), world.join(table)
    think_and_play(first, "A1")
    wait_out(second)
    world.run(0.1)
    getattr(second, how)()
    wait_out(first)
    assert world.join(table, 1).lines[-1] == NOBODY_FREE
    for _ in range(5):
        world.run(1)
        wait_out(first)
    third = world.join(table)
    assert third.lines[4] == "+ YOU 1 Player 2"
    assert "+ PIECE0.0 A1" in third.lines
    assert think_and_play(third, "B1")[1:] == ["+ MOVEOK", "+ WAIT"]
    wait_out(first)
    world.run(0.1)
    assert "+ PIECE1.0 B1" in first.lines


def test_in_a_tournament_an_illegal_move_loses(world: World) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    first, second = world.join(table), world.join(table)
    think_and_play(first, "B9")
    wait_out(second)
    world.run(0.1)
    assert first.lines[-1].startswith("- Invalid Move")
    assert "+ GAMEOVER 1 Player 2" in second.lines
    (result,) = world.journal.results(table.id)
    assert (result.reason, result.winner, result.culprit) == (Reason.ILLEGAL_MOVE, 1, 0)


WRONG = ["PLAY B9\n", "HELLO\n", "OKWAIT\n", "x" * 2000, ""]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("thinking", [True, False])
def test_who_has_won_already_is_told_so_whatever_it_does_then(
    world: World, wrong: str, thinking: bool
) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    first, second = world.join(table), world.join(table)
    if thinking:
        first.say("THINKING")
    second.reset()
    world.run(0.1)
    before = len(first.lines)
    world.journal.hold = True
    first.send(wrong)
    world.run(3.2)
    assert len(first.lines) == before  # it is told when it is kept
    world.journal.hold = False
    world.journal.release()
    world.run(0.1)
    assert first.lines[before : before + 2] == ["+ GAMEOVER 0 Player 1", "+ CAPTURE 0"]
    assert first.lines[-1] == "+ QUIT"
    assert first.finished
    (result,) = world.journal.results(table.id)
    assert (result.winner, result.culprit) == (0, 1)


def test_who_thinks_while_the_other_goes_is_told_after_the_move(world: World) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    first, second = world.join(table), world.join(table)
    first.say("THINKING")
    second.reset()
    world.run(0.5)
    assert first.lines[-1] == "+ OKTHINK"
    heard = first.say("PLAY A1")
    assert heard[:3] == ["+ MOVEOK", "+ GAMEOVER 0 Player 1", "+ CAPTURE 0"]
    assert [move.move for move in world.journal.moves(table.id)] == ["A1"]


def test_a_half_closed_client_is_answered_what_it_asked(world: World) -> None:
    table = world.table(MORRIS)
    peer = world.connect()
    peer.send(f"VERSION 1\nID {table.id}\nPLAYER\nTHINKING\nPLAY A1\n")
    peer.finish()
    world.run(1)
    assert "+ MOVEOK" in peer.lines
    assert peer.finished
    assert [move.move for move in world.journal.moves(table.id)] == ["A1"]
    assert not table.seats[0].ready


def test_a_game_that_was_called_off(world: World) -> None:
    table = world.table(MORRIS)
    peer = world.join(table, 1)
    table.abort(Reason.ABORTED, "the room is closing")
    peer.say("OKWAIT")
    assert peer.lines[-1] == "- Game aborted: the room is closing"


# the server


def test_everybody_is_told_when_the_server_stops(world: World) -> None:
    table = world.table(MORRIS)
    peers = [world.join(table), world.join(table), world.connect()]
    for peer in peers:
        peer.session.dismiss(words.STOPPING)
    world.run(0.1)
    for peer in peers:
        assert peer.lines[-1] == "- The server is shutting down - please come back later"
        assert peer.finished
    assert not table.over


def test_there_is_room_for_so_many(world: World) -> None:
    world = World(MnmSettings(connections=2))
    peers = [world.connect() for _ in range(3)]
    assert [peer.lines[0][0] for peer in peers] == ["+", "+", "-"]
    assert peers[2].lines == ["- The server is full - please come back later"]
    assert peers[2].finished
    peers[0].reset()
    world.run()
    assert world.connect().lines


def test_the_transcript_is_kept(world: World) -> None:
    table = world.table(MORRIS)
    peer = world.join(table)
    peer.reset()
    world.run()
    (wire,) = world.journal.wires(table.id)
    pieces = unpack(wire.traffic)
    sent = b"".join(piece.data for piece in pieces if piece.direction is Direction.SENT)
    assert sent == peer.said
    received = [piece.data for piece in pieces if piece.direction is Direction.RECEIVED]
    assert received == [b"VERSION 1.0\n", f"ID {table.id[:11]}\n".encode(), b"PLAYER\n"]
    assert [piece.at for piece in pieces] == sorted(piece.at for piece in pieces)
    assert (wire.seat, wire.service) == (0, "mnm")


def test_every_connection_is_counted(world: World) -> None:
    table = world.table(MORRIS)
    peer = world.join(table)
    think_and_play(peer, "A1")
    peer.send("HELLO\n")
    world.run(5)
    assert world.counts == {
        "mnm opened": 1,
        "mnm closed": 1,
        "mnm answered": 1,
        "morris": 1,
        "mnm protocol error": 1,
    }


def test_an_error_of_ours_ends_one_session_and_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = world.table(replace(MORRIS, tournament=True))
    bystander = world.join(world.table(MORRIS))
    monkeypatch.setattr(type(table), "sit", lambda *_: 1 / 0)
    peer = world.join(table)
    assert peer.lines[-1] == "- Internal error. Sorry & Bye"
    assert peer.finished
    assert not table.over
    assert think_and_play(bystander, "A1")[1] == "+ MOVEOK"
    assert "internal error" in caplog.text
