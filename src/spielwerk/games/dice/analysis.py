"""All players' chances to win the race, quickly enough to be shown with every throw.

The chances follow from the shipped equilibrium. On the first request a thread reads and evaluates
it; until then there are none on the event loop, and other threads wait a moment.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import Future, wait
from functools import lru_cache
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from spielwerk.engines.analysis import (
    Analysis,
    Curve,
    Engines,
    Interrupt,
    Judged,
    Point,
    PositionJudge,
)
from spielwerk.engines.interface import EngineError, Score
from spielwerk.errors import SpielwerkError
from spielwerk.games.dice.engine import ROUNDS_ENOUGH
from spielwerk.games.dice.engine.policy import DEFAULT_TARGET, THROWS, load_policy
from spielwerk.games.dice.rules import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from spielwerk.games.dice.engine.policy import Policy
    from spielwerk.games.dice.rules import Dice, DiceState
    from spielwerk.games.interface import Game, State

log = logging.getLogger(__name__)

COSTLY: Final = 0.005  # chance to win, given away, is a blunder
PATIENCE: Final = 0.3  # seconds that other threads wait, from the beginning of the reading

_SHARES: Final = np.array([chance for _, chance in reversed(THROWS)], np.float32)  # 11 to 3 pips
_LEAST, _MOST = THROWS[0][0], THROWS[-1][0]


class Race:
    """A policy's chances, looked up; all that counts is how many points each player misses."""

    def __init__(self, policy: Policy) -> None:
        self._switches = policy.switches
        self._values = policy.values.astype(np.float32)  # half the memory, seven digits

    def after_save(self, missing: tuple[int, int, int], points: int) -> list[float]:
        """The chances of the player, the next and the one after if the player saves."""
        x, y, z = missing
        return _plain(self._passed(x - points, y, z))

    def after_roll(self, missing: tuple[int, int, int], points: int) -> list[float]:
        """The same if the player rolls now, and then goes on as the policy says."""
        x, y, z = missing
        lost = self._passed(x, y, z) / 6
        worth = np.zeros((x - points + _MOST, 3), np.float32)  # by points missing, _MOST - 1 ahead
        worth[:_MOST, 0] = 1.0  # reached, or passed
        for left in self._decisions(missing, points):
            row = left + _MOST - 1
            if left < x - points and not self._rolls(missing, left):
                worth[row] = self._passed(left, y, z)
            else:
                worth[row] = lost + _SHARES @ worth[row - _MOST : row - _LEAST + 1]
        return _plain(worth[-1])

    def now(self, missing: tuple[int, int, int], points: int) -> list[float]:
        """The same if the player does what the policy says."""
        rolls = self._rolls(missing, missing[0] - points)
        return (self.after_roll if rolls else self.after_save)(missing, points)

    def rolls(self, missing: tuple[int, int, int], points: int) -> bool:
        """Whether to roll with so many points in this turn."""
        return self._rolls(missing, missing[0] - points)

    def _rolls(self, missing: tuple[int, int, int], left: int) -> bool:
        switches = self._switches[:, missing[0], missing[1], missing[2]]
        return bool(np.count_nonzero(switches >= left) % 2 == 0)

    def _decisions(self, missing: tuple[int, int, int], points: int) -> list[int]:
        """What can be missing at a decision of this turn from now on, the least first."""
        first = missing[0] - points
        reached, waiting = {first}, [first]
        while waiting:
            left = waiting.pop()
            if left == first or self._rolls(missing, left):
                new = {left - pips for pips, _ in THROWS if left > pips} - reached
                reached |= new
                waiting += new
        return sorted(reached)

    def _passed(self, x: int, y: int, z: int) -> NDArray[np.float32]:
        """The chances, the player who has just had the turn first."""
        following: NDArray[np.float32] = np.roll(self._values[:, y, z, x], 1)
        return following


def _plain(array: NDArray[np.float32]) -> list[float]:
    return [float(chance) for chance in array]


class Races:
    """The policies at hand; one for all targets up to that of the usual race."""

    def __init__(self) -> None:
        self._races: dict[int, Future[Race | None]] = {}
        self._began: dict[int, float] = {}
        self._lock = threading.Lock()

    def prepare(self, game: Dice) -> None:
        """Start reading the race."""
        self._reading(game)

    def at_hand(self, game: Dice) -> Race | None:
        """The race, if it has been read."""
        reading = self._reading(game)
        return reading.result() if reading.done() else None

    def soon(self, game: Dice) -> Race | None:
        """The race, waited for, but only within the first moments of its being read."""
        reading = self._reading(game)
        left = self._began[_stored(game)] + PATIENCE - monotonic()
        wait([reading], timeout=max(0.0, left))
        return self.at_hand(game)

    def read(self, game: Dice) -> Race | None:
        """The race, waited for; None if its policy has not been solved."""
        return self._reading(game).result()

    def _reading(self, game: Dice) -> Future[Race | None]:
        """What will be the race; the first to ask has a thread read it."""
        target = _stored(game)
        with self._lock:
            if target not in self._races:
                self._races[target] = reading = Future[Race | None]()
                self._began[target] = monotonic()

                def read() -> None:
                    reading.set_result(_race(game, target))

                threading.Thread(target=read, name="chances", daemon=True).start()
            return self._races[target]


def _stored(game: Dice) -> int:
    """The target of the policy that has the game's positions."""
    return max(game.target, DEFAULT_TARGET)


def _race(game: Dice, target: int) -> Race | None:
    """The race to this target, if it has been solved."""
    from spielwerk.engines.warm import compile_elsewhere  # brings the compiler along

    try:
        policy = load_policy(target)
        compile_elsewhere(game)
        return Race(policy)
    except SpielwerkError as error:
        log.info("no chances target=%d reason=%r", target, str(error))
    except Exception:
        log.exception("no chances target=%d", target)
    return None


RACES: Final = Races()


def chances(state: DiceState) -> list[float] | None:
    """The chance of each player in the order of the table; None where it is not known."""
    if state.outcome:
        winner = state.outcome.winner
        return None if winner is None else [float(p == winner) for p in range(3)]
    if not _is_exact(state):
        return None
    race = RACES.at_hand(state.game) if _on_a_loop() else RACES.soon(state.game)
    return None if race is None else _told(race, state)


def _on_a_loop() -> bool:
    """Whether waiting would block the event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _is_exact(state: DiceState) -> bool:
    """Whether the end of the rounds is too far away to matter; the policy knows no such end."""
    return state.game.rounds - state.turns // 3 >= ROUNDS_ENOUGH


@lru_cache(maxsize=4096)
def _told(race: Race, state: DiceState) -> list[float]:
    choose = race.after_roll if state.throwing else race.now
    return _in_table_order(state, choose(_missing(state), state.points))


def _missing(state: DiceState) -> tuple[int, int, int]:
    """The points that the player to decide misses, the next and the one after."""
    target, saved, player = state.game.target, state.saved, state.player
    return (
        target - saved[player],
        target - saved[(player + 1) % 3],
        target - saved[(player + 2) % 3],
    )


def _in_table_order(state: DiceState, shares: list[float]) -> list[float]:
    """Chances that begin with the player to decide, by the players' numbers instead."""
    return [shares[(number - state.player) % 3] for number in range(3)]


class RaceJudge(PositionJudge):
    """Looks everything up in the solved race, whatever engine or level is asked for."""

    def prepare(self, game: Game[Any]) -> None:
        """Start reading the race: the page will show chances."""
        RACES.prepare(cast("Dice", game))

    def analyse(
        self,
        engines: Engines,  # noqa: ARG002
        state: State[Any],
        seconds: float,  # noqa: ARG002
        interrupt: Interrupt,  # noqa: ARG002
    ) -> Analysis:
        """Both decisions with the chances of all players."""
        if state.turn < 0:
            return Analysis()
        began, unit, race = perf_counter(), "chance to win", cast("DiceState", state)
        options = _options(race)
        if options is None:
            return Analysis(unit=unit, remarks=("the race to this target is not solved",))
        judged = [Judged(c.value, score, score.value, None, all_) for c, score, all_ in options]
        return Analysis(
            unit=unit,
            moves=tuple(judged),
            variation=(judged[0].move,),
            depth=1,
            nodes=len(options),
            time=perf_counter() - began,
            facts=_facts(race),
        )

    def hint(self, engines: Engines, player: str, state: State[Any]) -> str:  # noqa: ARG002
        """What to do, or EngineError if the race has not been solved."""
        race = cast("DiceState", state)
        options = _options(race)
        if options is None:
            raise EngineError(f"the race to {race.game.target} has not been solved")
        return options[0][0].value

    def curve(self, states: Sequence[State[Any]], moves: Sequence[Any]) -> Curve:
        """The chances of all players along the game."""
        return RaceCurve(states, moves)


class RaceCurve(Curve):
    """The chances of all players, and the decisions that cost too much of them."""

    def look(
        self,
        state: State[Any],
        ply: int,
        engines: Engines,  # noqa: ARG002
        seconds: float,  # noqa: ARG002
        interrupt: Interrupt,  # noqa: ARG002
    ) -> bool:
        """Look the position up."""
        race = cast("DiceState", state)
        RACES.read(race.game)
        known = chances(race)
        self.points[ply] = None if known is None else Point(tuple(known))
        if race.turn < 0 or known is None or ply >= len(self.moves):
            return True
        options = _options(race) or []
        played = [option for option in options if option[0] is self.moves[ply]]
        if played and options[0][1].value - played[0][1].value > COSTLY:
            self.blame(race, ply, options[0][0], options[0][1], played[0][1])
        return True


def _options(state: DiceState) -> list[tuple[Choice, Score, tuple[float, ...]]] | None:
    """Both decisions, the better first, with the chances of all; None if they are not known."""
    race = RACES.read(state.game)
    if race is None:
        return None
    options = []
    for choice, after in ((Choice.ROLL, race.after_roll), (Choice.SAVE, race.after_save)):
        own = _in_table_order(state, after(_missing(state), state.points))
        options.append((choice, Score(own[state.player], _is_exact(state)), tuple(own)))
    return sorted(options, key=lambda option: -option[1].value)


def _facts(state: DiceState) -> dict[str, int]:
    """From how many points in this turn saving is better."""
    race = RACES.read(state.game)
    lacking = _missing(state)
    held = (points for points in range(1, lacking[0]) if race and not race.rolls(lacking, points))
    first = next(held, None)
    return {} if first is None else {"hold": first}


JUDGE = RaceJudge()
