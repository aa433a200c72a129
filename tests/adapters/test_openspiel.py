"""The games in OpenSpiel: its own tests pass, and its algorithms play.

It comes with the `adapters` extra; a machine that cannot have it skips this, continuous integration
does not.
"""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from spielwerk.games import BUILT_IN, CHANCE, find_game

in_ci = bool(os.environ.get("CI"))
pyspiel: Any = import_module("pyspiel") if in_ci else pytest.importorskip("pyspiel")
adapter: Any = import_module("spielwerk.adapters.openspiel")


def test_the_example_in_the_docstring_works() -> None:
    assert doctest.testmod(adapter).failed == 0


@pytest.mark.parametrize("name", BUILT_IN)
def test_open_spiels_own_simulation_passes(name: str) -> None:
    game = pyspiel.load_game(f"spielwerk_{name}")
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", BUILT_IN)
def test_open_spiel_plays_by_our_rules(name: str) -> None:
    rng = Random(1)
    ours = find_game(name)().start()
    theirs = pyspiel.load_game(f"spielwerk_{name}").new_initial_state()
    while not theirs.is_terminal():
        assert theirs.is_chance_node() == (ours.turn == CHANCE)
        legal = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
        moves = {ours.game.format_move(move): move for move in ours.legal_moves()}
        assert legal.keys() == moves.keys()
        text = rng.choice(sorted(legal))
        theirs.apply_action(legal[text])
        ours = ours.play(moves[text])
        assert str(theirs) == str(ours)
    assert ours.outcome
    assert sum(theirs.returns()) == 0
    if ours.outcome.winner is not None:
        assert theirs.returns()[ours.outcome.winner] == 1


def test_a_copy_goes_its_own_way() -> None:
    state = pyspiel.load_game("spielwerk_connect4(width=4,height=4)").new_initial_state()
    copy = state.clone()
    copy.apply_action(2)
    assert str(state) == "..../..../..../...."
    assert str(copy) == "..../..../..../..1."
    assert list(copy.observation_tensor(1))[:2] == [2, 2]


def test_options_are_parameters_and_minus_one_leaves_them_to_chance() -> None:
    drawn = pyspiel.load_game("spielwerk_quarto(n=2,first=-1)").new_initial_state()
    given = pyspiel.load_game("spielwerk_quarto(n=2,first=3)").new_initial_state()
    assert drawn.is_chance_node()
    assert drawn.chance_outcomes() == [(stone, 0.25) for stone in range(4)]
    assert str(given) == "* * / * * next 3"


def test_python_ends_well_afterwards() -> None:
    program = (
        "import pyspiel, spielwerk.adapters.openspiel as a; pyspiel.load_game(a.PREFIX + 'dice')"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_minimax_knows_that_two_rows_are_a_draw() -> None:
    minimax = import_module("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game("spielwerk_connect4(width=4,height=2)")
    value, _ = minimax.alpha_beta_search(game)
    assert value == 0


def test_tree_search_beats_chance() -> None:
    mcts = import_module("open_spiel.python.algorithms.mcts")
    game = pyspiel.load_game("spielwerk_connect4(width=4,height=4)")
    rng = np.random.RandomState(7)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    searcher = mcts.MCTSBot(game, 1.4, 60, evaluator, solve=True, random_state=rng)
    points = [_points(game, searcher, seat, rng) for seat in (0, 1) * 5]
    assert min(points) >= 0
    assert sum(points) >= 5


def _points(game: Any, bot: Any, seat: int, rng: Any) -> float:
    """What a bot wins against random moves."""
    state = game.new_initial_state()
    while not state.is_terminal():
        mine = state.current_player() == seat
        state.apply_action(bot.step(state) if mine else rng.choice(state.legal_actions()))
    return float(state.returns()[seat])
