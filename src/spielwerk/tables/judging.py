"""What the engines think of a position, put so that people can see it."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import starmap
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.interface import EngineError, Limits, Score, Stop, best_first
from spielwerk.engines.players import make_player
from spielwerk.games.dice.rules import Choice, DiceState
from spielwerk.games.morris.rules import MorrisState
from spielwerk.games.oware.rules import OwareState
from spielwerk.games.playing import play_turn
from spielwerk.tables.chances import RACES, in_table_order, is_exact, missing

if TYPE_CHECKING:
    from spielwerk.engines.interface import Engine, Result
    from spielwerk.engines.players import Player
    from spielwerk.games import Game, State

KEPT: Final = 3  # engines that are kept ready; they hold large tables
SEARCHING: Final = 0.35  # of the time: for the line that is expected, after the best move

SCALES: Final = {"stones": 3.0, "points": 60.0}
"""How much of an engine's unit is a clear advantage; 1 where it is not said."""


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
        self._ready: OrderedDict[Game[Any], Engine[Any]] = OrderedDict()
        self._players: OrderedDict[tuple[Game[Any], str], Player] = OrderedDict()

    def of(self, game: Game[Any]) -> Engine[Any]:
        """The engine for the game; compiled in a process of its own if it never was."""
        from spielwerk.engines.warm import compile_elsewhere  # a server without engines is lighter

        if game not in self._ready:
            compile_elsewhere(game)
            engine = find_engine(game)()
            engine.warm_up()
            self._ready[game] = engine
            if len(self._ready) > KEPT:
                self._ready.popitem(last=False)
        self._ready.move_to_end(game)
        return self._ready[game]

    def player(self, game: Game[Any], text: str) -> Player:
        """The player of that description."""
        key = (game, text)
        if key not in self._players:
            self.of(game)  # compiles what was never compiled
            self._players[key] = make_player(text, game)
            if len(self._players) > KEPT:
                self._players.popitem(last=False)
        self._players.move_to_end(key)
        return self._players[key]


@dataclass(frozen=True, slots=True)
class Judged:
    """A move and what it is worth."""

    move: str
    score: Score
    share: float  # the score for people who look at bars, from -1 to 1
    gain: int | None = None  # stones that it collects, in Oware
    chances: tuple[float, ...] = ()  # of everybody after it, in dice


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


def share(score: Score, unit: str) -> float:
    """From -1, lost, to 1, won; what is proven the further out the sooner it comes."""
    if score.result is not None:
        far = 25 if score.plies is None else min(score.plies, 50)
        return score.result * (1 - far / 100)
    return 0.95 * math.tanh(score.value / SCALES.get(unit, 1.0))


def analyse(engines: Engines, state: State[Any], seconds: float, interrupt: Interrupt) -> Analysis:
    """Every legal move with its score, the best first, and the line that is expected."""
    if state.turn < 0:
        return Analysis()
    began = perf_counter()
    if isinstance(state, DiceState):
        return _analyse_race(state, began)
    engine = engines.of(state.game)
    scores = _turns(engine, state, (1 - SEARCHING) * seconds, interrupt)
    best = next(iter(scores))
    found = _answer(engine, play_turn(state, best), SEARCHING * seconds, interrupt)
    answers = [state.game.format_move(move) for move in found.variation] if found else []
    judged = [_judged(state, turn, score, engine.unit) for turn, score in scores.items()]
    return Analysis(
        unit=engine.unit,
        moves=tuple(judged),
        variation=(judged[0].move, *answers),
        depth=len(best) + (found.depth if found else 0),
        nodes=found.nodes if found else len(scores),
        time=perf_counter() - began,
        remarks=tuple(engine.remarks(state)),
    )


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
    """The score of every whole turn; one in which stones are captured has several decisions."""
    moves = state.legal_moves() if isinstance(state, MorrisState) else ()
    more = [move for move in moves if state.play(move).turn == state.turn]
    first = seconds / 2 if more else seconds
    scores = engine.analyse(state, Limits(time=first, seed=0), interrupt.part())
    whole = {(move,): score for move, score in scores.items() if move not in more}
    for move in more:
        rest = _turns(engine, state.play(move), (seconds - first) / len(more), interrupt)
        whole |= {(move, *further): later(score) for further, score in rest.items()}
    return best_first(whole.items())


def later(score: Score) -> Score:
    """The score as it is one decision earlier."""
    plies = None if score.plies is None else score.plies + 1
    return Score(score.value, score.exact, score.result, plies)


def _judged(state: State[Any], turn: tuple[Any, ...], score: Score, unit: str) -> Judged:
    text = ";".join(map(state.game.format_move, turn))
    return Judged(text, score, share(score, unit), _gain(state, text))


def _gain(state: State[Any], text: str) -> int | None:
    if not isinstance(state, OwareState):
        return None
    after = state.play(state.game.parse_move(text))
    return after.board[state.player] - state.board[state.player]


# the dice race, in which everything is looked up


def _analyse_race(state: DiceState, began: float) -> Analysis:
    options = race_options(state)
    if options is None:
        return Analysis(unit="chance to win", remarks=("the race to this target is not solved",))
    judged = starmap(Judged, ((c.value, s, s.value, None, chances) for c, s, chances in options))
    return Analysis(
        unit="chance to win",
        moves=tuple(judged),
        variation=(options[0][0].value,),
        depth=1,
        nodes=len(options),
        time=perf_counter() - began,
        facts=_facts(state),
    )


def race_options(
    state: DiceState,
) -> list[tuple[Choice, Score, tuple[float, ...]]] | None:
    """Both decisions, the better first, with everybody's chances; None if they are not known."""
    race = RACES.read(state.game)
    if race is None:
        return None
    options = []
    for choice, after in ((Choice.ROLL, race.after_roll), (Choice.SAVE, race.after_save)):
        own = in_table_order(state, after(missing(state), state.points))
        options.append((choice, Score(own[state.player], is_exact(state)), tuple(own)))
    return sorted(options, key=lambda option: -option[1].value)


def best_choice(state: DiceState) -> str:
    """What to do, or EngineError if the race has not been solved."""
    options = race_options(state)
    if options is None:
        raise EngineError(f"the race to {state.game.target} has not been solved")
    return options[0][0].value


def _facts(state: DiceState) -> dict[str, int]:
    """From how many points in this turn saving is better."""
    race = RACES.read(state.game)
    lacking = missing(state)
    held = (points for points in range(1, lacking[0]) if race and not race.rolls(lacking, points))
    first = next(held, None)
    return {} if first is None else {"hold": first}
