"""Quarto on the game server: what is written comes back, everything else is refused."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.games import CHANCE, NOBODY
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.mnm import QuartoField, QuartoReader
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.words import DIALECTS, BoardError

FIELD = ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 *", "ENDFIELD"]


def test_a_position_as_recorded() -> None:
    state = Quarto().parse_state("* * 15 * / * * * * / 0 * * * / * * * * next 3")
    assert QuartoField().asked(state) == [
        "NEXT 3",
        "FIELD 4,4",
        "4 * * 15 *",
        "3 * * * *",
        "2 0 * * *",
        "1 * * * *",
        "ENDFIELD",
    ]


@pytest.mark.parametrize("n", [2, 3, 4, 9, 10, 16])
def test_every_position_comes_back(n: int) -> None:
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


def test_a_game_may_end_in_the_middle() -> None:
    assert str(QuartoReader(1).ended(FIELD[1:])) == "* 3 / 0 * next -"


@pytest.mark.parametrize(
    "lines",
    [
        [],
        FIELD[:-1],
        FIELD[1:],
        ["NEXT -1", *FIELD[1:]],
        ["NEXT 4", *FIELD[1:]],
        ["NEXT 3", *FIELD[1:]],
        ["NEXT 1", "FIELD 2,3", *FIELD[2:]],
        ["NEXT 1", "FIELD 9,9", *FIELD[2:]],
        ["NEXT 1", "FIELD 1,1", "1 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "1 0 *", "2 * 3", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 3 *", "ENDFIELD"],
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 x *", "ENDFIELD"],
        ["NEXT 2", "FIELD 2,2", "2 1 3", "1 0 *", "ENDFIELD"],  # won already
        ["NEXT 1", "FIELD 2,2", "2 * 3", "1 0 *", "1 0 *", "ENDFIELD"],
    ],
)
def test_lines_that_are_no_position(lines: list[str]) -> None:
    with pytest.raises(BoardError):
        QuartoReader(0).asked(lines)
