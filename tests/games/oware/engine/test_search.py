"""The search against plain minimax on the rules."""

import random
from collections.abc import Callable

import pytest

from spielwerk.engines.interface import Limits
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.engine.evaluation import TUNED, TUNED_WEIGHTS, evaluate, tuned_value
from spielwerk.games.oware.engine.kernel import pack
from spielwerk.games.oware.rules import REPETITION, OwareState

from .positions import few_stones, forgetful, undecided, with_long_memory

Judge = Callable[[OwareState], float]
ENDINGS: list[str] = []


def document_judge(state: OwareState) -> float:
    """Section 4.3: b_Z from the stones both have, at the end from those they have collected."""
    stones = state.outcome.score if state.outcome else state.board[:2]
    need, opponents_need = (max(25 - stones[p], 0) for p in (state.player, 1 - state.player))
    return 1 - 2 * need / (need + opponents_need)


def tuned_judge(state: OwareState) -> float:
    if state.outcome:
        return document_judge(state)
    return tuned_value(evaluate(*pack(state.board, state.player), TUNED, TUNED_WEIGHTS))


def minimax(state: OwareState, depth: int, judge: Judge) -> float:
    """The value for the player to move."""
    if state.outcome:
        ENDINGS.append(state.outcome.reason)
    if state.outcome or depth == 0:
        return judge(state)
    return max(-minimax(state.play(house), depth - 1, judge) for house in state.legal_moves())


def check_against_minimax(engine: OwareEngine, state: OwareState, depth: int, judge: Judge) -> None:
    expected = {h: -minimax(state.play(h), depth - 1, judge) for h in state.legal_moves()}
    scores = engine.analyse(state, Limits(depth=depth))
    values = {house: score.value for house, score in scores.items()}
    assert values == pytest.approx(expected, abs=1e-12), (str(state), depth)
    assert list(values.values()) == sorted(values.values(), reverse=True)
    result = engine.search(state, Limits(depth=depth, seed=depth))
    assert result.score.value == max(values.values()) == values[result.move]


@pytest.mark.parametrize(("depth", "count"), [(1, 500), (2, 500), (3, 200), (4, 50)])
@pytest.mark.parametrize(("strategy", "judge"), [(0, tuned_judge), (1, document_judge)])
def test_values_are_those_of_minimax(strategy: int, judge: Judge, depth: int, count: int) -> None:
    engine = OwareEngine(strategy)
    for state in undecided(random.Random(depth), count):
        check_against_minimax(engine, state, depth, judge)


@pytest.mark.parametrize(("strategy", "judge"), [(0, tuned_judge), (1, document_judge)])
def test_values_where_situations_repeat(strategy: int, judge: Judge) -> None:
    engine = OwareEngine(strategy)
    ENDINGS.clear()
    for state in with_long_memory(random.Random(5), 150):
        check_against_minimax(engine, state, 5, judge)
    assert ENDINGS.count(REPETITION) > 100


@pytest.mark.parametrize("strategy", [0, 1])
def test_the_table_changes_no_value(strategy: int) -> None:
    rng = random.Random(6)
    engine = OwareEngine(strategy, table_bits=14)
    states = [
        *undecided(rng, 30),
        *with_long_memory(rng, 30),
        *(few_stones(rng) for _ in range(30)),
    ]
    for state in states:
        if not state.outcome:
            depth = rng.randint(5, 9) if sum(state.board[2:]) > 12 else rng.randint(9, 15)
            plain = OwareEngine(strategy, table_bits=0)
            limits = Limits(depth=depth)
            assert engine.analyse(state, limits) == plain.analyse(state, limits), str(state)


@pytest.mark.parametrize("strategy", [0, 1])
def test_the_table_does_not_mix_up_memories(strategy: int) -> None:
    engine, plain = OwareEngine(strategy, table_bits=14), OwareEngine(strategy, table_bits=0)
    different = 0
    for state in with_long_memory(random.Random(12), 60):
        for depth in (8, 11, 14):
            pair = state, forgetful(state)
            scores = [engine.analyse(twin, Limits(depth=depth)) for twin in pair]
            assert scores == [plain.analyse(twin, Limits(depth=depth)) for twin in pair], str(state)
            different += scores[0] != scores[1]
    assert different > 20


def test_the_line_is_as_long_as_the_depth_or_ends_the_game() -> None:
    engine = OwareEngine(0)
    for state in undecided(random.Random(7), 100):
        for depth in (1, 4, 7):
            result = engine.search(state, Limits(depth=depth, seed=0))
            last = state
            for move in result.variation:
                last = last.play(move)
            assert result.move == result.variation[0]
            assert len(result.variation) == depth or last.outcome or result.score.exact


def proven_result(state: OwareState, depth: int) -> int | None:
    """The result if it is the same whatever becomes of the games unfinished at the depth."""

    def unfinished_as(result: float) -> Judge:
        def judge(leaf: OwareState) -> float:
            if leaf.outcome:
                return document_judge(leaf)
            return result if leaf.player == state.player else -result

        return judge

    feared, hoped = (minimax(state, depth, unfinished_as(result)) for result in (-1.0, 1.0))
    return int(feared) if feared == hoped else None


@pytest.mark.parametrize("strategy", [0, 1])
def test_proven_is_what_does_not_depend_on_unfinished_games(strategy: int) -> None:
    rng, engine = random.Random(9), OwareEngine(strategy)
    seen = set()
    for _ in range(250):
        state, depth = few_stones(rng, most=6), rng.randint(1, 7)
        if not state.outcome:
            score = engine.search(state, Limits(depth=depth)).score
            assert score.result == proven_result(state, depth), (str(state), depth)
            assert score.exact == (score.result is not None)
            seen.add(score.result)
            for house, of_move in engine.analyse(state, Limits(depth=depth)).items():
                result = proven_result(state.play(house), depth - 1)
                assert of_move.result == (None if result is None else -result)
    assert seen == {-1, 0, 1, None}


def test_a_proven_draw_is_drawn_by_the_move_chosen() -> None:
    rng, engine = random.Random(11), OwareEngine(0)
    draws = 0
    while draws < 10:
        state = few_stones(rng, most=6)
        if not state.outcome:
            result = engine.search(state, Limits(depth=6))
            if result.score.result == 0:
                draws += 1
                assert proven_result(state.play(result.move), 5) == 0, str(state)


def test_plies_to_the_end_are_counted() -> None:
    def forced_end(state: OwareState, depth: int) -> bool:
        return abs(minimax(state, depth, lambda s: document_judge(s) if s.outcome else 0.0)) == 1

    counted = 0
    for state in undecided(random.Random(10), 60):
        score = OwareEngine(0).search(state, Limits(depth=5)).score
        if score.plies is not None:
            counted += 1
            assert forced_end(state, score.plies)
            assert not forced_end(state, score.plies - 1)
    assert counted > 10
