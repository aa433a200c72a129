"""Random games to the end, for measuring the speed of the rules in the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spielwerk.engines.compiled import inlined, kernel
from spielwerk.games.oware.engine.kernel import after, final_score, is_legal, is_over
from spielwerk.games.oware.rules import HOUSES

if TYPE_CHECKING:
    from numpy.typing import NDArray


@inlined
def next_random(number: np.uint64) -> np.uint64:
    """The next number of a xorshift sequence; never zero after a number that is not."""
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    return number ^ (number << np.uint64(17))


@inlined
def random_house(mine: np.uint64, theirs: np.uint64, number: np.uint64) -> int:
    """One of the legal houses, chosen by the number."""
    count = 0
    for house in range(HOUSES):
        count += is_legal(mine, theirs, house)
    skip = np.int64((number >> np.uint64(33)) % np.uint64(count))
    house = 0
    while True:
        if is_legal(mine, theirs, house):
            if skip == 0:
                return house
            skip -= 1
        house += 1


@kernel
def playouts(mine: np.uint64, theirs: np.uint64, games: int, seed: int) -> NDArray[np.int64]:
    """Play random games from the position: wins of the player to move, draws, losses, moves."""
    counts = np.zeros(4, np.int64)
    path = np.empty((256, 2), np.uint64)
    number = np.uint64(seed) * np.uint64(2) + np.uint64(1)
    for _ in range(games):
        path[0, 0], path[0, 1] = mine, theirs
        index = 0
        moves = 0
        while not is_over(path, 0, index):
            number = next_random(number)
            house = random_house(path[index, 0], path[index, 1], number)
            first, second, gain = after(path[index, 0], path[index, 1], house)
            # Nothing before a capture comes back, so the path may begin anew.
            index = 0 if gain else index + 1
            if index == len(path):
                path = np.concatenate((path, np.empty_like(path)))
            path[index, 0], path[index, 1] = first, second
            moves += 1
        score = final_score(path[index, 0], path[index, 1])
        if moves % 2:
            score = -score
        counts[0 if score > 0 else 1 if score == 0 else 2] += 1
        counts[3] += moves
    return counts
