"""What the engines think of a position, put so that people can see it; `review` has whole games.

A `PositionJudge` says what every move is worth, and gives hints. The usual one asks the game's
engine; a game that knows better has a `JUDGE` in its `analysis.py`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.interface import Limits, Score, Stop, best_first
from spielwerk.engines.players import EnginePlayer, make_player
from spielwerk.games import find_kit, part_of

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine, Result
    from spielwerk.engines.players import Player
    from spielwerk.games import Game, State

KEPT: Final = 3  # engines that are kept ready; they hold large tables
SEARCHING: Final = 0.35  # of the time: for the line that is expected, after the best move
HINT: Final = 3.0  # seconds at most for a decision of a hint


class Interrupt:
    """Ends a piece of work whose parts have times of their own."""

    def __init__(self) -> None:
        self.raised = False
        self._part: Stop | None = None

    def part(self) -> Stop:
        """The flag for the next part: time may set it, and that ends only this part."""
        self._part = part = Stop()
        if self.raised:
            part.set()
        return part

    def set(self) -> None:
        """End the part that is being done, and let no other begin."""
        self.raised = True
        if self._part:
            self._part.set()


class Engines:
    """One thread's engines, warmed up, and players; the latest few of both."""

    def __init__(self) -> None:
        self._ready = lru_cache(KEPT)(_warm_engine)
        self._players = lru_cache(KEPT)(make_player)

    def of(self, game: Game[Any]) -> Engine[Any]:
        """The engine for the game; compiled in a process of its own if it never was."""
        return self._ready(game)

    def player(self, game: Game[Any], text: str) -> Player:
        """The player of that description."""
        self.of(game)  # compiles what was never compiled
        return self._players(text, game)


def _warm_engine(game: Game[Any]) -> Engine[Any]:
    from spielwerk.engines.warm import compile_elsewhere  # a server without engines is lighter

    compile_elsewhere(game)
    engine = find_engine(game)()
    engine.warm_up()
    return engine


@dataclass(frozen=True, slots=True)
class Judged:
    """A move and what it is worth."""

    move: str
    score: Score
    share: float  # the score as a bar, from -1 to 1
    gain: int | None = None  # stones that it collects, where games count them
    chances: tuple[float, ...] = ()  # of all players after it, where chance decides


@dataclass(frozen=True, slots=True)
class Analysis:
    """What was found out about a position; scores are for the player who decides there."""

    unit: str = ""
    moves: tuple[Judged, ...] = ()
    variation: tuple[str, ...] = ()
    depth: int = 0
    nodes: int = 0
    time: float = 0.0
    remarks: tuple[str, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)

    @property
    def proven(self) -> bool:
        """Whether more time could not make it better."""
        return all(judged.score.exact for judged in self.moves)


def share(score: Score, chance: float) -> float:
    """From -1, lost, to 1, won; what is proven the further out the sooner it comes."""
    if score.result is not None:
        far = 25 if score.plies is None else min(score.plies, 50)
        return score.result * (1 - far / 100)
    return 0.95 * (2 * chance - 1)


class PositionJudge:
    """Judges positions of a game with its engine."""

    def prepare(self, game: Game[Any]) -> None:
        """Load what pages of a new game will show, without waiting for it."""

    def analyse(
        self, engines: Engines, state: State[Any], seconds: float, interrupt: Interrupt
    ) -> Analysis:
        """Every legal move with its score, the best first, and the line that is expected."""
        if state.turn < 0:
            return Analysis()
        began = perf_counter()
        engine = engines.of(state.game)
        scores = _turns(engine, state, (1 - SEARCHING) * seconds, interrupt)
        best = next(iter(scores))
        found = _answer(engine, state.play_turn(best), SEARCHING * seconds, interrupt)
        answers = [state.game.format_move(move) for move in found.variation] if found else []
        judged = [
            self._judged(state, turn, score, share(score, engine.chance(score)))
            for turn, score in scores.items()
        ]
        return Analysis(
            unit=engine.unit,
            moves=tuple(judged),
            variation=(judged[0].move, *answers),
            depth=len(best) + (found.depth if found else 0),
            nodes=found.nodes if found else len(scores),
            time=perf_counter() - began,
            remarks=tuple(engine.remarks(state)),
        )

    def _judged(
        self, state: State[Any], turn: tuple[Any, ...], score: Score, length: float
    ) -> Judged:
        text = ";".join(map(state.game.format_move, turn))
        gain = getattr(part_of(state.game, "view"), "gain", None)
        collected = gain(state, turn[0]) if gain else None
        return Judged(text, score, length, collected)

    def hint(self, engines: Engines, player: str, state: State[Any], interrupt: Interrupt) -> str:
        """The whole turn that the player described so would play there."""
        chosen = engines.player(state.game, player)
        rng, mover, turn = random.Random(), state.turn, []
        while state.turn == mover:
            stop = (interrupt.part(),) if isinstance(chosen, EnginePlayer) else ()
            move = chosen.choose(state, rng, HINT, *stop)
            turn.append(state.game.format_move(move))
            state = state.play(move)
        return ";".join(turn)


@cache
def judge_of(game: str) -> PositionJudge:
    """The judge of a game by its name."""
    part = find_kit(game).part("analysis")
    judge: PositionJudge = part.JUDGE if part else PositionJudge()
    return judge


def _answer(
    engine: Engine[Any], state: State[Any], seconds: float, interrupt: Interrupt
) -> Result[Any] | None:
    """What is expected to follow."""
    if state.outcome:
        return None
    return engine.search(state, Limits(time=seconds, seed=0), interrupt.part())


def _turns(
    engine: Engine[Any], state: State[Any], seconds: float, interrupt: Interrupt
) -> dict[tuple[Any, ...], Score]:
    """The score of every whole turn; some turns have several decisions."""
    moves = state.legal_moves() if state.game.long_turns else ()
    more = [move for move in moves if state.play(move).turn == state.turn]
    first = seconds / 2 if more else seconds
    scores = engine.analyse(state, Limits(time=first, seed=0), interrupt.part())
    whole = {(move,): score for move, score in scores.items() if move not in more}
    for move in more:
        rest = _turns(engine, state.play(move), (seconds - first) / len(more), interrupt)
        whole |= {(move, *further): _earlier(score) for further, score in rest.items()}
    return best_first(whole.items())


def _earlier(score: Score) -> Score:
    """The score as it is one decision earlier."""
    plies = None if score.plies is None else score.plies + 1
    return Score(score.value, score.exact, score.result, plies)
