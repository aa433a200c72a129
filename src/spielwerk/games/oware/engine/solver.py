"""Solving the endgame tables, one layer after the other; `endgames` says what they hold.

The fixpoints are found by sweeps over a layer, in place: values move in one direction only, so that
it does not matter in which order boards are looked at, nor that threads see each other's values
early or late. It is solved when a sweep changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.oware.engine.endgames import (
    HIGH,
    LOW,
    MOST,
    PARTS,
    codes_of,
    find_layer,
    first_number,
    layer_size,
    number_of,
    own_folder,
    read_codes,
    save_layer,
    solved_layers,
)
from spielwerk.games.oware.engine.kernel import after, all_stones, can_move, is_legal
from spielwerk.games.oware.rules import HOUSES

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from spielwerk.games.oware.engine.endgames import Codes

ALL: Final = 2 * HOUSES

SLICE: Final = 1 << 16
"""So many boards of a layer are looked at in one call of the kernel."""

SWEEPS: Final = [min(11 * stones, 130) for stones in range(MOST + 1)]
"""About how many sweeps a layer takes: 67 with 8 stones, 120 with 11, hardly more with 18."""

Progress = Callable[[int, float], None]
"""Told how many stones the layer being solved has, and the share of the whole work that is done."""


class Bounds(NamedTuple):
    """The bounds of a layer while it is solved."""

    low: NDArray[np.uint8]
    high: NDArray[np.uint8]

    def copy(self) -> Bounds:
        """The same in arrays of their own."""
        return Bounds(self.low.copy(), self.high.copy())


@inlined
def _set_up(stones: int, number: int, houses: NDArray[np.int64]) -> None:
    """Write the board with this number in its layer."""
    left = stones
    for place in range(ALL - 1, 0, -1):
        before = left
        while PARTS[place - 1, before] > number:
            before -= 1
        number -= PARTS[place - 1, before]
        houses[place] = left - before
        left = before
    houses[0] = left


@inlined
def _step(houses: NDArray[np.int64]) -> None:
    """Go to the board with the next number."""
    place = 1
    while place < ALL - 1 and houses[place] == 0:
        place += 1
    first = houses[0]
    houses[0] = 0
    houses[place] -= 1
    houses[place - 1] = first + 1


@inlined
def _row(houses: NDArray[np.int64], begin: int) -> np.uint64:
    row = np.uint64(0)
    for house in range(HOUSES):
        row |= np.uint64(houses[begin + house]) << np.uint64(8 * house)
    return row


@kernel
def sweep(
    stones: int,
    first: int,
    last: int,
    staying: bool,
    low: NDArray[np.uint8],
    high: NDArray[np.uint8],
    least: NDArray[np.uint8],
    most: NDArray[np.uint8],
    below: Codes,
) -> int:
    """Look at the boards of a layer from `first` to before `last`; how many have changed.

    `least` and `most` are bounds that hold already. When `staying`, a player who does not come to
    them must have the stones on the own side here, too.
    """
    houses = np.zeros(ALL, np.int64)
    _set_up(stones, first, houses)
    changed = 0
    for board in range(first, last):
        if board > first:
            _step(houses)
        if not staying and low[board] == high[board]:
            continue  # the bounds can only come nearer to each other
        mine, theirs = _row(houses, 0), _row(houses, HOUSES)
        own = all_stones(mine)
        at_least = at_most = own
        if can_move(mine, theirs):
            at_least = at_most = 0
            for house in range(HOUSES):
                if is_legal(mine, theirs, house):
                    next_mine, next_theirs, gain = after(mine, theirs, house)
                    number = number_of(next_mine, next_theirs)
                    if gain:
                        code = below[number]
                        at_least = max(at_least, stones - HIGH[code])
                        at_most = max(at_most, stones - LOW[code])
                    else:
                        at_least = max(at_least, stones - high[number - below.size])
                        at_most = max(at_most, stones - low[number - below.size])
            if staying:
                at_least = min(at_least, own)
                at_most = max(at_most, own)
            at_least = max(at_least, int(least[board]))
            at_most = min(at_most, int(most[board]))
        if low[board] != at_least or high[board] != at_most:
            low[board] = at_least
            high[board] = at_most
            changed += 1
    return changed


def _look(stones: int, arguments: tuple[Any, ...], part: tuple[int, int]) -> int:
    """Sweep a part of the layer."""
    return sweep(stones, *part, *arguments)


class LayerSolver:
    """The sweeps over one layer, shared among threads."""

    def __init__(self, stones: int, below: Codes, pool: ThreadPoolExecutor) -> None:
        self.stones = stones
        self._below = below
        self._pool = pool
        self._size = layer_size(stones)
        self._slices = [*range(0, self._size, SLICE), self._size]

    def _filled(self, low: int, high: int) -> Bounds:
        return Bounds(np.full(self._size, low, np.uint8), np.full(self._size, high, np.uint8))

    def solve(self, swept: Callable[[], None]) -> Bounds:
        """The bounds of the layer; `swept` is called after each sweep."""
        all_stay, none_stay = self._filled(self.stones, 0), self._filled(0, self.stones)
        staying = self._settled(all_stay, none_stay, True, swept)
        return self._settled(staying.copy(), staying, False, swept)

    def _settled(
        self, bounds: Bounds, held: Bounds, staying: bool, swept: Callable[[], None]
    ) -> Bounds:
        """Sweep until nothing changes."""
        look = partial(_look, self.stones, (staying, *bounds, *held, self._below))
        changed = 1
        while changed:
            changed = sum(self._pool.map(look, pairwise(self._slices)))
            swept()
        return bounds


class Workload:
    """How much of the work is done, by the boards looked at, and those expected to be."""

    def __init__(self, layers: range, progress: Progress) -> None:
        self._to_come = {stones: SWEEPS[stones] * layer_size(stones) for stones in layers}
        self._done = 0
        self._progress = progress

    def swept(self, stones: int) -> None:
        """Tell that a sweep over the layer was made; there may be more of them than expected."""
        size = layer_size(stones)
        self._done += size
        self._to_come[stones] = max(self._to_come[stones] - size, size)
        self._progress(stones, self._done / (self._done + sum(self._to_come.values())))

    def finished(self, stones: int) -> None:
        """Tell that the layer is solved."""
        self._to_come[stones] = 0


def solve(
    up_to: int,
    progress: Progress = lambda _stones, _share: None,
    folder: Path | None = None,
    *,
    threads: int = 1,
) -> None:
    """Solve all layers up to this number of stones that are not yet solved.

    Each is saved as soon as it is finished, so an interrupted run goes on where it was.
    """
    folder = folder or own_folder()
    solved = solved_layers(folder)
    below = read_codes(folder)[: first_number(min(solved, up_to) + 1)]
    work = Workload(range(solved + 1, up_to + 1), progress)
    with ThreadPoolExecutor(threads) as pool:
        for stones in range(solved + 1, up_to + 1):
            bounds = LayerSolver(stones, below, pool).solve(partial(work.swept, stones))
            codes = codes_of(*bounds)
            save_layer(folder, stones, codes)
            work.finished(stones)
            below = np.concatenate([below, codes])


class LayerStats(NamedTuple):
    """The boards of a layer."""

    boards: int
    exact: int  # low and high are equal
    gap: float  # the mean of high less low
    widest: int  # the greatest of them
    average: float  # what the player to move gets, in the middle of low and high


def stats(stones: int, folder: Path | None = None) -> LayerStats | None:
    """What the table of a layer says, or None if it is not solved."""
    codes = find_layer(folder or own_folder(), stones)
    if codes is None:
        return None
    boards = np.bincount(codes, minlength=LOW.size)
    low, high = LOW.astype(np.int64), HIGH.astype(np.int64)
    gaps = np.bincount(high - low, boards).astype(np.int64)
    average = float(boards @ (low + high)) / 2 / codes.size
    gap = float(boards @ (high - low)) / codes.size
    return LayerStats(codes.size, int(gaps[0]), gap, int(gaps.nonzero()[0][-1]), average)
