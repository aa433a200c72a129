"""Nine Men's Morris on the game server: numbered pieces, and what is read from their list."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.games import NOBODY
from spielwerk.games.morris.mnm import AVAILABLE, CAPTURED, MorrisPieces, MorrisReader
from spielwerk.games.morris.rules import FIELDS, STONES, Morris, MorrisState
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm.words import DIALECTS, BoardError, board_at, board_for, reader_for

START = [
    "CAPTURE 0",
    "PIECELIST 2,9",
    *(f"PIECE{player}.{piece} A" for player in (0, 1) for piece in range(9)),
    "ENDPIECELIST",
]


def played(*moves: str) -> tuple[MorrisPieces, MorrisState]:
    game = Morris()
    decisions = [game.parse_move(move) for move in moves]
    board, state = board_for(game, decisions), game.start()
    for decision in decisions:
        state = state.play(decision)
    assert isinstance(board, MorrisPieces)
    return board, state


def test_the_pieces_before_the_first_move() -> None:
    assert MorrisPieces().asked(Morris().start()) == START


def test_pieces_are_numbered_in_the_order_they_were_placed() -> None:
    board, _ = played("A1", "C7", "B2")
    assert board.places[0][:3] == ["A1", "B2", AVAILABLE]
    assert board.places[1][:2] == ["C7", AVAILABLE]


def test_a_captured_piece_keeps_its_number() -> None:
    board, state = played("A0", "B0", "A1", "B2", "A2", "B0")
    assert board.asked(state)[0] == "CAPTURE 0"
    assert board.places[1][:3] == [CAPTURED, "B2", AVAILABLE]


def test_how_many_captures_are_due_is_told() -> None:
    board, state = played("A0", "B0", "A1", "B2", "A2")
    assert board.asked(state)[0] == "CAPTURE 1"


def test_a_board_can_be_set_up_in_the_middle_and_follows_from_there() -> None:
    before = Morris().parse_state("01....../1......0/........ hand 5 5 player 0 capture 0 quiet 0")
    board = board_at(before)
    lines = board.asked(before)
    assert lines[2:11] == [
        *("PIECE0.0 C", "PIECE0.1 C", "PIECE0.2 A0", "PIECE0.3 B7"),
        *(f"PIECE0.{n} A" for n in range(4, 9)),
    ]
    assert MorrisReader(0).asked(lines) == before
    board.played(before, before.game.parse_move("C3"))
    assert "PIECE0.4 C3" in board.asked(before)


@pytest.mark.parametrize(("dialect", "first"), [(1, "CAPTURE 0"), (2, "PIECELIST 2,9")])
def test_only_the_documents_dialect_ends_with_captures(dialect: int, first: str) -> None:
    board, state = played("A0", "B0", "A1", "B2", "A2")
    assert board.ended(state, DIALECTS[dialect])[0] == first


@pytest.mark.parametrize(("seed", "dialect"), [(0, 1), (1, 2), (2, 3)])
def test_every_position_comes_back_with_the_quiet_turns_counted(seed: int, dialect: int) -> None:
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
    for player, stone in enumerate(STONES):
        on_board = [f for f, c in zip(FIELDS, state.board, strict=True) if c == stone]
        assert sorted(p for p in pieces.places[player] if len(p) == 2) == on_board
    ended = cast("MorrisState", readers[0].ended(pieces.ended(state, DIALECTS[dialect])))
    assert (ended.board, ended.hand) == (state.board, state.hand)


def test_a_turn_given_at_once_counts_as_one() -> None:
    pieces, state = played("A0", "C0", "A1", "C5")
    reader = MorrisReader(0)
    assert reader.asked(pieces.asked(state)) == state
    for text in ("A2", "C0", "C7"):
        decision = Morris().parse_move(text)
        pieces.played(state, decision)
        state = state.play(decision)
    reader.played("A2;C0")
    assert reader.asked(pieces.asked(state)) == state
    assert state.quiet == 1


def asked(text: str, reader: MorrisReader | None = None) -> MorrisState:
    """What is read of this position."""
    lines = _lines_of(Morris().parse_state(text))
    return cast("MorrisState", (reader or MorrisReader(0)).asked(lines))


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


def test_who_comes_in_the_middle_counts_from_what_is_certain() -> None:
    assert asked("01....../......../........ hand 8 8 player 0 capture 0 quiet 2").quiet == 2
    assert asked("0......./......../........ hand 7 7 player 0 capture 0 quiet 30").quiet == 0


def test_the_count_never_ends_a_game_that_goes_on() -> None:
    """A server may count otherwise; who is asked to move can move."""
    text = "01010101/......0./......1. hand 0 0 player 0 capture 0 quiet 49"
    reader = MorrisReader(0)
    state = asked(text, reader)
    for _ in range(60):
        reader.played(Morris().format_move(state.legal_moves()[0]))
        state = asked(text, reader)
    assert state.quiet == 49


def test_not_more_captures_than_stones_are_due() -> None:
    text = "000...../......../.......1 hand 6 7 player 0 capture 1 quiet 0"
    lines = _lines_of(Morris().parse_state(text))
    state = MorrisReader(0).asked(["CAPTURE 2", *lines[1:]])
    assert cast("MorrisState", state).capture == 1


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
        _changed(0, "CAPTURE 1"),
        _changed(0, "CAPTURE 10"),
        _changed(1, "PIECELIST 2,12"),
        _changed(2, "PIECE0.0 A8"),
        _changed(2, "PIECE2.0 A"),
        _changed(2, "PIECE0.0 A1"),  # White is to move and has placed a stone more
        [*START[:2], "PIECE0.0 B2", *START[3:11], "PIECE1.0 B2", *START[12:]],
        [line.replace(" A", " C") for line in START],  # everything lost
    ],
)
def test_lines_that_are_no_position(lines: list[str]) -> None:
    with pytest.raises(BoardError):
        MorrisReader(0).asked(lines)


def test_a_position_must_leave_the_decision_to_the_one_who_is_asked() -> None:
    with pytest.raises(BoardError):
        MorrisReader(1).asked(START)
    with pytest.raises(ValueError, match="7: there are players 0 and 1"):
        MorrisReader(7)


GOOD = {"NMMorris": START, "Quarto": ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 *", "ENDFIELD"]}
WORDS = ["NEXT ", "FIELD ", "CAPTURE ", "PIECELIST 2,9", "PIECE0.", "PIECE1.", "ENDFIELD"]
WORDS += ["ENDPIECELIST", "0", "1", "2", "2,2", "4,4", " ", "*", "A", "C", "B3", "-", "é"]
ODD_LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map("".join), max_size=4)


@given(st.data())
@settings(max_examples=60)
def test_a_change_in_a_good_position_of_any_game_gives_a_position_or_a_board_error(
    data: st.DataObject,
) -> None:
    kind = data.draw(st.sampled_from(sorted(GOOD)))
    lines = list(GOOD[kind])
    at = data.draw(st.integers(0, len(lines) - 1))
    lines[at : at + data.draw(st.integers(0, 2))] = data.draw(ODD_LINES)
    reader: Any = reader_for(kind, data.draw(st.sampled_from([0, 1])))
    for read in (reader.asked, reader.ended):
        try:
            assert str(read(lines))
        except BoardError as error:
            assert str(error)
