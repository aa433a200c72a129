from __future__ import annotations

from random import Random

import pytest

from spielwerk.engines.interface import EngineError, Limits
from spielwerk.games.dice.engine import DiceEngine, missing_points
from spielwerk.games.dice.engine.policy import Policy, load_policy
from spielwerk.games.dice.rules import Choice, Dice, DiceState
from spielwerk.games.playing import random_states


@pytest.fixture(scope="module")
def engine() -> DiceEngine:
    made = DiceEngine()
    made.warm_up()
    return made


def choices(game: Dice, seed: int, count: int) -> list[DiceState]:
    """States from random play in which a player has to choose."""
    rng, states = Random(seed), list[DiceState]()
    while len(states) < count:
        played = random_states(game.start(), rng)
        states += [s for s in played if isinstance(s, DiceState) and s.turn >= 0]
    return states[:count]


@pytest.mark.parametrize("game", [Dice(), Dice(target=60, begins=2)], ids=str)
def test_answers_are_legal_and_the_policys(engine: DiceEngine, game: Dice) -> None:
    policy = load_policy(game.target)
    for state in choices(game, 1, 150):
        result = engine.search(state, Limits(seed=1))
        assert result.move in state.legal_moves()
        assert result.variation == (result.move,)
        rolls = policy.roll(missing_points(state), state.points)
        assert (result.move is Choice.ROLL) == rolls


def test_scores_are_the_own_chances_the_best_first(engine: DiceEngine) -> None:
    policy = load_policy(150)
    state = Dice().parse_state("saved 20 45 130 points 12 turns 1 choose")
    scores = engine.analyse(state)
    assert [*scores] == [Choice.ROLL, Choice.SAVE]
    assert scores[Choice.ROLL].value == policy.chances((105, 20, 130), 12)[0]
    assert scores[Choice.SAVE].value == pytest.approx(policy.chances((20, 130, 93), 0)[2])
    assert all(score.exact for score in scores.values())
    assert engine.search(state).score == scores[Choice.ROLL]


def test_equal_moves_are_chosen_by_the_seed(
    engine: DiceEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Policy, "after_save", Policy.after_roll)
    state = Dice().start()
    moves = [[engine.search(state, Limits(seed=seed)).move for seed in range(20)] for _ in "ab"]
    assert moves[0] == moves[1]
    assert {*moves[0]} == {Choice.ROLL, Choice.SAVE}


@pytest.mark.parametrize(("turns", "exact"), [(0, True), (89, True), (93, False), (299, False)])
def test_scores_are_not_exact_when_the_rounds_may_run_out(
    engine: DiceEngine, turns: int, exact: bool
) -> None:
    state = Dice().parse_state(f"saved 1 2 3 points 0 turns {turns} choose")
    assert {score.exact for score in engine.analyse(state).values()} == {exact}


def test_a_target_that_is_not_solved_names_the_command(
    engine: DiceEngine, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path_factory.mktemp("empty")))
    with pytest.raises(EngineError, match="spielwerk solve dice --target 200"):
        engine.search(Dice(target=200).start())
    with pytest.raises(EngineError, match="the race to 1000 cannot"):
        engine.search(Dice(target=1000).start())


def test_a_player_who_holds_rolls_until_then_whatever_the_score() -> None:
    engine = DiceEngine(hold=20)
    for points, expected in [(0, "ROLL"), (19, "ROLL"), (20, "SAVE"), (40, "SAVE")]:
        state = Dice().parse_state(f"saved 0 140 140 points {points} turns 0 choose")
        assert engine.search(state).move == Dice().parse_move(expected)


def test_the_chances_of_all_three_are_told() -> None:
    (remark,) = DiceEngine().remarks(Dice(begins=1).start())
    assert remark == "chances to win: player 1 36.8375%, player 2 33.1629%, player 0 29.9996%"


@pytest.mark.parametrize("target", [200, 10_000])
def test_who_holds_needs_no_solved_race(target: int) -> None:
    state = Dice(target=target).parse_state("saved 0 0 0 points 30 turns 0 choose")
    result = DiceEngine(hold=25).search(state)
    assert result.move == Dice().parse_move("SAVE")
