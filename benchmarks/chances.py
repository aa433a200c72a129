"""Winning chances: how much of each engine's unit wins three games of four.

Both sides of a game play at the same level, another one in every game. In some positions the engine
searches as a review does; what it cannot prove is compared with how the game ended. A draw is half
a win. The figure with the greatest likelihood is the engine's `clear_advantage`; `chances.txt` has
the figures that these functions gave.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from spielwerk.engines import find_engine
from spielwerk.engines.interface import Engine, Limits
from spielwerk.engines.players import make_player
from spielwerk.games import Game, State, find_game
from spielwerk.games.playing import random_move

GAMES = 300
LOOKS = 4  # positions of each game
LEVELS = range(3, 8)
NODES = 500_000  # for a look, at most: what more of them solve needs no chance
TRIED = [1.02**n for n in range(-400, 400)]  # advantages from 0.0004 to 2700
KINDS: Sequence[tuple[str, str, dict[str, Any]]] = (
    ("connect4, 8 x 7", "connect4", {"width": 8, "height": 7}),  # the usual board is solved
    ("connect4, 4 x 4 x 4", "connect4", {"width": 4, "height": 4, "depth": 4}),
    ("morris", "morris", {}),
    ("oware", "oware", {}),
    ("quarto", "quarto", {}),
    ("quarto, 5 x 5", "quarto", {"n": 5}),
)


class Look(NamedTuple):
    """What an engine thought of a position, and what came of it for who had to move: 0 to 1."""

    value: float
    came: float


def rows() -> Iterator[tuple[str, str]]:
    """The figure for each engine, and how well it foretells the games."""
    for name, game, options in KINDS:
        looks = [look for seed in range(GAMES) for look in played(find_game(game)(**options), seed)]
        found = fitted(looks)
        loss, blind = (likelihood(looks, one) / len(looks) for one in (found, math.inf))
        figure = f"{found:8.3g}   {len(looks)} positions, log loss {loss:.3f} (blind {blind:.3f})"
        yield name, figure
        for low, high, told, came, count in buckets(looks, found):
            share = f"told {told:4.0%}  came {came:4.0%}  {count:5} positions"
            yield f"    {low:4.0%} to {high:4.0%}", share


def played(game: Game[Any], seed: int) -> Iterator[Look]:
    """Some positions of a game that an engine plays against itself."""
    rng = random.Random(seed)
    player = make_player(f"level={rng.choice(LEVELS)}", game)
    state, seen = game.start(), []
    while not state.outcome:
        seen.append(state)
        chance = state.turn < 0 or len(seen) <= 3  # games begin differently
        state = state.play(random_move(state, rng) if chance else player.choose(state, rng))
    decisions = [one for one in seen if one.turn >= 0]
    engine = ready(find_engine(game))
    for one in rng.sample(decisions, min(LOOKS, len(decisions))):
        yield from looked(engine, one, state.outcome.winner)


def looked(engine: Engine[Any], state: State[Any], winner: int | None) -> Iterator[Look]:
    """The engine's value, if it is an estimate."""
    score = engine.search(state, Limits(nodes=min(engine.review_nodes, NODES), seed=0)).score
    if not score.exact:
        yield Look(score.value, 0.5 if winner is None else float(winner == state.turn))


@cache
def ready(kind: type[Engine[Any]]) -> Engine[Any]:
    """The engine; it is kept, for it holds large tables."""
    return kind()


def chance(value: float, advantage: float) -> float:
    """As `Engine.chance` has it."""
    return 1 / (1 + 3 ** max(-500.0, min(500.0, -value / advantage)))


def likelihood(looks: Sequence[Look], advantage: float) -> float:
    """The logarithm, with its sign turned: the smaller the better."""
    return -sum(
        came * math.log(max(told, 1e-9)) + (1 - came) * math.log(max(1 - told, 1e-9))
        for told, came in ((chance(look.value, advantage), look.came) for look in looks)
    )


def fitted(looks: Sequence[Look]) -> float:
    """The advantage that makes what came most likely."""
    return min(TRIED, key=lambda advantage: likelihood(looks, advantage))


def buckets(
    looks: Sequence[Look], advantage: float
) -> Iterator[tuple[float, float, float, float, int]]:
    """From each fifth of the chances: what was told on average, and what came."""
    for n in range(5):
        low, high = n / 5, (n + 1) / 5
        told = [(chance(look.value, advantage), look.came) for look in looks]
        inside = [one for one in told if low <= one[0] < high]
        if inside:
            first, second = (sum(column) / len(inside) for column in zip(*inside, strict=True))
            yield low, high, first, second, len(inside)
