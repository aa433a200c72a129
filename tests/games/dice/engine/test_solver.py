from __future__ import annotations

import os
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from spielwerk.engines.interface import EngineError
from spielwerk.games.dice.engine import kernels, solver
from spielwerk.games.dice.engine.policy import (
    Policy,
    hold_at,
    policy_path,
    read_policy,
)
from spielwerk.games.dice.engine.solver import (
    best_response,
    evaluate,
    mean_win_rate,
    solve,
    solve_to_file,
    win_rates,
)
from tests.games.dice.engine.naive import Decide, Race

if TYPE_CHECKING:
    from pathlib import Path

TINY = 8


def wild_policy(target: int, seed: int) -> Policy:
    """Decisions that change anywhere, up to four times a turn; but everybody rolls at first."""
    rng = np.random.default_rng(seed)
    missing = np.arange(target + 1)[:, None, None]
    places = rng.random((4, target + 1, target + 1, target + 1)) * missing
    places[:, 0] = 0
    return Policy(target, np.sort(places.astype(np.uint8), axis=0)[::-1])


def decider(policy: Policy) -> Decide:
    def roll(x: int, y: int, z: int, points: int) -> bool:
        target = policy.target
        return policy.roll(target - x, target - y, target - z, points)

    return roll


def decisions(policy: Policy) -> dict[tuple[int, int, int, int], bool]:
    scores = range(1, policy.target + 1)
    decide = decider(policy)
    return {
        (x, y, z, points): decide(x, y, z, points)
        for x, y, z in product(scores, repeat=3)
        for points in range(x)
    }


def test_the_equilibrium_agrees_with_plain_value_iteration() -> None:
    target = 10
    race = Race(target, (None, None, None))
    policy = solve(target)
    for (_, x, y, z), chances in race.values.items():
        assert policy.values[:, x, y, z] == pytest.approx(chances, abs=1e-9)
    assert decisions(policy) == {key[1:]: rolls for key, rolls in race.rolls.items()}


def test_win_rates_agree_with_plain_value_iteration() -> None:
    first, second, third = (wild_policy(TINY, seed) for seed in range(3))
    race = Race(TINY, (decider(first), decider(second), decider(third)))
    rates = win_rates((first, second, third))
    assert rates == pytest.approx(race.values[0, TINY, TINY, TINY], abs=1e-9)
    begins = [race.values[seat, TINY, TINY, TINY][-seat % 3] for seat in range(3)]
    assert mean_win_rate(first, (second, third)) == pytest.approx(np.mean(begins), abs=1e-9)


def test_chances_within_a_turn_agree_with_win_rates() -> None:
    policy = wild_policy(TINY, 7)
    start = policy.chances(0, 0, 0, 0)
    assert start == pytest.approx(win_rates((policy, policy, policy)), abs=1e-12)
    race = Race(TINY, (decider(policy),) * 3)
    for (seat, x, y, z), chances in race.values.items():
        if not seat:
            saved = (TINY - x, TINY - y, TINY - z)
            assert policy.chances(*saved, 0) == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("holds", [(3, 3), (3, 5), (8, 4)])
def test_the_best_response_agrees_with_plain_value_iteration(holds: tuple[int, int]) -> None:
    target = 10
    others = (hold_at(target, holds[0]), hold_at(target, holds[1]))
    race = Race(target, (None, *map(decider, others)))
    response = best_response(others)
    expected = {key[1:]: rolls for key, rolls in race.rolls.items() if key[0] == 0}
    assert decisions(response) == expected
    rates = win_rates((response, *others))
    assert rates == pytest.approx(race.values[0, target, target, target], abs=1e-9)


def test_if_everybody_passes_nobody_wins() -> None:
    idle = Policy(5, np.broadcast_to(np.arange(6, dtype=np.uint8)[:, None, None], (1, 6, 6, 6)))
    assert not idle.roll(0, 0, 0, 0)
    assert win_rates((idle, idle, idle)) == (0, 0, 0)
    assert win_rates((idle, hold_at(5, 3), idle)) == pytest.approx((0, 1, 0))


def test_the_threads_do_not_change_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = []
    for threads in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda threads=threads: threads)
        solutions.append(solve(80))
    assert np.array_equal(solutions[0].switches, solutions[1].switches)
    assert solutions[0].report == solutions[1].report


def test_progress_is_shown_up_to_the_end() -> None:
    shares: list[float] = []
    solve(20, shares.append)
    assert shares == sorted(shares)
    assert shares[0] > 0
    assert shares[-1] == 1


def test_decisions_that_do_not_fit_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_SWITCHES", 1)
    with pytest.raises(EngineError, match="more than 1 times"):
        solve(80)


def test_what_does_not_settle_is_reported_with_its_regret() -> None:
    """The player's own chance is worth less than another turn would bring: that is the regret."""
    values = evaluate(hold_at(30, 3))[np.newaxis]
    missing = np.array([30, 30, 30])
    start = np.repeat(values[:, :, 30, 30, 30], 3, axis=0)
    assert kernels.regret(values, missing, np.array([True]), start) > 0.1
    assert kernels.regret(values, missing, np.array([False]), start) == 0
    settled = solve(30)
    values = settled.values[np.newaxis]
    start = np.repeat(values[:, :, 30, 30, 30], 3, axis=0)
    assert kernels.regret(values, missing, np.array([True]), start) < 1e-12


def test_a_solution_is_kept_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    path = solve_to_file(20)
    assert path == policy_path(20) == tmp_path / "dice" / "20.table"
    kept = read_policy(path)
    assert kept.report == solve(20).report
    assert np.array_equal(kept.switches, solve(20).switches)


@pytest.mark.parametrize("target", [2, 256, -1])
def test_targets_that_cannot_be_solved(target: int) -> None:
    with pytest.raises(EngineError, match=f"the race to {target} cannot"):
        solve(target)


def test_policies_for_different_targets_cannot_race() -> None:
    with pytest.raises(EngineError, match=r"\[20, 30\]"):
        win_rates((hold_at(20, 5), hold_at(30, 5), hold_at(20, 5)))
