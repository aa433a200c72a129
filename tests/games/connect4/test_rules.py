"""Connect Four: the Connect Four protocol, section 4.5, and docs/games.md."""

from __future__ import annotations

import pytest

from spielwerk.errors import IllegalMove, NotationError, OptionError
from spielwerk.games.connect4.rules import (
    DIRECTIONS,
    FOUR,
    FULL,
    LARGEST_SIDE,
    ConnectFour,
    ConnectFourState,
    _line_at,
)

FLAT = ConnectFour()
SOLID = ConnectFour(width=7, height=6, depth=4)
CUBE = ConnectFour(width=4, height=4, depth=4)


def played(state: ConnectFourState, fields: str) -> ConnectFourState:
    for field in fields.split():
        state = state.play(int(field))
    return state


def refused(state: ConnectFourState, field: int) -> str:
    with pytest.raises(IllegalMove) as caught:
        state.play(field)
    return caught.value.rule


# "Spielbrett3D[k, i, j] = Spielbrett1D[k x B x H + i x B + j]"


def test_field_numbers_follow_the_formula() -> None:
    state = SOLID.start()
    expected = [k * 7 * 6 + j for k in range(4) for j in range(7)]
    assert list(state.legal_moves()) == expected
    after = played(state, "45")
    assert after.board[1 * 42 + 0 * 7 + 3] == "1"
    assert 45 + 7 in after.legal_moves()


def test_field_numbers_reach_t_times_b_times_h() -> None:
    assert SOLID.size == 4 * 7 * 6
    assert refused(SOLID.start(), 168) == "Fields are numbered 0 to 167"
    assert refused(SOLID.start(), -1) == "Fields are numbered 0 to 167"


# "T = 0 fuer ein zweidimensionales 4-Gewinnt-Spiel"; docs/games.md: depth 0 and 1 are the flat game


@pytest.mark.parametrize("depth", [0, 1])
def test_depth_0_and_1_are_the_flat_game_and_stay_as_given(depth: int) -> None:
    game = ConnectFour(depth=depth)
    assert (game.size, game.layers, game.depth) == (42, 1, depth)
    assert list(game.start().legal_moves()) == list(range(7))


# "Koordinaten mit der Hoehe h muessen vor Koordinaten der Hoehe h + 1 besetzt werden."


def test_gravity_acts_along_the_height() -> None:
    state = FLAT.start()
    assert refused(state, 10) == "The field below must be occupied first"
    assert played(state, "3 10").board[10] == "2"
    assert refused(played(state, "3"), 3) == "The field is already occupied"


def test_a_full_column_cannot_be_played() -> None:
    state = played(FLAT.start(), "0 7 14 21 28 35")
    assert list(state.legal_moves()) == [1, 2, 3, 4, 5, 6]
    assert refused(state, 35) == "The field is already occupied"


def test_in_the_solid_game_layers_do_not_grow_into_each_other() -> None:
    state = played(CUBE.start(), "0 4 8 12")
    assert 16 in state.legal_moves()
    assert refused(state, 12) == "The field is already occupied"
    assert len(state.legal_moves()) == 15


# Four in a line, in 4 (flat) or 13 (solid) directions


@pytest.mark.parametrize(
    "fields",
    ["0 7 1 8 2 9 3", "0 1 7 8 14 15 21", "0 1 8 2 9 3 16 10 17 6 24"],
)
def test_four_in_a_row_a_column_or_a_diagonal_win(fields: str) -> None:
    state = played(FLAT.start(), fields)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (0, FOUR)
    assert not state.legal_moves()


@pytest.mark.parametrize(("k", "i", "j"), DIRECTIONS)
def test_a_line_in_every_direction_of_the_cube_wins(k: int, i: int, j: int) -> None:
    cells = [[n * d if d >= 0 else 3 + n * d for d in (k, i, j)] for n in range(4)]
    fields = [c * 16 + b * 4 + a for c, b, a in cells]
    assert len(set(fields)) == 4
    four = "".join("1" if field in fields else "." for field in range(64))
    three = four[: fields[1]] + "2" + four[fields[1] + 1 :]
    assert all(_line_at(CUBE, four, field) for field in fields)
    assert not any(_line_at(CUBE, three, field) for field in fields)


def test_three_are_not_enough_and_lines_do_not_go_round_the_edge() -> None:
    state = played(FLAT.start(), "4 0 5 1 6 2 7")
    assert state.outcome is None


def test_either_player_can_begin() -> None:
    state = ConnectFour(begins=1).start()
    assert state.turn == 1
    assert played(state, "3").board[3] == "2"


def test_a_full_board_without_a_line_is_a_draw() -> None:
    game = ConnectFour(width=2, height=2)
    state = played(game.start(), "0 1 2 3")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (None, FULL)


def test_board_sizes_are_limited_by_the_setting() -> None:
    ConnectFour(width=LARGEST_SIDE, height=LARGEST_SIDE, depth=LARGEST_SIDE)
    for side in ("width", "height", "depth"):
        with pytest.raises(OptionError, match=f"{side}={LARGEST_SIDE + 1}"):
            ConnectFour(**{side: LARGEST_SIDE + 1})
    with pytest.raises(OptionError, match="width=0"):
        ConnectFour(width=0)


@pytest.mark.parametrize("text", ["", "-1", "1.0", "0x1", "01", " 1", "1\n", "٣", "1" * 30])
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError):
        FLAT.parse_move(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("..../..../..../1...", None),
        ("..../..../..../....", None),
        ("..../..../..../111.", "the players take turns"),
        ("..../..../..../2...", "the players take turns"),
        ("..../..../1.../....", "floats above a free field"),
        ("..../..../..../...", "expected 1 layers of 4 rows of 4"),
        ("..../..../....", "expected 1 layers of 4 rows of 4"),
        ("..../..../..../.... ..../..../..../....", "expected 1 layers of 4 rows of 4"),
        ("..../..../2222/1111", "the player to move has four"),
        ("1..2/1..2/1..2/1..2", "the player to move has four"),
        ("1.../1.../1.../1222", None),
        ("12.1/2112/2112/1221", "no single stone"),
        ("x", "expected rows of"),
        ("", "expected rows of"),
    ],
)
def test_positions_that_can_and_cannot_be(text: str, problem: str | None) -> None:
    game = ConnectFour(width=4, height=4)
    if problem is None:
        assert str(game.parse_state(text)) == text
        return
    with pytest.raises(NotationError) as caught:
        game.parse_state(text)
    assert problem in str(caught.value)
