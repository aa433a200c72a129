"""The numbers of boards: dense, one to one, the same from every side."""

from __future__ import annotations

import random
from itertools import combinations
from math import comb

import numpy as np
import pytest

from spielwerk.games.morris.engine.board import FULL, SYMMETRIES, transformed
from spielwerk.games.morris.engine.index import (
    Sector,
    board_number,
    classes_of,
    following,
    gathered,
    rank,
    scattered,
    sector_size,
)


def random_board(rng: random.Random, mover: int, opponent: int) -> tuple[int, int]:
    fields = rng.sample(range(24), mover + opponent)
    return sum(1 << f for f in fields[:mover]), sum(1 << f for f in fields[mover:])


def number(own: int, opponent: int) -> int:
    return board_number(own, opponent, opponent.bit_count(), classes_of(own.bit_count()).of_rank)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_ranks_count_the_sets_in_numerical_order(size: int) -> None:
    sets = sorted(sum(1 << f for f in fields) for fields in combinations(range(24), size))
    assert [rank(fields) for fields in sets] == list(range(comb(24, size)))
    assert [following(fields) for fields in sets[:-1]] == sets[1:]


def test_gathering_and_scattering_undo_each_other() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        own, opponent = random_board(rng, rng.randrange(3, 10), rng.randrange(3, 10))
        free = FULL & ~own
        assert scattered(gathered(opponent, free), free) == opponent


def test_every_number_belongs_to_a_board() -> None:
    """A class representative with every choice of opposing stones runs through its numbers."""
    classes = classes_of(3)
    for place in (0, 1, 57, len(classes.sets) - 1):
        own = int(classes.sets[place])
        free = [f for f in range(24) if not own >> f & 1]
        boards = [sum(1 << f for f in fields) for fields in combinations(free, 3)]
        width = comb(21, 3)
        assert sorted(number(own, opponent) for opponent in boards) == list(
            range(place * width, (place + 1) * width)
        )


def test_symmetric_boards_share_their_number_up_to_the_symmetries_of_the_mover() -> None:
    rng = random.Random(2)
    shared = 0
    for _ in range(2000):
        own, opponent = random_board(rng, rng.randrange(3, 10), rng.randrange(3, 10))
        images = {
            number(transformed(own, symmetry), transformed(opponent, symmetry))
            for symmetry in range(SYMMETRIES)
        }
        classes = classes_of(own.bit_count())
        found = int(classes.of_rank[rank(own)]) >> 4
        same = int(np.bitwise_count(classes.stabilisers[found]))
        assert 1 <= len(images) <= same
        shared += len(images) == 1
        size = sector_size(Sector(own.bit_count(), opponent.bit_count()))
        assert all(0 <= image < size for image in images)
    assert shared > 1500
