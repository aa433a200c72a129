"""What the Oware task asks besides rules and protocol (3.13): time to answer, minimum strength."""

from __future__ import annotations

import asyncio
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.case import Measurement
from spielwerk.check.oware.requests import DETAILS, drawing, plays
from spielwerk.check.oware.trial import script
from spielwerk.check.visible import lines_of
from spielwerk.games.oware.rules import Oware
from spielwerk.wire.oware import STANDARD_BOARD

if TYPE_CHECKING:
    from random import Random

    from spielwerk.check.oware.trial import OwareTrial
    from spielwerk.games.oware.engine import OwareEngine
    from spielwerk.games.oware.rules import OwareState

DEPTHS: Final = range(1, 7)
ALLOWED: Final = 30.0  # seconds for a move at the greatest of these depths
PATIENCE: Final = 35.0
PLIES: Final = (0, 6, 12, 18, 24)  # moves before each of the positions
CHOICE: Final = 4  # legal moves in each of them, at least
ENOUGH: Final = 10.0  # seconds for a depth, after which no other position is asked for

GAMES: Final = 5
DEPTH: Final = 5  # of both sides
LONG_ENOUGH: Final = 120.0  # seconds after which no other game is begun


# time


@script
async def _time_depths(trial: OwareTrial, seed: int) -> None:
    histories = [_history(drawing(seed, f"time {plies}"), plies) for plies in PLIES]
    for depth in DEPTHS:
        times = await _times(trial, depth, histories)
        if times:
            values: dict[str, Any] = {
                "depth": depth,
                "positions": len(times),
                "median": round(median(times), 3),
                "longest": round(max(times), 3),
            }
            trial.measured.append(Measurement(trial.told("measured", "time", **values), values))
        if trial.faults:
            return


def _history(random: Random, plies: int) -> str:
    """Random moves that lead to a position with a choice."""
    while True:
        state, history = Oware().start(), ""
        while len(history) < plies and not state.outcome:
            move = random.choice(state.legal_moves())
            state, history = state.play(move), f"{history}{move}"
        if len(state.legal_moves()) >= CHOICE:
            return history


async def _times(trial: OwareTrial, depth: int, histories: list[str]) -> list[float]:
    """The seconds for each position, until they are enough or something is wrong."""
    times: list[float] = []
    for history in histories:
        request = plays(STANDARD_BOARD, history, depth=str(depth))
        seconds = (await trial.ask(request, patience=PATIENCE)).seconds
        slow = trial.faults and trial.faults[-1].kind == "silent"
        if slow:
            trial.faults.pop()
        elif trial.faults:
            return times
        times.append(seconds)
        if seconds > ALLOWED:
            kind = "too-slow" if depth == DEPTHS[-1] else "too-slow-before"
            trial.blame(kind, depth=depth, seconds=seconds, allowed=ALLOWED, timed=True)
            return times
        if sum(times) > ENOUGH:
            return times
    return times


# strength


@script
async def _strength_reference(trial: OwareTrial, seed: int) -> None:
    began = trial.now
    engine = await asyncio.to_thread(_reference)
    won: list[bool] = []
    for number in range(1, GAMES + 1):
        if won and trial.now > began + LONG_ENOUGH:
            break
        random = drawing(seed, f"strength {number}") if number > 1 else None
        played = await _played(trial, engine, random)
        if played is None:
            return
        won.append(_tell(trial, number, *played))
    if not all(won):  # the reference server's choice between equal moves is not known
        few = 2 * sum(won) <= len(won)
        kind = "too-weak" if few else "not-always"
        trial.blame(kind, won=sum(won), games=len(won), advice=not few)


def _reference() -> OwareEngine:
    """Alpha-beta with the plain evaluation, ready to play."""
    from spielwerk.engines.warm import compile_elsewhere
    from spielwerk.games.oware.engine import OwareEngine
    from spielwerk.games.oware.engine.evaluation import SIMPLE, STRATEGIES

    compile_elsewhere(Oware())
    plain = next(
        number for number, strategy in enumerate(STRATEGIES) if strategy.judgement == SIMPLE
    )
    return OwareEngine(plain)


async def _played(
    trial: OwareTrial, engine: OwareEngine, random: Random | None
) -> tuple[OwareState, str] | None:
    """A game to its end and its moves, or None if an answer was wrong."""
    state, history = Oware().start(), ""
    while not state.outcome:
        if state.turn:
            move = await asyncio.to_thread(_reply, engine, state, random)
        else:
            request = plays(STANDARD_BOARD, history, depth=str(DEPTH))
            answer = await trial.ask(request, patience=PATIENCE)
            if trial.faults:
                return None
            move = int(lines_of(answer.received)[DETAILS])
        state, history = state.play(move), f"{history}{move}"
    return state, history


def _reply(engine: OwareEngine, state: OwareState, random: Random | None) -> int:
    """The best move; of equal ones the first, as the procedure of section 4.5 does, or any."""
    from spielwerk.engines.interface import Limits

    scores = engine.analyse(state, Limits(depth=DEPTH))
    best = max(score.value for score in scores.values())
    equal = sorted(house for house, score in scores.items() if score.value == best)
    return random.choice(equal) if random else equal[0]


def _tell(trial: OwareTrial, number: int, state: OwareState, moves: str) -> bool:
    """Keep a game's result; whether it was won."""
    outcome = state.outcome
    assert outcome is not None  # noqa: S101
    result = "drawn" if outcome.winner is None else ("won", "lost")[outcome.winner]
    a, b = outcome.score
    values: dict[str, Any] = {"game": number, "a": a, "b": b, "count": len(moves)}
    kind = f"{result}-{'first' if number == 1 else 'any'}"
    text = trial.told("measured", kind, **values)
    trial.measured.append(Measurement(text, values | {"result": result, "moves": moves}))
    return result == "won"
