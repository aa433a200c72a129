"""What every engine must keep, whatever its game."""

from __future__ import annotations

import threading
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from spielwerk.engines import NoEngine, find_engine
from spielwerk.engines.interface import Engine, EngineError, Level, Limits, Stop
from spielwerk.engines.players import EnginePlayer
from spielwerk.errors import ChanceError
from spielwerk.games import Game, State, kits
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Choice, Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_states
from spielwerk.games.quarto.rules import Quarto, QuartoState
from tests.perft import Tree, trees
from tests.terminal.test_boards import Nim

VARIANTS: list[Game[Any]] = [
    Quarto(),
    Quarto(n=3),
    Quarto(n=8, begins=1),
    Quarto(n=16),
    Morris(),
    Dice(),
    Dice(target=40),
    Oware(),
    ConnectFour(),
    ConnectFour(width=5, height=4, begins=1),
    ConnectFour(width=4, height=4, depth=4),
    ConnectFour(width=12, height=10),
]

every_variant = pytest.mark.parametrize(
    "game", VARIANTS, ids=lambda game: " ".join([game.name, *game.assignments()])
)

_ENGINES: dict[type[Engine[Any]], Engine[Any]] = {}


def engine_of(game: Game[Any]) -> Engine[Any]:
    """One engine of each kind for all tests: tables are large."""
    kind = find_engine(game)
    return _ENGINES.setdefault(kind, kind())


def decisions(game: Game[Any], count: int) -> list[State[Any]]:
    """Positions of random games in which a player has to decide."""
    rng = Random(count)
    found: list[State[Any]] = []
    while len(found) < count:
        states = [s for s in random_states(game.start(), rng) if s.turn >= 0]
        found += rng.sample(states, min(3, len(states)))
    return found[:count]


@pytest.mark.parametrize("name", kits())
def test_every_game_has_an_engine_with_ten_levels(name: str) -> None:
    engine = find_engine(kits()[name].game())
    assert engine.game == name
    assert engine.unit
    assert len(engine.levels) == 10
    assert all(isinstance(level, Level) for level in engine.levels)
    assert engine.levels[-1].blur == 0


def test_a_game_without_an_engine_says_so() -> None:
    with pytest.raises(NoEngine, match="there is no engine for nim"):
        find_engine(Nim())


@every_variant
def test_the_answer_is_a_legal_move_under_any_limit(game: Game[Any]) -> None:
    engine = engine_of(game)
    for state in decisions(game, 4):
        for limits in (Limits(depth=1, seed=1), Limits(nodes=1, seed=1), Limits(time=0.001)):
            result = engine.search(state, limits)
            assert result.move in state.legal_moves()
            assert result.variation[0] == result.move
            assert result.depth >= 0
            assert result.nodes >= 0


@every_variant
def test_the_expected_line_can_be_played(game: Game[Any]) -> None:
    engine = engine_of(game)
    for state in decisions(game, 4):
        following = state
        for move in engine.search(state, Limits(depth=3, nodes=2000, seed=1)).variation:
            following = following.play(move)


def check_listed(state: State[Any], scores: dict[Any, Any]) -> None:
    """Every legal move, or in Quarto from n = 7 on every square: the stones are alike there."""
    legal = state.legal_moves()
    if isinstance(state, QuartoState) and state.game.n >= 7:
        assert {move.square for move in scores} == {move.square for move in legal}
        assert {*scores} <= {*legal}
    else:
        assert {*scores} == {*legal}


@every_variant
def test_a_search_that_is_stopped_at_once_still_answers(game: Game[Any]) -> None:
    stop = Stop()
    stop.set()
    for state in decisions(game, 3):
        assert engine_of(game).search(state, Limits(), stop).move in state.legal_moves()
        check_listed(state, engine_of(game).analyse(state, Limits(), stop))


@every_variant
def test_a_search_can_be_stopped_from_another_thread(game: Game[Any]) -> None:
    stop = Stop()
    state = decisions(game, 1)[0]
    timer = threading.Timer(0.05, stop.set)
    timer.start()
    assert engine_of(game).search(state, Limits(time=60), stop).move in state.legal_moves()
    timer.cancel()


@every_variant
def test_analysis_scores_every_legal_move_the_best_first(game: Game[Any]) -> None:
    for state in decisions(game, 3):
        scores = engine_of(game).analyse(state, Limits(depth=2, nodes=5000, seed=1))
        check_listed(state, scores)
        values = [score.value for score in scores.values()]
        assert values == sorted(values, reverse=True)
        assert all(score.exact or score.result is None for score in scores.values())


@every_variant
def test_the_same_seed_gives_the_same_answer_whatever_was_searched_before(game: Game[Any]) -> None:
    used = engine_of(game)
    for state in decisions(game, 2):
        for limits in (Limits(depth=2, seed=5), Limits(nodes=3000, seed=5)):
            results = [engine.search(state, limits) for engine in (used, find_engine(game)(), used)]
            assert len({(result.move, result.score) for result in results}) == 1
            assert limits.nodes is None or results[0].nodes <= limits.nodes + 10


@pytest.mark.parametrize(
    "game", [Quarto(first=0), Morris(), ConnectFour(4, 4), ConnectFour(4, 4, 4)], ids=str
)
def test_equal_moves_vary_with_the_seed(game: Game[Any]) -> None:
    limits = [Limits(depth=1, seed=seed) for seed in range(20)]
    assert len({engine_of(game).search(game.start(), limit).move for limit in limits}) > 1


@every_variant
def test_every_level_plays_legal_moves(game: Game[Any]) -> None:
    engine = engine_of(game)
    state = decisions(game, 1)[0]
    for number, level in enumerate(engine.levels, start=1):
        quick = replace(level, limits=replace(level.limits, time=0.02))
        move = EnginePlayer(f"level={number}", engine, quick).choose(state, Random(number))
        assert move in state.legal_moves()


OVER = ConnectFour().parse_state("......./......./......./......./222..../1111...")


@pytest.mark.parametrize(
    ("engine", "state", "problem"),
    [
        (ConnectFour(), OVER, "the game is over"),
        (Quarto(), Quarto().start(), "chance decides here"),
        (Dice(), Dice().start().play(Choice.ROLL), "chance decides here"),
        (Oware(), Morris().start(), "this engine plays oware, not morris"),
    ],
)
def test_only_a_players_decision_can_be_thought_about(
    engine: Game[Any], state: State[Any], problem: str
) -> None:
    for ask in (engine_of(engine).search, engine_of(engine).analyse):
        with pytest.raises(EngineError, match=problem):
            ask(state)


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: tree.label)
def test_the_kernels_count_what_the_rules_count(tree: Tree) -> None:
    engine = engine_of(tree.state.game)
    counts = [engine.perft(tree.state, depth + 1) for depth in range(len(tree.counts))]
    assert counts == [*tree.counts]


def test_dice_cannot_be_counted() -> None:
    with pytest.raises(ChanceError):
        engine_of(Dice()).perft(Dice().start(), 1)
