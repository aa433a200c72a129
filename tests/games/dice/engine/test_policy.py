from __future__ import annotations

import subprocess
import sys
import zlib
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError, write_table
from spielwerk.games.dice.engine.policy import (
    KIND,
    VERSION,
    Policy,
    hold_at,
    load_policy,
    policy_path,
    read_policy,
)
from spielwerk.games.dice.engine.solver import solve

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


@pytest.fixture(scope="module")
def shipped() -> Policy:
    return load_policy(150)


def planes(policy: Policy, count: int) -> NDArray[np.uint8]:
    """The first planes of switches; those that the policy does not store are zero."""
    full = np.zeros((count, *policy.switches.shape[1:]), np.uint8)
    full[: len(policy.switches)] = policy.switches[:count]
    return full


def test_the_top_corner_of_the_shipped_policy_is_what_the_kernel_finds(shipped: Policy) -> None:
    corner = shipped.reduced(95)
    again = solve(95)
    assert corner.switches.any()
    assert np.array_equal(corner.switches, planes(again, len(corner.switches)))


def test_a_sample_of_the_shipped_policy_is_best_in_plain_arithmetic(shipped: Policy) -> None:
    rng = Random(1)
    saves = 0
    for _ in range(400):
        own, following, last = (rng.randrange(150) for _ in range(3))
        points = rng.randrange(150 - own)
        roll = shipped.after_roll(own, following, last, points)[0]
        save = shipped.after_save(own, following, last, points)[0]
        assert shipped.roll(own, following, last, points) == (roll > save + 1e-12)
        saves += roll <= save
    assert saves > 20


def test_the_first_player_is_ahead_and_rolls_until_41(shipped: Policy) -> None:
    assert shipped.chances(0, 0, 0, 0) == pytest.approx((0.36837, 0.33163, 0.30000), abs=1e-5)
    assert [shipped.roll(0, 0, 0, points) for points in (0, 40, 41, 60)] == [1, 1, 0, 0]


def test_loading_and_rolling_need_no_compiler() -> None:
    program = (
        "import sys; from spielwerk.games.dice.engine import DiceEngine, load_policy;"
        "load_policy(150).roll(0, 0, 0, 40); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_smaller_target_is_the_top_of_a_larger_one(shipped: Policy) -> None:
    small = load_policy(80)
    assert small.target == 80
    for points in range(60):
        assert small.roll(10, 3, 1, points) == shipped.roll(80, 73, 71, points)
    assert small.chances(10, 3, 1, 9) == pytest.approx(shipped.chances(80, 73, 71, 9), abs=1e-12)


def test_hold_at_rolls_below_and_saves_from_there_on() -> None:
    policy = hold_at(100, 25)
    assert [policy.roll(0, 99, 50, points) for points in (0, 24, 25, 26, 99)] == [1, 1, 0, 0, 0]
    assert all(policy.roll(80, 0, 0, points) for points in range(20))


def test_hold_at_one_throw_can_be_calculated_by_hand() -> None:
    """A throw that is no double wins at once: five of six."""
    own, following, last = hold_at(3, 1).chances(0, 0, 0, 0)
    assert own == pytest.approx((5 / 6) / (1 - 1 / 216))
    assert following == pytest.approx(own / 6)
    assert last == pytest.approx(own / 36)


@pytest.mark.parametrize("points", [0, -5])
def test_hold_at_nothing_is_refused(points: int) -> None:
    with pytest.raises(EngineError, match=f"hold at {points}"):
        hold_at(150, points)


@pytest.mark.parametrize(
    "position", [(150, 0, 0, 0), (0, 150, 0, 0), (0, 0, -1, 0), (0, 0, 0, -1), (140, 0, 0, 10)]
)
def test_positions_that_are_none(shipped: Policy, position: tuple[int, int, int, int]) -> None:
    with pytest.raises(EngineError, match="no position of a race to 150"):
        shipped.roll(*position)
    with pytest.raises(EngineError, match="no position of a race to 150"):
        shipped.chances(*position)


@pytest.mark.parametrize("target", [2, 256, 10_000])
def test_targets_without_policies(target: int) -> None:
    with pytest.raises(EngineError, match=f"the race to {target} cannot"):
        load_policy(target)
    with pytest.raises(EngineError, match=f"the race to {target} cannot"):
        hold_at(target, 20)


def test_a_larger_target_is_looked_for_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    with pytest.raises(EngineError, match="run: spielwerk solve dice --target 151"):
        load_policy(151)
    hold_at(151, 30).save(policy_path(151))
    assert not load_policy(151).roll(0, 0, 0, 30)


def test_a_policy_comes_back_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.table"
    policy = load_policy(90)
    policy.save(path)
    again = read_policy(path)
    assert again.target == 90
    assert np.array_equal(again.switches, policy.switches)


@pytest.mark.parametrize(
    ("facts", "content"),
    [
        ({}, b""),
        ({"target": 3, "switches": 1, "report": None}, b"not packed"),
        ({"target": 3, "switches": 1, "report": None}, zlib.compress(bytes(63))),
        ({"target": "3", "switches": 1, "report": None}, zlib.compress(bytes(64))),
        ({"target": -4, "switches": 1, "report": None}, zlib.compress(bytes(64))),
        ({"target": 3, "switches": 1, "report": {"colour": 1}}, zlib.compress(bytes(64))),
    ],
)
def test_a_file_with_wrong_content_is_refused(
    tmp_path: Path, facts: dict[str, Any], content: bytes
) -> None:
    path = tmp_path / "policy.table"
    write_table(path, KIND, VERSION, facts, content)
    with pytest.raises(TableFileError, match="damaged"):
        read_policy(path)


def test_a_policy_for_another_target_is_not_taken_for_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    hold_at(20, 10).save(policy_path(160))
    with pytest.raises(TableFileError, match="it holds the race to 20, not to 160"):
        load_policy(160)
