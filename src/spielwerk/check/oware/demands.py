"""What the Oware task asks besides rules and protocol (3.13): time to answer, minimum strength."""

from __future__ import annotations

import asyncio
from statistics import median
from typing import TYPE_CHECKING, Final

from spielwerk.check.case import Case, Measurement, Wording
from spielwerk.check.oware.requests import DETAILS, drawing, plays
from spielwerk.check.texts import sentence
from spielwerk.check.visible import lines_of
from spielwerk.games.oware.rules import Oware
from spielwerk.wire.oware import STANDARD_BOARD

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from random import Random

    from spielwerk.check.oware.peer import OwareProbe
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


def cases(seed: int, *, strength: bool) -> Iterator[Case]:
    """The time is always measured; games take longer, and have to be asked for."""
    yield Case(
        "time/depths",
        Wording(
            "With strategy 0 and search depth 6 a move takes at most 30 seconds",
            "Mit Strategie 0 und Suchtiefe 6 dauert ein Zug höchstens 30 Sekunden",
        ),
        "3.13.3",
        _timing(seed),
        alone=True,
    )
    if strength:
        yield Case(
            "strength/reference",
            Wording(
                "As A with strategy 0 and depth 5 it beats the plain evaluation of 4.3 as B",
                "Als A mit Strategie 0 und Tiefe 5 gewinnt es gegen die einfache "
                "Stellungsbewertung aus Abschnitt 4.3 als B",
            ),
            "3.13.2, 4.3",
            _games(seed),
            alone=True,
        )


# time


def _timing(seed: int) -> Callable[[OwareProbe], Awaitable[None]]:
    histories = [_history(drawing(seed, f"time {plies}"), plies) for plies in PLIES]

    async def run(probe: OwareProbe) -> None:
        for depth in DEPTHS:
            times = await _times(probe, depth, histories)
            if times:
                _measure(probe, depth, times)
            if probe.faults:
                return

    return run


def _history(random: Random, plies: int) -> str:
    """Random moves that lead to a position with a choice."""
    while True:
        state, history = Oware().start(), ""
        while len(history) < plies and not state.outcome:
            move = random.choice(state.legal_moves())
            state, history = state.play(move), f"{history}{move}"
        if len(state.legal_moves()) >= CHOICE:
            return history


async def _times(probe: OwareProbe, depth: int, histories: list[str]) -> list[float]:
    """The seconds for each position, until they are enough or something is wrong."""
    times: list[float] = []
    for history in histories:
        request = plays(STANDARD_BOARD, history, depth=str(depth))
        seconds = (await probe.ask(request, patience=PATIENCE)).seconds
        slow = probe.faults and probe.faults[-1].kind == "silent"
        if slow:
            probe.faults.pop()
        elif probe.faults:
            return times
        times.append(seconds)
        if seconds > ALLOWED:
            kind = "too-slow" if depth == DEPTHS[-1] else "too-slow-before"
            values = {"depth": depth, "seconds": seconds, "allowed": ALLOWED}
            problem = sentence(__package__ or "", "problem", kind, values)
            probe.blame("too slow", problem, request, b"", timed=True)
            return times
        if sum(times) > ENOUGH:
            return times
    return times


def _measure(probe: OwareProbe, depth: int, times: list[float]) -> None:
    values = {
        "depth": depth,
        "positions": len(times),
        "median": round(median(times), 3),
        "longest": round(max(times), 3),
    }
    probe.measured.append(
        Measurement(sentence(__package__ or "", "measured", "time", values), values)
    )


# strength


def _games(seed: int) -> Callable[[OwareProbe], Awaitable[None]]:
    async def run(probe: OwareProbe) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        engine = await asyncio.to_thread(_reference)
        won: list[bool] = []
        for number in range(1, GAMES + 1):
            if won and loop.time() > began + LONG_ENOUGH:
                break
            random = drawing(seed, f"strength {number}") if number > 1 else None
            played = await _played(probe, engine, random)
            if played is None:
                return
            won.append(_tell(probe, number, *played))
        _judge(probe, won)

    return run


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
    probe: OwareProbe, engine: OwareEngine, random: Random | None
) -> tuple[OwareState, str] | None:
    """A game to its end and its moves, or None if an answer was wrong."""
    state, history = Oware().start(), ""
    while not state.outcome:
        if state.turn:
            move = await asyncio.to_thread(_reply, engine, state, random)
        else:
            request = plays(STANDARD_BOARD, history, depth=str(DEPTH))
            answer = await probe.ask(request, patience=PATIENCE)
            if probe.faults:
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


def _tell(probe: OwareProbe, number: int, state: OwareState, moves: str) -> bool:
    """Keep a game's result; whether it was won."""
    outcome = state.outcome
    assert outcome is not None  # noqa: S101
    result = "drawn" if outcome.winner is None else ("won", "lost")[outcome.winner]
    a, b = outcome.score
    values = {"game": number, "a": a, "b": b, "count": len(moves)}
    kind = f"{result}-{'first' if number == 1 else 'any'}"
    text = sentence(__package__ or "", "measured", kind, values)
    probe.measured.append(Measurement(text, values | {"result": result, "moves": moves}))
    return result == "won"


def _judge(probe: OwareProbe, won: list[bool]) -> None:
    """The reference server's choice between equal moves is not known: the majority decides."""
    if all(won):
        return
    values = {"won": sum(won), "games": len(won)}
    few = 2 * sum(won) <= len(won)
    kind = "too-weak" if few else "not-always"
    problem = sentence(__package__ or "", "problem", kind, values)
    probe.blame("too weak", problem, b"", b"", advice=not few)
