from __future__ import annotations

import os
from pathlib import Path
from random import Random

import numpy as np
import pytest

from spielwerk.engines.interface import EngineError
from spielwerk.games.dice.engine import solver
from spielwerk.games.dice.engine.policy import (
    Policy,
    hold_at,
    load_policy,
    policy_path,
    read_policy,
)
from spielwerk.games.dice.engine.solver import evaluate, regret, solve, solve_to_file
from tests.games.dice.engine.naive import Race

TINY = 8


def wild_policy(target: int, seed: int) -> Policy:
    """Decisions that change anywhere, up to four times a turn; but everybody rolls at first."""
    rng = np.random.default_rng(seed)
    missing = np.arange(target + 1)[:, None, None]
    places = rng.random((4, target + 1, target + 1, target + 1)) * missing
    places[:, 0] = 0
    return Policy(target, np.sort(places.astype(np.uint8), axis=0)[::-1])


def test_the_equilibrium_agrees_with_plain_value_iteration() -> None:
    race, policy = Race(10), solve(10)
    for position, chances in race.values.items():
        assert policy.values[:, *position] == pytest.approx(chances, abs=1e-9)
    assert all(policy.roll(*asked) == rolls for asked, rolls in race.rolls.items())


def test_chances_under_any_policy_agree_with_plain_value_iteration() -> None:
    policy = wild_policy(TINY, 7)
    for position, chances in Race(TINY, policy.roll).values.items():
        assert policy.chances(position, 0) == pytest.approx(chances, abs=1e-9)


def test_if_everybody_passes_nobody_wins() -> None:
    idle = Policy(5, np.broadcast_to(np.arange(6, dtype=np.uint8)[:, None, None], (1, 6, 6, 6)))
    assert not idle.roll((5, 5, 5), 0)
    assert not evaluate(idle)[:, 5, 5, 5].any()


def test_the_top_corner_of_the_shipped_policy_is_what_the_kernel_finds() -> None:
    shipped, again = load_policy(150).switches[:, :96, :96, :96], solve(95).switches
    assert shipped.any()
    assert np.array_equal(shipped[: len(again)], again)
    assert not shipped[len(again) :].any()


def test_a_sample_of_the_shipped_policy_is_best_in_plain_arithmetic() -> None:
    shipped, rng = load_policy(150), Random(1)
    saves = 0
    for _ in range(400):
        missing = (rng.randint(1, 150), rng.randint(1, 150), rng.randint(1, 150))
        points = rng.randrange(missing[0])
        roll = shipped.after_roll(missing, points)[0]
        save = shipped.after_save(missing, points)[0]
        assert shipped.roll(missing, points) == (roll > save + 1e-12)
        saves += roll <= save
    assert saves > 20


def test_the_threads_do_not_change_the_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = []
    for threads in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda threads=threads: threads)
        solutions.append(solve(60))
    assert np.array_equal(solutions[0].switches, solutions[1].switches)
    assert solutions[0].report == solutions[1].report


def test_decisions_that_do_not_fit_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_SWITCHES", 1)
    with pytest.raises(EngineError, match="more than 1 times"):
        solve(80)


def test_regret_is_what_another_turn_would_bring() -> None:
    missing = np.array([30, 30, 30])
    for policy, least, most in [(hold_at(30, 3), 0.1, 1.0), (solve(30), 0.0, 1e-12)]:
        start = np.repeat(policy.values[None, :, 30, 30, 30], 3, axis=0)
        assert least <= regret(policy.values, missing, start) < most


def test_a_solution_is_kept_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    shares: list[float] = []
    path = solve_to_file(20, shares.append)
    assert shares == sorted(shares)
    assert (shares[0] > 0, shares[-1]) == (True, 1)
    assert path == policy_path(20) == tmp_path / "dice" / "20.table"
    kept, again = read_policy(path), solve(20)
    assert kept.report == again.report
    assert kept.report == {"classes": 2680, "improvements": 8040, "unsettled": 0, "regret": 0.0}
    assert np.array_equal(kept.switches, again.switches)
