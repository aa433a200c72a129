"""The bits against the board of the rules."""

from __future__ import annotations

import random

import pytest

from spielwerk.games.morris.engine import board
from spielwerk.games.morris.rules import MILLS, MILLS_OF, NEIGHBOURS


def fields_of(bits: int) -> set[int]:
    return {field for field in range(24) if bits >> field & 1}


def bits_of(fields: set[int]) -> int:
    return sum(1 << field for field in fields)


def test_neighbours_and_pairs_are_those_of_the_rules() -> None:
    for field in range(24):
        assert fields_of(int(board.NEAR[field])) == set(NEIGHBOURS[field])
        mills = {frozenset(fields_of(int(pair)) | {field}) for pair in board.PAIRS[field]}
        assert mills == {frozenset(mill) for mill in MILLS_OF[field]}


@pytest.mark.parametrize("symmetry", range(board.SYMMETRIES))
def test_a_symmetry_maps_mills_to_mills_and_neighbours_to_neighbours(symmetry: int) -> None:
    where = [min(fields_of(board.transformed(1 << f, symmetry))) for f in range(24)]
    assert sorted(where) == list(range(24))
    mills = {frozenset(mill) for mill in MILLS}
    assert {frozenset(where[f] for f in mill) for mill in MILLS} == mills
    for field in range(24):
        assert {where[n] for n in NEIGHBOURS[field]} == set(NEIGHBOURS[where[field]])


def test_closes_counts_the_mills_of_the_rules() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        own = bits_of(set(rng.sample(range(24), 9)))
        field = rng.randrange(24)
        stones = fields_of(own) | {field}
        expected = sum(set(mill) <= stones for mill in MILLS_OF[field])
        assert board.closes(own, field) == expected
