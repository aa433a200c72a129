"""All players' chances to win the race, quickly enough to be shown with every throw.

The chances follow from the solved race. On the first request a thread reads and evaluates it; until
then pages show none, so that nothing waits on the event loop.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from functools import cache, lru_cache
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, cast

from spielwerk.engines.analysis import Analysis, Engines, Interrupt, Judged, PositionJudge
from spielwerk.engines.interface import EngineError, Score
from spielwerk.engines.review import Look, Point, Review
from spielwerk.errors import SpielwerkError
from spielwerk.games.dice.engine import is_exact, missing_points
from spielwerk.games.dice.engine.policy import DEFAULT_TARGET, load_policy
from spielwerk.games.dice.rules import Choice, Dice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.games.dice.engine.policy import Chances, Policy
    from spielwerk.games.dice.rules import DiceState
    from spielwerk.games.interface import Game, State

log = logging.getLogger(__name__)


def reading(game: Dice) -> Future[Policy | None]:
    """What will be the solved race; the first to ask has a thread read it."""
    return _reading(max(game.target, DEFAULT_TARGET))  # one serves all smaller targets


@cache
def _reading(target: int) -> Future[Policy | None]:
    future: Future[Policy | None] = Future()
    work = Thread(target=lambda: future.set_result(_read(target)), name="chances", daemon=True)
    work.start()
    return future


def _read(target: int) -> Policy | None:
    """The race to this target with its chances, if it has been solved."""
    from spielwerk.engines.warm import compile_elsewhere  # brings the compiler along

    try:
        policy = load_policy(target)
        compile_elsewhere(Dice())
        _ = policy.values
    except SpielwerkError as error:
        log.info("no chances target=%d reason=%r", target, str(error))
    except Exception:
        log.exception("no chances target=%d", target)
    else:
        return policy
    return None


def chances(state: DiceState) -> Sequence[float] | None:
    """The chance of each player in the order of the table; None where it is not known."""
    if state.outcome:
        winner = state.outcome.winner
        return None if winner is None else [float(p == winner) for p in range(3)]
    if not is_exact(state):
        return None
    race = reading(state.game)
    policy = race.result() if race.done() else None
    return None if policy is None else _told(policy, state)


@lru_cache(maxsize=4096)
def _told(policy: Policy, state: DiceState) -> Chances:
    choose = policy.after_roll if state.throwing else policy.chances
    return _in_table_order(state, choose(missing_points(state), state.points))


def _in_table_order(state: DiceState, found: Chances) -> Chances:
    """Chances that begin with the player to decide, by the players' numbers instead."""
    first, second, third = (found[(number - state.player) % 3] for number in range(3))
    return first, second, third


class RaceJudge(PositionJudge):
    """Looks everything up in the solved race, whatever engine or level is asked for."""

    def prepare(self, game: Game[Any]) -> None:
        """Start reading the race: the page will show chances."""
        reading(cast("Dice", game))

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
        policy = reading(race.game).result()
        if policy is None:
            return Analysis(unit=unit, remarks=("the race to this target is not solved",))
        judged = _judged(policy, race)
        return Analysis(
            unit=unit,
            moves=tuple(judged),
            variation=(judged[0].move,),
            depth=1,
            nodes=len(judged),
            time=perf_counter() - began,
            facts=_facts(policy, race),
        )

    def hint(
        self,
        engines: Engines,  # noqa: ARG002
        player: str,  # noqa: ARG002
        state: State[Any],
        interrupt: Interrupt,  # noqa: ARG002
    ) -> str:
        """What to do, or EngineError if the race has not been solved."""
        race = cast("DiceState", state)
        policy = reading(race.game).result()
        if policy is None:
            raise EngineError(f"the race to {race.game.target} has not been solved")
        return _judged(policy, race)[0].move


class RaceReview(Review):
    """Looks the chances up: throws change them by luck, and decisions by what they cost."""

    grades: ClassVar = {"??": 0.05, "?": 0.02, "?!": 0.005}  # nothing here is an estimate

    def look(
        self,
        ply: int,
        engines: Engines,  # noqa: ARG002
        interrupt: Interrupt,  # noqa: ARG002
    ) -> Look | None:
        """The chances of all players, and the better decision."""
        race = cast("DiceState", self.states[ply])
        policy = reading(race.game).result()
        known = chances(race)
        if policy is None or known is None:
            return None
        better = _judged(policy, race)[0].move if race.turn >= 0 else ""
        return Look(Point(tuple(known), exact=True), better)


def _judged(policy: Policy, state: DiceState) -> list[Judged]:
    """Both decisions, the better first, with the chances of all."""
    judged = []
    for choice, after in ((Choice.ROLL, policy.after_roll), (Choice.SAVE, policy.after_save)):
        found = _in_table_order(state, after(missing_points(state), state.points))
        score = Score(found[state.player], is_exact(state))
        judged.append(Judged(choice.value, score, score.value, None, found))
    return sorted(judged, key=lambda one: -one.score.value)


def _facts(policy: Policy, state: DiceState) -> dict[str, int]:
    """From how many points in this turn saving is better."""
    missing = missing_points(state)
    held = (points for points in range(1, missing[0]) if not policy.roll(missing, points))
    first = next(held, None)
    return {} if first is None else {"hold": first}


JUDGE = RaceJudge()
REVIEW = RaceReview
