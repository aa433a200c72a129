"""The dice race solved: the equilibrium of three, and exact win rates of any policies.

In equilibrium every player maximises the own chance to win, the other two doing the same; SAVE is
chosen where both decisions are equally good. Scores with more points are settled first, rotations
of a score together, because a turn that ends with a double leaves the same score to the next
player. The race is taken to go on until a player wins. The rules break it off after 100 rounds, but
fewer than 1 in 10**15 races to 150 between such players last that long; the mean is 7 rounds.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

import numpy as np

from spielwerk.engines.interface import EngineError
from spielwerk.games.dice.engine import kernels
from spielwerk.games.dice.engine.policy import Policy, Report, check_target, policy_path

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.dice.engine.policy import Chances

    Progress = Callable[[float], None]  # gets the share of all positions that is settled

MOST_SWITCHES: Final = 12  # the race to 150 needs 6


def _in_silence(share: float) -> None:
    """Show no progress."""


def solve(target: int, progress: Progress = _in_silence) -> Policy:
    """Compute the equilibrium of three for a target."""
    check_target(target)
    switches = np.zeros((1, MOST_SWITCHES, *_lattice(target)), np.uint8)
    _, report = _settle(switches, (True,), progress)
    return Policy(target, _trimmed(switches[0]), report)


def solve_to_file(target: int, progress: Progress = _in_silence) -> Path:
    """Compute the equilibrium for a target and keep it where `load_policy` looks for it."""
    path = policy_path(target)
    solve(target, progress).save(path)
    return path


def evaluate(policy: Policy) -> NDArray[np.float64]:
    """The chances at the beginning of every turn if all three play by the policy."""
    values, _ = _settle(_stacked((policy,)), (False,))
    return values.reshape(values.shape[1:])


def win_rates(policies: tuple[Policy, Policy, Policy]) -> Chances:
    """The chances of three players in the order of play, the first of them beginning."""
    values, _ = _settle(_stacked(policies), (False, False, False))
    mine, following, last = values[0, :, -1, -1, -1].tolist()
    return mine, following, last


def mean_win_rate(policy: Policy, others: tuple[Policy, Policy]) -> float:
    """The chance of a player against two others in this order, each beginning equally often."""
    values, _ = _settle(_stacked((policy, *others)), (False, False, False))
    return _mean(values)


def best_response(others: tuple[Policy, Policy]) -> Policy:
    """The policy that wins most against two others who follow in this order."""
    target = others[0].target
    switches = np.zeros((3, MOST_SWITCHES, *_lattice(target)), np.uint8)
    fixed = _stacked(others)
    switches[1:, : fixed.shape[1]] = fixed
    _, report = _settle(switches, (True, False, False))
    return Policy(target, _trimmed(switches[0]), report)


def _mean(values: NDArray[np.float64]) -> float:
    """The first player's chance at the start, over all who may begin."""
    return float(np.mean([values[begins, -begins % 3, -1, -1, -1] for begins in range(3)]))


def _lattice(target: int) -> tuple[int, int, int]:
    return (target + 1,) * 3


def _trimmed(switches: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Without the planes that nothing is stored in, but at least one."""
    used = max(1, np.count_nonzero(switches.any(axis=(1, 2, 3))))
    return np.ascontiguousarray(switches[:used])


def _stacked(policies: Sequence[Policy]) -> NDArray[np.uint8]:
    """The switches of several policies in one array that a kernel accepts."""
    targets = {policy.target for policy in policies}
    if len(targets) > 1:
        raise EngineError(f"policies for different targets cannot race: {sorted(targets)}")
    most = max(len(policy.switches) for policy in policies)
    stack = np.zeros((len(policies), most, *_lattice(targets.pop())), np.uint8)
    for room, policy in zip(stack, policies, strict=True):
        room[: len(policy.switches)] = policy.switches
    return stack


def _settle(
    switches: NDArray[np.uint8], optimises: Sequence[bool], progress: Progress = _in_silence
) -> tuple[NDArray[np.float64], Report]:
    """Settle the lattice in the order of missing points; who optimises gets switches written."""
    seats, target = len(switches), switches.shape[2] - 1
    values = np.zeros((seats, 3, *_lattice(target)))
    threads = os.cpu_count() or 1
    tallies = np.zeros((threads, kernels.COLUMNS))
    flags = np.array(optimises)
    classes = target**3 if seats == 3 else (target**3 + 2 * target) // 3
    with ThreadPoolExecutor(threads) as pool:
        for total in range(3, 3 * target + 1):
            shared = (values, switches, flags, tallies)
            parts = [
                pool.submit(kernels.settle_layer, total, part, *shared) for part in range(threads)
            ]
            for part in parts:
                part.result()
            progress(tallies[:, kernels.CLASSES].sum() / classes)
    return values, _report(tallies)


def _report(tallies: NDArray[np.float64]) -> Report:
    if tallies[:, kernels.CROWDED].any():
        raise EngineError(f"decisions change more than {MOST_SWITCHES} times within a turn")
    total = tallies.sum(axis=0).astype(int).tolist()
    return Report(
        classes=total[kernels.CLASSES],
        improvements=total[kernels.IMPROVEMENTS],
        unsettled=total[kernels.UNSETTLED],
        regret=float(tallies[:, kernels.REGRET].max()),
    )
