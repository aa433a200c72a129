"""Exercises: positions in which exactly one turn keeps what the position is worth, and the text
that has a set of them.

    Spielwerk exercises, version 1
    game: NAME
    option: n=4

    depth: 5
    keeps: win
    position: ...
    move: ...

What a turn is worth must be proven. `depth` is the difficulty: a search that looks less far chooses
another turn. `keeps` is `win`, `draw` or the chance to win, in percent.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.interface import Limits
from spielwerk.errors import NotationError
from spielwerk.games import CHANCE, find_game
from spielwerk.games.interface import number
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from spielwerk.engines.interface import Engine, Score
    from spielwerk.games import Game, State

HEADER: Final = "Spielwerk exercises, version 1"
NODES: Final = 300_000  # for a proof, and for each depth of a search
DEEPEST: Final = 20
CARELESS: Final = 0.35  # the share of random moves in the games that lead to exercises
SHALLOW: Final = 2  # the depth of the others
CLEAR: Final = 0.02  # of the chance to win: so much better the turn must be,
OBVIOUS: Final = 0.1  # and where there are only chances not so much
TRIES: Final = 4  # positions of a game that cannot be proven, before which none is tried


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position, and the one turn that keeps its value."""

    state: State[Any]
    move: str
    keeps: str
    depth: int

    def to_text(self) -> str:
        """As it stands in a set."""
        told = {"depth": self.depth, "keeps": self.keeps, "position": self.state, "move": self.move}
        return "\n".join(f"{name}: {value}" for name, value in told.items())


# finding them


def find_exercises(
    game: Game[Any], rng: Random, tell: Callable[[int], None] = lambda _games: None
) -> Iterator[Exercise]:
    """The hardest exercise of each careless game; `tell` hears how many games were played."""
    engine = find_engine(game)()
    engine.warm_up()
    known: set[State[Any]] = set()
    last = ""
    for games in count(1):
        found = [one for one in _of_a_game(engine, game, rng) if one.move != last]
        hardest = max(found, key=lambda one: one.depth, default=None)
        if hardest and hardest.state not in known:
            known.add(hardest.state)
            last = hardest.move  # where there are two moves, both are to be right now and then
            yield hardest
        tell(games)


def _of_a_game(engine: Engine[Any], game: Game[Any], rng: Random) -> Iterator[Exercise]:
    """The exercises in a careless game, from its end as far back as turns can be proven."""
    unproven = 0
    for state in reversed(_careless(engine, game, rng)):
        turns = _turns(engine, state)
        unproven += turns is None
        if unproven == TRIES:
            return
        if turns and (exercise := _exercise(engine, state, turns)):
            yield exercise


def _careless(engine: Engine[Any], game: Game[Any], rng: Random) -> list[State[Any]]:
    """The positions of a game in which a turn begins."""
    state, states, before = game.start(), list[Any](), CHANCE
    while not state.outcome:
        if state.turn >= 0 and (state.turn != before or not game.long_turns):
            states.append(state)
        before = state.turn
        if state.turn < 0 or rng.random() < CARELESS:
            state = state.play(random_move(state, rng))
        else:
            limits = Limits(depth=SHALLOW, nodes=NODES, seed=rng.getrandbits(32))
            state = state.play(engine.search(state, limits).move)
    return states


def _exercise(
    engine: Engine[Any], state: State[Any], turns: Mapping[tuple[Any, ...], Score]
) -> Exercise | None:
    """The exercise that the position is, if exactly one turn keeps its value."""
    if len(turns) == 1:
        return None
    ordered = sorted(turns.items(), key=lambda item: -engine.chance(item[1]))
    (turn, best), (_, second) = ordered[:2]
    margin = engine.chance(best) - engine.chance(second)
    if margin < CLEAR or (best.result is None and margin > OBVIOUS):
        return None
    depth = _difficulty(state, turn[0])
    written = ";".join(map(state.game.format_move, turn))
    return Exercise(state, written, _keeps(engine, best), depth) if depth <= DEEPEST else None


def _turns(engine: Engine[Any], state: State[Any]) -> dict[tuple[Any, ...], Score] | None:
    """What every whole turn is worth; None if that cannot be proven."""
    scores = engine.analyse(state, Limits(nodes=NODES, seed=0))
    if len(scores) != len(state.legal_moves()):  # some stand for others
        return None
    whole: dict[tuple[Any, ...], Score] = {}
    for move, score in scores.items():
        after = state.play(move)
        rest = _turns(engine, after) if after.turn == state.turn else {(): score}
        if rest is None or not (score.exact or score.result is not None):
            return None
        whole |= {(move, *more): one for more, one in rest.items()}
    return whole


def _keeps(engine: Engine[Any], score: Score) -> str:
    if score.result is None:
        return f"{100 * engine.chance(score):.1f} %"
    return ("draw", "win", "loss")[score.result]


def _difficulty(state: State[Any], move: Any) -> int:
    """How far a search must look to choose the move, with an engine that knows nothing yet."""
    wrong = 0
    for depth in range(1, DEEPEST + 1):
        found = find_engine(state.game)().search(state, Limits(depth=depth, nodes=NODES, seed=0))
        if found.nodes >= NODES:  # it has not looked as far as that
            return DEEPEST + 1
        if found.move != move:
            wrong = depth
        elif found.score.exact or found.score.result is not None:
            break
    return wrong + 1


# as text


def to_text(game: Game[Any], exercises: Sequence[Exercise]) -> str:
    """The set, the easiest first."""
    head = [HEADER, f"game: {game.name}", *(f"option: {text}" for text in game.assignments())]
    ordered = sorted(exercises, key=lambda one: one.depth)
    return "\n\n".join(["\n".join(head), *(one.to_text() for one in ordered)]) + "\n"


def from_text(text: str) -> list[Exercise]:
    """Read a set back, or NotationError."""
    head, *blocks = text.replace("\r\n", "\n").strip().split("\n\n")
    title, *lines = head.split("\n")
    if title != HEADER:
        raise NotationError("set of exercises", title, f"the first line must be {HEADER!r}")
    pairs = [line.partition(": ")[::2] for line in lines]
    name = next((value for key, value in pairs if key == "game"), "")
    game = find_game(name).from_text(value for key, value in pairs if key == "option")
    return [_read(game, block) for block in blocks]


def _read(game: Game[Any], block: str) -> Exercise:
    told = dict(line.partition(": ")[::2] for line in block.split("\n"))
    depth = number(told.get("depth", ""))
    if depth is None or told.keys() != {"depth", "keeps", "position", "move"}:
        problem = "expected lines depth, keeps, position and move"
        raise NotationError("exercise", block, problem)
    state = game.parse_state(told["position"])
    state.play_turn(game.parse_turn(told["move"]))
    return Exercise(state, told["move"], told["keeps"], depth)
