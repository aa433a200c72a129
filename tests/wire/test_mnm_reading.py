"""Positions read from lines: what the server writes comes back, everything else is refused."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games import CHANCE, NOBODY
from spielwerk.games.morris.rules import FIELDS, Morris
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.boards import MorrisPieces, QuartoField, board_for
from spielwerk.wire.mnm.reading import (
    READERS,
    BoardError,
    MorrisReader,
    QuartoReader,
    read_morris,
    read_quarto,
)
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from spielwerk.games.morris.rules import MorrisState

START = [
    "CAPTURE 0",
    "PIECELIST 2,9",
    *(f"PIECE{player}.{piece} A" for player in (0, 1) for piece in range(9)),
    "ENDPIECELIST",
]
FIELD = ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 *", "ENDFIELD"]


@pytest.mark.parametrize("n", range(2, 17))
def test_every_quarto_position_comes_back(n: int) -> None:
    rng = Random(n)
    state = Quarto(n=n, begins=n % 2).start()
    field = QuartoField()
    while state.turn != NOBODY:
        if state.turn != CHANCE:
            read = QuartoReader(state.player).asked(field.asked(state))
            assert (str(read), read.turn) == (str(state), state.turn)
        state = state.play(random_move(state, rng))
    ended = QuartoReader(0).ended(field.ended(state, DIALECTS[1]))
    assert str(ended) == str(state)


@pytest.mark.parametrize(("seed", "dialect"), [(0, 1), (1, 2), (2, 3), (3, 1), (4, 2)])
def test_every_morris_position_comes_back_with_the_quiet_turns_counted(
    seed: int, dialect: int
) -> None:
    """Both players see every second turn only, and yet know the count exactly."""
    rng = Random(seed)
    state = Morris().start()
    pieces = MorrisPieces()
    readers = MorrisReader(0), MorrisReader(1)
    while state.turn != NOBODY:
        reader = readers[state.player]
        assert reader.asked(pieces.asked(state)) == state
        move = random_move(state, rng)
        pieces.played(state, move)
        reader.played(state.game.format_move(move))
        state = state.play(move)
    ended = cast("MorrisState", readers[0].ended(pieces.ended(state, DIALECTS[dialect])))
    assert (ended.board, ended.hand) == (state.board, state.hand)


def test_a_turn_given_at_once_counts_as_one() -> None:
    moves = [Morris().parse_move(text) for text in ["A0", "C0", "A1", "C5"]]
    state = Morris().start()
    for move in moves:
        state = state.play(move)
    pieces = cast("MorrisPieces", board_for(Morris(), moves))
    reader = MorrisReader(0)
    assert reader.asked(pieces.asked(state)) == state
    for text in ("A2", "C0", "C7"):
        decision = Morris().parse_move(text)
        pieces.played(state, decision)
        state = state.play(decision)
    reader.played("A2;C0")
    assert reader.asked(pieces.asked(state)) == state
    assert state.quiet == 1


def test_who_comes_in_the_middle_counts_from_what_is_certain() -> None:
    before = "01....../......../........ hand 8 8 player 0 capture 0 quiet 2"
    lines = _lines_of(Morris().parse_state(before))
    assert cast("MorrisState", MorrisReader(0).asked(lines)).quiet == 2
    captured = "0......./......../........ hand 7 7 player 0 capture 0 quiet 30"
    after = Morris().parse_state(captured)
    assert cast("MorrisState", MorrisReader(0).asked(_lines_of(after))).quiet == 0


def test_the_count_never_ends_a_game_that_goes_on() -> None:
    """A server may count otherwise; who is asked to move can move."""
    text = "01010101/......0./......1. hand 0 0 player 0 capture 0 quiet 49"
    reader = MorrisReader(0)
    state = Morris().parse_state(text)
    lines = _lines_of(state)
    asked = cast("MorrisState", reader.asked(lines))
    for _ in range(60):
        move = asked.legal_moves()[0]
        reader.played(Morris().format_move(move))
        asked = cast("MorrisState", reader.asked(lines))
    assert asked.quiet == 49


def _lines_of(state: MorrisState) -> list[str]:
    """The position as the server would write it."""
    lines = []
    for player in (0, 1):
        on_board = zip(FIELDS, state.board, strict=True)
        places = [name for name, content in on_board if content == str(player)]
        places += ["A"] * state.hand[player]
        places += ["C"] * (9 - len(places))
        lines += [f"PIECE{player}.{number} {place}" for number, place in enumerate(places)]
    return [f"CAPTURE {state.capture}", "PIECELIST 2,9", *lines, "ENDPIECELIST"]


def test_not_more_captures_than_stones_are_due() -> None:
    text = "000...../......../.......1 hand 6 7 player 0 capture 1 quiet 0"
    lines = _lines_of(Morris().parse_state(text))
    asked = MorrisReader(0).asked(["CAPTURE 2", *lines[1:]])
    assert cast("MorrisState", asked).capture == 1


def test_a_game_may_end_in_the_middle() -> None:
    ended = QuartoReader(1).ended(FIELD[1:])
    assert str(ended) == "* 3 / 0 * next -"
    text = "0......./......../........ hand 8 9 player 1 capture 0 quiet 1"
    state = MorrisReader(0).ended(_lines_of(Morris().parse_state(text)))
    assert cast("MorrisState", state).hand == (8, 9)


def test_single_positions_can_be_read_without_a_reader() -> None:
    assert str(read_quarto(FIELD[1:], 1, 1)) == "* 3 / 0 * next 1"
    assert read_quarto(FIELD[1:], 1, 1).turn == 1
    assert read_morris(START[1:], 0, 0) == Morris().start()


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["NEXT 1"],
        FIELD[:-1],
        FIELD[1:],
        ["NEXT -1", *FIELD[1:]],
        ["NEXT 4", *FIELD[1:]],
        ["NEXT 3", *FIELD[1:]],
        ["NEXT 99999999999", *FIELD[1:]],
        ["NEXT 1", "FIELD 2,3", *FIELD[2:]],
        ["NEXT 1", "FIELD 9,9", *FIELD[2:]],
        ["NEXT 1", "FIELD 1,1", "1 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2 , 2", *FIELD[2:]],
        ["NEXT 1", "FIELD 2,2", "1 0 *", "2 * 3", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 * *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 3 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 x *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 7 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1  0 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 ٣ *", "ENDFIELD"],
        ["NEXT 2", "FIELD 2,2", "2 1 3", "1 0 *", "ENDFIELD"],  # won already
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 *", "1 0 *", "ENDFIELD"],
    ],
)
def test_lines_that_are_no_quarto_position(lines: list[str]) -> None:
    with pytest.raises(BoardError):
        QuartoReader(0).asked(lines)


def _changed(line: int, text: str) -> list[str]:
    return [*START[:line], text, *START[line + 1 :]]


@pytest.mark.parametrize(
    "lines",
    [
        [],
        START[1:],
        START[:-1],
        START[:5] + START[6:],
        [*START[:5], START[4], *START[6:]],
        [*START[:-1], "PIECE0.0 A", "ENDPIECELIST"],
        _changed(0, "CAPTURE -1"),
        _changed(0, "CAPTURE 1"),
        _changed(0, "CAPTURE 9"),
        _changed(0, "CAPTURE 10"),
        _changed(1, "PIECELIST 3,9"),
        _changed(1, "PIECELIST 2,12"),
        _changed(2, "PIECE0.0 D1"),
        _changed(2, "PIECE0.0 A8"),
        _changed(2, "PIECE0.0 "),
        _changed(2, "PIECE2.0 A"),
        _changed(2, "PIECE0.9 A"),
        _changed(2, "PIECE 0.0 A"),
        _changed(2, "PIECE0.0 A1 "),
        _changed(2, "PIECE0.0 A1"),  # White is to move and has placed a stone more
        [*START[:2], "PIECE0.0 B2", *START[3:11], "PIECE1.0 B2", *START[12:]],
        [line.replace(" A", " C") for line in START],  # everything lost
    ],
)
def test_lines_that_are_no_morris_position(lines: list[str]) -> None:
    with pytest.raises(BoardError):
        MorrisReader(0).asked(lines)


def test_a_position_must_leave_the_decision_to_the_one_who_is_asked() -> None:
    with pytest.raises(BoardError):
        MorrisReader(1).asked(START)
    with pytest.raises(ValueError, match="7: there are players 0 and 1"):
        MorrisReader(7)


PIECES_OF_LINES = ["NEXT ", "FIELD ", "CAPTURE ", "PIECELIST 2,9", "PIECE0.", "PIECE1.", "ENDFIELD"]
PIECES_OF_LINES += ["ENDPIECELIST", "0", "1", "2", "2,2", "4,4", " ", "*", "A", "C", "B3", "-", "é"]
ODD_LINES = st.lists(st.lists(st.sampled_from(PIECES_OF_LINES), max_size=6).map("".join))


@given(st.sampled_from(sorted(READERS)), st.sampled_from([0, 1]), ODD_LINES | st.lists(st.text()))
def test_whatever_the_lines_are_there_is_a_position_or_a_board_error(
    kind: str, me: int, lines: list[str]
) -> None:
    for read in (READERS[kind](me).asked, READERS[kind](me).ended):
        _position_or_error(read, lines)


@given(st.data())
def test_a_change_in_a_good_position_gives_a_position_or_a_board_error(data: st.DataObject) -> None:
    kind, good = data.draw(st.sampled_from([("Quarto", FIELD), ("NMMorris", START)]))
    lines = list(good)
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at : at + data.draw(st.integers(0, 2))] = data.draw(ODD_LINES)
    for me in (0, 1):
        _position_or_error(READERS[kind](me).asked, lines)


def _position_or_error(read: Any, lines: list[str]) -> None:
    try:
        assert str(read(lines))
    except BoardError as error:
        assert str(error)
