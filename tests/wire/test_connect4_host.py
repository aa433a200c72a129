"""The initiator's side of a connection, in bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.wire.connect4.host import HostLimits, HostSide, PeerBreach
from spielwerk.wire.connect4.messages import (
    PARAMETERS,
    GameMessage,
    Version,
    message,
    read_message,
)

JOIN = b"join_game;Erna;martin's game;V2\n"
EMPTY = (0,) * 8


def moved(field: int) -> GameMessage:
    return message("move", field)


def heard(machine: HostSide, data: bytes, now: float = 0.0) -> list[object]:
    """What the machine makes of the bytes."""
    machine.receive(data, now)
    return events(machine, now)


def events(machine: HostSide, now: float) -> list[object]:
    found: list[object] = []
    while (event := machine.next_event(now)) is not None:
        found.append(event)
    return found


def joined(version: Version = Version.V2, **settings: object) -> HostSide:
    machine = HostSide(0.0, HostLimits(), version, **settings)  # type: ignore[arg-type]
    heard(machine, JOIN)
    machine.accept()
    machine.segment()
    return machine


# joining


@pytest.mark.parametrize(
    ("best", "asked", "agreed"),
    [
        (Version.V1, "V1", b"V1"),
        (Version.V1, "V2", b"V1"),  # "kann auf V1 zurückgesetzt werden"
        (Version.V2, "V1", b"V1"),
        (Version.V2, "V2", b"V2"),
    ],
)
def test_the_version_is_the_best_that_both_know(best: Version, asked: str, agreed: bytes) -> None:
    machine = HostSide(0.0, best=best)
    joins = message("join_game", "a", "b", Version(asked))
    assert heard(machine, f"join_game;a;b;{asked}\n".encode()) == [joins]
    machine.accept()
    assert machine.segment() == b"join_game_success;" + agreed + b"\n"
    assert not machine.closing


def test_somebody_is_refused_in_one_line() -> None:
    machine = HostSide(0.0)
    heard(machine, JOIN)
    machine.refuse("no; really\nnot")
    assert machine.segment() == b"join_game_failed;no  really not\n"
    assert machine.closing
    assert heard(machine, b"move;1\n") == []


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        (b"hello", "'hello' is no message"),
        (b"\xff", "is no UTF-8"),
        (b"join_game;a;b;V3", "version is 'V3', neither V1 nor V2"),
        (b"move;1", "expected join_game"),
        (b"abort_game;x", "expected join_game"),
        (b"x" * 5000, "a line has at most 4096 bytes"),
    ],
)
def test_what_is_no_join_game_is_answered_with_what_is_wrong(line: bytes, explanation: str) -> None:
    machine = HostSide(0.0)
    (event,) = heard(machine, line + b"\n")
    assert isinstance(event, PeerBreach)
    assert not event.late
    header, _, told = machine.segment().decode().partition(";")
    assert header == "join_game_failed"
    assert explanation in told
    assert machine.closing


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \0\r\n", b"\n" * 500])
def test_empty_lines_are_overlooked(blank: bytes) -> None:
    machine = HostSide(0.0)
    (event,) = heard(machine, blank + JOIN)
    assert isinstance(event, GameMessage)
    machine.accept()
    machine.start(0.0)
    assert heard(machine, blank + b"move;1\n") == [moved(1)]
    assert heard(machine, blank) == []


def test_who_never_asks_is_late() -> None:
    machine = HostSide(100.0, HostLimits(join=5.0))
    assert machine.due == 105.0
    assert events(machine, 104.9) == []
    assert events(machine, 105.0) == [PeerBreach("no join_game within 5 s", late=True)]
    assert machine.segment() == b"join_game_failed;no join_game within 5 s\n"


def test_who_moves_before_the_answer_is_out() -> None:
    machine = HostSide(0.0)
    (_, event) = heard(machine, JOIN + b"move;1\n")
    assert isinstance(event, PeerBreach)
    assert machine.segment().startswith(b"join_game_failed;unexpected 'move 1': expected nothing")


# playing


def test_the_opponent_begins() -> None:
    machine = joined()
    machine.start(10.0)
    assert machine.segment() == b"start_game\n"
    assert machine.due == 20.0
    assert heard(machine, b"move;3\n", 19.9) == [moved(3)]
    machine.tell(3, 2, EMPTY)
    assert machine.segment() == b"updated_game_board;3;2\n"
    assert events(machine, 1e9) == []  # it is our turn


def test_some_courses_spell_otherwise() -> None:
    machine = joined(variant=True)
    machine.tell(3, 1, EMPTY)
    machine.ask(0.0)
    heard(machine, b"move;3\n")
    machine.reject("taken")
    assert machine.segment() == (
        b"update_game_board;3;1\nmove_failed;taken\nabort_game;invalid move: taken\n"
    )


def test_the_end() -> None:
    machine = joined()
    machine.end(2)
    machine.abort("too late")
    assert machine.segment() == b"end_game;2\n"
    assert machine.closing


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        (b"move;x", "field is 'x', not a number without blanks"),
        (b"move;-1", "not a number"),
        (b"move;1;2", "move takes 1 parameter, 2 came"),
    ],
)
def test_a_move_that_cannot_be_read_is_an_invalid_move(line: bytes, explanation: str) -> None:
    machine = joined()
    machine.start(0.0)
    machine.segment()
    (event,) = heard(machine, line + b"\n")
    assert isinstance(event, PeerBreach)
    failed, aborted = machine.segment().decode().splitlines()
    assert failed.startswith("moved_failed;")
    assert explanation in failed
    assert aborted.startswith("abort_game;invalid move: ")


def test_a_move_out_of_turn() -> None:
    machine = joined()
    assert heard(machine, b"move;1\n") == [PeerBreach("It is not your turn")]
    assert machine.segment().startswith(b"moved_failed;It is not your turn\nabort_game;")


@pytest.mark.parametrize(
    "line", [b"nonsense", b"heartbeat", b"start_game", JOIN.strip(), b"end_game;2"]
)
def test_what_has_no_place_in_a_game_ends_it(line: bytes) -> None:
    machine = joined()
    machine.start(0.0)
    machine.segment()
    (event,) = heard(machine, line + b"\n")
    assert isinstance(event, PeerBreach)
    assert machine.segment().startswith(b"abort_game;")
    assert machine.closing


@pytest.mark.parametrize(("arrived", "in_time"), [(59.9, True), (60.0, False)])
def test_the_time_that_counts_is_when_a_line_arrived(arrived: float, in_time: bool) -> None:
    machine = joined()
    machine.ask(50.0)
    machine.receive(b"move;1\n", arrived)
    late = PeerBreach("no move within 10 s", late=True)
    assert events(machine, 61.0) == [moved(1) if in_time else late]
    assert machine.segment() == (b"" if in_time else b"abort_game;no move within 10 s\n")


def test_the_opponent_aborts_and_long_explanations_are_cut() -> None:
    machine = joined()
    (event,) = heard(machine, b"abort_game;" + b"x" * 1000 + b"\n")
    assert event == message("abort_game", "x" * 200 + "...")
    assert machine.closing
    assert machine.segment() == b""


# any bytes


def talk(pieces: list[bytes]) -> tuple[list[object], bytes]:
    """A whole game with an opponent that sends these pieces."""
    machine = HostSide(0.0)
    found: list[object] = []
    said = b""
    for piece in pieces:
        machine.receive(piece, 0.0)
        while (event := machine.next_event(0.0)) is not None:
            found.append(event)
            match event:
                case GameMessage("join_game"):
                    machine.accept()
                    machine.start(0.0)
                case GameMessage("move", (field,)):
                    machine.tell(field, 2, EMPTY)
                    machine.tell(field + 1, 1, EMPTY)
                    machine.ask(0.0)
        said += machine.segment()
    return found, said


SESSION = JOIN + b"move;1\nmove;22\nmove;303\nabort_game;f\xc3\xbcr heute genug\n"


def test_it_does_not_matter_where_segments_end() -> None:
    whole = talk([SESSION])
    assert len(whole[0]) == 5
    assert talk([SESSION[n : n + 1] for n in range(len(SESSION))]) == whole
    for cut in range(len(SESSION)):
        assert talk([SESSION[:cut], SESSION[cut:]]) == whole


def is_end(event: object) -> bool:
    aborted = isinstance(event, GameMessage) and event.header == "abort_game"
    return aborted or isinstance(event, PeerBreach)


WORDS = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([*PARAMETERS, "move;1", "join_game;a;b;V1", "\n", ";", "\r"]).map(str.encode),
)


@given(st.lists(st.one_of(WORDS, WORDS.map(lambda word: word + b"\n")), max_size=12))
def test_whatever_comes_every_answer_is_a_message_and_nothing_follows_the_end(
    pieces: list[bytes],
) -> None:
    found, said = talk(pieces)
    for line in said.splitlines():
        read_message(line)
    ends = [event for event in found if is_end(event)]
    assert ends in ([], found[-1:])


def test_a_flood_is_not_kept() -> None:
    machine = joined()
    for _ in range(100):
        machine.receive(b"move;1\n" * 1000, 0.0)
    assert events(machine, 0.0) == [PeerBreach("too much said ahead of our answers")]
    assert machine._lines.waiting < 100_000
    assert machine.segment().startswith(b"abort_game;")
