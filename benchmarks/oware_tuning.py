"""How the weights of Oware's strategy 0 are found: games against itself, and a logistic fit.

    python -m benchmarks.oware_tuning ROUNDS GAMES DEPTH > weights.txt
    python -m benchmarks.oware_tuning              what each kind of feature is worth, by matches

The first round knows only the stones both players need. Each round plays games with the weights so
far, one move in seven at random so that bad positions are met, too. The fit then looks for weights
that foretell from each position alone both the value the search found there and how the game ended.
What happens is told on stderr, with a short match against strategy 1 after each round; the module
with the weights is printed at the end.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.oware import balanced_openings, match
from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Limits
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.engine.evaluation import (
    CAPTURE,
    FULL,
    HOUSE,
    IN_HAND,
    LOGIT,
    NEED,
    SIDE,
    STEPS,
    TUNED,
    TUNED_WEIGHTS,
    evaluate,
)
from spielwerk.games.oware.engine.kernel import pack
from spielwerk.games.oware.rules import HOUSES, MAJORITY, Oware, OwareState
from spielwerk.games.playing import random_move

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Reals = NDArray[np.float64]

RANDOM_MOVES = 1 / 7
FEATURES_OF_A_POSITION = 2 * (4 + HOUSES)
SMOOTHNESS = 100.0  # how strongly the weights of neighbouring counts are held together
RIDGE = 1.0
NEWTON_STEPS = 6


class Sample(NamedTuple):
    """A position, and the chance to win of the player to move there, half seen, half happened."""

    mine: np.uint64
    theirs: np.uint64
    chance: float


def first_weights() -> Integers:
    """Only the stones needed count, by their logarithm: the fewer, the better."""
    weights = np.zeros(2 * SIDE, np.int64)
    for need in range(1, MAJORITY + 1):
        worth = round(LOGIT * np.log(need))
        weights[NEED + need], weights[SIDE + NEED + need] = -worth, worth
    return weights


def self_play(engine: OwareEngine, depth: int, rng: random.Random) -> Iterator[Sample]:
    """A game of the engine with itself after some random moves: the chances in all positions."""
    state = Oware().start()
    for _ in range(rng.randint(2, 11)):
        state = state if state.outcome else state.play(random_move(state, rng))
    visited: list[tuple[OwareState, float]] = []
    while not state.outcome:
        result = engine.search(state, Limits(depth=depth, seed=rng.getrandbits(32)))
        visited.append((state, result.score.value))
        chosen = random_move(state, rng) if rng.random() < RANDOM_MOVES else result.move
        state = state.play(chosen)
    lead = state.outcome.score[0] - state.outcome.score[1]
    for position, seen in visited:
        happened = np.sign(lead) * (1 - 2 * position.player)
        yield Sample(*pack(position.board, position.player), (2 + seen + happened) / 4)


@kernel
def active_features(mine: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> Integers:
    """For each position the weights that it adds up, found by trying them one by one."""
    active = np.zeros((len(mine), FEATURES_OF_A_POSITION), np.int64)
    counts = np.zeros(len(mine), np.int64)
    weights = np.zeros(2 * SIDE, np.int64)
    for feature in range(2 * SIDE):
        weights[feature] = 1
        for index in range(len(mine)):
            if evaluate(mine[index], theirs[index], TUNED, weights):
                active[index, counts[index]] = feature
                counts[index] += 1
        weights[feature] = 0
    return active


@kernel
def newton_terms(active: Integers, chances: Reals, weights: Reals) -> tuple[Reals, Reals, float]:
    """Gradient and Hessian of the log-likelihood, and the loss for each position."""
    gradient = np.zeros(len(weights))
    hessian = np.zeros((len(weights), len(weights)))
    loss = 0.0
    for index in range(len(active)):
        total = 0.0
        for feature in active[index]:
            total += weights[feature]
        chance = 1 / (1 + np.exp(-total))
        loss -= chances[index] * np.log(chance) + (1 - chances[index]) * np.log(1 - chance)
        for feature in active[index]:
            gradient[feature] += chances[index] - chance
            for other in active[index]:
                hessian[feature, other] += chance * (1 - chance)
    return gradient, hessian, loss / len(active)


def prior() -> Reals:
    """What keeps weights that few positions decide near to their neighbours, and near to zero."""
    penalty = np.eye(2 * SIDE) * RIDGE
    for _, start, end in blocks():
        for left in range(start, end - 1):
            pair = np.ix_([left, left + 1], [left, left + 1])
            penalty[pair] += SMOOTHNESS * np.array([[1, -1], [-1, 1]])
    return penalty


def fit(samples: list[Sample]) -> Integers:
    """The weights under which the chances are likeliest."""
    mine, theirs = (np.array([sample[row] for sample in samples], np.uint64) for row in (0, 1))
    chances = np.array([sample.chance for sample in samples])
    active, penalty = active_features(mine, theirs), prior()
    weights = np.zeros(2 * SIDE)
    for _ in range(NEWTON_STEPS):
        gradient, hessian, loss = newton_terms(active, chances, weights)
        weights += np.linalg.solve(hessian + penalty, gradient - penalty @ weights)
    tell(f"  {len(samples)} positions, loss {loss:.4f}")
    return np.round(weights * LOGIT).astype(np.int64)


def tell(text: str) -> None:
    """Say what happens, apart from the weights."""
    print(text, file=sys.stderr, flush=True)


def blocks() -> Iterator[tuple[str, int, int]]:
    """The features of both sides: their names, and where their weights begin and end."""
    names = ["need", "capture", "in hand", "full", *(f"house {h}" for h in range(HOUSES))]
    starts = [NEED, CAPTURE, IN_HAND, FULL, *range(HOUSE, SIDE + 1, STEPS)]
    for side, whose in ((0, "mover"), (SIDE, "other")):
        for name, (start, end) in zip(names, pairwise(starts), strict=True):
            yield f"{whose}: {name}", side + start, side + end


def written(weights: Integers, command: str) -> str:
    """The weights as they stand in `weights.txt`."""
    lines = [f"# Made by `{command}`; the features are in `evaluation.py`."]
    for name, start, end in blocks():
        rows = (weights[row : min(row + STEPS, end)] for row in range(start, end, STEPS))
        lines.append(f"# {name}")
        lines.extend(" ".join(map(str, row)) for row in rows)
    return "\n".join(lines)


def main(rounds: int, games: int, depth: int) -> None:
    """Tune, and print the weights."""
    weights = first_weights()
    rng = random.Random(rounds * games * depth)
    openings = balanced_openings(50, seed=1)
    for number in range(1, rounds + 1):
        began = time.perf_counter()
        engine = OwareEngine(weights=weights)
        samples = [s for _ in range(games) for s in self_play(engine, depth, rng)]
        before, weights = engine, fit(samples)
        engine = OwareEngine(weights=weights)
        tell(f"round {number}: {time.perf_counter() - began:.0f} s")
        tell(f"  against strategy 1: {match(engine, OwareEngine(1), openings)}")
        tell(f"  against the round before: {match(engine, before, openings)}")
    print(written(weights, f"python -m benchmarks.oware_tuning {rounds} {games} {depth}"))


def levelled(kind: str) -> Integers:
    """The weights with those of one kind of feature all equal, so that it tells nothing."""
    weights = TUNED_WEIGHTS.copy()
    for name, start, end in blocks():
        if name.partition(": ")[2].startswith(kind):
            weights[start:end] = round(weights[start:end].mean())
    return weights


def terms() -> None:
    """Tell how all weights fare against all but those of one kind."""
    openings = balanced_openings(200, seed=1)
    for kind in ("need", "capture", "in hand", "full", "house"):
        tally = match(OwareEngine(), OwareEngine(weights=levelled(kind)), openings)
        tell(f"without {kind}: {tally}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:])) if sys.argv[1:] else terms()
