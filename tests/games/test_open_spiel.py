"""A second opinion from OpenSpiel, where it knows the game: Oware and Connect Four.

It comes with the `bench` extra; a machine that cannot have it skips this, continuous integration
does not.
"""

from __future__ import annotations

import os
import re
from importlib import import_module
from random import Random
from typing import Any

import pytest

from spielwerk.games import NOBODY
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.oware.rules import MAJORITY_REACHED, Oware

in_ci = bool(os.environ.get("CI"))
pyspiel: Any = import_module("pyspiel") if in_ci else pytest.importorskip("pyspiel")


def board_of(theirs: Any) -> tuple[int, ...]:
    """The 14 numbers of our board, from OpenSpiel's picture."""
    upper, scores, lower = (re.findall(r"\d+", line) for line in picture(theirs))
    a, b = (int(scores[3]), int(scores[1]))
    return (a, b, *map(int, lower), *map(int, reversed(upper)))


def picture(theirs: Any) -> tuple[str, str, str]:
    lines = str(theirs).splitlines()
    return lines[2], lines[0] + lines[5], lines[3]


@pytest.mark.parametrize("seed", range(60))
def test_oware_is_sown_and_collected_alike(seed: int) -> None:
    rng = Random(seed)
    ours, theirs = Oware().start(), pyspiel.load_game("oware").new_initial_state()
    while ours.turn != NOBODY and not theirs.is_terminal():
        assert list(ours.legal_moves()) == theirs.legal_actions()
        move = rng.choice(ours.legal_moves())
        ours = ours.play(move)
        theirs.apply_action(move)
        if ours.turn != NOBODY and not theirs.is_terminal():
            assert ours.board == board_of(theirs)
    if ours.outcome and ours.outcome.reason == MAJORITY_REACHED:
        assert theirs.is_terminal()
        assert theirs.returns()[ours.outcome.winner] == 1.0


@pytest.mark.parametrize("seed", range(60))
def test_connect_four_is_played_alike(seed: int) -> None:
    rng = Random(seed)
    ours, theirs = ConnectFour().start(), pyspiel.load_game("connect_four").new_initial_state()
    while ours.turn != NOBODY:
        assert not theirs.is_terminal()
        assert sorted(field % 7 for field in ours.legal_moves()) == theirs.legal_actions()
        field = rng.choice(ours.legal_moves())
        ours = ours.play(field)
        theirs.apply_action(field % 7)
    assert theirs.is_terminal()
    assert ours.outcome is not None
    expected = [0.0, 0.0] if ours.outcome.winner is None else [-1.0, -1.0]
    if ours.outcome.winner is not None:
        expected[ours.outcome.winner] = 1.0
    assert theirs.returns() == expected
