"""Openings: legal, different from each other, and never decided."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.games import CHANCE, NOBODY, Game, State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import TURNS, opening
from spielwerk.games.quarto.rules import Quarto
from tests.games.variants import VARIANTS, name_of


def states(game: Game[Any], moves: Iterable[str]) -> list[State[Any]]:
    """All states on the way; an illegal move raises."""
    passed = [game.start()]
    for move in moves:
        passed.append(passed[-1].play(game.parse_move(move)))
    return passed


def turns_in(passed: list[State[Any]]) -> int:
    """How often a player's turn began and was over."""
    deciders = [state.turn for state in passed if state.turn != CHANCE]
    return sum(before != after for before, after in pairwise(deciders))


@pytest.mark.parametrize("game", [g for g in VARIANTS if not g.throws_dice], ids=name_of)
@given(turns=st.integers(0, 12), seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_every_opening_is_legal_and_leaves_the_game_open(
    game: Game[Any], turns: int, seed: int
) -> None:
    passed = states(game, opening(game, turns, Random(seed)).moves)
    assert passed[-1].turn not in (CHANCE, NOBODY)
    assert turns_in(passed) <= turns


def test_a_turn_of_morris_has_its_captures_with_it() -> None:
    game = Morris()
    captures = 0
    for seed in range(200):
        passed = states(game, opening(game, 14, Random(seed)).moves)
        captures += sum(state.capture > 0 for state in passed)  # type: ignore[attr-defined]
        assert passed[-1].capture == 0  # type: ignore[attr-defined]
    assert captures > 10


def test_the_smallest_quarto_board_has_room_for_one_turn_and_no_more() -> None:
    lengths = {len(opening(Quarto(n=2), 4, Random(seed)).moves) for seed in range(100)}
    assert lengths == {1, 2}  # the first stone, and one turn if the next stone is its opposite


def test_without_turns_only_chance_decides() -> None:
    drawn = {opening(Quarto(), 0, Random(seed)).moves for seed in range(400)}
    assert drawn == {(str(stone),) for stone in range(16)}
    assert opening(Quarto(first=3), 0, Random(1)).moves == ()
    for game in (Morris(), Oware(), ConnectFour(), Dice()):
        assert opening(game, 0, Random(1)).moves == ()


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (Quarto(), "5 C3,4 B1,7 D3,11 B2,6"),
        (Morris(), "A5 C4 A2 C1"),
        (Oware(), "1 4 0 3"),
        (ConnectFour(), "1 4 0 3"),
    ],
    ids=str,
)
def test_a_seed_means_the_same_opening_in_every_version(game: Game[Any], moves: str) -> None:
    line = opening(game, TURNS, Random("7/0/opening"))
    assert " ".join(line.moves) == moves
    assert line.state == states(game, line.moves)[-1]


def test_known_openings_are_avoided_as_long_as_there_are_others() -> None:
    known: set[tuple[str, ...]] = set()
    for seed in range(6):
        known.add(opening(Oware(), 1, Random(seed), known).moves)
    assert known == {(str(house),) for house in range(6)}
    assert opening(Oware(), 1, Random(7), known).moves in known
    assert opening(Oware(), 0, Random(7), {()}).moves == ()
