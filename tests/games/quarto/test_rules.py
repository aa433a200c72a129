"""Quarto: the Quarto sheet, section "Spielregeln", sentence by sentence, and docs/games.md."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.errors import IllegalMove, NotationError, OptionError
from spielwerk.games import CHANCE
from spielwerk.games.playing import random_states
from spielwerk.games.quarto.rules import (
    FULL,
    LINE,
    FirstStone,
    Placement,
    Quarto,
    QuartoState,
    attributes,
    lines,
)

NO_LINE = "* * 15 * / * * * * / 0 * * * / * * * * next 3"


def at(text: str, n: int = 4) -> QuartoState:
    return Quarto(n=n).parse_state(text)


def played(state: QuartoState, move: str) -> QuartoState:
    return state.play(state.game.parse_move(move))


def refused(state: QuartoState, move: str) -> str:
    with pytest.raises(IllegalMove) as caught:
        played(state, move)
    return caught.value.rule


# "Das Spielfeld ist quadratisch und ist n x n gross."


@pytest.mark.parametrize("n", range(2, 17))
def test_the_board_is_square_and_n_by_n(n: int) -> None:
    assert Quarto(n=n).start().board == (None,) * (n * n)


# "Es gibt n binaere Eigenschaften. Es gibt n^2 viele Steine."


@pytest.mark.parametrize(
    ("n", "count"), [(2, 2), (3, 4), (4, 4), (5, 5), (6, 6), *((n, n) for n in range(7, 17))]
)
def test_the_stones_have_n_attributes_or_as_many_as_it_takes(n: int, count: int) -> None:
    assert attributes(n) == count
    assert Quarto(n=n).start().supply() == list(range(n * n))


def test_from_seven_on_every_stone_lacks_an_attribute_so_every_full_line_wins() -> None:
    """The decided count of attributes exceeds the bits of the largest stone: a consequence."""
    for n in range(7, 17):
        rows = [" ".join("*" * n)] * (n - 1) + [" ".join(str(7 * i % (n * n)) for i in range(n))]
        assert at(f"{' / '.join(rows)} next -", n).outcome is not None


# "Zu Beginn ist das Spielfeld leer und der Gameserver waehlt den ersten Spieler sowie einen Stein."


def test_at_the_start_the_board_is_empty_and_chance_draws_a_stone() -> None:
    state = Quarto().start()
    assert state.turn == CHANCE
    assert list(state.legal_moves()) == [FirstStone(stone) for stone in range(16)]
    assert played(state, "7").stone == 7
    assert played(state, "7").turn == 0


def test_a_first_stone_that_the_board_does_not_have_is_refused() -> None:
    with pytest.raises(OptionError, match="the stones of this board are 0 to 8"):
        Quarto(n=3, first=9)


def test_nothing_can_be_placed_before_the_draw() -> None:
    assert refused(Quarto().start(), "A1,3") == "The first stone must be drawn first"
    assert refused(Quarto().start(), "16") == "There is no such stone"


# "... so muss er den ihm uebergebenen Stein auf ein freies Feld setzen und einen Stein auswaehlen,
#  welchen sein Gegenspieler im naechsten Zug setzen muss."


def test_the_stone_in_hand_goes_to_a_free_square_and_the_opponent_gets_the_chosen_one() -> None:
    state = played(at(NO_LINE), "B2,5")
    assert str(state) == "* * 15 * / * * * * / 0 3 * * / * * * * next 5"
    assert (at(NO_LINE).turn, state.turn) == (0, 1)


# "Es darf kein Stein ausgewaehlt werden, welcher schon auf dem Feld ist oder den der Spieler selbst
#  gerade setzen muss."


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        (Placement(14, 5), "Destination is already occupied"),
        (Placement(16, 5), "Destination is not on the board"),
        (Placement(-1, 5), "Destination is not on the board"),
        (Placement(5, None), "A stone must be handed to the opponent"),
        (Placement(5, 15), "The stone handed on is already on the board"),
        (Placement(5, 3), "The stone being placed cannot be handed on"),
        (Placement(5, 16), "There is no such stone"),
        (Placement(5, -1), "There is no such stone"),
        (FirstStone(5), "The first stone has been drawn already"),
    ],
)
def test_what_may_not_be_placed_or_handed_on(move: Placement | FirstStone, rule: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        at(NO_LINE).play(move)
    assert caught.value.rule == rule


def test_a_square_off_the_board_is_no_move() -> None:
    with pytest.raises(NotationError, match="the squares of this board are A1 to C3"):
        Quarto(n=3).parse_move("D1,0")


# "Letzteres entfaellt, sollten mit diesem Zug alle Felder besetzt sein."

ALMOST_FULL = "5 2 13 6 / 14 9 0 3 / 4 7 10 1 / 11 8 15 * next 12"


def test_the_last_move_hands_none() -> None:
    state = at(ALMOST_FULL)
    assert [state.game.format_move(move) for move in state.legal_moves()] == ["D1"]
    assert refused(state, "D1,3") == "No stone is left to be handed on"
    assert played(state, "D1").board.count(None) == 0


# "Gewonnen hat, wer den Stein gelegt hat, mit dem eine horizontale, vertikale oder diagonale Linie
#  von n Steinen vervollstaendigt wurde ... mindestens eine Eigenschaft bei allen identisch"


@pytest.mark.parametrize(
    ("position", "winning"),
    [
        ("* * * * / * * * * / * * * * / 1 3 5 * next 7", "D1,0"),
        ("8 * * * / 9 * * * / 10 * * * / * * * * next 12", "A1,0"),
        ("* * * 2 / * * 6 * / * 3 * * / * * * * next 7", "A1,0"),
        ("* * * * / * 4 * * / * * 5 * / * * * 6 next 7", "A4,0"),
        ("* * * * / * * * * / * * * * / 0 2 4 * next 6", "D1,1"),
    ],
    ids=["row", "column", "rising diagonal", "falling diagonal", "an attribute nobody has"],
)
def test_a_line_of_stones_that_share_an_attribute_wins(position: str, winning: str) -> None:
    state = at(position)
    outcome = played(state, winning).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (state.turn, LINE)


def test_a_full_line_that_shares_nothing_does_not_win() -> None:
    state = at("* * * * / * * * * / * * * * / 1 2 4 * next 8")
    assert played(state, "D1,0").outcome is None


def test_the_winner_is_who_placed_the_stone_also_as_second_player() -> None:
    state = Quarto(begins=1).parse_state("* * * * / * * * * / * * * * / 1 3 5 * next 7")
    assert state.turn == 0
    outcome = played(state, "D1,0").outcome
    assert outcome is not None
    assert outcome.winner == 0


def test_a_winning_move_may_omit_the_stone_and_is_the_same_with_it() -> None:
    state = at("* * * * / * * * * / * * * * / 1 3 5 * next 7")
    assert played(state, "D1") == played(state, "D1,0")
    assert played(state, "D1").outcome == played(state, "D1,0").outcome
    assert refused(state, "D1,5") == "The stone handed on is already on the board"
    assert state.game.parse_move("D1") not in state.legal_moves()


# "Gibt es nach einem Zug keine freien Felder mehr und ist das Spiel nicht gewonnen worden, so gilt
#  das Spiel als Unentschieden."


def test_a_full_board_without_a_line_is_a_draw() -> None:
    draws = [
        state
        for seed in range(40)
        for state in random_states(Quarto().start(), Random(seed))
        if state.outcome and state.outcome.winner is None
    ]
    assert draws, "no seed gives a draw"
    for state in draws:
        assert isinstance(state, QuartoState)
        assert state.outcome is not None
        assert state.outcome.reason == FULL
        assert None not in state.board
        assert not any(state.wins(line) for line in lines(4))


# Quarto sheet, 2.2 and 3: "+ 4 * * 15 *" means that C4 holds stone 15; a valid move is B4,3.


def test_columns_are_letters_from_the_left_and_rows_count_from_the_bottom() -> None:
    state = at(NO_LINE)
    assert state.board[3 * 4 + 2] == 15
    assert state.game.square_name(3 * 4 + 2) == "C4"
    assert state.game.parse_move("B4,3") == Placement(13, 3)


@pytest.mark.parametrize(
    "text", ["", "b4,3", "B4, 3", "B4,", "B0,3", "B5,3", "E1,3", "B4,03", "B4,3\n", "B4,٣", "44,3"]
)
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Quarto().parse_move(text)
    assert caught.value.text == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("* * * * / * * * * / * * * * next 0", "expected 4 rows of 4"),
        ("* * * * / * * * * / * * * * / * * * next 0", "expected 4 rows of 4"),
        ("* * * * / * * * * / * * * * / 1 1 * * next 0", "a stone occurs twice"),
        ("* * * * / * * * * / * * * * / 1 0 * * next 0", "a stone occurs twice"),
        ("* * * * / * * * * / * * * * / 16 * * * next 0", "the stones of this board are 0 to 15"),
        ("* * * * / * * * * / * * * * / * * * * next 16", "the stones of this board are 0 to 15"),
        ("* * * * / * * * * / * * * * / 1 * * * next -", "a stone must be in hand"),
        ("* * * * / * * * * / * * * * / 1 3 5 7 next 0", "the game is over, so no stone"),
        ("* * * * / * * * * / 0 2 4 6 / 1 3 5 7 next -", "no single stone can have completed"),
        ("* * * * / * * * * / * * * * / 01 * * * next 0", "a square is * or the number"),
        ("nonsense", "expected something like * * * *"),
        ("* * * * / * * * * / * * * * / 1 3 5 7 next 7", "the game is over, so no stone"),
    ],
)
def test_positions_that_cannot_be(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as caught:
        at(text)
    assert problem in str(caught.value)
