"""Positions as lines."""

from __future__ import annotations

from random import Random

import pytest

from spielwerk.games.morris.rules import EACH, FIELDS, STONES, Morris, MorrisState
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm.boards import AVAILABLE, CAPTURED, MorrisPieces, QuartoField, board_for
from spielwerk.wire.mnm.words import DIALECTS


def test_quarto_as_recorded() -> None:
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


@pytest.mark.parametrize("n", range(2, 17))
def test_quarto_of_any_size(n: int) -> None:
    lines = QuartoField().ended(Quarto(n=n, first=1).start(), DIALECTS[1])
    assert lines[0] == f"FIELD {n},{n}"
    assert lines[1] == f"{n} {' '.join('*' * n)}"
    assert lines[n] == f"1 {' '.join('*' * n)}"
    assert lines[-1] == "ENDFIELD"
    assert len(lines) == n + 2


def test_the_pieces_before_the_first_move() -> None:
    lines = MorrisPieces().asked(Morris().start())
    assert lines[:3] == ["CAPTURE 0", "PIECELIST 2,9", "PIECE0.0 A"]
    assert lines[-2:] == ["PIECE1.8 A", "ENDPIECELIST"]
    assert len(lines) == 2 + 18 + 1


def played(*moves: str) -> tuple[MorrisPieces, MorrisState]:
    game = Morris()
    decisions = [game.parse_move(move) for move in moves]
    board, state = board_for(game, decisions), game.start()
    for decision in decisions:
        state = state.play(decision)
    assert isinstance(board, MorrisPieces)
    return board, state


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


@pytest.mark.parametrize(
    ("dialect", "first"), [(1, "CAPTURE 0"), (2, "PIECELIST 2,9"), (3, "PIECELIST 2,9")]
)
def test_only_the_documents_dialect_ends_with_captures(dialect: int, first: str) -> None:
    board, state = played("A0", "B0", "A1", "B2", "A2")
    assert board.ended(state, DIALECTS[dialect])[0] == first


@pytest.mark.parametrize("seed", range(20))
def test_the_pieces_are_where_the_rules_have_the_stones(seed: int) -> None:
    rng, game = Random(seed), Morris()
    board, state = MorrisPieces(), game.start()
    while state.outcome is None:
        move = random_move(state, rng)
        board.played(state, move)
        state = state.play(move)
        for player in (0, 1):
            places = board.places[player]
            on_board = [f for f, c in zip(FIELDS, state.board, strict=True) if c == STONES[player]]
            assert sorted(p for p in places if len(p) == 2) == on_board
            assert places.count(AVAILABLE) == state.hand[player]
            assert len(places) == EACH
