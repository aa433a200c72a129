"""Oware: the Oware task, section 2 and every worked example of appendix A."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games.oware.rules import (
    MAJORITY_REACHED,
    NO_MOVE,
    REPETITION,
    Oware,
    OwareState,
    collected,
    format_board,
)
from spielwerk.games.playing import random_states

STANDARD = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"


def at(text: str) -> OwareState:
    return Oware().parse_state(text)


def played(state: OwareState, moves: str) -> OwareState:
    for house in moves:
        state = state.play(int(house))
    return state


def board(state: OwareState) -> str:
    return format_board(state.board)


def refused(state: OwareState, house: int) -> str:
    with pytest.raises(IllegalMove) as caught:
        state.play(house)
    return caught.value.rule


# 2.2, 2.4 and A.2


def test_a2_four_stones_in_every_house_and_a_begins() -> None:
    state = Oware().start()
    assert board(state) == STANDARD
    assert state.turn == 0


# 2.5.1 and A.3


def test_a3_sowing_from_house_4_and_the_answer_from_house_5() -> None:
    state = played(Oware().start(), "4")
    assert board(state) == "0 0 4 4 4 4 0 5 5 5 5 4 4 4"
    assert state.turn == 1
    state = played(state, "5")
    assert board(state) == "0 0 5 5 5 5 0 5 5 5 5 4 4 0"
    assert state.turn == 0


def test_an_empty_house_cannot_be_chosen() -> None:
    assert refused(played(Oware().start(), "44"), 4) == "The house is empty"


@pytest.mark.parametrize("house", [-1, 6, 100])
def test_there_are_six_houses(house: int) -> None:
    assert refused(Oware().start(), house) == "Houses are numbered 0 to 5"


# 2.5.1 and A.4


def test_a4_the_chosen_house_is_skipped_with_12_stones() -> None:
    state = played(at("0 0 1 2 12 1 4 4 4 4 6 0 6 4"), "2")
    assert board(state) == "0 0 2 3 0 3 5 5 5 5 7 1 7 5"
    assert state.turn == 1


def test_with_22_stones_the_origin_is_skipped_and_the_last_stones_can_be_won() -> None:
    state = played(at("0 0 22 0 0 0 0 0 26 0 0 0 0 0"), "0")
    assert board(state) == "10 0 0 2 2 2 2 2 28 0 0 0 0 0"


def test_with_23_stones_every_other_house_gets_two_and_the_next_one_three() -> None:
    assert board(played(at("0 0 23 0 0 0 0 0 25 0 0 0 0 0"), "0")) == "0 0 0 3 2 2 2 2 27 2 2 2 2 2"


# 2.5.2 and A.5


def test_a5_the_starvation_rule_forbids_to_leave_the_opponent_without_stones() -> None:
    state = at("23 23 1 0 0 0 0 1 0 0 0 0 0 0")
    assert list(state.legal_moves()) == [5]
    assert refused(state, 0).startswith("Starvation rule")
    assert board(played(state, "5")) == "23 23 1 0 0 0 0 0 1 0 0 0 0 0"


# 2.5.3 and A.6


def test_a6_collecting_two_houses_until_one_does_not_fit() -> None:
    state = played(at("16 16 0 0 0 0 3 5 2 1 0 1 2 2"), "5")
    assert board(state) == "21 16 0 0 0 0 3 0 3 2 1 0 0 2"
    assert state.turn == 1


def test_a6_collecting_ends_at_the_own_side() -> None:
    state = played(at("16 16 0 0 0 0 3 5 2 1 0 1 2 2"), "4")
    assert board(state) == "21 16 0 0 0 0 0 6 0 0 0 1 2 2"


def test_nothing_is_collected_when_the_last_stone_falls_on_the_own_side() -> None:
    state = played(at("20 20 1 1 0 0 0 0 2 2 1 1 0 0"), "0")
    assert board(state) == "20 20 0 2 0 0 0 0 2 2 1 1 0 0"


# 2.5.4 and A.7


def test_a7_a_grand_slam_leaves_all_stones_where_they_are() -> None:
    state = played(at("17 18 1 0 0 0 0 5 1 2 1 2 1 0"), "5")
    assert board(state) == "17 18 1 0 0 0 0 0 2 3 2 3 2 0"
    assert state.turn == 1


# 2.6 and A.8 to A.10


def test_a8_e1_a_majority_ends_the_game() -> None:
    state = played(at("13 21 1 0 0 0 0 4 2 2 2 2 0 1"), "5")
    assert board(state) == "25 21 1 0 0 0 0 0 0 0 0 0 0 1"
    assert state.outcome is not None
    assert state.outcome.reason == MAJORITY_REACHED
    assert (state.outcome.winner, state.outcome.score) == (0, (26, 22))
    assert format_board(collected(state.board)) == "26 22 0 0 0 0 0 0 0 0 0 0 0 0"


def test_a9_e2_who_cannot_move_ends_the_game() -> None:
    state = at("22 22 0 0 0 0 0 0 0 1 1 1 1 0 player B")
    assert state.outcome is not None
    assert state.outcome.reason == NO_MOVE
    assert (state.outcome.winner, state.outcome.score) == (1, (22, 26))


def test_a10_e3_a_repetition_ends_the_game() -> None:
    state = at("23 23 1 0 0 0 0 0 1 0 0 0 0 0")
    for house in "00112233445":
        state = played(state, house)
        assert state.outcome is None
    state = played(state, "5")
    assert board(state) == "23 23 1 0 0 0 0 0 1 0 0 0 0 0"
    assert state.outcome is not None
    assert state.outcome.reason == REPETITION
    assert (state.outcome.winner, state.outcome.score) == (None, (24, 24))


def test_e3_the_same_board_before_the_other_player_is_no_repetition() -> None:
    """One board twice on the way, first with A and then with B to move: the game goes on."""
    crossings = 0
    for seed in range(200):
        seen: list[tuple[int, tuple[int, ...]]] = []
        for state in random_states(at("21 21 2 1 0 0 0 0 2 1 0 0 0 0"), Random(seed)):
            assert isinstance(state, OwareState)
            crossings += (1 - state.player, state.board) in seen and not state.outcome
            repeated = (state.player, state.board) in seen
            assert not repeated or state.outcome
            seen.append((state.player, state.board))
    assert crossings


def test_e3_what_was_before_a_capture_is_forgotten_because_it_cannot_come_back() -> None:
    state = played(at("16 16 0 0 0 0 3 5 2 1 0 1 2 2"), "4")
    assert (state.seen, state.moves) == ((), "")
    assert str(state) == "21 16 0 0 0 0 0 6 0 0 0 1 2 2 player B"


def test_the_ends_are_tested_before_the_first_move_too() -> None:
    over = at("25 0 4 4 4 4 4 3 0 0 0 0 0 0")
    assert over.outcome is not None
    assert over.outcome.reason == MAJORITY_REACHED
    assert refused(over, 0) == "The game is over"


def test_a_draw_is_24_to_24() -> None:
    state = at("24 24 0 0 0 0 0 0 0 0 0 0 0 0")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.score) == (None, (24, 24))


# 5.2: any board of 14 numbers with the sum 48 is a starting board.


def test_a_position_remembers_the_moves_since_the_last_capture() -> None:
    state = played(Oware().start(), "33")
    assert str(state) == f"{STANDARD} moves 33"
    assert at(str(state)) == state


def test_states_with_different_memories_are_different() -> None:
    state = played(Oware().start(), "33")
    assert at(board(state)) != state
    assert at(board(state)).board == state.board


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0 0 4 4 4 4 4 4 4 4 4 4 4 5",
        "0 0 4 4 4 4 4 4 4 4 4 4 4",
        "0 0 4 4 4 4 4 4 4 4 4 4 4 4 0",
        "0  0 4 4 4 4 4 4 4 4 4 4 4 4",
        "00 0 4 4 4 4 4 4 4 4 4 4 4 4",
        " 0 0 4 4 4 4 4 4 4 4 4 4 4 4",
        "-1 1 4 4 4 4 4 4 4 4 4 4 4 4",
        "0 0 ٤ 4 4 4 4 4 4 4 4 4 4 4",
        f"{STANDARD}\r",
        f"{STANDARD} player A",
        f"{STANDARD} moves 6",
        f"{STANDARD} moves",
    ],
)
def test_texts_that_are_no_positions(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        at(text)
    assert caught.value.text == text


def test_a_position_with_an_impossible_move_says_which_rule() -> None:
    with pytest.raises(NotationError, match="move 4: The house is empty"):
        at(f"{STANDARD} moves 444")


@pytest.mark.parametrize("text", ["", "6", "00", "-1", "a", "1 ", "1\n", "٣"])
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError):
        Oware().parse_move(text)
