"""The remote player's side of the move protocol: the Oware task, section 5 and appendix B."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games.oware.rules import STANDARD, Oware, OwareState
from spielwerk.games.playing import random_move
from spielwerk.wire.oware import (
    LONGEST_ANSWER,
    Answer,
    AnswerError,
    AnswerReading,
    IllegalAnswer,
    ServerIdentity,
    Task,
    judge,
    read_answer,
    request,
)

# B.7: after 33 the server plays 2.
B7 = b"OK\nKarl Muster\nKarl Musters Super-Strategie\n2\n0 0 5 5 0 1 6 6 6 5 4 0 5 5\n"
IDENTITY = ServerIdentity("Karl Muster", ("Karl Musters Super-Strategie", "plain"))


def after(moves: str) -> OwareState:
    state = Oware().start()
    for move in moves:
        state = state.play(int(move))
    return state


def collected(*pieces: bytes) -> tuple[bool, bytes]:
    reading = AnswerReading()
    return [reading.receive(piece) for piece in pieces][-1], reading.data


# asking


def test_b7_a_request_is_four_lines() -> None:
    assert request(0, 1, STANDARD, "33") == b"0\n1\n0 0 4 4 4 4 4 4 4 4 4 4 4 4\n33\n"


@pytest.mark.parametrize("seed", range(2))
def test_what_we_ask_our_server_understands_and_what_it_answers_we_do(seed: int) -> None:
    state, history, rng = Oware().start(), "", Random(seed)
    while not state.outcome:
        task = judge(request(1, 5, STANDARD, history).split(b"\n")[:-1], IDENTITY)
        assert isinstance(task, Task)
        assert (task.strategy, task.depth, task.state.board) == (1, 5, state.board)
        move = random_move(state, rng)
        assert read_answer(task.answer(move), state) == Answer(move, "Karl Muster", "plain")
        state, history = state.play(move), f"{history}{move}"


# collecting


def test_however_it_is_cut_it_is_the_same() -> None:
    for place in range(1, len(B7)):
        assert collected(B7[:place], B7[place:]) == (True, B7)
    assert collected(*(bytes([byte]) for byte in B7)) == (True, B7)


@pytest.mark.parametrize("newlines", range(5))
def test_what_is_missing_has_its_name(newlines: int) -> None:
    reading = AnswerReading()
    reading.receive(b"x\n" * newlines + b"y")
    names = ["status", "server-author", "strategy-name", "response-details", "board"]
    assert reading.missing.startswith(f"line {newlines + 1}, <")
    assert names[newlines] in reading.missing


def test_the_limit_is_the_last_byte() -> None:
    assert AnswerReading(len(B7)).receive(B7)
    with pytest.raises(AnswerError):
        AnswerReading(len(B7) - 1).receive(B7)


def test_a_repeated_line_of_64_kib_fits() -> None:
    lines = request(0, 1, STANDARD, "").split(b"\n")[:3]
    answer = judge([*lines, b"9" * 65536], ServerIdentity("A" * 1000, ("B" * 1000,)))
    assert isinstance(answer, bytes)
    assert len(answer) < LONGEST_ANSWER
    assert AnswerReading().receive(answer)


# judging


def test_b7_the_move_and_who_chose_it() -> None:
    answer = Answer(2, "Karl Muster", "Karl Musters Super-Strategie")
    assert read_answer(B7, after("33")) == answer


def changed(line: int, text: bytes) -> bytes:
    lines = B7.split(b"\n")
    lines[line] = text
    return b"\n".join(lines)


@pytest.mark.parametrize("move", [b"6", b"-1", b"3", b"22", b" 2", b"2 ", b"2\r", b"", b"Finish"])
def test_moves_that_are_none(move: bytes) -> None:
    """After 33 the house 3 is empty."""
    with pytest.raises(IllegalAnswer, match="is not one of 0, 1, 2, 4, 5"):
        read_answer(changed(3, move), after("33"))


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (changed(0, b"ok"), "the status is 'ok', neither OK nor an ERROR"),
        (changed(0, b"OK "), "the status is 'OK '"),
        (changed(0, b"OK\r"), r"the status is 'OK\\r'"),
        (changed(4, b"0 0 5 5 0 1 6 6 6 5 4 0 5 5 "), "after 2 the board is"),
        (
            changed(4, b"0 0 5 5 0 1 6 6 6 5 4 0 5 6"),
            "the server says '0 0 5 5 0 1 6 6 6 5 4 0 5 6'",
        ),
        (changed(4, b""), "the server says ''"),
        (changed(3, b"0"), "after 0 the board is '0 0 0 6 5 1 6 6 5 5 4 0 5 5'"),
        (changed(3, b"finish"), "not the '24 24 0 0 0 0 0 0 0 0 0 0 0 0' that it would be; but A"),
        (B7[:-1], "ends before the end of line 5"),
        (b"", "ends before the end of line 1, <status>"),
        (B7 + b"x", "the answer goes on with 'x'"),
        (B7 + b"\n", "the answer goes on with"),
    ],
)
def test_answers_that_no_correct_server_gives(answer: bytes, problem: str) -> None:
    with pytest.raises(AnswerError, match=problem) as caught:
        read_answer(answer, after("33"))
    assert not isinstance(caught.value, IllegalAnswer)


def test_a_finish_with_the_right_board_is_wrong_as_long_as_one_can_move() -> None:
    answer = b"OK\nK\nS\nfinish\n23 25 0 0 0 0 0 0 0 0 0 0 0 0\n"
    with pytest.raises(AnswerError, match="as it would be; but B can move"):
        read_answer(answer, after("332"))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([b"0", b"1"], "reports 'ERROR read-failure' for 'initial-board'"),
        ([b"2", b"1", b"", b""], "reports 'ERROR strategy' for '2'"),
        ([b"0", b"0", b"", b""], "reports 'ERROR search-depth' for '0'"),
        ([b"0", b"1", b"\xff", b""], "reports 'ERROR initial-board' for 'ÿ'"),
        ([b"0", b"1", b"0 0" + b" 4" * 12, b"38"], "reports 'ERROR move-history 1' for '38'"),
    ],
)
def test_b1_to_b5_what_the_server_reports_is_said(lines: list[bytes], problem: str) -> None:
    answer = judge(lines, IDENTITY)
    assert isinstance(answer, bytes)
    with pytest.raises(AnswerError, match=problem):
        read_answer(answer, after(""))


@given(st.integers(0, len(B7) - 1), st.integers(0, 255))
def test_one_wrong_byte_is_noticed_or_harmless(place: int, byte: int) -> None:
    """Harmless in the names, and nowhere else."""
    data = B7[:place] + bytes([byte]) + B7[place + 1 :]
    names = range(B7.index(b"Karl"), B7.index(b"\n2\n"))
    if data == B7 or (place in names and B7[place] != 10 and byte != 10):
        assert read_answer(data, after("33")).move == 2
    else:
        with pytest.raises(AnswerError):
            read_answer(data, after("33"))
