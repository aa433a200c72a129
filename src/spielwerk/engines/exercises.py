"""Exercises: positions in which exactly one turn keeps what the position is worth, and the text
that has a set of them.

    Spielwerk exercises, version 1
    game: NAME
    option: n=4

    depth: 5
    keeps: win
    position: ...
    move: ...

What a turn is worth must be proven. `depth` is the difficulty: so far a search without tables must
look, and one that looks less far chooses another turn. `keeps` is `win`, `draw` or the chance to
win, in percent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines import find_engine
from spielwerk.engines.interface import Limits
from spielwerk.engines.review import review_of
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
NODES: Final = 300_000  # for a proof,
SEEN: Final = 100_000  # and for each depth of a search that finds out how far one must look
DEEPEST: Final = 20
CARELESS: Final = 0.35  # the share of random moves in the games that lead to exercises
SHALLOW: Final = 2  # the depth of the others
SHARE: Final = 5  # depths: one of them has a fifth of a set, as far as there are others
PATIENCE: Final = 10  # games in which another depth is looked for
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
    """One exercise of a careless game or several, of the rarest depth so far, then the deepest.

    `tell` hears how many games were played.
    """
    engine, plain = find_engine(game)(), find_engine(game).plain()
    engine.warm_up()
    known: set[State[Any]] = set()
    depths, last, found, waited = Counter[int](), "", list[Exercise](), 0
    for games in count(1):
        tell(games)
        found += _of_a_game(engine, plain, _careless(engine, game, rng))
        others = [one for one in found if one.move != last and one.state not in known]
        rarest = min(others, key=lambda one: (depths[one.depth], -one.depth), default=None)
        waited += 1
        if rarest and (SHARE * depths[rarest.depth] <= depths.total() or waited >= PATIENCE):
            known.add(rarest.state)
            depths[rarest.depth] += 1
            last = rarest.move  # where there are two moves, both are to be right now and then
            found, waited = [], 0
            yield rarest


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


def _of_a_game(
    engine: Engine[Any], plain: Engine[Any], states: Sequence[State[Any]]
) -> Iterator[Exercise]:
    """The exercises among the positions, from the last as far back as turns can be proven."""
    unproven = 0
    for state in reversed(states):
        turns = _turns(engine, state)
        unproven += turns is None
        if unproven == TRIES:
            return
        best = _only_right(engine, state, turns) if turns else None
        depth = _difficulty(plain, state, best[0]) if best else None
        if best and depth:
            turn, score = best
            written = ";".join(map(state.game.format_move, turn))
            yield Exercise(state, written, _keeps(engine, score), depth)


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


def _only_right(
    engine: Engine[Any], state: State[Any], turns: Mapping[tuple[Any, ...], Score]
) -> tuple[tuple[Any, ...], Score] | None:
    """The turn that keeps the value with its score, if a review would call all others mistakes."""
    best, *others = sorted(turns.items(), key=lambda item: -engine.chance(item[1]))
    mistake = min(review_of(state.game.name).grades.values())
    if others and engine.chance(best[1]) - engine.chance(others[0][1]) >= mistake:
        return best
    return None


def _keeps(engine: Engine[Any], score: Score) -> str:
    if score.result is None:
        return f"{100 * engine.chance(score):.1f} %"
    return ("draw", "win", "loss")[score.result]


def _difficulty(plain: Engine[Any], state: State[Any], turn: tuple[Any, ...]) -> int | None:
    """How far a search must look to choose the turn; None if it cannot look so far."""
    wrong = looked = 0
    for depth in range(1, DEEPEST + 1):
        found = plain.search(state, Limits(depth=depth, nodes=SEEN, seed=0))
        proven = found.score.result is not None
        if not proven and (found.nodes >= SEEN or found.depth < depth):
            break
        looked = depth
        if found.variation[: len(turn)] != turn:
            wrong = depth
        elif proven:
            break
    return wrong + 1 if wrong < looked else None


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
