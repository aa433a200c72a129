"""OpenSpiel: every game as a game of `pyspiel` (`pip install 'spielwerk[adapters]'`).

    >>> import pyspiel
    >>> import spielwerk.adapters.openspiel
    >>> game = pyspiel.load_game("spielwerk_connect4(width=4,height=4)")
    >>> state = game.new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])
    >>> str(state), state.current_player()
    ('..../..../..../1...', 1)

The import registers them all, `spielwerk_` before their names; parameters are the games' options,
and -1 leaves one to chance that has no default. Actions, observations and returns are those of
`spielwerk.adapters.numbered`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from spielwerk.adapters.numbered import NumberedGame
from spielwerk.games import CHANCE, kits

if TYPE_CHECKING:
    from spielwerk.games import Game, State

PREFIX = "spielwerk_"
UNSET = -1


class SpielGame(pyspiel.Game):
    """A game with its options, as OpenSpiel wants it."""

    def __init__(self, kind: Any, rules: type[Game[Any]], params: dict[str, int]) -> None:
        options = {name: value for name, value in params.items() if value != UNSET}
        self.numbered = NumberedGame(rules(**options))
        players, chance = self.numbered.game.players, len(self.numbered.chance)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.numbered.moves),
            max_chance_outcomes=chance,
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.numbered.longest,
        )
        super().__init__(kind, info, params)

    def new_initial_state(self) -> SpielState:
        """The position before the first decision."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Who tells of positions: all are open, so only the memory of the past differs."""
        if iig_obs_type is not None and (
            iig_obs_type.perfect_recall or not iig_obs_type.public_info
        ):
            return IIGObserverForPublicInfoGame(iig_obs_type, params)
        return SpielObserver(self.numbered)


class Shared:
    """What copies of an OpenSpiel state share: it never changes."""

    def __init__(self, numbered: NumberedGame, state: State[Any]) -> None:
        self.numbered, self.state = numbered, state

    def __deepcopy__(self, memo: Any) -> Shared:
        return self


class SpielState(pyspiel.State):
    """A position that changes with every action."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.shared = Shared(game.numbered, game.numbered.game.start())

    @property
    def position(self) -> State[Any]:
        """The position as the rules see it."""
        return self.shared.state

    def current_player(self) -> int:
        """The player to decide, or what OpenSpiel calls chance and the end."""
        if self.position.outcome:
            return int(pyspiel.PlayerId.TERMINAL)
        chance = self.position.turn == CHANCE
        return int(pyspiel.PlayerId.CHANCE) if chance else self.position.turn

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - all decisions are open
        return self.shared.numbered.legal(self.position)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may do, all with equal probability."""
        actions = self.shared.numbered.legal(self.position)
        return [(action, 1 / len(actions)) for action in actions]

    def _apply_action(self, action: int) -> None:
        numbered = self.shared.numbered
        self.shared = Shared(numbered, self.position.play(numbered.move(self.position, action)))

    def _action_to_string(self, player: int, action: int) -> str:
        numbered = self.shared.numbered
        if player != pyspiel.PlayerId.CHANCE:
            return numbered.texts[action]
        return numbered.game.format_move(numbered.chance[action])

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """What each player has won."""
        return self.shared.numbered.returns(self.position)

    def __str__(self) -> str:
        return str(self.position)


class SpielObserver:
    """A position as numbers and as text."""

    def __init__(self, numbered: NumberedGame) -> None:
        self._numbered = numbered
        size = len(numbered.observed(numbered.game.start(), 0))
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Take over the position as the player sees it."""
        self.tensor[:] = self._numbered.observed(state.position, player)

    def string_from(self, state: SpielState, player: int) -> str:  # noqa: ARG002 - open to all
        """The position as text."""
        return str(state.position)


def _register(rules: type[Game[Any]]) -> None:
    game = rules()
    chance = pyspiel.GameType.ChanceMode
    by_chance = bool(NumberedGame(game).chance)
    kind = pyspiel.GameType(
        short_name=PREFIX + rules.name,
        long_name=rules.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if by_chance else chance.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            option.name: UNSET if option.default is None else option.default
            for option in rules.options()
        },
    )

    class RegisteredGame(SpielGame):  # no function: OpenSpiel would free it after Python's end
        """This game."""

        def __init__(self, params: dict[str, int] | None = None) -> None:
            super().__init__(kind, rules, params or {})

    pyspiel.register_game(kind, RegisteredGame)


for _kit in kits().values():
    if _kit.part("numbers"):
        _register(_kit.game)
