import random

import pytest

from spielwerk.engines.interface import Limits
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.rules import Oware, OwareState

START = Oware().start()


def test_thinks_until_it_knows() -> None:
    state = Oware().parse_state("22 21 0 0 0 1 0 1 1 0 1 0 0 1")
    result = OwareEngine().search(state)
    assert result.score.exact


def test_equal_moves_vary_with_the_seed() -> None:
    """To strategy 1 all first moves are alike: none captures."""
    limits = [Limits(depth=1, seed=seed) for seed in range(20)]
    assert len({OwareEngine(1).search(START, limit).move for limit in limits}) > 1


@pytest.mark.parametrize("seed", range(4))
def test_strategy_0_wins_as_a_against_strategy_1(seed: int) -> None:
    players = OwareEngine(0), OwareEngine(1)
    rng = random.Random(seed)
    state: OwareState = START
    while not state.outcome:
        limits = Limits(depth=5, seed=rng.getrandbits(32))
        state = state.play(players[state.player].search(state, limits).move)
    assert state.outcome.winner == 0
