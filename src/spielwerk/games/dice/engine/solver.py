"""The dice race solved: the equilibrium of three, and the chances under any policy.

In equilibrium every player maximises the own chance to win, the other two doing the same; SAVE is
chosen where both decisions are equally good. Scores with more points are settled first, rotations
of a score together, because a turn that ends with a double leaves the same score to the next
player. The race is taken to go on until a player wins. The rules break it off after 100 rounds, but
fewer than 1 in 10**15 races to 150 between such players last that long; the mean is 7 rounds.

Three players need not have an equilibrium without decisions mixed by chance: in the race to 150
there is none in 97 classes of 1,125,100 (score triples that are rotations of each other). Where
none was found the class is unsettled, and `regret` is the most that a player could gain there by
another turn. Seen from the start that hardly matters: a best response to two such players gains
less than 1e-10.

The race looks the same at every target if one counts the points that are still missing, so that is
what all arrays are indexed by: [x, y, z] is the beginning of a turn where the player to move misses
x points, the next player y and the one after z.

values[k, x, y, z]     the chance to win of the k-th player from there, 0 the one to move
switches[k, x, y, z]   how many points are missing, with those of the turn, when the decision
                       changes for the k-th time, first from ROLL to SAVE; then zeros
"""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from spielwerk.engines.compiled import copy_row, inlined, kept_array, kernel
from spielwerk.engines.interface import EngineError
from spielwerk.games.dice.engine.policy import (
    LARGEST_TARGET,
    THROWS,
    Policy,
    check_target,
    policy_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Bytes: TypeAlias = NDArray[np.uint8]
    Flags: TypeAlias = NDArray[np.bool_]
    Integers: TypeAlias = NDArray[np.int64]
    Progress = Callable[[float], None]  # gets the share of all positions that is settled
    Layer = Callable[[int, int, Floats, Bytes, Floats], None]

MOST_SWITCHES: Final = 12  # the race to 150 needs 6
LONGEST_THROW: Final = 11  # without a double
TIE: Final = 1e-12  # a throw has to gain more than this, or the points are saved
ROUNDING: Final = 1e-13  # chances that differ by less are equal
PATIENCE: Final = 30  # improvements from one guess
SHIFTS: Final = (0.0, 0.02, -0.02, 0.04, -0.04, 0.06, -0.06)  # of a guess, for another try
TRIES: Final = len(SHIFTS) ** 3

# The columns of what `settle_layer` reports, a row for each thread.
CLASSES, IMPROVEMENTS, UNSETTLED, REGRET, CROWDED = range(5)
COLUMNS: Final = 5


def _in_silence(share: float) -> None:
    """Show no progress."""


def solve(target: int, progress: Progress = _in_silence) -> Policy:
    """Compute the equilibrium of three for a target."""
    check_target(target)
    switches = np.zeros((MOST_SWITCHES, *(target + 1,) * 3), np.uint8)
    _, tallies = _over_lattice(settle_layer, switches, progress)
    if tallies[:, CROWDED].any():
        raise EngineError(f"decisions change more than {MOST_SWITCHES} times within a turn")
    total = tallies.sum(axis=0).astype(int).tolist()
    report = {
        "classes": total[CLASSES],
        "improvements": total[IMPROVEMENTS],
        "unsettled": total[UNSETTLED],
        "regret": float(tallies[:, REGRET].max()),
    }
    used = max(1, np.count_nonzero(switches.any(axis=(1, 2, 3))))
    return Policy(target, np.ascontiguousarray(switches[:used]), report)


def solve_to_file(target: int, progress: Progress = _in_silence) -> Path:
    """Compute the equilibrium for a target and keep it where `load_policy` looks for it."""
    path = policy_path(target)
    solve(target, progress).save(path)
    return path


def evaluate(policy: Policy) -> Floats:
    """The chances at the beginning of every turn if all three play by the policy.

    For a policy that was solved they are kept: to compute them takes a second of a processor.
    """

    def compute() -> Floats:
        return _over_lattice(follow_layer, policy.switches, _in_silence)[0]

    if policy.report is None:
        return compute()
    name = hashlib.sha256(policy.switches.tobytes()).hexdigest()[:12]
    return kept_array(__file__, name, compute)


def _over_lattice(layer: Layer, switches: Bytes, progress: Progress) -> tuple[Floats, Floats]:
    """Do the lattice in the order of missing points: the chances, and a tally a thread."""
    target = switches.shape[1] - 1
    values = np.zeros((3, *switches.shape[1:]))
    threads = os.cpu_count() or 1
    tallies = np.zeros((threads, COLUMNS))
    classes = (target**3 + 2 * target) // 3
    with ThreadPoolExecutor(threads) as pool:
        for total in range(3, 3 * target + 1):
            shared = (values, switches, tallies)
            parts = [pool.submit(layer, total, part, *shared) for part in range(threads)]
            for part in parts:
                part.result()
            progress(tallies[:, CLASSES].sum() / classes)
    return values, tallies


# the kernels


def _passages() -> Floats:
    """Row n: the chances that a turn rolled on until it has n points ends at n, n + 1, ... n + 10;
    then the chance of a double before.
    """
    throw = np.array([chance for _, chance in THROWS])
    rows = np.zeros((LARGEST_TARGET + 1, LONGEST_THROW + 1))
    ahead = np.zeros(LONGEST_THROW + 1)  # the chances of n, n + 1, ... points
    ahead[0] = 1.0
    for row in rows:
        row[:-1], row[-1] = ahead[:-1], 1.0 - ahead.sum()
        ahead[3:] += ahead[0] * throw
        ahead = np.append(ahead[1:], 0.0)
    return rows


PASSAGES: Final = _passages()


@inlined
def _after_throw(points: int, worth: Floats) -> float:
    """The chance over the 30 of 36 throws that are no double."""
    rare = worth[points + 3] + worth[points + 4] + worth[points + 10] + worth[points + 11]
    often = worth[points + 5] + worth[points + 6] + worth[points + 8] + worth[points + 9]
    return float((rare + 2.0 * often + 3.0 * worth[points + 7]) / 18.0)


@kernel
def decide(after_save: Floats, after_double: float, rolls: Flags) -> float:
    """Choose for all points of a turn, and return the own chance at its beginning.

    `after_save[m]` is the own chance when the turn has passed on with m points missing,
    `after_double` that when it has passed on with nothing gained.
    """
    missing = len(after_save) - 1
    worth = np.ones(missing + LONGEST_THROW + 1)
    for points in range(missing - 1, -1, -1):
        save = after_save[missing - points] if points else after_double
        roll = after_double / 6.0 + _after_throw(points, worth)
        rolls[points] = roll > save + TIE
        worth[points] = max(save, roll)
    return float(worth[0])


@kernel
def recall(switches: Bytes, missing: int, rolls: Flags) -> None:
    """Spread the stored switches of one position over all points of its turn."""
    points, rolling = 0, True
    for switch in switches:
        until = missing - int(np.int64(switch))
        rolls[points:until] = rolling
        points, rolling = until, not rolling
        if not switch:
            break
    else:
        rolls[points:missing] = rolling


@kernel
def record(rolls: Flags, missing: int, switches: Bytes) -> bool:
    """Store decisions as switches; False if there are more of them than places."""
    switches[:] = 0
    count, rolling = 0, True
    for points in range(missing):
        if rolls[points] != rolling:
            if count == len(switches):
                return False
            switches[count] = missing - points
            count, rolling = count + 1, not rolling
    return True


@kernel
def follow(rolls: Flags, missing: int, after: Floats, ends: Floats) -> None:
    """How a turn ends: what it brings the three players, and the chance that it changes nothing.

    `after[k, m]` are the chances when the turn has passed on with m points missing, k counted from
    the next player. The first three of `ends` become what winning and saving are worth to the
    player, the next and the one after; the last the chance that the points stay as they were.
    """
    first = 0
    while first < missing and rolls[first]:
        first += 1
    reached = np.zeros(missing + LONGEST_THROW)
    for more in range(LONGEST_THROW):
        reached[first + more] = PASSAGES[first, more]
    ends[:] = 0.0
    ends[3] = PASSAGES[first, LONGEST_THROW] if first else 1.0
    beyond = first + LONGEST_THROW
    for points in range(max(first, 1), missing):
        if points == beyond:
            break
        chance = reached[points]
        if rolls[points]:
            beyond = points + LONGEST_THROW + 1
            ends[3] += chance / 6.0
            for pips, share in THROWS:
                reached[points + pips] += chance * share
        else:
            for player in range(3):
                ends[player] += chance * after[(player + 2) % 3, missing - points]
    for more in range(LONGEST_THROW):
        ends[0] += reached[missing + more]


@kernel
def link(ends: Floats, start: Floats) -> float:
    """Solve for the chances at the beginning of three turns of which each may lead to the next.

    start[i, k] = ends[i, k] + ends[i, 3] * start[i + 1, k - 1], all indices modulo 3: what goes
    round once leaves one equation for each player. Returns the largest change of a chance.
    """
    idle = ends[0, 3] * ends[1, 3] * ends[2, 3]
    change = 0.0
    for i in (0, 2, 1):
        for k in range(3):
            if i:
                chance = ends[i, k] + ends[i, 3] * start[(i + 1) % 3, (k + 2) % 3]
            elif idle < 1.0:
                later = ends[1, (k + 2) % 3] + ends[1, 3] * ends[2, (k + 1) % 3]
                chance = (ends[0, k] + ends[0, 3] * later) / (1.0 - idle)
            else:
                chance = 0.0  # all three pass for ever: there is no winner
            change = max(change, abs(chance - start[i, k]))
            start[i, k] = chance
    return change


@inlined
def _after(values: Floats, missing: Integers, i: int) -> Floats:
    """The chances when the turn of the i-th rotation has passed on, by the points missing then."""
    return values[:, missing[(i + 1) % 3], missing[(i + 2) % 3], : missing[i] + 1]


@kernel
def regret(values: Floats, missing: Integers, start: Floats) -> float:
    """The most that a player could gain by another turn now."""
    most = 0.0
    rolls = np.empty(values.shape[1], np.bool_)
    for i in range(3):
        best = decide(_after(values, missing, i)[2], start[(i + 1) % 3, 2], rolls)
        most = max(most, best - start[i, 0])
    return most


@kernel
def settle(values: Floats, missing: Integers, rolls: Flags, start: Floats) -> tuple[int, float]:
    """Find decisions and chances for three rotations; return the improvements and the regret.

    One player after the other chooses the best turn against the chances so far, and the chances
    under the new choice follow exactly, until three choices in a row have changed nothing. If that
    does not come about it is tried from other guesses; if it never does, the choices with the
    smallest regret of those seen stand.
    """
    together = missing[0] == missing[1] == missing[2]  # one position, three times
    ends, kept, least = np.empty((3, 4)), rolls.copy(), np.inf
    for attempt in range(TRIES):
        for i in range(3):
            after = _after(values, missing, i)
            shift = SHIFTS[attempt // len(SHIFTS) ** i % len(SHIFTS)]
            decide(after[2], after[2, missing[i] - 1] * (1.0 + shift), rolls[i])
            follow(rolls[i], missing[i], after, ends[i])
        link(ends, start)
        quiet = 0
        for step in range(PATIENCE):
            if quiet == 3:
                return attempt * PATIENCE + step, 0.0
            if 2 * step >= PATIENCE:
                pain = regret(values, missing, start)
                if pain < least:
                    least = pain
                    _copy_decisions(rolls, kept)
            for i in range(3):
                if together or i == step % 3:
                    after = _after(values, missing, i)
                    decide(after[2], start[(i + 1) % 3, 2], rolls[i])
                    follow(rolls[i], missing[i], after, ends[i])
            quiet = quiet + 1 if link(ends, start) < ROUNDING else 0
    _copy_decisions(kept, rolls)
    _play_on(values, missing, rolls, start)
    return TRIES * PATIENCE, least


@inlined
def _copy_decisions(source: Flags, target: Flags) -> None:
    for i in range(3):
        copy_row(source[i], target[i])


@inlined
def _play_on(values: Floats, missing: Integers, rolls: Flags, start: Floats) -> None:
    """The chances of three rotations if all three decide like that."""
    ends = np.empty((3, 4))
    for i in range(3):
        follow(rolls[i], missing[i], _after(values, missing, i), ends[i])
    link(ends, start)


@inlined
def _rotations(total: int, part: int, parts: int, target: int) -> Integers:
    """The points missing in all positions of the total, one for its three rotations.

    These are for the thread with the number `part`; the other rows of the lattice are for others.
    """
    found, count = np.empty((target * target, 3), np.int64), 0
    for x in range(max(1, total - 2 * target), min(target, total - 2) + 1):
        if x % parts != part:
            continue
        for y in range(max(1, total - x - target), min(target, total - x - 1) + 1):
            z = total - x - y
            if x <= y and (x < z or x == y == z):
                found[count, 0], found[count, 1], found[count, 2] = x, y, z
                count += 1
    return found[:count]


@inlined
def _keep_chances(values: Floats, missing: Integers, start: Floats) -> None:
    for i in range(3):
        for k in range(3):
            values[k, missing[i], missing[(i + 1) % 3], missing[(i + 2) % 3]] = start[i, k]


@inlined
def _switches_of(switches: Bytes, missing: Integers, i: int) -> Bytes:
    return switches[:, missing[i], missing[(i + 1) % 3], missing[(i + 2) % 3]]


@kernel
def settle_layer(total: int, part: int, values: Floats, switches: Bytes, report: Floats) -> None:
    """Settle all positions whose missing points add up to the total; those below are settled."""
    target = values.shape[1] - 1
    rolls, start = np.empty((3, target), np.bool_), np.empty((3, 3))
    tally = report[part]
    for missing in _rotations(total, part, len(report), target):
        steps, pain = settle(values, missing, rolls, start)
        _keep_chances(values, missing, start)
        for i in range(3):
            fits = record(rolls[i], missing[i], _switches_of(switches, missing, i))
            tally[CROWDED] += not fits
        tally[CLASSES] += 1
        tally[IMPROVEMENTS] += steps
        tally[UNSETTLED] += steps == TRIES * PATIENCE
        tally[REGRET] = max(tally[REGRET], pain)


@kernel
def follow_layer(total: int, part: int, values: Floats, switches: Bytes, report: Floats) -> None:
    """The same for players who decide as the switches say."""
    target = values.shape[1] - 1
    rolls, start = np.empty((3, target), np.bool_), np.empty((3, 3))
    for missing in _rotations(total, part, len(report), target):
        for i in range(3):
            recall(_switches_of(switches, missing, i), missing[i], rolls[i])
        _play_on(values, missing, rolls, start)
        _keep_chances(values, missing, start)
