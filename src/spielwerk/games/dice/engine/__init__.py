"""The player of the dice race: it looks its decisions up in the solved game."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from spielwerk.engines.interface import (
    Engine,
    Level,
    Limits,
    Result,
    Score,
    best_first,
)
from spielwerk.errors import ChanceError
from spielwerk.games.dice.engine.policy import (
    DEFAULT_TARGET,
    check_target,
    hold_at,
    load_policy,
    require_solved,
)
from spielwerk.games.dice.rules import Choice, Dice, Move

if TYPE_CHECKING:
    from spielwerk.engines.interface import Stop
    from spielwerk.games.dice.engine.policy import Missing, Policy
    from spielwerk.games.dice.rules import DiceState
    from spielwerk.games.interface import Game, State

ROUNDS_ENOUGH: Final = 70
"""With so many left, fewer than 1 in 10**9 races to 200 or less are broken off without a winner."""

EQUAL: Final = 1e-12  # chances that differ by less are equal
UNKNOWN: Final = Score(math.nan)


class DiceEngine(Engine[Move]):
    """Plays the equilibrium of three; a score is the own chance to win if all go on like that.

    With `hold` it rolls until a turn has that many points, whatever the score; that needs no solved
    race, and its search does not say what the decision is worth. Every answer is looked up: limits
    of time, depth, nodes and threads do not matter, and there is nothing to stop.
    The solved race ends only with a winner, so scores count as exact as long as enough rounds are
    left.
    """

    game: ClassVar = "dice"
    unit: ClassVar = "chance to win"
    options: ClassVar = {"hold": range(1, 10_001)}
    levels: ClassVar = tuple(
        Level(Limits(), blur)
        for blur in (0.12, 0.08, 0.06, 0.05, 0.04, 0.03, 0.025, 0.02, 0.012, 0.0)
    )

    def __init__(self, hold: int | None = None) -> None:
        self._hold = hold

    @classmethod
    def plain(cls) -> DiceEngine:
        """One that looks some turns ahead instead of looking the race up."""
        from spielwerk.games.dice.engine.search import DiceSearch  # needs the compiler

        return DiceSearch()

    def require(self, game: Game[Move], level: Level) -> None:
        """Raise EngineError for a race that is not solved, or that has no chances to blur."""
        assert isinstance(game, Dice)  # noqa: S101 - players are made for their own game
        if self._hold is None:
            require_solved(game.target)
        elif level.blur:
            check_target(game.target)

    def warm_up(self) -> None:
        """Load the policy of the usual race, and compute the chances under it."""
        _ = self._policy(DEFAULT_TARGET).values

    def find_best(self, state: State[Move], limits: Limits, stop: Stop) -> Result[Move]:
        """The decision in equilibrium, or at the points to hold."""
        if self._hold is not None:
            rolls = cast("DiceState", state).points < self._hold
            held = Choice.ROLL if rolls else Choice.SAVE
            return Result(held, UNKNOWN, 1, 1, (held,))
        scores = self.judge_moves(state, limits, stop)
        best = max(score.value for score in scores.values())
        equal = [move for move, score in scores.items() if score.value >= best - EQUAL]
        move = random.Random(limits.seed).choice(equal)
        return Result(move, scores[move], 1, len(scores), (move,))

    def judge_moves(
        self,
        state: State[Move],
        limits: Limits,  # noqa: ARG002 - nothing takes time here
        stop: Stop,  # noqa: ARG002
    ) -> dict[Move, Score]:
        """The chances to win by rolling and by saving, the better first."""
        race = cast("DiceState", state)
        policy, missing = self._policy(race.game.target), missing_points(race)
        chances: dict[Move, float] = {
            Choice.ROLL: policy.after_roll(missing, race.points)[0],
            Choice.SAVE: policy.after_save(missing, race.points)[0],
        }
        exact = is_exact(race)
        return best_first((move, Score(chance, exact)) for move, chance in chances.items())

    def chance(self, score: Score) -> float:
        """The score itself."""
        return score.value

    def remarks(self, state: State[Move]) -> list[str]:
        """The chances of all three players."""
        race = cast("DiceState", state)
        chances = self._policy(race.game.target).chances(missing_points(race), race.points)
        words = (f"player {(race.player + seat) % 3} {chances[seat]:.4%}" for seat in range(3))
        return [f"chances to win: {', '.join(words)}"]

    def perft(self, state: State[Move], depth: int) -> int:
        """Raise ChanceError: decision sequences are counted in games without chance only."""
        del state, depth
        raise ChanceError("dice has chance decisions; perft counts games without chance")

    def _policy(self, target: int) -> Policy:
        return load_policy(target) if self._hold is None else hold_at(target, self._hold)


def missing_points(state: DiceState) -> Missing:
    """The points that the player to decide misses, the next and the one after."""
    saved, player = state.saved, state.player
    x, y, z = (state.game.target - saved[(player + seat) % 3] for seat in range(3))
    return x, y, z


def is_exact(state: DiceState) -> bool:
    """Whether the end of the rounds is too far away to matter; the policy knows no such end."""
    return state.game.rounds - state.turns // 3 >= ROUNDS_ENOUGH


def engine_for(_game: Game[Any]) -> type[DiceEngine]:
    """The one engine, whatever the options."""
    return DiceEngine
