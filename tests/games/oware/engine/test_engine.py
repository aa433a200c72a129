import random

import pytest

from spielwerk.engines.interface import Limits
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.rules import Oware, OwareState

from .positions import undecided

START = Oware().start()


def test_nodes_are_a_limit() -> None:
    for nodes in (10, 1000, 50_000):
        assert OwareEngine().search(START, Limits(nodes=nodes)).nodes <= nodes + 6


def test_thinks_until_it_knows() -> None:
    state = Oware().parse_state("22 21 0 0 0 1 0 1 1 0 1 0 0 1")
    result = OwareEngine().search(state)
    assert result.score.exact


@pytest.mark.parametrize("limits", [Limits(depth=5, seed=3), Limits(nodes=5000, seed=3)])
@pytest.mark.parametrize("strategy", [0, 1])
def test_the_seed_decides(strategy: int, limits: Limits) -> None:
    used = OwareEngine(strategy)
    for state in undecided(random.Random(2), 30):
        results = [used.search(state, limits), OwareEngine(strategy).search(state, limits)]
        results.append(used.search(state, limits))
        assert len({(result.move, result.score) for result in results}) == 1, str(state)


@pytest.mark.parametrize("seed", range(4))
def test_strategy_0_wins_as_a_against_strategy_1(seed: int) -> None:
    players = OwareEngine(0), OwareEngine(1)
    rng = random.Random(seed)
    state: OwareState = START
    while not state.outcome:
        limits = Limits(depth=5, seed=rng.getrandbits(32))
        state = state.play(players[state.player].search(state, limits).move)
    assert state.outcome.winner == 0
