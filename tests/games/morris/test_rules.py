"""Nine Men's Morris: Morris sheet, 1.1 and 2.3, sentence by sentence, and docs/games.md."""

from __future__ import annotations

import pytest

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games.morris.rules import (
    BLOCKED,
    FIELDS,
    MILLS,
    NEIGHBOURS,
    QUIET,
    SEVENTH,
    Decision,
    Morris,
    MorrisState,
)

GAME = Morris()
START = GAME.start()


def board(white: str, black: str) -> str:
    """The squares with stones on the named fields."""
    content = ["."] * 24
    for player, names in enumerate((white, black)):
        for name in names.split():
            content[FIELDS.index(name)] = str(player)
    return "/".join("".join(content[i : i + 8]) for i in (0, 8, 16))


def position(
    white: str, black: str, *, player: int = 0, hand: str = "0 0", capture: int = 0, quiet: int = 0
) -> MorrisState:
    squares = board(white, black)
    return GAME.parse_state(
        f"{squares} hand {hand} player {player} capture {capture} quiet {quiet}"
    )


def played(state: MorrisState, turn: str) -> MorrisState:
    after = state.play_turn(GAME.parse_turn(turn))
    assert isinstance(after, MorrisState)
    return after


def refused(state: MorrisState, turn: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        played(state, turn)
    return caught.value.rule


def legal(state: MorrisState) -> set[str]:
    return {GAME.format_move(move) for move in state.legal_moves()}


FIVE = "A0 A2 A4 C0 C2"
"""Five stones without any mill, for a player who is to have more than three."""


# "Das Spielbrett besteht aus 24 Knoten ... mit Kanten verbunden."


def test_the_board_has_24_fields_32_edges_and_16_mills() -> None:
    assert len(FIELDS) == 24
    assert sum(map(len, NEIGHBOURS)) == 2 * 32
    assert len(MILLS) == 16
    assert all(f in NEIGHBOURS[n] for f in range(24) for n in NEIGHBOURS[f])


def test_the_spokes_are_at_1_3_5_7_and_end_at_the_inner_square() -> None:
    def neighbours(name: str) -> set[str]:
        return {FIELDS[f] for f in NEIGHBOURS[FIELDS.index(name)]}

    assert neighbours("A0") == {"A1", "A7"}
    assert neighbours("A1") == {"A0", "A2", "B1"}
    assert neighbours("B3") == {"B2", "B4", "A3", "C3"}
    assert neighbours("C5") == {"C4", "C6", "B5"}


# "Jeder der zwei Spieler bekommt zu Beginn neun Spielsteine." "... weiss ... eroeffnet das Spiel"


def test_both_players_begin_with_nine_stones_in_hand_and_white_opens() -> None:
    assert (START.hand, START.turn, START.board) == ((9, 9), 0, "." * 24)
    state = played(played(START, "A0"), "B1")
    assert (state.hand, state.turn, state.quiet) == ((8, 8), 0, 2)


# "1. ... darf er einen dieser Steine auf ein beliebiges freies Feld legen."


def test_phase_1_a_stone_goes_to_any_free_field() -> None:
    state = played(START, "A0")
    assert legal(state) == {*FIELDS} - {"A0"}
    assert refused(state, "A0") == "Destination is already occupied"
    assert refused(state, "A1:A2") == "All stones must be placed before one may move"


# "2. ... mehr als drei der eigenen Steine ... auf einen seiner unmittelbaren freien Nachbarknoten"


def test_phase_2_a_stone_moves_to_a_free_neighbour() -> None:
    state = position("A0 A2 A4 B1", "C0 C2 C4 C6")
    assert legal(state) == {
        *("A0:A1", "A0:A7", "A2:A1", "A2:A3", "A4:A3", "A4:A5"),
        *("B1:A1", "B1:B0", "B1:B2", "B1:C1"),
    }
    assert refused(state, "A0:B1") == "Destination is already occupied"
    assert refused(state, "A0:A3") == "Destination is not next to the field to move from"
    assert refused(state, "A0") == "Destination is already occupied"
    assert refused(state, "A1") == "All stones are placed, one must be moved"
    assert refused(state, "C0:C1") == "There is no stone of yours on the field to move from"
    assert refused(state, "A5:A6") == "There is no stone of yours on the field to move from"


# "3. ... nur noch drei der eigenen Steine ... auf ein beliebiges anderes freies Feld springen."


def test_phase_3_three_stones_jump_anywhere() -> None:
    state = position("A0 A2 B4", FIVE.replace("A0 A2", "B0 B2"))
    assert legal(state) == {f"{a}:{b}" for a in ("A0", "A2", "B4") for b in free(state)}


def free(state: MorrisState) -> list[str]:
    return [name for name, content in zip(FIELDS, state.board, strict=True) if content == "."]


# "Z. B. ist A0-A1-A2 oder A1-B1-C1 eine Muehle, wohingegen A1-A2-A3 oder B1-C1-C5 keine ist."


@pytest.mark.parametrize(
    ("stones", "last", "is_mill"),
    [
        ("A0 A1", "A2", True),
        ("A1 B1", "C1", True),
        ("A6 A0", "A7", True),
        ("A1 A2", "A3", False),
        ("B1 C1", "C5", False),
    ],
)
def test_what_is_a_mill(stones: str, last: str, is_mill: bool) -> None:
    state = position(stones, "C2 B6", hand="7 7")
    after = played(state, last)
    assert (after.capture, after.turn) == ((1, 0) if is_mill else (0, 1))


# "Wer mit einem Zug eine Muehle schliesst darf einen beliebigen gesetzten Stein des Gegners
#  entfernen." "... unerheblich, ob die Steine des Gegners teil einer Muehle sind oder nicht."


def test_a_closed_mill_takes_any_stone_also_out_of_a_mill() -> None:
    state = played(position("A0 A1 C4", "B0 B1 B2", hand="6 6"), "A2")
    assert legal(state) == {"B0", "B1", "B2"}
    after = played(state, "B1")
    assert (after.turn, after.lost(1), after.board[FIELDS.index("B1")]) == (1, 1, ".")
    assert refused(state, "A0") == "There is no stone of the opponent to capture"
    assert refused(state, "C0") == "There is no stone of the opponent to capture"
    assert refused(state, "B1:C1") == "A stone must be captured first"


# "Wer mit einem Zug zwei Muehlen schliesst darf zwei beliebige gesetzte Steine des Gegners
#  schlagen."


def test_two_mills_closed_at_once_take_two_stones() -> None:
    state = played(position("A0 A1 A3 A4", "B0 B1 B2 B4", hand="5 5"), "A2")
    assert state.capture == 2
    after = played(state, "B0")
    assert (after.capture, after.turn) == (1, 0)
    assert played(after, "B4").turn == 1


def test_fewer_stones_than_asked_for_are_all_taken() -> None:
    state = GAME.parse_state(f"{board('A0 A1 A3 A4', 'B0')} hand 5 5 player 0 capture 0 quiet 0")
    assert played(state, "A2").capture == 1


def test_nothing_is_captured_from_an_empty_side_and_the_turn_counts_as_quiet() -> None:
    state = GAME.parse_state(f"{board('A0 A1', '')} hand 7 7 player 0 capture 0 quiet 3")
    after = played(state, "A2")
    assert (after.capture, after.turn, after.quiet) == (0, 1, 4)


# "Verloren hat, wem der siebte Stein vom Spielfeld genommen wird ..."


def test_the_seventh_lost_stone_loses() -> None:
    state = position("A0 A1 A3 C4", "B0 B4 C6")
    after = played(state, "A3:A2;B0")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (0, SEVENTH)
    assert after.lost(1) == 7


def test_the_seventh_lost_stone_ends_the_game_even_if_two_are_due() -> None:
    state = position("A0 A1 A3 A4", "B0 B4", hand="1 1")
    due = played(state, "A2")
    assert due.capture == 2
    after = played(due, "B0")
    assert after.outcome is not None
    assert (after.outcome.winner, after.capture) == (0, 0)


# "... oder wer am Zug ist, aber keinen gueltigen Zug machen kann."


def test_who_cannot_move_loses() -> None:
    state = position("A1 A7 A3 A5 B1", "A0 A2 A4 A6", player=0)
    after = played(state, "B1:B0")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (0, BLOCKED)


# "Das Spiel endet unentschieden nach dem 50ten Zug ohne schlag." and docs/games.md


def test_the_fiftieth_turn_without_capture_is_a_draw() -> None:
    state = position("A0 A2 A4 B1", "C0 C2 C4 C6", quiet=48)
    assert played(state, "A0:A1").outcome is None
    after = played(played(state, "A0:A1"), "C0:C1")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (None, QUIET)


def test_a_capture_sets_the_count_to_zero_and_is_no_turn_of_its_own() -> None:
    state = position("A0 A1 A3 C4", "B0 B4 C6 C0", quiet=49)
    after = played(state, "A3:A2;B0")
    assert (after.outcome, after.quiet, after.turn) == (None, 0, 1)


def test_the_draw_comes_before_the_loss_of_a_player_who_cannot_move() -> None:
    state = position("A1 A7 A3 A5 B1", "A0 A2 A4 A6", quiet=49)
    after = played(state, "B1:B0")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (None, QUIET)


# Section 2.3: fields by name, ":" between origin and target, ";" between the moves of a turn.


def test_a_turn_can_be_given_at_once() -> None:
    state = position("A0 A1 A3 C4", "B0 B4 C6 C0")
    at_once = played(state, "A3:A2;B4")
    one_by_one = played(played(state, "A3:A2"), "B4")
    assert at_once == one_by_one


def test_what_is_left_over_of_a_turn_is_an_error_and_nothing_is_played() -> None:
    state = position("A0 A1 A3 C4", "B0 B4 C6 C0")
    rule = "The turn is over, this decision is left over"
    assert refused(state, "A3:A2;B4;C6") == rule
    assert refused(state, "A3:B3;B4") == rule
    assert refused(START, "A0;B0") == rule
    assert refused(position("A0 A1 A3 A4", "B0 B4", hand="1 1"), "A2;B0;B4") == rule


@pytest.mark.parametrize(
    "text", ["", "a1", "A8", "D1", "A1:", ":A1", "A1:A2:A3", "A1;", "A1 ", "A1\n", "A٣", "A1 :A2"]
)
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError):
        GAME.parse_turn(text)


@pytest.mark.parametrize("move", [Decision(24), Decision(-1), Decision(1, -24), Decision(1, 24)])
def test_moves_off_the_board_are_illegal(move: Decision) -> None:
    with pytest.raises(IllegalMove, match="Fields are A0 to C7"):
        position("A0 A2 A4 B1", "C0 C2 C4 C6").play(move)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("0......./......../........ hand 9 9 player 0 capture 0 quiet 0", "more than 9 stones"),
        ("0......./......../........ hand 8 8 player 1 capture 0 quiet 0", "place in turn"),
        ("0......./......../........ hand 8 9 player 0 capture 0 quiet 0", "place in turn"),
        ("000...../......../........ hand 6 7 player 0 capture 1 quiet 0", "nothing to capture"),
        ("00.....1/1......./........ hand 7 7 player 1 capture 1 quiet 0", "no mill that asks"),
        ("000...../11....../........ hand 6 7 player 0 capture 1 quiet 1", "sets the turns"),
        ("00000000/11......./........ hand 0 0 player 0 capture 0 quiet 0", "something like"),
        ("0000..../11....../........ hand 0 0 player 0 capture 0 quiet 0", "has lost and is to"),
        ("0000..../111...../........ hand 0 0 player 0 capture 0 quiet 51", "the 50th ends"),
        ("", "something like"),
    ],
)
def test_positions_that_cannot_be(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        GAME.parse_state(text)
    assert problem in str(caught.value)
