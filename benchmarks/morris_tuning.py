"""Tuning Nine Men's Morris by play: games, a fit to their results, matches, the levels.

    python -m benchmarks.morris_tuning fit OLD --games 2000 --nodes 3000 --seed 1
    python -m benchmarks.morris_tuning match NEW OLD --games 400 --nodes 3000 --seed 1
    python -m benchmarks.morris_tuning levels --games 40 --seed 1

A set of weights is three rows (placing, moving, flying) of ten numbers in a text file, `-` for the
engine's own. What came out of it is in `morris_weights.txt`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from spielwerk.engines.interface import Level, Limits
from spielwerk.engines.players import EnginePlayer
from spielwerk.games.morris.engine import MorrisEngine
from spielwerk.games.morris.engine.board import MorrisPosition
from spielwerk.games.morris.engine.evaluation import FEATURES, PHASES, WEIGHTS, features_of
from spielwerk.games.morris.rules import Decision, Morris, MorrisState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

Player = Callable[[MorrisState], Decision]

TABLE_BITS = 15
FADE = 20  # positions with a higher count tell little about the evaluation


@dataclass
class Sample:
    """What was on the board, and how the game ended for the player to move: 0, 0.5 or 1."""

    phase: int
    features: NDArray[np.int64]
    result: float


def read_weights(name: str) -> NDArray[np.int64]:
    """The weights of a file, or the engine's own."""
    return WEIGHTS if name == "-" else np.loadtxt(Path(name), dtype=np.int64)


def opening(rng: random.Random, plies: int) -> MorrisState:
    """A position after that many random decisions, captures completed."""
    state = Morris().start()
    while plies > 0 or state.capture:
        state = state.play(rng.choice(state.legal_moves()))
        plies -= 1
    return state


def positions(engine: MorrisEngine, rng: random.Random, nodes: int) -> Iterator[MorrisState]:
    """A game of the engine with itself, one move in twenty at random."""
    state = opening(rng, rng.randrange(2, 10))
    while not state.outcome:
        yield state
        if rng.random() < 0.05:
            state = state.play(rng.choice(state.legal_moves()))
        else:
            limits = Limits(nodes=nodes, seed=rng.randrange(1 << 30))
            state = state.play(engine.search(state, limits).move)
    yield state


def samples(weights: NDArray[np.int64], games: int, nodes: int, seed: int) -> list[Sample]:
    """The positions of many games with the results of the games."""
    rng = random.Random(seed)
    engine = MorrisEngine(TABLE_BITS, weights=weights)
    found: list[Sample] = []
    for _ in range(games):
        *played, last = positions(engine, rng, nodes)
        winner = last.outcome.winner if last.outcome else None
        for state in played:
            if state.capture == 0 and state.quiet < FADE:
                result = 0.5 if winner is None else float(winner == state.player)
                found.append(Sample(*features_of(*MorrisPosition.of(state)[:4]), result))
    return found


def fitted(data: list[Sample]) -> NDArray[np.float64]:
    """Weights of a logistic regression for each phase, a stone in the moving phase counting 100."""
    rows = [_regression([s for s in data if s.phase == phase]) for phase in range(len(PHASES))]
    return np.array(rows, np.float64) * float(100 / rows[1][0])


def _regression(data: list[Sample], penalty: float = 2.0) -> NDArray[np.float64]:
    """Newton's method on the penalised likelihood."""
    inputs = np.array([s.features for s in data], float)
    results = np.array([s.result for s in data])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (results - chances) - penalty * weights
        curve = (inputs.T * (chances * (1 - chances))) @ inputs
        weights += np.linalg.solve(curve + penalty * np.eye(len(weights)), slope)
    return weights


def match(
    one: NDArray[np.int64], other: NDArray[np.int64], games: int, nodes: int, seed: int
) -> tuple[int, int, int]:
    """Wins, draws and losses of the first weights; every opening is played from both sides."""
    rng = random.Random(seed)
    players = _by_nodes(one, nodes, rng), _by_nodes(other, nodes, rng)
    return paired_games(players, games, rng)


def _by_nodes(weights: NDArray[np.int64], nodes: int, rng: random.Random) -> Player:
    engine = MorrisEngine(TABLE_BITS, weights=weights)

    def player(state: MorrisState) -> Decision:
        return engine.search(state, Limits(nodes=nodes, seed=rng.randrange(1 << 30))).move

    return player


def _by_level(level: Level, rng: random.Random) -> Player:
    player = EnginePlayer("", MorrisEngine(TABLE_BITS), level)
    return lambda state: cast("Decision", player.choose(state, rng))


def levels(games: int, seed: int) -> Iterator[str]:
    """Each level against the next, as far as they do not depend on time."""
    rng = random.Random(seed)
    steady = [level for level in MorrisEngine.levels if level.limits.time is None]
    for number, (lower, upper) in enumerate(pairwise(steady), 1):
        players = _by_level(upper, rng), _by_level(lower, rng)
        yield f"level {number + 1} against {number}: {summary(*paired_games(players, games, rng))}"


def paired_games(
    players: tuple[Player, Player], games: int, rng: random.Random
) -> tuple[int, int, int]:
    """Wins, draws and losses of the first player."""
    counts = [0, 0, 0]
    for game in range(games):
        if game % 2 == 0:
            start = opening(rng, rng.choice((2, 4, 6)))
        counts[_result(players, start, first=game % 2)] += 1
    return counts[0], counts[1], counts[2]


def _result(players: tuple[Player, Player], state: MorrisState, *, first: int) -> int:
    """0 if the first player wins, 1 for a draw, 2 if it loses; `first` is its side."""
    while not state.outcome:
        player = players[0] if state.player == first else players[1]
        state = state.play(player(state))
    winner = state.outcome.winner
    return 1 if winner is None else (0 if winner == first else 2)


def summary(wins: int, draws: int, losses: int) -> str:
    """The score of a match with its 95 % interval."""
    games = wins + draws + losses
    mean = (wins + draws / 2) / games
    variance = (wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + losses * mean**2) / games
    half = 1.96 * (variance / games) ** 0.5
    return f"+{wins} ={draws} -{losses}: {100 * mean:.1f} % +- {100 * half:.1f}"


def main() -> None:
    """Fit or match, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("fit", "match", "levels"))
    parser.add_argument("weights", nargs="*")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.task == "fit":
        old = read_weights(chosen.weights[0])
        data = samples(old, chosen.games, chosen.nodes, chosen.seed)
        print(f"# {len(data)} positions;", ", ".join(FEATURES))
        print("\n".join(" ".join(f"{w:4.0f}" for w in row) for row in fitted(data)))
    elif chosen.task == "levels":
        for line in levels(chosen.games, chosen.seed):
            print(line, flush=True)
    else:
        one, other = map(read_weights, chosen.weights)
        print(summary(*match(one, other, chosen.games, chosen.nodes, chosen.seed)), flush=True)


if __name__ == "__main__":
    main()
