from __future__ import annotations

import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError, write_table
from spielwerk.games.dice.engine.policy import (
    KIND,
    VERSION,
    hold_at,
    load_policy,
    policy_path,
    read_policy,
)
from spielwerk.games.dice.engine.solver import solve


def test_the_first_player_is_ahead_and_rolls_until_41() -> None:
    shipped, start = load_policy(150), (150, 150, 150)
    assert shipped.chances(start, 0) == pytest.approx((0.36837, 0.33163, 0.30000), abs=1e-5)
    assert [shipped.roll(start, points) for points in (0, 40, 41, 60)] == [1, 1, 0, 0]


def test_loading_and_rolling_need_no_compiler() -> None:
    program = (
        "import sys; from spielwerk.games.dice.engine import DiceEngine, load_policy;"
        "load_policy(150).roll((150, 150, 150), 40); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_hold_at_rolls_below_and_saves_from_there_on() -> None:
    policy = hold_at(100, 25)
    rolls = [policy.roll((100, 1, 50), points) for points in (0, 24, 25, 26, 99)]
    assert rolls == [1, 1, 0, 0, 0]
    assert all(policy.roll((20, 100, 100), points) for points in range(20))


def test_hold_at_one_throw_can_be_calculated_by_hand() -> None:
    """A throw that is no double wins at once: five of six."""
    own, following, last = hold_at(3, 1).chances((3, 3, 3), 0)
    assert own == pytest.approx((5 / 6) / (1 - 1 / 216))
    assert following == pytest.approx(own / 6)
    assert last == pytest.approx(own / 36)


@pytest.mark.parametrize("target", [2, 256, 10_000])
def test_targets_without_policies(target: int) -> None:
    for make in (load_policy, solve, lambda target: hold_at(target, 20)):
        with pytest.raises(EngineError, match=f"the race to {target} cannot"):
            make(target)


def test_a_larger_target_is_looked_for_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    with pytest.raises(EngineError, match="run: spielwerk solve dice --target 151"):
        load_policy(151)
    policy = hold_at(151, 30)
    policy.save(policy_path(151))
    again = load_policy(151)
    assert again.target == 151
    assert np.array_equal(again.switches, policy.switches)
    hold_at(20, 10).save(policy_path(160))
    with pytest.raises(TableFileError, match="it holds the race to 20, not to 160"):
        load_policy(160)


@pytest.mark.parametrize(
    ("facts", "content"),
    [
        ({}, b""),
        ({"target": 3, "switches": 1}, b"not packed"),
        ({"target": 3, "switches": 1}, zlib.compress(bytes(63))),
        ({"target": "3", "switches": 1}, zlib.compress(bytes(64))),
        ({"target": -4, "switches": 1}, zlib.compress(bytes(64))),
    ],
)
def test_a_file_with_wrong_content_is_refused(
    tmp_path: Path, facts: dict[str, Any], content: bytes
) -> None:
    path = tmp_path / "policy.table"
    write_table(path, KIND, VERSION, facts, content)
    with pytest.raises(TableFileError, match="damaged"):
        read_policy(path)
