"""The dice race: the dice sheet, sections "Das Spiel" and "Das Protokoll", and docs/games.md."""

from __future__ import annotations

import pytest

from spielwerk.errors import IllegalMove, NotationError, OptionError
from spielwerk.games import CHANCE, NOBODY
from spielwerk.games.dice.rules import REACHED, ROUNDS, THROWS, Choice, Dice, DiceState, Throw


def at(text: str, game: Dice | None = None) -> DiceState:
    return (game or Dice()).parse_state(text)


def played(state: DiceState, *moves: str) -> DiceState:
    for move in moves:
        state = state.play(state.game.parse_move(move))
    return state


def refused(state: DiceState, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        played(state, move)
    return caught.value.rule


START = Dice().start()


# "Jeweils 3 Bots spielen mit 2 Wuerfeln gegeneinander."


def test_three_players_throw_two_dice() -> None:
    assert Dice().players == 3
    state = played(START, "ROLL")
    assert state.turn == CHANCE
    assert list(state.legal_moves()) == list(THROWS)
    assert len(set(THROWS)) == 36


# "Die Augenzahl der Wuerfel wird zusammengezaehlt und immer solange zur eigenen Rundensumme
#  addiert, bis der Bot einen Pasch erwuerfelt."


def test_a_throw_adds_both_dice_to_the_points_of_the_turn() -> None:
    state = played(START, "ROLL", "4 5", "ROLL", "6 1")
    assert (state.points, state.saved, state.turn) == (16, (0, 0, 0), 0)


# "Mit einem Pasch endet fuer ihn die Runde und er verliert alle in dieser Runde erwuerfelten
#  Punkte."


@pytest.mark.parametrize("die", range(1, 7))
def test_a_double_ends_the_turn_and_loses_its_points(die: int) -> None:
    state = played(at("saved 20 0 0 points 9 turns 3 choose"), "ROLL", f"{die} {die}")
    assert str(state) == "saved 20 0 0 points 0 turns 4 choose"
    assert state.turn == 1


def test_a_double_does_not_win_though_it_would_reach_the_target() -> None:
    state = played(at("saved 140 0 0 points 8 turns 0 choose"), "ROLL", "6 6")
    assert (state.outcome, state.saved, state.turn) == (None, (140, 0, 0), 1)


# "Wuerfeln ... oder an den naechsten abgeben und die bisherig erspielten Punkte behalten"


def test_save_keeps_the_points_and_passes_the_dice_on() -> None:
    state = played(START, "ROLL", "4 5", "SAVE")
    assert (state.saved, state.points, state.turn) == ((9, 0, 0), 0, 1)


def test_save_without_a_throw_passes_the_turn() -> None:
    state = played(START, "SAVE")
    assert (state.saved, state.turn) == ((0, 0, 0), 1)


def test_the_player_chooses_before_every_throw() -> None:
    assert list(START.legal_moves()) == [Choice.ROLL, Choice.SAVE]
    assert refused(START, "4 5") == "The player has to choose ROLL or SAVE first"
    assert refused(played(START, "ROLL"), "SAVE") == "The dice have to be thrown first"
    with pytest.raises(IllegalMove, match="A die shows 1 to 6"):
        played(START, "ROLL").play(Throw(0, 7))


# "Wer so zuerst 150 Punkte oder mehr erkaempft hat, gewinnt!" A throw that reaches the target wins
# at once (docs/games.md).


def test_a_throw_that_reaches_the_target_wins_at_once() -> None:
    before = at("saved 100 145 0 points 40 turns 6 choose")
    assert played(before, "ROLL", "4 5").outcome is None
    state = played(before, "ROLL", "4 6")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (0, REACHED)
    assert state.turn == NOBODY


def test_the_winners_score_holds_the_winning_turns_points() -> None:
    """As in the document's session: BYE 203 0 145."""
    state = at("saved 145 4 0 points 192 turns 1 throw", Dice(target=200))
    after = played(state, "3 4")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.score) == (1, (145, 203, 0))


def test_the_target_is_an_option_older_courses_use_200() -> None:
    assert Dice().target == 150
    state = at("saved 149 0 0 points 0 turns 0 throw", Dice(target=200))
    assert played(state, "1 2").outcome is None
    with pytest.raises(OptionError, match="target=2"):
        Dice(target=2)


# "Weiters ist die Anzahl der Runden pro Spiel aus praktischen Gruenden auf 100 beschraenkt."


def test_after_100_rounds_the_game_ends_without_a_result() -> None:
    state = played(START, *["SAVE"] * 299)
    assert state.outcome is None
    state = played(state, "SAVE")
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.void) == (None, True)
    assert state.outcome.reason == ROUNDS
    assert "no result" in state.outcome.sentence(state.game.sides)


def test_the_last_turn_of_the_last_round_can_still_win() -> None:
    state = at("saved 0 0 149 points 0 turns 299 choose")
    after = played(state, "ROLL", "1 2")
    assert after.outcome is not None
    assert after.outcome.winner == 2


def test_the_order_of_play_goes_round_from_the_player_who_begins() -> None:
    state = Dice(begins=2).start()
    turns = []
    for _ in range(4):
        turns.append(state.turn)
        state = played(state, "SAVE")
    assert turns == [2, 0, 1, 2]


@pytest.mark.parametrize("text", ["", "roll", "ROLL ", "4  5", "45", "0 1", "1 7", "٣ 4", "SAVE\n"])
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Dice().parse_move(text)
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("saved 0 0 points 0 turns 0 choose", "something like"),
        ("saved 0 0 00 points 0 turns 0 choose", "leading zeros"),
        ("saved 0 150 0 points 0 turns 0 choose", "only the player whose turn it is"),
        ("saved 150 0 0 points 3 turns 0 choose", "the game is over"),
        ("saved 150 0 0 points 0 turns 0 throw", "the game is over"),
        ("saved 140 0 0 points 10 turns 0 choose", "the game is won"),
        ("saved 0 0 0 points 0 turns 301 choose", "only 100 rounds"),
        ("saved 150 0 0 points 0 turns 300 choose", "only 100 rounds"),
    ],
)
def test_positions_that_cannot_be(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        at(text)
    assert problem in str(caught.value)
