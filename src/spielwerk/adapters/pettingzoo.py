"""PettingZoo: every game as an AEC environment (`pip install 'spielwerk[adapters]'`).

    >>> from spielwerk.adapters.pettingzoo import env
    >>> game = env("quarto", n=4)
    >>> game.reset(seed=1)
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     over = termination or truncation
    ...     mask = observation["action_mask"]
    ...     game.step(None if over else game.action_space(agent).sample(mask))

An action is the place of a move in `game.unwrapped.texts`; `action_mask` tells which are legal, and
an illegal one raises IllegalMove with the rule. `observation` has the observer's seat, the player
who decides (both from 1, 0: the game is over), and the position as the `numbers.py` of the game
tells it. The seed decides what chance does. The winner is rewarded with 1, the others share -1.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from spielwerk.adapters.numbered import NumberedGame
from spielwerk.games import CHANCE, find_game


def env(name: str, render_mode: str | None = None, **options: int) -> Any:
    """The environment of a game with its options, guarded against wrong numbers and order."""
    environment = GameEnvironment(name, render_mode, **options)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(environment))


class GameEnvironment(AECEnv):
    """A game as an environment, for `env`."""

    def __init__(self, name: str, render_mode: str | None = None, **options: int) -> None:
        super().__init__()
        self.metadata = {"name": f"spielwerk_{name}", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._game = NumberedGame(find_game(name)(**options))
        self.texts = self._game.texts
        self.possible_agents = [f"player_{seat}" for seat in range(self._game.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = Random()
        self._state = self._game.game.start()
        size = len(self._game.observed(self._state, 0))
        self.action_spaces = {a: Discrete(len(self.texts)) for a in self.possible_agents}
        self.observation_spaces = {a: self._observations(size) for a in self.possible_agents}

    def _observations(self, size: int) -> Any:
        return Dict(
            observation=Box(0, self._game.highest, (size,), np.int32),
            action_mask=Box(0, 1, (len(self.texts),), np.int8),
        )

    def observation_space(self, agent: str) -> Any:
        """What an agent can see: numbers, and a mask over the actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All moves of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:  # noqa: ARG002
        """Begin a game; a seed decides all chance from here on."""
        if seed is not None:
            self._rng = Random(seed)
        self._state = self._game.game.start()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: Any) -> None:
        """Play the move of the agent whose turn it is, and what chance adds to it."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._state = self._state.play(self._game.move(self._state, action))
        self._cumulative_rewards[agent] = 0.0
        self._go_on()
        self._accumulate_rewards()

    def _go_on(self) -> None:
        """Let chance decide, then see who is next."""
        while self._state.turn == CHANCE:
            self._state = self._state.play(self._rng.choice(self._state.legal_moves()))
        if self._state.outcome is None:
            self.agent_selection = self.possible_agents[self._state.turn]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.agents, self._game.returns(self._state), strict=True))

    def observe(self, agent: str) -> dict[str, Any]:
        """What the agent sees; nothing is legal for those whose turn it is not."""
        seat = self._seats[agent]
        mask = np.zeros(len(self.texts), np.int8)
        if self._state.turn == seat:
            mask[self._game.legal(self._state)] = 1
        seen = np.array(self._game.observed(self._state, seat), np.int32)
        return {"observation": seen, "action_mask": mask}

    def render(self) -> str | None:
        """The position as text, if `render_mode` is "ansi"."""
        return str(self._state) if self.render_mode == "ansi" else None
