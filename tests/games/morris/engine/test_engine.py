"""The engine's answers: legal, the same under a seed, proven where it says so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from spielwerk.engines.interface import Limits, Result, Score
from spielwerk.games.morris.engine import MorrisEngine
from spielwerk.games.morris.engine.board import MorrisPosition
from spielwerk.games.morris.engine.sectors import SolvedSectors
from spielwerk.games.morris.rules import QUIET_TURNS, Decision, MorrisState

from .positions import GAME, after_turns, random_games, thrown

START = GAME.start()
MIDDLE = GAME.parse_state(".0.1.0.1/010.1.01/.1.0.0.1 hand 0 0 player 0 capture 0 quiet 4")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> MorrisEngine:
    """A small engine with the sectors of the package alone."""
    return MorrisEngine(table_bits=14, folder=tmp_path_factory.mktemp("empty"))


def sample(chance: float, games: int, seed: int) -> list[MorrisState]:
    rng = random.Random(seed)
    return [s for s in random_games(games, seed) if not s.outcome and rng.random() < chance]


def check_result(state: MorrisState, result: Result[Decision]) -> None:
    assert result.move in state.legal_moves()
    assert result.variation[0] == result.move
    now = state
    for move in result.variation:
        now = now.play(move)
    if result.score.plies is not None:
        assert len(result.variation) == result.score.plies
        assert now.outcome is not None


@pytest.mark.parametrize(
    ("position", "nodes", "seed"),
    [
        ("11.1.010/....0.../......1. hand 0 0 player 0 capture 0 quiet 45", 84, 307),
        ("...01.0./..10...0/0...100. hand 0 0 player 1 capture 0 quiet 40", 75, 847),
        ("1..1.1.0/...1.0../1...10.. hand 0 0 player 0 capture 0 quiet 40", 72, 312),
    ],
)
def test_a_loss_is_not_proven_before_all_turns_were_looked_at(
    position: str, nodes: int, seed: int
) -> None:
    state = GAME.parse_state(position)
    cut_off = MorrisEngine().search(state, Limits(nodes=nodes, seed=seed))
    assert not cut_off.score.exact
    assert MorrisEngine().search(state, Limits(depth=10)).score.result != -1


def forced(state: MorrisState, turns: int) -> int | None:
    """1 or -1 if the player to move wins or loses within so many turns, by trying everything."""
    if state.outcome:
        winner = state.outcome.winner
        return None if winner is None else (1 if winner == state.player else -1)
    if turns == 0:
        return None
    worst: int | None = -1
    for after in after_turns(state):
        reply = forced(after, turns - 1)
        if reply == -1:
            return 1
        if reply is None:
            worst = None
    return worst


def near_the_end(seed: int, number: int) -> list[MorrisState]:
    """Boards outside the solved sectors where somebody may be lost soon."""
    rng = random.Random(seed)
    found: list[MorrisState] = []
    while len(found) < number:
        mover, opponent = rng.choice(((3, 5), (5, 3), (9, 9), (9, 8), (6, 3)))
        state = thrown(rng, mover, opponent, rng.choice((0, 10, 47, 48, 49)))
        if not state.outcome:
            found.append(state)
    return found


def test_short_wins_and_losses_are_found_and_no_others(shared: MorrisEngine) -> None:
    """Two turns are searched without reductions, so both directions hold."""
    decided = 0
    for state in near_the_end(1, 200):
        truth = forced(state, 2)
        score = shared.search(state, Limits(depth=2)).score
        if truth is not None:
            assert score.result == truth, state
            decided += 1
        elif score.exact:
            assert not _ends_within_two(score), state
    assert decided > 15


def _ends_within_two(score: Score) -> bool:
    return abs(score.value) >= 299.98


def test_the_fiftieth_quiet_turn_draws_before_the_opponent_is_asked(shared: MorrisEngine) -> None:
    """White can block Black for good, but with the fiftieth quiet turn that is a draw."""
    text = "10101.10/.....0../0.0..... hand 0 0 player 0 capture 0 quiet {}"
    early, late = GAME.parse_state(text.format(3)), GAME.parse_state(text.format(49))
    blocking = [m for m in early.legal_moves() if early.play(m).outcome]
    assert len(blocking) == 1
    found = shared.search(early, Limits(depth=3))
    assert (found.move, found.score.result, found.score.plies) == (blocking[0], 1, 1)
    scores = shared.analyse(late, Limits(depth=3))
    assert scores[blocking[0]] == Score(0.0, exact=True, result=0)


def test_the_count_is_seen_in_the_search(shared: MorrisEngine) -> None:
    """At 49 every quiet turn is known to be a draw, at 0 hardly any."""
    state = GAME.parse_state(str(MIDDLE).replace("quiet 4", "quiet 49"))
    quiet = [m for m in state.legal_moves() if not state.play(m).capture]
    scores = shared.analyse(state, Limits(depth=2))
    assert quiet
    assert all(scores[move] == Score(0.0, exact=True, result=0) for move in quiet)


@pytest.mark.parametrize("sector", [(3, 3), (4, 3), (3, 4), (4, 4)])
def test_solved_positions_are_played_exactly(sector: tuple[int, int], shared: MorrisEngine) -> None:
    """A win is never given away, a draw never lost, and a win comes nearer with every own turn."""
    rng = random.Random(sum(sector))
    for _ in range(60):
        state = thrown(rng, *sector, rng.randrange(QUIET_TURNS))
        if state.outcome:
            continue
        result = shared.search(state, Limits(depth=2, seed=1))
        check_result(state, result)
        assert result.score.exact
        scores = shared.analyse(state, Limits(depth=1))
        assert all(score.exact for score in scores.values())
        assert scores[result.move].result == result.score.result
        assert result.score.value == max(score.value for score in scores.values())


def test_a_solved_win_is_won(shared: MorrisEngine) -> None:
    """Against random defence, whatever the count was at the beginning."""
    rng = random.Random(5)
    won = 0
    while won < 15:
        state = thrown(rng, 3, 3, rng.randrange(40))
        if state.outcome or shared.search(state, Limits(depth=1)).score.result != 1:
            continue
        winner = state.player
        while not state.outcome:
            mine = state.player == winner
            move = shared.search(state, Limits(depth=1)).move if mine else None
            state = state.play(move or rng.choice(state.legal_moves()))
        assert state.outcome.winner == winner
        won += 1


def losing_share(state: MorrisState, solved: SolvedSectors) -> float:
    """How many of the player's turns lose, as the sectors say after each of them."""
    results = [1 if after.outcome else result_of(after, solved) for after in after_turns(state)]
    return results.count(1) / len(results)


def result_of(state: MorrisState, solved: SolvedSectors) -> int:
    """1, 0 or -1 for the player to move."""
    position = MorrisPosition.of(state)
    return solved.result(position.own, position.opponent, 0, position.quiet)


def test_of_the_turns_that_draw_one_is_played_after_which_most_answers_lose(
    shared: MorrisEngine, tmp_path: Path
) -> None:
    solved, rng = SolvedSectors(tmp_path), random.Random(3)
    chosen = 0
    while chosen < 4:
        state = thrown(rng, 4, 4, 0)
        quiet = [after for after in after_turns(state) if not after.outcome and after.quiet]
        shares = {losing_share(after, solved) for after in quiet if not result_of(after, solved)}
        if state.outcome or len(shares) < 2 or result_of(state, solved):
            continue
        after = state.play(shared.search(state, Limits(depth=2, seed=1)).move)
        if not after.capture:
            assert losing_share(after, solved) == max(shares)
            chosen += 1


def test_a_position_waiting_for_captures_is_answered(shared: MorrisEngine) -> None:
    text = "000...00/11.1..../........ hand 2 3 player 0 capture 2 quiet 0"
    state = GAME.parse_state(text)
    result = shared.search(state, Limits(depth=3))
    check_result(state, result)
    assert [move.origin for move in result.variation[:2]] == [None, None]
    assert set(shared.analyse(state, Limits(depth=3))) == set(state.legal_moves())


def test_a_mill_is_closed_rather_than_left_open(shared: MorrisEngine) -> None:
    state = GAME.parse_state("00....../..1.1.../........ hand 7 7 player 0 capture 0 quiet 4")
    assert shared.search(state, Limits(depth=1, seed=1)).move == Decision(2)


def test_analysis_and_search_agree_on_the_value(shared: MorrisEngine) -> None:
    """At two turns nothing is reduced, so both see the same tree."""
    for state in sample(0.05, games=6, seed=7):
        best = next(iter(shared.analyse(state, Limits(depth=2)).values()))
        assert shared.search(state, Limits(depth=2)).score.value == pytest.approx(best.value)
