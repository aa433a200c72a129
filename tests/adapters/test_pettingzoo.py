"""The games in PettingZoo: its own tests pass, and what it shows is what the rules say.

It comes with the `adapters` extra; a machine that cannot have it skips this, continuous integration
does not.
"""

from __future__ import annotations

import doctest
import os
from importlib import import_module
from random import Random
from typing import Any

import pytest

from spielwerk.errors import IllegalMove
from spielwerk.games import BUILT_IN

if not os.environ.get("CI"):
    pytest.importorskip("pettingzoo")
testing: Any = import_module("pettingzoo.test")
adapter: Any = import_module("spielwerk.adapters.pettingzoo")


def test_the_example_in_the_docstring_works() -> None:
    assert doctest.testmod(adapter).failed == 0


@pytest.mark.filterwarnings(  # which PettingZoo's own games are spared by their names
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # as the game is over
)
@pytest.mark.parametrize("name", BUILT_IN)
def test_pettingzoos_own_tests_pass(name: str) -> None:
    testing.api_test(adapter.env(name), num_cycles=1000)
    testing.seed_test(lambda: adapter.env(name), num_cycles=500)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_ends_with_rewards_that_cancel_out(name: str) -> None:
    game = adapter.env(name)
    game.reset(seed=3)
    rng, rewards = Random(3), {}
    for agent in game.agent_iter():
        seen, reward, over, _, _ = game.last()
        assert seen["observation"][0] == game.possible_agents.index(agent) + 1
        legal = seen["action_mask"].nonzero()[0].tolist()
        assert bool(legal) != over
        if over:
            rewards[agent] = reward
        game.step(None if over else rng.choice(legal))
    assert set(rewards) == set(game.possible_agents)
    assert sum(rewards.values()) == 0


def test_the_seed_decides_what_chance_does() -> None:
    def first_stone(seed: int) -> int:
        game.reset(seed=seed)
        return int(game.last()[0]["observation"][-1])

    game = adapter.env("quarto")
    stones = [first_stone(seed) for seed in range(20)]
    assert stones == [first_stone(seed) for seed in range(20)]
    assert len(set(stones)) > 5


def test_an_action_is_a_move_of_the_list() -> None:
    game = adapter.env("connect4", width=4, height=4, begins=1, render_mode="ansi")
    game.reset()
    assert game.agent_selection == "player_1"
    game.step(game.unwrapped.texts.index("2"))
    assert game.render() == "..../..../..../..2."
    with pytest.raises(IllegalMove, match="The field is already occupied"):
        game.step(2)
    assert game.last()[0]["action_mask"].nonzero()[0].tolist() == [0, 1, 3, 6]
