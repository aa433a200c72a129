"""Games as JSON, apart from the network."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.net.connection import Direction, Transcript
from spielwerk.store.records import GameRecord, MoveRecord, SeatKind, SeatRecord, WireRecord
from spielwerk.tables.wishes import NewTable
from spielwerk.web.bodies import read_form
from spielwerk.web.matches import Wish, visible, whole, wire
from spielwerk.web.site import UsualTable


def read_wish(wish: dict[str, Any], usual: UsualTable) -> NewTable:
    return read_form(wish, Wish).table(usual)


SEATS = (SeatRecord(SeatKind.CLIENT, "A"), SeatRecord(SeatKind.ENGINE, "B", "level=7"))


def test_a_wish_is_read_as_the_arena_takes_it() -> None:
    wish = {
        "type": "NMMorris",
        "gameGeneric": {"name": "x", "timeout": 500, "tournament": True},
        "gameSpecific": {"n": 5, "begins": -1},
        "players": [{"name": "A"}, {"name": "B", "type": "ENGINE", "engine": "level=7"}],
    }
    assert read_wish(wish, UsualTable()) == NewTable(
        "morris", ("n=5", "begins=-1"), "x", SEATS, 500, True
    )
    usual = UsualTable(move_time=1234, move_times={"connect4": 10_000})
    quarto, connect4 = ({"type": kind} for kind in ("Quarto", "connect4"))
    assert read_wish(quarto, usual) == NewTable("quarto", move_time=1234)
    assert read_wish(connect4, usual) == NewTable("connect4", move_time=10_000)
    clock = {"gameGeneric": {"clock": {"time": 60_000, "increment": 500}}}
    timed = NewTable("quarto", move_time=0, game_time=60_000, increment=500)
    assert read_wish(quarto | clock, usual) == timed  # a move has no limit besides, unless named


def test_the_settings_choose_options_that_the_wish_does_not() -> None:
    usual = UsualTable(options={"dice": {"target": 200, "rounds": 80}})
    assert read_wish({"type": "dice"}, usual).options == ("target=200", "rounds=80")
    own = {"type": "dice", "gameSpecific": {"target": 40, "begins": 1}}
    assert read_wish(own, usual).options == ("target=40", "rounds=80", "begins=1")
    assert read_wish({"type": "Quarto"}, usual).options == ()


def test_an_engine_that_is_not_described_is_a_middling_one() -> None:
    table = read_wish({"type": "Quarto", "players": [{"type": "ENGINE"}]}, UsualTable())
    assert table.seats[0].player == "level=5"
    wish = {"type": "Quarto", "players": [{"type": "HUMAN", "engine": "x"}]}
    person = read_wish(wish, UsualTable())
    assert person.seats[0] == SeatRecord(SeatKind.PERSON, "")


def test_a_game_that_cannot_be_replayed_is_shown_without_its_position() -> None:
    moves = (MoveRecord(0, 0, "nonsense", 1, 2),)
    game = GameRecord("x", "oware", (), "name", SEATS, 3000, False, 0, moves)
    shown = whole(game, None)
    assert shown["position"] is None
    assert shown["moves"] == [
        {"number": 0, "seat": 0, "move": "nonsense", "at": 1, "took": 2, "cpu": None, "hints": 0}
    ]
    assert shown["live"] is False
    assert shown["seats"][1] == {"kind": "engine", "name": "B", "engine": "level=7"}


def test_everything_in_a_transcript_can_be_seen() -> None:
    for data, text in (
        (b"PLAY A1\r\n", r"PLAY A1\r\n"),
        (b"\0\t\x7f", r"\0\t\x7f"),
        (b"\xff\xc3", r"\xff\xc3"),
        ("Öl\u202e\u2028".encode(), r"Öl\u202e\u2028"),
        (rb"\n", r"\\n"),
        (b"\x85", r"\x85"),
        (b"\xc2\x85", r"\u0085"),
        (b"", ""),
    ):
        assert visible(data) == text


@given(st.binary(max_size=50), st.binary(max_size=50))
def test_different_bytes_look_different(one: bytes, other: bytes) -> None:
    assert visible(one).isprintable()
    assert (visible(one) == visible(other)) == (one == other)


def test_what_was_left_out_is_told() -> None:
    transcript = Transcript(3000)
    transcript.add(0.5, Direction.RECEIVED, b"x" * 5000)
    record = WireRecord("x", None, "mnm", "127.0.0.1:1", 7, transcript.pack())
    shown = wire(record, still_open=True)
    assert (shown["open"], shown["seat"], shown["opened"]) == (True, None, 7)
    received, left_out = shown["traffic"]
    assert received == {"at": 500, "direction": "received", "text": "x" * 4096}
    assert (left_out["direction"], left_out["text"]) == ("left out", "904")
