"""Reviews: exact where a solver knows, without contradictions elsewhere, and always the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from spielwerk.engines.analysis import Engines, Interrupt
from spielwerk.engines.regret import Point
from spielwerk.engines.review import Mistake, Review, consistent, review_of, unexplained
from spielwerk.games import CHANCE, Game, State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Choice, Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto

FEW = 3000  # nodes: the engines guess, and contradict themselves
GAMES: list[Game[Any]] = [ConnectFour(), ConnectFour(4, 4, 4), Morris(), Oware(), Quarto()]


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines()


def played(game: Any, choose: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
    state = game.start()
    states, moves = [state], []
    while not state.outcome:
        moves.append(choose(state))
        state = state.play(moves[-1])
        states.append(state)
    return states, moves


def at_random(game: Any, seed: int) -> tuple[list[Any], list[Any]]:
    rng = random.Random(seed)
    return played(game, lambda state: random_move(state, rng))


def reviewed(engines: Engines, states: list[Any], moves: list[Any], **more: int) -> Any:
    review = review_of(states[0].game.name)(states, moves, **more)
    while not review.done:
        review.advance(engines, Interrupt())
    return review.told()


# exact


@cache
def result(state: State[Any]) -> int:
    """What the rules say when all is tried, for player 0."""
    if state.outcome:
        return 0 if state.outcome.winner is None else 1 - 2 * state.outcome.winner
    best = max if state.turn == 0 else min
    return best(result(state.play(move)) for move in state.legal_moves())


@pytest.mark.parametrize("seed", range(4))
def test_solved_games_are_judged_by_their_results(engines: Engines, seed: int) -> None:
    states, moves = at_random(ConnectFour(4, 4), seed)
    told = reviewed(engines, states, moves)
    mistakes = {mistake["ply"]: mistake for mistake in told["mistakes"]}
    first = max(0, len(states) - 10)  # before that, trying all takes too long
    for ply in range(first, len(states)):
        point = told["points"][ply]
        assert point["exact"]
        assert point["chances"][0] == (1 + result(states[ply])) / 2
    for ply in range(first, len(moves)):
        turn = states[ply].turn
        lost = abs(result(states[ply]) - result(states[ply + 1]))
        grade = ("", "?", "??")[lost]
        assert mistakes.get(ply, {"grade": ""})["grade"] == grade
        if lost:
            better = states[ply].play(int(mistakes[ply]["better"]))
            assert (mistakes[ply]["seat"], mistakes[ply]["exact"]) == (turn, True)
            assert result(better) == result(states[ply])
            assert mistakes[ply]["loss"] == lost / 2


@pytest.mark.parametrize("seed", range(4))
def test_regret_is_what_the_results_say(engines: Engines, seed: int) -> None:
    states, moves = at_random(ConnectFour(4, 4), seed)
    first = max(0, len(states) - 10)
    told = reviewed(engines, states, moves, opening=first)
    thirds: dict[int, list[str]] = {0: [], 1: []}
    lost = Counter[tuple[int, int]]()
    kept, held = [0.0, 0.0], [0.0, 0.0]
    for ply in range(first, len(moves)):
        turn, sign = states[ply].turn, 1 - 2 * states[ply].turn
        before, after = sign * result(states[ply]), sign * result(states[ply + 1])
        thirds[turn].append(("opening", "middle", "end")[3 * (ply - first) // (len(moves) - first)])
        lost[turn, before] += before > after
        held[turn] += (1 + before) / 2
        kept[turn] += (1 + after) / 2
    for seat, player in enumerate(told["players"]):
        cost = player["regret"]
        assert cost["moves"] == cost["exact"] == len(thirds[seat])
        assert (cost["wins"], cost["draws"]) == (lost[seat, 1], lost[seat, 0])
        assert cost["proven"] == cost["mistakes"] == cost["wins"] + cost["draws"]
        assert cost["kept"] == cost["moves"] - cost["mistakes"]
        share = pytest.approx(kept[seat] / held[seat]) if held[seat] else None
        assert cost["accuracy"] == share
        counts = {phase: figures["moves"] for phase, figures in player["phases"].items()}
        assert counts == {phase: thirds[seat].count(phase) for phase in counts}


def test_the_solved_games_have_mistakes_of_both_grades(engines: Engines) -> None:
    grades = Counter(
        mistake["grade"]
        for seed in range(4)
        for mistake in reviewed(engines, *at_random(ConnectFour(4, 4), seed))["mistakes"]
    )
    assert set(grades) == {"?", "??"}


# estimates


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}{getattr(game, 'depth', '')}")
def test_a_review_does_not_contradict_itself(
    engines: Engines, game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(engines.of(game)), "review_nodes", FEW)
    states, moves = at_random(game, 5)
    told = reviewed(engines, states, moves)
    points = told["points"]
    assert None not in points
    for state, (before, after) in zip(states, pairwise(points), strict=False):
        if state.turn >= 0:
            assert before["chances"][state.turn] >= after["chances"][state.turn]
            assert not (before["exact"] and after["exact"] is False and 0 in before["chances"]) or (
                before["chances"][state.turn] == 1
            )
    for mistake in told["mistakes"]:
        assert mistake["better"].split(";")[0] != mistake["move"]
    assert_sums(points, told["players"])
    assert_loss_is_told(states, told)


def assert_sums(points: list[Any], players: list[Any]) -> None:
    """What luck, own errors and those of others changed is all that changed."""
    for seat, player in enumerate(players):
        change = points[-1]["chances"][seat] - points[0]["chances"][seat]
        told = player["luck"] - player["errors"] + player["gifts"]
        assert told == pytest.approx(change, abs=1e-9)


def assert_loss_is_told(states: list[Any], told: Any) -> None:
    """A lost game has a mistake of the loser, was lost from the start, or is said to be unclear."""
    winner = states[-1].outcome.winner
    if winner is None:
        assert told["unexplained"] is None
        return
    loser, start = 1 - winner, told["points"][0]
    blamed = any(mistake["seat"] == loser for mistake in told["mistakes"])
    lost = start["exact"] and start["chances"][loser] == 0
    assert (told["unexplained"] == loser) == (not blamed and not lost)


def test_the_same_effort_finds_the_same(engines: Engines, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in GAMES:
        monkeypatch.setattr(type(engines.of(game)), "review_nodes", FEW)
        states, moves = at_random(game, 6)
        assert reviewed(engines, states, moves) == reviewed(Engines(), states, moves), game


def test_points_are_raised_by_the_move_played_and_bounded_by_proof() -> None:
    guess, won, lost = Point((0.4, 0.6)), Point((1.0, 0.0), True, 3), Point((0.0, 1.0), True)
    assert consistent([guess, won], [0, 1]) == [Point((1.0, 0.0), True, 4), won]
    assert consistent([lost, guess], [0, 1]) == [lost, Point((0.0, 1.0), True)]
    assert consistent([guess, won], [1, 0]) == [guess, won]  # that was a mistake
    assert consistent([guess, None, won], [0, 1, 0]) == [guess, None, won]


def test_a_loss_without_a_mistake_is_unexplained_unless_it_was_lost_from_the_start() -> None:
    guess, lost = Point((0.4, 0.6)), Point((0.0, 1.0), True)
    blamed = Mistake(0, 0, "1", "2", "?", 0.5, exact=True)
    assert unexplained([guess, lost], []) == 0
    assert unexplained([lost, lost], []) is None
    assert unexplained([guess, lost], [blamed]) is None


def test_a_drawn_opening_is_nobodys_mistake(engines: Engines) -> None:
    states, moves = at_random(ConnectFour(4, 4), 1)
    told = reviewed(engines, states, moves)
    later = reviewed(engines, states, moves, opening=told["mistakes"][0]["ply"] + 1)
    assert later["mistakes"] == told["mistakes"][1:]
    assert any(player["luck"] for player in later["players"])
    drawn = reviewed(engines, *at_random(Quarto(), 2))
    assert drawn["points"][0] == drawn["points"][1]


def test_an_interrupted_position_is_looked_at_again(engines: Engines) -> None:
    review = Review(*at_random(ConnectFour(4, 4), 1))
    raised = Interrupt()
    raised.set()
    for interrupt, looked in ((Interrupt(), 1), (raised, 1), (Interrupt(), 2)):
        review.advance(engines, interrupt)
        assert review.looked == looked


# dice


HOLD = (15, 30, 38)  # points of a turn at which the players save


def careless(seed: int) -> tuple[list[Any], list[Any]]:
    rng = random.Random(seed)

    def choose(state: Any) -> Any:
        if state.turn == CHANCE:
            return random_move(state, rng)
        return Choice.ROLL if state.points < HOLD[state.turn] else Choice.SAVE

    return played(Dice(target=100), choose)


@pytest.mark.parametrize("seed", range(5))
def test_luck_and_errors_are_all_that_changes_the_chances(engines: Engines, seed: int) -> None:
    states, moves = careless(seed)
    told = reviewed(engines, states, moves)
    assert_sums(told["points"], told["players"])
    assert told["points"][-1]["chances"][states[-1].outcome.winner] == 1
    for player in told["players"]:
        assert player["errors"] >= -1e-9
    errors = sum(player["errors"] for player in told["players"])
    assert errors + 1e-9 >= sum(mistake["loss"] for mistake in told["mistakes"]) > 0


@pytest.mark.parametrize("points", [0, 50])  # with 50 it was wrong to roll
def test_luck_is_fair(engines: Engines, points: int) -> None:
    throwing = Dice(target=120).parse_state(f"saved 0 0 0 points {points} turns 0 throw")
    before, *after = (
        reviewed(engines, [state], [])["points"][0]["chances"]
        for state in (throwing, *map(throwing.play, throwing.legal_moves()))
    )
    for seat, chance in enumerate(before):
        assert sum(one[seat] for one in after) / len(after) == pytest.approx(chance, abs=1e-9)


def test_dice_mistakes_are_graded_by_their_cost(engines: Engines) -> None:
    mistakes = [
        mistake for seed in range(5) for mistake in reviewed(engines, *careless(seed))["mistakes"]
    ]
    assert {mistake["grade"] for mistake in mistakes} == {"?!", "?", "??"}
    for mistake in mistakes:
        least, below = {"?!": (0.005, 0.02), "?": (0.02, 0.05), "??": (0.05, 1)}[mistake["grade"]]
        assert least <= mistake["loss"] < below
        assert {mistake["move"], mistake["better"]} == {"ROLL", "SAVE"}
        assert mistake["exact"]
