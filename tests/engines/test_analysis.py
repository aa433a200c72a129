"""Analyses and hints: what judges find in positions."""

from __future__ import annotations

from typing import Any

import pytest

from spielwerk.engines.analysis import Analysis, Engines, Interrupt, judge_of, share
from spielwerk.engines.interface import EngineError, Score
from spielwerk.games import Game, State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.engine.policy import load_policy
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto

MILL = "00..1.1./......../........ hand 7 7 player 0 capture 0 quiet 0"


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines()


def found(engines: Engines, state: State[Any], seconds: float = 0.1) -> Analysis:
    return judge_of(state.game.name).analyse(engines, state, seconds, Interrupt())


# positions


@pytest.mark.parametrize("game", [Oware(), ConnectFour()], ids=["oware", "connect4"])
def test_every_legal_move_is_judged_the_best_first(engines: Engines, game: Game[Any]) -> None:
    state = game.start()
    told = found(engines, state)
    assert {one.move for one in told.moves} == set(map(game.format_move, state.legal_moves()))
    shares = [judged.share for judged in told.moves]
    assert shares == sorted(shares, reverse=True)
    assert told.depth > 1
    assert told.variation[0] == told.moves[0].move
    for text in told.variation:
        state = state.play_turn(game.parse_turn(text))


def test_a_win_is_proven(engines: Engines) -> None:
    state = ConnectFour().parse_state("......./......./......./......./22...../111...2")
    state = state if state.turn == 0 else state.play(6)
    best = found(engines, state).moves[0]
    assert (best.move, best.score.exact, best.score.result, best.score.plies) == ("3", True, 1, 1)


def test_moves_are_whole_turns(engines: Engines) -> None:
    moves = [judged.move for judged in found(engines, Morris().parse_state(MILL)).moves]
    assert {"A2;A4", "A2;A6", "A3"} <= set(moves)
    assert len(moves) == len(set(moves))
    assert "A2" not in moves


def test_oware_says_what_a_move_collects(engines: Engines) -> None:
    state = Oware().parse_state("0 0 0 0 0 0 0 1 1 1 1 1 1 42")
    assert [judged.gain for judged in found(engines, state).moves] == [2]


def test_no_player_decides_where_chance_does_or_the_game_is_over(engines: Engines) -> None:
    nothing = found(engines, Quarto().start())
    assert (nothing.moves, nothing.depth, nothing.nodes, nothing.time) == ((), 0, 0, 0)
    over = ConnectFour().parse_state("......./......./......./......./222..../1111...")
    assert found(engines, over).moves == ()


def test_shares_keep_proven_and_sooner_further_out() -> None:
    won, later = Score(1, True, 1, 3), Score(1, True, 1, 30)
    assert 1 > share(won, 1) > share(later, 1) >= 0.5
    assert share(Score(-1, True, -1, 3), 0) == -share(won, 1)
    assert share(Score(0, True, 0), 0.5) == 0
    assert share(Score(3.0), 0.75) == pytest.approx(0.475)


def test_a_clear_advantage_wins_three_games_of_four(engines: Engines) -> None:
    engine = engines.of(Morris())
    advantage = engine.clear_advantage
    assert engine.chance(Score(advantage)) == pytest.approx(0.75)
    assert engine.chance(Score(-advantage)) == pytest.approx(0.25)
    assert engine.chance(Score(1000 * advantage)) < 1 == engine.chance(Score(9.0, True, 1))


# hints


def test_a_hint_is_a_whole_turn(engines: Engines) -> None:
    state = Morris().parse_state(MILL)
    move = judge_of("morris").hint(engines, "level=8", state, Interrupt())
    state.play_turn(state.game.parse_turn(move))
    assert move.startswith("A2;")


def test_a_wrong_player_is_an_error(engines: Engines) -> None:
    with pytest.raises(ValueError, match="strategy"):
        judge_of("oware").hint(engines, "strategy=9", Oware().start(), Interrupt())


# the dice race


def test_dice_give_the_chances_of_all_players(engines: Engines) -> None:
    told = found(engines, Dice().parse_state("saved 91 74 99 points 20 turns 29 choose"))
    policy, missing = load_policy(150), (51, 59, 76)
    roll, save = policy.after_roll(missing, 20), policy.after_save(missing, 20)
    by_move = {judged.move: judged.chances for judged in told.moves}
    assert by_move["ROLL"] == pytest.approx((roll[1], roll[2], roll[0]), abs=1e-9)
    assert by_move["SAVE"] == pytest.approx((save[1], save[2], save[0]), abs=1e-9)
    assert found(engines, Dice().start()).facts == {"hold": 41}


def test_a_race_is_looked_up_if_it_is_solved(engines: Engines) -> None:
    judge, unsolved = judge_of("dice"), Dice(target=9999).start()
    assert judge.hint(engines, "level=1", Dice().start(), Interrupt()) == "ROLL"
    told = found(engines, unsolved)
    assert (told.moves, len(told.remarks)) == ((), 1)
    with pytest.raises(EngineError, match="9999"):
        judge.hint(engines, "level=1", unsolved, Interrupt())
