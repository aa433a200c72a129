"""The move server's judgement: appendix B byte for byte, the order of the checks, every detail."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games.oware.rules import Oware, format_board
from spielwerk.games.playing import random_move
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

KARL = ServerIdentity("Karl Muster", ("Karl Musters Super-Strategie", "Zweite"))
HEAD = b"\nKarl Muster\nKarl Musters Super-Strategie\n"
STANDARD = b"0 0 4 4 4 4 4 4 4 4 4 4 4 4"


def answer(*lines: bytes) -> bytes:
    judged = judge(lines, KARL)
    assert isinstance(judged, bytes)
    return judged


def test_b1_read_failure() -> None:
    lines = read(b"0\n10 0 4 4 4 4 4 4 4 4 4 4 4 4\n5\n").lines
    assert answer(*lines) == b"ERROR read-failure" + HEAD + b"move-history\n" + STANDARD + b"\n"


def test_b2_strategy() -> None:
    odd = b"0 0 0 5 5 5 5 4 0 5 5 5 5 4"
    expected = b"ERROR strategy" + HEAD + b"Teststrategie\n" + STANDARD + b"\n"
    assert answer(b"Teststrategie", b"1", odd, b"5") == expected


def test_b3_search_depth() -> None:
    odd = b"0 0 0 5 5 5 5 4 0 5 5 5 5 4"
    expected = b"ERROR search-depth" + HEAD + b"0\n" + STANDARD + b"\n"
    assert answer(b"0", b"0", odd, b"5") == expected


def test_b4_initial_board() -> None:
    wrong = b"0 0 4 4 4 4 4 4 4 4 4 4 4 5"
    expected = b"ERROR initial-board" + HEAD + wrong + b"\n" + STANDARD + b"\n"
    assert answer(b"0", b"1", wrong, b"5") == expected


def test_b5_move_history() -> None:
    expected = b"ERROR move-history 1" + HEAD + b"38\n0 0 4 4 4 0 5 5 5 5 4 4 4 4\n"
    assert answer(b"0", b"1", STANDARD, b"38") == expected


def test_b6_finish() -> None:
    expected = b"OK" + HEAD + b"finish\n22 26 0 0 0 0 0 0 0 0 0 0 0 0\n"
    assert answer(b"0", b"1", b"20 22 0 0 0 0 0 1 1 1 1 1 1 0", b"5") == expected


def test_b7_a_regular_move() -> None:
    task = judge([b"0", b"1", STANDARD, b"33"], KARL)
    assert isinstance(task, Task)
    assert (task.strategy, task.depth) == (0, 1)
    assert task.answer(2) == b"OK" + HEAD + b"2\n0 0 5 5 0 1 6 6 6 5 4 0 5 5\n"


# reading


def read(data: bytes) -> RequestReading:
    reading = RequestReading()
    reading.receive(data)
    return reading


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b"", b"strategy"),
        (b"0", b"strategy"),
        (b"0\n", b"search-depth"),
        (b"0\n1\n0 0", b"initial-board"),
        (b"0\n1\n" + STANDARD + b"\n", b"move-history"),
        (b"0\n1\n" + STANDARD + b"\n33", b"move-history"),
        (b"x" * 65537, b"strategy"),
        (b"0\n1\n" + b"x" * 65537 + b"\n\n", b"initial-board"),
    ],
)
def test_the_first_line_that_was_not_read(data: bytes, where: bytes) -> None:
    assert answer(*read(data).lines).split(b"\n")[:4:3] == [b"ERROR read-failure", where]


@given(st.lists(st.binary(max_size=20), max_size=8))
def test_it_does_not_matter_how_a_request_was_cut(pieces: list[bytes]) -> None:
    cut = RequestReading()
    for piece in pieces:
        cut.receive(piece)
    assert cut.lines == read(b"".join(pieces)).lines


# judging


@pytest.mark.parametrize(
    "line",
    [b"", b"2", b"-1", b"+0", b"00", b"01", b" 0", b"0 ", b"0\r", b"x", b"\xff", b"9" * 5000],
)
def test_strategies_that_are_none(line: bytes) -> None:
    assert answer(line, b"nonsense", b"", b"x").split(b"\n")[:4] == [
        b"ERROR strategy",
        b"Karl Muster",
        b"Karl Musters Super-Strategie",
        line,
    ]


@pytest.mark.parametrize("line", [b"", b"0", b"10", b"-1", b"01", b"5 ", b"5\r", b"x", b"\xb9"])
def test_depths_that_are_none(line: bytes) -> None:
    assert answer(b"1", line, b"", b"x").split(b"\n")[:4] == [
        b"ERROR search-depth",
        b"Karl Muster",
        b"Zweite",
        line,
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"0 0 4 4 4 4 4 4 4 4 4 4 4",
        b"0 0 4 4 4 4 4 4 4 4 4 4 4 4 0",
        b"0 0 4 4 4 4 4 4 4 4 4 4 4 3",
        b"0  0 4 4 4 4 4 4 4 4 4 4 4 4",
        b"0 0 4 4 4 4 4 4 4 4 4 4 4 4 ",
        b"00 0 4 4 4 4 4 4 4 4 4 4 4 4",
        b"0 0 +4 4 4 4 4 4 4 4 4 4 4 4",
        b"-1 1 4 4 4 4 4 4 4 4 4 4 4 4",
        b"0\t0 4 4 4 4 4 4 4 4 4 4 4 4",
        b"0 0 4 4 4 4 4 4 4 4 4 4 4 \xb4",
    ],
)
def test_boards_that_are_none(line: bytes) -> None:
    assert answer(b"0", b"1", line, b"x").split(b"\n")[:4:3] == [b"ERROR initial-board", line]


@pytest.mark.parametrize(
    ("history", "m"),
    [
        (b"6", 0),
        (b"x", 0),
        (b"\xff0", 0),
        (b"3\xff", 1),
        (b"00", None),
        (b"000", 2),
    ],
)
def test_histories(history: bytes, m: int | None) -> None:
    judged = judge([b"0", b"1", STANDARD, history], KARL)
    if m is None:
        assert isinstance(judged, Task)
    else:
        assert isinstance(judged, bytes)
        status, _, _, details, _ = judged[:-1].split(b"\n")
        assert (status, details) == (b"ERROR move-history %d" % m, history)


@pytest.mark.parametrize("history", [b"", b"0", b"x"])
def test_a_move_after_the_end_is_invalid(history: bytes) -> None:
    judged = answer(b"0", b"1", b"25 0 4 4 4 4 4 3 0 0 0 0 0 0", history)
    status, _, _, details, board = judged[:-1].split(b"\n")
    if history:
        assert (status, details) == (b"ERROR move-history 0", history)
        assert board == b"25 0 4 4 4 4 4 3 0 0 0 0 0 0"
    else:
        assert (status, details) == (b"OK", b"finish")
        assert board == b"48 0 0 0 0 0 0 0 0 0 0 0 0 0"


@pytest.mark.parametrize("seed", range(2))
def test_whole_games_are_followed_as_the_rules_say(seed: int) -> None:
    rng, state, history = Random(seed), Oware().start(), ""
    while not state.outcome:
        judged = judge([b"1", b"9", STANDARD, history.encode()], KARL)
        assert isinstance(judged, Task)
        assert judged.state == state
        move = random_move(state, rng)
        after = state.play(move)
        expected = f"OK\nKarl Muster\nZweite\n{move}\n{format_board(after.board)}\n"
        assert judged.answer(move) == expected.encode()
        state, history = after, f"{history}{move}"
    assert answer(b"1", b"9", STANDARD, history.encode()).split(b"\n")[3] == b"finish"
