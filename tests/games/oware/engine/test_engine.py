import random
import threading
from dataclasses import replace

import pytest

from spielwerk.engines.interface import EngineError, LimitError, Limits, Stop
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.engine.evaluation import strategies
from spielwerk.games.oware.rules import Oware, OwareState

from .positions import undecided

START = Oware().start()


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=1),
        Limits(depth=9),
        Limits(nodes=1),
        Limits(nodes=3000),
        Limits(time=0.001),
        Limits(time=0.02, depth=4, nodes=100, threads=3),
    ],
)
@pytest.mark.parametrize("strategy", [0, 1])
def test_answers_are_legal(strategy: int, limits: Limits) -> None:
    engine = OwareEngine(strategy)
    for state in undecided(random.Random(1), 30):
        result = engine.search(state, limits)
        assert result.move in state.legal_moves()
        assert result.depth >= 1
        assert result.nodes >= 1
        assert set(engine.analyse(state, limits)) == set(state.legal_moves())


def test_stopped_at_once() -> None:
    stop = Stop()
    stop.set()
    assert OwareEngine().search(START, stop=stop).depth == 1
    assert len(OwareEngine().analyse(START, stop=stop)) == 6


def test_stopped_from_another_thread() -> None:
    stop = Stop()
    threading.Timer(0.1, stop.set).start()
    assert OwareEngine().search(START, Limits(), stop).move in START.legal_moves()


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


def test_openings_vary_without_a_seed() -> None:
    engine = OwareEngine(1)
    assert len({engine.search(START, Limits(depth=1)).move for _ in range(100)}) == 6


def test_finished_games_have_no_answer() -> None:
    over = Oware().parse_state("25 23 0 0 0 0 0 0 0 0 0 0 0 0")
    with pytest.raises(EngineError, match="game is over"):
        OwareEngine().search(over)
    with pytest.raises(EngineError, match="game is over"):
        OwareEngine().analyse(over)


def test_impossible_positions_have_no_answer() -> None:
    board = (0, 0, 5, *[4] * 11)
    with pytest.raises(EngineError, match=r"no board of Oware.*5, 4"):
        OwareEngine().search(replace(START, board=board))
    with pytest.raises(EngineError, match="no board of Oware"):
        OwareEngine().search(replace(START, board=(-1, 1, *[4] * 12)))
    with pytest.raises(EngineError, match="no position of Oware"):
        OwareEngine().search(ConnectFour().start())


def test_limits_of_zero_are_refused() -> None:
    with pytest.raises(LimitError, match="depth=0"):
        Limits(depth=0)


@pytest.mark.parametrize("strategy", [-1, 2])
def test_unknown_strategies(strategy: int) -> None:
    with pytest.raises(EngineError, match=rf"strategy {strategy}: .*0 \(tuned\), 1 \(simple\)"):
        OwareEngine(strategy)


def test_strategies_have_different_names() -> None:
    assert len({strategy.name for strategy in strategies()}) == len(strategies()) == 2
    assert all(strategy.description for strategy in strategies())


def test_there_are_ten_levels() -> None:
    assert len(OwareEngine.levels) == 10
    blurs = [level.blur for level in OwareEngine.levels]
    assert blurs == sorted(blurs, reverse=True)
    assert OwareEngine.levels[-1].limits.time == 1.0


@pytest.mark.parametrize("seed", range(10))
def test_strategy_0_wins_as_a_against_strategy_1(seed: int) -> None:
    players = OwareEngine(0), OwareEngine(1)
    rng = random.Random(seed)
    state: OwareState = START
    while not state.outcome:
        limits = Limits(depth=5, seed=rng.getrandbits(32))
        state = state.play(players[state.player].search(state, limits).move)
    assert state.outcome.winner == 0
